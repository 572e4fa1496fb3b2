import type { BookingAction } from '#contract/booking-actions.ts'
import { type BookingStatus, isOpen } from '#contract/booking-statuses.ts'
import { DAY } from '#contract/durations.ts'
import { SLOT_MS } from '#contract/slots.ts'

/** What a booking's actions depend on. Its times and every `now` are the pod's wall clock labelled Z (rules §1.1). */
export type BookingState = {
  status: BookingStatus
  start: Date
  end: Date
  isCheckedIn: boolean
  isNoShow: boolean
  isEnded: boolean
}

/** Lists what can be done with a booking now (rules §27.4). */
export function listActions(booking: BookingState, now: Date): BookingAction[] {
  const { status, start, end, isCheckedIn, isNoShow, isEnded } = booking
  const isActive = isOpen(booking)
  const hasBegun = start <= now
  const isOver = end <= now
  const isToday = toDay(start) === toDay(now)
  const possible: Record<BookingAction, boolean> = {
    move: isActive && !isOver,
    cancel: isActive && !isOver,
    reinstate: status === 'Cancelled' && !isOver,
    'check-in': isActive && !isCheckedIn && isToday && !isOver,
    // Also after the end, as the wrong customer may have been let in and the right one not have come.
    'undo-check-in': isCheckedIn && (isActive || (status === 'Completed' && !isEnded)),
    // Also after the end, to record what happened; then there is no time left to free.
    'no-show': (isActive || status === 'Completed') && hasBegun && !isCheckedIn && !isNoShow && !isEnded,
    'undo-no-show': isNoShow,
    end: isActive && hasBegun && !isOver,
    'undo-end': isEnded && !isOver,
  }
  return (Object.keys(possible) as BookingAction[]).filter((action) => possible[action]) // its keys are all actions
}

/** Returns when a no-show's time becomes free. Nobody is there, so that includes the quarter that has begun. */
export function toNoShowRelease(start: Date, end: Date, now: Date): Date | null {
  return within(start, end, Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)
}

/** Returns when the time after an early end becomes free: from the next quarter, as someone was there until now. */
export function toEndRelease(start: Date, end: Date, now: Date): Date | null {
  return within(start, end, Math.ceil(now.getTime() / SLOT_MS) * SLOT_MS)
}

/** Returns null when no time is left to free. */
function within(start: Date, end: Date, from: number): Date | null {
  return from >= end.getTime() ? null : new Date(Math.max(from, start.getTime()))
}

const toDay = (wallClock: Date) => Math.floor(wallClock.getTime() / DAY)
