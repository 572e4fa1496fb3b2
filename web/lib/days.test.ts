import { describe, expect, it } from 'vitest'
import { addDays, findDayProblem, isDay, parseDay, toMonth } from './days.ts'

describe('isDay', () => {
  it.each(['', '2026-13-01', '2026-02-30', 'today', '20261-11-23', '2026-1-1'])('refuses %j', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it.each(['2026-11-23', '2028-02-29'])('accepts %s', (text) => {
    expect(isDay(text)).toBe(true)
  })
})

describe('parseDay', () => {
  it.each(['2026-12-01', ' 2026-12-01 ', '2026-12-1', '2026/12/01', '2026.12.1', '20261201'])('reads %j', (text) => {
    expect(parseDay(text)).toBe('2026-12-01')
  })

  it.each(['', '12/01/2026', '2026-02-30', '2026121', '1 December'])('does not read %j', (text) => {
    expect(parseDay(text)).toBeUndefined()
  })

  it('has an explanation for a text that is not a day', () => {
    expect(findDayProblem('2026-02-30')).toBe('There is no 2026-02-30 in the calendar.')
    expect(findDayProblem('12/01/2026')).toBe('Write the day as 2026-12-01.')
  })
})

it('adds days across the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

it('finds the first and last day of a month and of the month before', () => {
  expect(toMonth('2028-02-10')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(toMonth('2026-01-31', -1)).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})
