import { isOpen } from '#contract/booking-statuses.ts'
import { HOUR } from '#contract/durations.ts'
import type { MessageKind } from '#contract/message-templates.ts'
import { toWallClock } from '#contract/slots.ts'
import { toToldBooking } from './message-content.ts'
import type { Subject } from './messages.repository.ts'

/** Returns the kind of message to write; undefined when the customer knows the booking's current state. */
export function chooseKind(subject: Subject, now: Date, timeZone: string): MessageKind | undefined {
  const { is_for_customer, told_booking_id, told_start, told_cancelled, told_at, status } = subject
  // A booking without a row in `told_bookings` has not changed since messages were introduced.
  if (!is_for_customer || told_booking_id === null) return undefined
  const isKnown = told_start !== null && !told_cancelled
  if (status === 'Cancelled') return isKnown ? 'cancelled' : undefined
  if (!isOpen(subject)) return undefined
  if (!isKnown) return 'booked'
  if (!isAsTold(subject)) return 'moved'
  if (!isDue(subject, now)) return undefined
  // Skip customers who have been written to since the reminder came due.
  const isReminded = told_at !== null && toWallClock(told_at, timeZone) >= toReminderTime(subject)
  return isReminded ? undefined : 'reminder'
}

/** Returns whether the booking is at the time and in the pod that its customer was told. */
export function isAsTold(subject: Subject): boolean {
  const { told_start, told_end, told_pod_id, told_location_id } = subject
  return (
    told_start?.getTime() === subject.start_time.getTime() &&
    told_end?.getTime() === subject.end_time.getTime() &&
    told_pod_id === subject.pod_id &&
    (told_location_id === null || told_location_id === subject.location_id)
  )
}

const toReminderTime = ({ start_time, reminder_hours }: Subject) =>
  new Date(start_time.getTime() - (reminder_hours ?? 0) * HOUR)

export function isDue(subject: Subject, now: Date): boolean {
  const { reminder_hours, reminded_for, start_time, checked_in_at } = subject
  return (
    reminder_hours !== null &&
    start_time > now &&
    now >= toReminderTime(subject) &&
    reminded_for?.getTime() !== start_time.getTime() &&
    checked_in_at === null &&
    isOpen(subject)
  )
}

/** Returns whether an unsent message still describes the booking correctly, and goes to the present address. */
export function isStillSo(
  { kind, to_email }: { kind: string; to_email: string },
  told: ReturnType<typeof toToldBooking>,
  subject: Subject,
  now: Date,
): boolean {
  const is = toToldBooking(subject)
  const isSame =
    to_email === subject.to_email &&
    told.podId === is.podId &&
    (told.locationId === undefined || told.locationId === is.locationId) &&
    told.start === is.start &&
    told.end === is.end &&
    told.isCancelled === is.isCancelled
  if (!isSame) return false
  if (kind === 'reminder') return subject.start_time > now && subject.checked_in_at === null && isOpen(subject)
  return is.isCancelled || isOpen(subject)
}
