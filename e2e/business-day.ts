import { toInstant, toWallClock } from '#contract/slots.ts'

const TIME_ZONE = 'Africa/Johannesburg'

/** The date in the business time zone, so many days from today. */
export function businessDay(days = 0): string {
  const today = toWallClock(new Date(), TIME_ZONE)
  return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

/** A time of a day on the pod's wall clock, as bookings keep it (rules §1.1). */
export function wallTime(date: string, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`)
}

/** The true instant at which the business's clocks show a time. */
export function instantAt(date: string, time: string): string {
  return toInstant(wallTime(date, time), TIME_ZONE).toISOString()
}
