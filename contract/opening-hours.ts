import { CLOSING_HOUR, OPENING_HOUR, toClockLabel, toMark, toMinutes } from './slots.ts'

/** A span in which pods are open (rules §26.3). Times are marks: 'HH:mm', including '24:00'. */
export type HourSpan = { opens: string; closes: string }
/** Weekday 1 is Monday. Without spans the day is closed. */
export type DayHours = { weekday: number; spans: HourSpan[] }
export type HourException = { date: string; label: string; spans: HourSpan[] }
/** The hours set for a pod or a location itself; weekdays that are left out come from the next set. */
export type HourSet = { week: readonly DayHours[]; exceptions: readonly HourException[] }

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** As spelled in recurrence rules (RFC 5545). */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export const WEEKDAY_REQUIRED = 'Choose at least one weekday'

const defaultSpans: readonly HourSpan[] = [{ opens: toMark(OPENING_HOUR * 60), closes: toMark(CLOSING_HOUR * 60) }]

/** Returns the weekday of a date, 'YYYY-MM-DD': 1 is Monday. */
export function toWeekday(date: string): number {
  return new Date(`${date}T00:00:00.000Z`).getUTCDay() || 7
}

/**
 * Returns the hours of a date. The first set that has hours for it decides: the pod's, then its location's. Exceptions
 * take precedence over weekdays. `label` is that of the exception. Spans that touch are one.
 */
export function findHours(sets: readonly HourSet[], date: string): { spans: readonly HourSpan[]; label: string } {
  for (const { exceptions } of sets) {
    const exception = exceptions.find((one) => one.date === date)
    if (exception) return { spans: joinTouching(exception.spans), label: exception.label }
  }
  const weekday = toWeekday(date)
  for (const { week } of sets) {
    const day = week.find((one) => one.weekday === weekday)
    if (day) return { spans: joinTouching(day.spans), label: '' }
  }
  return { spans: defaultSpans, label: '' }
}

/** Joins spans, which are in order, where one opens when the one before closes. */
function joinTouching(spans: readonly HourSpan[]): HourSpan[] {
  const joined: HourSpan[] = []
  for (const { opens, closes } of spans) {
    const last = joined.at(-1)
    if (last?.closes === opens) joined.splice(-1, 1, { opens: last.opens, closes })
    else joined.push({ opens, closes })
  }
  return joined
}

type SpanProblem = { index: number; part: keyof HourSpan; message: string }

/** Returns what is wrong with the spans of a day, and in which of them, or undefined when nothing is. */
export function findSpanProblem(spans: readonly HourSpan[]): SpanProblem | undefined {
  const backwards = spans.findIndex(({ opens, closes }) => toMinutes(opens) >= toMinutes(closes))
  if (backwards >= 0) return { index: backwards, part: 'closes', message: 'Closing must be after opening' }
  const sorted = spans.map((span, index) => ({ ...span, index })).toSorted((a, b) => a.opens.localeCompare(b.opens))
  const overlapping = sorted.find(({ opens }, place) => opens < (sorted[place - 1]?.closes ?? ''))
  return overlapping && { index: overlapping.index, part: 'opens', message: 'Two spans of a day overlap' }
}

/** Formats spans as '8:00 AM – 6:00 PM', separated by commas, or 'Closed'. */
export function toSpansText(spans: readonly HourSpan[]): string {
  if (spans.length === 0) return 'Closed'
  return spans.map(({ opens, closes }) => `${toClockLabel(opens)} – ${toClockLabel(closes)}`).join(', ')
}
