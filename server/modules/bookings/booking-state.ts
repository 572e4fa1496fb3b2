import type { BookingAction } from '#contract/booking-actions.ts'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import { SLOT_MINUTES } from '#contract/slots.ts'

/** What a booking's actions depend on; `now` and the times are the pod's wall clock labelled Z (rules §1.1). */
export type BookingState = {
  status: BookingStatus
  start: Date
  end: Date
  isCheckedIn: boolean
  isNoShow: boolean
  isEnded: boolean
}

const SLOT_MS = SLOT_MINUTES * 60_000
const DAY_MS = 24 * 60 * 60_000

/** What can be done with a booking now (rules §27.4). */
export function listActions(booking: BookingState, now: Date): BookingAction[] {
  const { status, start, end, isCheckedIn, isNoShow, isEnded } = booking
  const isActive = status === 'Pending' || status === 'Confirmed' || status === 'Processing'
  const hasBegun = start <= now
  const isOver = end <= now
  const isToday = toDay(start) === toDay(now)
  const possible: Record<BookingAction, boolean> = {
    move: isActive && !isOver,
    cancel: isActive && !isOver,
    reinstate: status === 'Cancelled' && !isOver,
    'check-in': isActive && !isCheckedIn && isToday && !isOver,
    'undo-check-in': isActive && isCheckedIn,
    // Afterwards too, as a note of what happened: then there is nothing to free.
    'no-show': (isActive || status === 'Completed') && hasBegun && !isCheckedIn && !isNoShow && !isEnded,
    'undo-no-show': isNoShow,
    end: isActive && hasBegun && !isOver,
    'undo-end': isEnded && !isOver,
  }
  return (Object.keys(possible) as BookingAction[]).filter((action) => possible[action]) // the keys of a record of all actions
}

/** Nobody is there: the quarter that has begun can be booked again too. */
export function toNoShowRelease(start: Date, end: Date, now: Date): Date | null {
  return within(start, end, Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)
}

/** Someone was there until now: the next quarter is the first that is free. */
export function toEndRelease(start: Date, end: Date, now: Date): Date | null {
  return within(start, end, Math.ceil(now.getTime() / SLOT_MS) * SLOT_MS)
}

/** Null when nothing is left to be freed. */
function within(start: Date, end: Date, from: number): Date | null {
  return from >= end.getTime() ? null : new Date(Math.max(from, start.getTime()))
}

const toDay = (wallClock: Date) => Math.floor(wallClock.getTime() / DAY_MS)
