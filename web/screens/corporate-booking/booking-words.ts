import { type Selection, toTimeSlotNumber } from '#contract/slot-selection.ts'
import { toClockLabel, toMinutes, toWireTime } from '#contract/slots.ts'

/** Formats a selection: '9:00 AM - 10:00 AM', or the only mark; undefined when nothing is selected. */
export function toRangeText(selection: Selection): string | undefined {
  const [first, last] = [selection[0], selection.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return first === last ? toClockLabel(first) : `${toClockLabel(first)} - ${toClockLabel(last)}`
}

/** Returns whether the selection includes the slot that begins at a mark. */
export function isWithin(mark: string, selection: Selection): boolean {
  const [first, last] = [selection[0], selection.at(-1)]
  return first !== undefined && last !== undefined && first <= mark && mark < last
}

/** Returns the minutes from the first mark to the last. */
export function toBookedMinutes(selection: Selection): number {
  const [first, last] = [selection[0], selection.at(-1)]
  return first === undefined || last === undefined ? 0 : toMinutes(last) - toMinutes(first)
}

/** Formats a duration: '45 minutes', '1 hour', '1 hour 15 minutes'. */
export function toDurationText(bookingMinutes: number): string {
  const [hours, minutes] = [Math.floor(bookingMinutes / 60), bookingMinutes % 60]
  const parts = [hours > 0 && `${hours} ${hours === 1 ? 'hour' : 'hours'}`, minutes > 0 && `${minutes} minutes`]
  return parts.filter(Boolean).join(' ') || '0 minutes'
}

/** Returns '9:00 AM and 10:00 AM are not free and were cleared.' for marks that no longer fit; undefined for none. */
export function toDroppedText(dropped: Selection): string | undefined {
  if (dropped.length === 0) return undefined
  const labels = dropped.map(toClockLabel).join(' and ')
  return dropped.length === 1 ? `${labels} is not free and was cleared.` : `${labels} are not free and were cleared.`
}

/** Returns the interval of a selection, as requests have it: on the wall clock, labelled Z (rules §1.1). */
export function toBookedInterval(date: string, selection: Selection) {
  const [first = '', last = ''] = [selection[0], selection.at(-1)]
  return { bookingDate: date, startTime: toWireTime(date, first), endTime: toWireTime(date, last) }
}

/** Returns the request's body. */
export function toBookingBody(purpose: string, date: string, selection: Selection) {
  return {
    bookingPurpose: purpose,
    ...toBookedInterval(date, selection),
    timeSlotNumber: toTimeSlotNumber(selection),
    status: 'Pending',
    isBookingActive: true,
  }
}
