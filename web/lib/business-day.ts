import { toDate, toWallClock } from '#contract/slots.ts'
import { useClock } from './clock.ts'
import { addDays } from './days.ts'
import { toWallTime } from './format.ts'
import { getServerTime } from './server-time.ts'
import { settings } from './settings.ts'

/** Returns today in the business time zone, 'YYYY-MM-DD'. */
export function getBusinessDay(): string {
  return toDate(toWallClock(getServerTime(), settings.businessTimeZone))
}

/** Returns today in the business time zone, and follows it, as a page may stay open past midnight. */
export function useBusinessDay(): string {
  return useClock(getBusinessDay)
}

/** Converts an instant to the business time zone: `{ date: '2026-11-21', time: '9:00 AM' }`. */
export function toBusinessTime(instant: string): { date: string; time: string } {
  const wallClock = toWallClock(new Date(instant), settings.businessTimeZone).toISOString()
  return { date: wallClock.slice(0, 10), time: toWallTime(wallClock) }
}

/** Formats an instant in the business time zone: 'today, 2:02 PM', 'yesterday, 9:00 AM' or '2026-11-21, 9:00 AM'. */
export function toMomentText(instant: string): string {
  const { date, time } = toBusinessTime(instant)
  const today = getBusinessDay()
  const day = date === today ? 'today' : date === addDays(today, -1) ? 'yesterday' : date
  return `${day}, ${time}`
}
