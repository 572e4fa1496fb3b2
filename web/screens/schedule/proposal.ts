import { MAX_BOOKING_MINUTES, SLOT_MINUTES } from '#contract/slots.ts'
import { type Booked, DAY_END, DAY_START, isOpen, overlaps, type Row, type Span, withBuffer } from './rows.ts'
import { toSpanText } from './schedule-texts.ts'

/** The current day and minute of the day in the business time zone. */
export type Now = { date: string; minute: number }

/** Added when a proposal is outside the opening hours. */
export const ASKS_FOR_REASON = 'You will be asked for a reason'

/** Until a move is stored, the booking can neither be found at its new place nor moved again. */
export const IS_SAVING = 'It is being saved.'

/** A booking that is being made, moved or resized, with the time it would get if dropped now. */
export type Proposal = Span & {
  kind: 'make' | 'move' | 'resize'
  row: Row
  /** The booking that is moved or resized, unchanged. */
  booked?: Booked | undefined
  /** The row that it is moved from. */
  from?: Row | undefined
}

type Place = Pick<Proposal, 'row' | 'booked' | 'start' | 'end'>

/** Whether a booking would only give time up, which it may whatever has been closed or changed since. */
function isShorter({ row, booked, start, end }: Place): boolean {
  if (booked === undefined || booked.podId !== row.podId || booked.date !== row.date) return false
  return start >= booked.start && end <= booked.end
}

/** Returns why a booking cannot be moved or resized at all; undefined when it can. */
export function findFixedReason(booked: Booked, now: Now): string | undefined {
  if (booked.isSaving) return IS_SAVING
  if (booked.status === 'Completed' || booked.status === 'Rated' || hasPassed(booked, booked.end, now)) {
    return 'It is over.'
  }
  return undefined
}

export function hasBegun(booked: Booked, now: Now): boolean {
  return hasPassed(booked, booked.start, now)
}

/**
 * Returns why a proposal cannot be dropped where it is, in words for staff; undefined when it can. Does not check the
 * opening hours, which staff may override with a reason (`findHoursNote`).
 */
export function findObstacle({ kind, row, booked, start, end }: Proposal, now: Now): string | undefined {
  const isLess = isShorter({ row, booked, start, end })
  if (row.unavailable !== undefined && !isLess) return `${row.title} cannot be booked: ${row.unavailable.toLowerCase()}`
  if (end - start > MAX_BOOKING_MINUTES) return `At most ${MAX_BOOKING_MINUTES / 60} hours`
  if (end - start < SLOT_MINUTES) return 'At least a quarter of an hour'
  if (booked && hasBegun(booked, now)) {
    if (kind === 'move' || start !== booked.start) return 'It has begun: only its end can be changed'
    if (hasPassed(row, end, now)) return 'Its new end has passed'
  } else if (hasPassed(row, start + SLOT_MINUTES, now)) return 'This time has passed'
  if (isLess) return undefined
  // A running booking was let go through what has closed its pod before.
  const left = booked && hasBegun(booked, now) ? { start: Math.max(start, now.minute), end } : { start, end }
  const closure = row.closures.find((one) => overlaps(one, left))
  if (closure) return `Closed: ${closure.reason}`
  const others = row.bookings.filter(({ key }) => key !== booked?.key)
  const other = others.find((one) => overlaps(one, { start, end }))
  if (other) return `Conflict with ${other.who}, ${toSpanText(other)}`
  const before = others.find((one) => overlaps(withBuffer(one), { start, end }))
  if (before) return `${before.buffer} minutes after ${before.who}, ${toSpanText(before)}, are kept free`
  const after = others.find((one) => overlaps(one, { start, end: end + row.buffer }))
  if (after) return `${row.buffer} minutes before ${after.who}, ${toSpanText(after)}, have to stay free`
  return undefined
}

/** Returns a note if a time is outside the opening hours, where booking requires a reason; undefined within them. */
export function findHoursNote(proposal: Place): string | undefined {
  const { row, start, end } = proposal
  if (isShorter(proposal) || isOpen(row, { start, end })) return undefined
  const open = row.open.map((span) => toSpanText(span)).join(', ')
  return open === '' ? 'Outside opening hours, closed all day' : `Outside opening hours, ${open}`
}

/** Returns what the screen reader says at each step. */
export function toSpokenProposal(proposal: Proposal, now: Now): string {
  const place = `${proposal.row.name}, ${toSpanText(proposal)}`
  const obstacle = findObstacle(proposal, now)
  if (obstacle !== undefined) return `${place}. ${obstacle}.`
  const note = findHoursNote(proposal)
  return note === undefined ? `${place}. Free.` : `${place}. ${note}. ${ASKS_FOR_REASON}.`
}

/** Returns a span of this length, shifted to lie within the day. */
export function keepInDay(start: number, length: number): Span {
  const from = Math.max(DAY_START, Math.min(start, DAY_END - length))
  return { start: from, end: from + length }
}

/** Returns the span of a new booking: an hour, or what is free before the next booking, closure or closing time. */
export function toNewSpan(row: Row, minute: number, minutes = 60): Span {
  const next = Math.min(
    DAY_END,
    ...row.bookings.filter(({ start }) => start >= minute).map(({ start }) => start - row.buffer),
    ...row.closures.filter(({ start }) => start >= minute).map(({ start }) => start),
    ...row.open.filter(({ start, end }) => start <= minute && end > minute).map(({ end }) => end),
  )
  return { start: minute, end: Math.max(minute + SLOT_MINUTES, Math.min(minute + minutes, next)) }
}

export function toNewProposal(row: Row, minute: number): Proposal {
  return { kind: 'make', row, ...toNewSpan(row, minute) }
}

export function toQuarter(minute: number): number {
  return Math.floor(minute / SLOT_MINUTES) * SLOT_MINUTES
}

function hasPassed({ date }: { date: string }, minute: number, now: Now): boolean {
  return date < now.date || (date === now.date && minute <= now.minute)
}
