import { expect, it } from 'vitest'
import { toEndText, toPeriodLines, toPeriodText } from './closure-words.ts'

it('writes an end at midnight as the end of the day before', () => {
  expect(toEndText('2026-12-01T00:00:00.000Z')).toBe('2026-11-30, end of day')
  expect(toEndText('2026-12-01T12:00:00.000Z')).toBe('2026-12-01, 12:00 PM')
  const day = { starts: '2026-11-26T06:00:00.000Z', ends: '2026-11-27T00:00:00.000Z' }
  expect(toPeriodText(day)).toBe('2026-11-26, 6:00 AM – end of day')
  expect(toPeriodLines(day, null)).toEqual(['2026-11-26, 6:00 AM – end of day', 'Once'])
  const days = { starts: '2026-11-26T06:00:00.000Z', ends: '2026-11-28T00:00:00.000Z' }
  expect(toPeriodText(days)).toBe('2026-11-26, 6:00 AM – 2026-11-27, end of day')
  expect(toPeriodLines(days, 'FREQ=WEEKLY')).toEqual(['2026-11-26, 6:00 AM –', '2026-11-27, end of day, every week'])
})
