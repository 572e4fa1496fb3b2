import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countMarks,
  marks,
  toClockLabel,
  toInstant,
  toMark,
  toMarks,
  toMinutes,
  toWallClock,
  toWireTime,
} from './slots.ts'

describe('marks', () => {
  it('are 73, from 06:00 to 24:00', () => {
    expect(marks).toHaveLength(73)
    expect([marks[0], marks[1], marks.at(-2), marks.at(-1)]).toEqual(['06:00', '06:15', '23:45', '24:00'])
  })

  it('convert to minutes and back, and sort as text', () => {
    expect(marks.map((mark) => toMark(toMinutes(mark)))).toEqual(marks)
    expect([...marks].sort()).toEqual(marks)
  })

  it('are shown on a 12-hour clock', () => {
    expect(['06:00', '09:00', '11:45', '12:00', '12:15', '13:00', '23:45', '24:00'].map(toClockLabel)).toEqual([
      '6:00 AM',
      '9:00 AM',
      '11:45 AM',
      '12:00 PM',
      '12:15 PM',
      '1:00 PM',
      '11:45 PM',
      '12:00 AM',
    ])
  })

  it('are counted including the first and the last', () => {
    expect([15, 60, 180].map(countMarks)).toEqual([2, 5, 13])
  })
})

describe('toWireTime', () => {
  it('labels the wall clock Z in any time zone of the machine', () => {
    expect(toWireTime('2026-11-21', '09:00')).toBe('2026-11-21T09:00:00.000Z')
  })

  it('turns 24:00 into 00:00 of the next day, across months, years and leap days', () => {
    expect(toWireTime('2026-11-30', '24:00')).toBe('2026-12-01T00:00:00.000Z')
    expect(toWireTime('2026-12-31', '24:00')).toBe('2027-01-01T00:00:00.000Z')
    expect(toWireTime('2028-02-28', '24:00')).toBe('2028-02-29T00:00:00.000Z')
    expect(toWireTime('2028-02-29', '24:00')).toBe('2028-03-01T00:00:00.000Z')
  })
})

describe('the business clock', () => {
  it('is two hours ahead of UTC in Johannesburg', () => {
    expect(toWallClock(new Date('2026-11-21T22:30:00.000Z'), 'Africa/Johannesburg').toISOString()).toBe(
      '2026-11-22T00:30:00.000Z',
    )
  })

  it('shows whole seconds, and changes for summer and winter at the very second', () => {
    const show = (instant: string) => toWallClock(new Date(instant), 'Europe/Berlin').toISOString()
    expect(show('2026-03-29T00:59:59.999Z')).toBe('2026-03-29T01:59:59.000Z')
    expect(show('2026-03-29T01:00:00.000Z')).toBe('2026-03-29T03:00:00.000Z')
  })

  it('converts a wall clock back to the instant', () => {
    expect(toInstant(new Date('2026-11-21T09:00:00.999Z'), 'Africa/Johannesburg').toISOString()).toBe(
      '2026-11-21T07:00:00.000Z',
    )
  })

  it('uses the first of an hour that occurs twice, and skips an hour that does not occur', () => {
    // Berlin: 25 October 2026, 03:00 back to 02:00; 29 March 2026, 02:00 forward to 03:00.
    expect(toInstant(new Date('2026-10-25T02:30:00.000Z'), 'Europe/Berlin').toISOString()).toBe(
      '2026-10-25T00:30:00.000Z',
    )
    expect(toInstant(new Date('2026-03-29T02:30:00.000Z'), 'Europe/Berlin').toISOString()).toBe(
      '2026-03-29T01:30:00.000Z',
    )
  })

  it.each([
    ['2026-10-25T01:00:00.000Z', '2026-10-24T23:00:00.000Z'],
    ['2026-10-25T12:00:00.000Z', '2026-10-25T11:00:00.000Z'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29T00:00:00.000Z'],
    ['2026-03-29T12:00:00.000Z', '2026-03-29T10:00:00.000Z'],
  ])('reads other hours of a day on which the clocks change with the offset of then: %s', (wall, instant) => {
    expect(toInstant(new Date(wall), 'Europe/Berlin').toISOString()).toBe(instant)
  })

  const zones = ['Africa/Johannesburg', 'America/St_Johns', 'Pacific/Chatham', 'Pacific/Kiritimati', 'Europe/Berlin']
  it('converts to an instant and back in every time zone, except for an hour that occurs twice', () => {
    const seconds = fc.integer({ min: Date.parse('2020-01-01') / 1000, max: Date.parse('2040-01-01') / 1000 })
    fc.assert(
      fc.property(seconds, fc.constantFrom(...zones), (second, zone) => {
        const instant = new Date(second * 1000)
        const wall = toWallClock(instant, zone)
        const back = toInstant(wall, zone)
        expect(toWallClock(back, zone)).toEqual(wall)
        const earlierByMinutes = (instant.getTime() - back.getTime()) / 60_000
        expect([0, 60]).toContain(earlierByMinutes)
      }),
    )
  })
})

describe('toMarks', () => {
  it('reads wall clocks without conversion, and midnight as the end of the day', () => {
    expect(toMarks({ startTime: '2026-11-23T21:15:00.000Z', endTime: '2026-11-24T00:00:00.000Z' })).toEqual([
      '21:15',
      '24:00',
    ])
  })
})
