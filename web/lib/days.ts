import { DAY } from '#contract/durations.ts'

/** Calendar days, 'YYYY-MM-DD': not instants, and without a time zone. */

const START_OF_DAY = 'T00:00:00.000Z'

/** Returns whether a text is an existing day, 'YYYY-MM-DD'. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(text + START_OF_DAY)
  // Some browsers parse 30 February as 2 March.
  return !Number.isNaN(time) && toDay(time) === text
}

/** Parses a typed day, such as 2026-12-01, 2026/12/1 or 20261201; undefined when it is no existing day. */
export function parseDay(text: string): string | undefined {
  const typed = text.trim()
  const parts = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(typed) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(typed)
  if (!parts) return undefined
  const [, year = '', month = '', day = ''] = parts
  const normal = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(normal) ? normal : undefined
}

/** Returns the error message for a text that parseDay cannot read. */
export function findDayProblem(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim())
    ? `There is no ${text.trim()} in the calendar.`
    : 'Write the day as 2026-12-01.'
}

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(day + START_OF_DAY) + days * DAY)
}

export type DayRange = { from: string; to: string }

/** Returns the first and last day of the month that lies `monthsAway` from that of `day`. */
export function toMonth(day: string, monthsAway = 0): DayRange {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + monthsAway]
  return { from: toDay(Date.UTC(year, month, 1)), to: toDay(Date.UTC(year, month + 1, 0)) }
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
