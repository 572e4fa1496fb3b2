import { errors } from './errors.ts'
import { closingMark, countMarks, MAX_BOOKING_MINUTES, marks, SLOT_MS, toMinutes, toWireTime } from './slots.ts'

/**
 * The rules for choosing marks on the time-slot grid (rules §4.5). A selection consists of the clicked marks, sorted;
 * the booking lasts from the first to the last. The server enforces the same rules in booking-rules.ts.
 */
export type Selection = readonly string[]

export type SlotRules = {
  /** The labels in `slot_bookings`. */
  booked: ReadonlySet<string>
  /** Why slots are not free, as the server says it: ‘Booked’, ‘Cleaning’, or why they are closed. */
  reasons?: Readonly<Record<string, string>>
  /** Labels at which a booking cannot end, because its cleaning time would overlap another booking. */
  notEnds?: ReadonlySet<string>
  isPassed: (mark: string) => boolean
}

/** `end-only` may be chosen only as the end of a booking; `booked` and `passed` are disabled. */
export type MarkState = 'free' | 'booked' | 'passed' | 'end-only' | 'chosen' | 'between'

export const selectionTexts = {
  required: 'Time slot is required',
  notATime: errors.slot_order.message,
  crossesBooking: 'That time includes a slot that is already booked.',
  crossesClosed: 'That time includes a slot that is closed or kept for cleaning.',
  cannotEnd: 'The cleaning after it would run into the next booking. Choose an earlier end.',
  passed: errors.slot_passed.message,
  /** While choosing, the text ends with a full stop; on submit it does not (rules §4.5). */
  tooLongLive: `${errors.slot_too_long.message}.`,
  tooLong: errors.slot_too_long.message,
} as const

/**
 * Returns the selection after a click. A mark outside the range extends it, the first or last one is removed, and one
 * in between becomes the new last. A selection that would cross a booking or begin in the past is refused and stays as
 * it was. A selection that is too long is kept, with an error.
 */
export function toggleMark(
  selection: Selection,
  mark: string,
  rules: SlotRules,
): { selection: Selection; error: string | undefined } {
  const next = applyClick(selection, mark, rules)
  const isExtension = next.length > selection.length
  const rangeError = isExtension ? findRangeError(next, rules) : undefined
  if (rangeError !== undefined) return { selection, error: rangeError }
  return { selection: next, error: findLiveError(next, rules) }
}

/** Returns what is wrong while marks are still being chosen, when a single mark is not an error yet. */
export function findLiveError(selection: Selection, rules: SlotRules): string | undefined {
  return findRangeError(selection, rules) ?? (isTooLong(selection) ? selectionTexts.tooLongLive : undefined)
}

/** Returns what prevents a selection from being booked, or undefined; without rules, what its marks alone tell. */
export function findSubmitError(selection: Selection, rules: SlotRules | undefined): string | undefined {
  if (selection.length === 0) return selectionTexts.required
  if (selection.length === 1) return selectionTexts.notATime
  return (rules && findRangeError(selection, rules)) ?? (isTooLong(selection) ? selectionTexts.tooLong : undefined)
}

/** Returns the state of each of the 73 marks, in order. */
export function markStates(selection: Selection, rules: SlotRules): { mark: string; state: MarkState }[] {
  return marks.map((mark) => ({ mark, state: markState(selection, mark, rules) }))
}

function markState(selection: Selection, mark: string, rules: SlotRules): MarkState {
  const [first, last] = toRange(selection)
  if (selection.includes(mark)) return 'chosen'
  if (first !== undefined && last !== undefined && first < mark && mark < last) return 'between'
  if (rules.isPassed(mark)) return rules.booked.has(mark) ? 'booked' : 'passed'
  if (rules.booked.has(mark)) return canEndAt(first, mark, rules) ? 'end-only' : 'booked'
  return mark === closingMark ? 'end-only' : 'free'
}

/** Without this, the quarter before every booking could never be sold (rules §4.6). */
function canEndAt(first: string | undefined, mark: string, { booked, notEnds }: SlotRules): boolean {
  return first !== undefined && !notEnds?.has(mark) && first < mark && listInTheWay(first, mark, booked).length === 0
}

/** Returns `timeSlotNumber` as on the wire: the number of marks from first to last, as text. */
export function toTimeSlotNumber(selection: Selection): string {
  return String(selection.length === 0 ? 0 : countMarks(toSelectedMinutes(selection)))
}

/**
 * Returns whether it is too late to begin at a mark, or to end at 24:00. `now` is the pod's wall clock labelled Z; the
 * slot that contains it can still be chosen.
 */
export function isMarkPassed(date: string, mark: string, now: Date): boolean {
  const quarter = mark === closingMark ? 0 : SLOT_MS
  return Date.parse(toWireTime(date, mark)) + quarter <= now.getTime()
}

function applyClick(selection: Selection, mark: string, { booked }: SlotRules): Selection {
  const [first, last] = toRange(selection)
  if (first === undefined || last === undefined || mark < first || mark > last) return [...selection, mark].sort()
  if (mark !== first && mark !== last) return [...selection.filter((chosen) => chosen < mark), mark]
  const rest = selection.filter((chosen) => chosen !== mark)
  // The start of another booking can only be an end, so it goes too once our start is removed.
  return rest.some((chosen) => !booked.has(chosen)) ? rest : []
}

function findRangeError(selection: Selection, { booked, reasons, isPassed, notEnds }: SlotRules): string | undefined {
  const [first, last] = toRange(selection)
  if (first === undefined || last === undefined) return undefined
  const inTheWay = listInTheWay(first, last, booked)
  if (inTheWay.length > 0) {
    const isBooked = inTheWay.some((mark) => (reasons?.[mark] ?? 'Booked') === 'Booked')
    return isBooked ? selectionTexts.crossesBooking : selectionTexts.crossesClosed
  }
  if (first !== last && notEnds?.has(last)) return selectionTexts.cannotEnd
  return isPassed(first) ? selectionTexts.passed : undefined
}

/**
 * Bookings are half-open, so another may begin at the last mark; a single mark represents its own quarter of an hour.
 */
function listInTheWay(first: string, last: string, booked: ReadonlySet<string>): string[] {
  return marks.filter((mark) => (mark === first || (first < mark && mark < last)) && booked.has(mark))
}

function isTooLong(selection: Selection): boolean {
  return toSelectedMinutes(selection) > MAX_BOOKING_MINUTES
}

function toSelectedMinutes(selection: Selection): number {
  const [first, last] = toRange(selection)
  return first === undefined || last === undefined ? 0 : toMinutes(last) - toMinutes(first)
}

function toRange(selection: Selection): [string | undefined, string | undefined] {
  return [selection[0], selection.at(-1)]
}
