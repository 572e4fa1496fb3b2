import { expect, it } from 'vitest'
import { toWallTimeRange } from './wall-clock.ts'

it('reads booking times as they stand, whatever zone the browser is in', () => {
  const range = (startTime: string, endTime: string) => toWallTimeRange({ startTime, endTime })
  expect(range('2026-11-21T09:00:00.000Z', '2026-11-21T10:30:00.000Z')).toBe('9:00 AM - 10:30 AM')
  expect(range('2026-11-21T12:15:00.000Z', '2026-11-21T13:00:00.000Z')).toBe('12:15 PM - 1:00 PM')
  expect(range('2026-11-30T21:00:00.000Z', '2026-12-01T00:00:00.000Z')).toBe('9:00 PM - 12:00 AM')
})
