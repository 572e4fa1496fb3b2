import { toClockLabel, toMark } from '#contract/slots.ts'
import type { Booked, Span } from './rows.ts'

/** Returns 'Zanele Dlamini, 9:00 AM to 10:00 AM, Confirmed, checked in, has a note'. */
export function toBookedText(booked: Booked): string {
  return [
    booked.who,
    toSpanText(booked),
    booked.status,
    booked.isCheckedIn && 'checked in',
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
