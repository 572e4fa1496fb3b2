import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBookingProblem } from './booking-rules.ts'

const date = '2026-11-21'
const now = new Date('2026-11-21T08:00:00.000Z')

function problemOf(start: string, end: string, at = now) {
  return findBookingProblem({ date, start: new Date(start), end: new Date(end), now: at })
}

describe('findBookingProblem', () => {
  it.each([
    ['an hour', '2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00.000Z', undefined],
    ['one quarter', '2026-11-21T09:00:00.000Z', '2026-11-21T09:15:00.000Z', undefined],
    ['180 minutes', '2026-11-21T09:00:00.000Z', '2026-11-21T12:00:00.000Z', undefined],
    ['195 minutes', '2026-11-21T09:00:00.000Z', '2026-11-21T12:15:00.000Z', 'slot_too_long'],
    ['until 24:00', '2026-11-21T21:00:00.000Z', '2026-11-22T00:00:00.000Z', undefined],
    ['past 24:00', '2026-11-21T23:00:00.000Z', '2026-11-22T00:15:00.000Z', 'slot_hours'],
    ['into the next day', '2026-11-21T09:00:00.000Z', '2026-11-22T09:00:00.000Z', 'slot_hours'],
    ['before 06:00', '2026-11-21T05:45:00.000Z', '2026-11-21T07:00:00.000Z', 'slot_hours'],
    ['from 00:00', '2026-11-21T00:00:00.000Z', '2026-11-21T01:00:00.000Z', 'slot_hours'],
    ['from 24:00', '2026-11-22T00:00:00.000Z', '2026-11-22T00:15:00.000Z', 'slot_date'],
    ['nothing', '2026-11-21T09:00:00.000Z', '2026-11-21T09:00:00.000Z', 'slot_order'],
    ['backwards', '2026-11-21T10:00:00.000Z', '2026-11-21T09:00:00.000Z', 'slot_order'],
    ['off the grid', '2026-11-21T09:05:00.000Z', '2026-11-21T10:00:00.000Z', 'slot_grid'],
    ['off the grid at the end', '2026-11-21T09:00:00.000Z', '2026-11-21T09:50:00.000Z', 'slot_grid'],
    ['off the grid by seconds', '2026-11-21T09:00:30.000Z', '2026-11-21T10:00:30.000Z', 'slot_grid'],
    ['off the grid by a millisecond', '2026-11-21T09:00:00.001Z', '2026-11-21T10:00:00.001Z', 'slot_grid'],
    ['another day', '2026-11-22T09:00:00.000Z', '2026-11-22T10:00:00.000Z', 'slot_date'],
    ['the day before', '2026-11-20T23:00:00.000Z', '2026-11-21T07:00:00.000Z', 'slot_date'],
    ['no time at all', 'never', '2026-11-21T07:00:00.000Z', 'slot_order'],
  ])('checks an interval: %s', (_, start, end, expected) => {
    expect(problemOf(start, end)).toBe(expected)
  })

  it('accepts the slot that contains now, and no earlier one', () => {
    const start = '2026-11-21T09:00:00.000Z'
    const end = '2026-11-21T10:00:00.000Z'
    expect(problemOf(start, end, new Date('2026-11-21T09:14:59.999Z'))).toBeUndefined()
    expect(problemOf(start, end, new Date('2026-11-21T09:15:00.000Z'))).toBe('slot_passed')
    expect(problemOf(start, end, new Date('2027-01-01T00:00:00.000Z'))).toBe('slot_passed')
  })

  it('accepts only 06:00 to 24:00 on the last day of a month, a leap day and the last day of a year', () => {
    for (const day of ['2026-11-30', '2028-02-29', '2028-12-31']) {
      const midnight = Date.parse(`${day}T00:00:00.000Z`)
      const at = (minutes: number) => new Date(midnight + minutes * 60_000)
      expect(findBookingProblem({ date: day, start: at(360), end: at(375), now })).toBeUndefined()
      expect(findBookingProblem({ date: day, start: at(1425), end: at(1440), now })).toBeUndefined()
      expect(findBookingProblem({ date: day, start: at(345), end: at(375), now })).toBe('slot_hours')
      expect(findBookingProblem({ date: day, start: at(1425), end: at(1455), now })).toBe('slot_hours')
    }
  })

  it('accepts exactly the intervals on the grid, within the day, of up to three hours', () => {
    const minute = fc.integer({ min: -200, max: 1700 })
    fc.assert(
      fc.property(minute, minute, (from, to) => {
        const midnight = Date.parse(`${date}T00:00:00.000Z`)
        const times = { start: new Date(midnight + from * 60_000), end: new Date(midnight + to * 60_000) }
        const fine = from >= 360 && to <= 1440 && from % 15 === 0 && to % 15 === 0 && to > from && to - from <= 180
        const problem = findBookingProblem({ date, ...times, now: new Date('2026-11-20T00:00:00.000Z') })
        expect(problem === undefined).toBe(fine)
      }),
      { numRuns: 2000 },
    )
  })
})
