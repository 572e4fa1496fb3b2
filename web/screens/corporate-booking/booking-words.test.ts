import { afterEach, describe, expect, it, vi } from 'vitest'
import { toBookedMinutes, toBookingBody, toDroppedText, toDurationText, toRangeText } from './booking-words.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('toRangeText', () => {
  it('writes the first and the last mark on a 12-hour clock', () => {
    expect(toRangeText(['09:00', '09:30', '10:15'])).toBe('9:00 AM - 10:15 AM')
    expect(toRangeText(['22:00', '24:00'])).toBe('10:00 PM - 12:00 AM')
    expect(toRangeText(['24:00'])).toBe('12:00 AM')
  })

  it('returns undefined when no mark is chosen', () => {
    expect(toRangeText([])).toBeUndefined()
  })
})

describe('toDurationText', () => {
  it.each([
    [0, '0 minutes'],
    [15, '15 minutes'],
    [60, '1 hour'],
    [75, '1 hour 15 minutes'],
    [180, '3 hours'],
  ])('writes %i minutes as %s', (minutes, text) => {
    expect(toDurationText(minutes)).toBe(text)
  })
})

describe('toBookedMinutes', () => {
  it('counts the minutes from the first mark to the last', () => {
    expect(toBookedMinutes(['09:00', '10:00'])).toBe(60)
    expect(toBookedMinutes(['09:00'])).toBe(0)
    expect(toBookedMinutes([])).toBe(0)
  })
})

describe('toDroppedText', () => {
  it('names the marks that were cleared', () => {
    expect(toDroppedText([])).toBeUndefined()
    expect(toDroppedText(['09:00'])).toBe('9:00 AM is not free and was cleared.')
    expect(toDroppedText(['09:00', '10:00'])).toBe('9:00 AM and 10:00 AM are not free and were cleared.')
  })
})

describe('toBookingBody', () => {
  it('sends the wall clock labelled Z, in any time zone of the browser', () => {
    for (const zone of ['Pacific/Honolulu', 'Pacific/Auckland']) {
      vi.stubEnv('TZ', zone)
      expect(toBookingBody('work', '2026-11-23', ['09:00', '10:00'])).toEqual({
        bookingPurpose: 'work',
        bookingDate: '2026-11-23',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        timeSlotNumber: '5',
        status: 'Pending',
        isBookingActive: true,
      })
    }
  })

  it('ends at 00:00 of the next day for 24:00', () => {
    expect(toBookingBody('work', '2026-11-30', ['22:00', '24:00']).endTime).toBe('2026-12-01T00:00:00.000Z')
  })
})
