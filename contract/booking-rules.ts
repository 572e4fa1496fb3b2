import { MINUTE } from './durations.ts'
import type { ErrorCode } from './errors.ts'
import { CLOSING_HOUR, MAX_BOOKING_MINUTES, OPENING_HOUR, SLOT_MINUTES, SLOT_MS } from './slots.ts'

const DAY_MINUTES = 24 * 60

/** A requested booking. All times are the pod's wall clock labelled Z, `now` too (rules §1.1). */
type BookingTimes = { date: string; start: Date; end: Date; now: Date }

/** Every error about times except slot_taken, which only the database can decide. */
export type BookingProblem = Exclude<Extract<ErrorCode, `slot_${string}`>, 'slot_taken'>

/**
 * Returns the error code of the first rule that the booking's times break (rules §4.2), or undefined when they are
 * valid. The server checks every booking; slot-selection.ts keeps the portal from sending invalid times.
 */
export function findBookingProblem({ date, start, end, now }: BookingTimes): BookingProblem | undefined {
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  const from = (start.getTime() - midnight) / MINUTE
  const to = (end.getTime() - midnight) / MINUTE
  if (!(to > from)) return 'slot_order'
  if (from % SLOT_MINUTES !== 0 || to % SLOT_MINUTES !== 0) return 'slot_grid'
  if (from < 0 || from >= DAY_MINUTES) return 'slot_date'
  if (from < OPENING_HOUR * 60 || to > CLOSING_HOUR * 60) return 'slot_hours'
  if (to - from > MAX_BOOKING_MINUTES) return 'slot_too_long'
  // The quarter that contains now can still be booked.
  if (start.getTime() + SLOT_MS <= now.getTime()) return 'slot_passed'
  return undefined
}
