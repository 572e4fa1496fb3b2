import { toClockLabel, toMark } from '#contract/slots.ts'
import type { Booked, Span } from './rows.ts'

/** The visible text of a booking. */
export const toVisibleTexts = ({ who, isCheckedIn, status }: Booked) =>
  [who, isCheckedIn ? 'Checked in' : status] as const

/**
 * Returns 'Zanele Dlamini, Checked in, 9:00 AM to 10:00 AM, Confirmed, has a note'. The visible text comes first, so
 * that people with voice control can say it.
 */
export function toBookedText(booked: Booked): string {
  return [
    ...toVisibleTexts(booked),
    toSpanText(booked),
    booked.isCheckedIn && booked.status,
    booked.hasNote && 'has a note',
    booked.isSaving && 'being saved',
  ]
    .filter(Boolean)
    .join(', ')
}

export function toTimeText(minute: number): string {
  return toClockLabel(toMark(minute))
}

/** Formats a span: '9:00 AM to 10:00 AM'. */
export function toSpanText({ start, end }: Span): string {
  return `${toTimeText(start)} to ${toTimeText(end)}`
}
