import { toClockLabel, toMark } from '#contract/slots.ts'
import type { Booked, Span } from './rows.ts'

/** What is seen of a booking, without its icons. */
export const toSeenTexts = ({ who, isCheckedIn, status }: Booked) => [who, isCheckedIn ? 'Checked in' : status] as const

/**
 * Returns 'Zanele Dlamini, Checked in, 9:00 AM to 10:00 AM, Confirmed, has a note'. What is seen comes first, for those
 * who say it to click it.
 */
export function toBookedText(booked: Booked): string {
  return [
    ...toSeenTexts(booked),
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
