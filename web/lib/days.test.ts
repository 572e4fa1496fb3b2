import { describe, expect, it } from 'vitest'
import { addDays, findDayProblem, isDay, parseDay, toMonth } from './days.ts'

describe('isDay', () => {
  it.each(['', '2026-13-01', '2026-02-30', 'today', '20261-11-23', '2026-1-1'])('%j is none', (text) => {
    expect(isDay(text)).toBe(false)
  })

  it.each(['2026-11-23', '2028-02-29'])('%s is one', (text) => {
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

  it('says what is wrong', () => {
    expect(findDayProblem('2026-02-30')).toBe('There is no 2026-02-30 in the calendar.')
    expect(findDayProblem('12/01/2026')).toBe('Write the day as 2026-12-01.')
  })
})

it('counts days over the ends of months and years, whatever the clocks do', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

it('knows the months around a day', () => {
  expect(toMonth('2028-02-10')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(toMonth('2026-01-31', -1)).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})
