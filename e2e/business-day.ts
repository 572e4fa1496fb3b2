import { toInstant, toWallClock } from '#contract/slots.ts'

const TIME_ZONE = 'Africa/Johannesburg'

/** Returns the date in the business time zone that is `days` days from today. */
export function businessDay(days = 0): string {
  const today = toWallClock(new Date(), TIME_ZONE)
  return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns a time on a date as the pod's wall clock, as bookings store it (rules §1.1). */
export function wallTime(date: string, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`)
}

/** Returns the true instant at which clocks in the business time zone show a time. */
export function instantAt(date: string, time: string): string {
  return toInstant(wallTime(date, time), TIME_ZONE).toISOString()
}
