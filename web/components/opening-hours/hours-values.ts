import { DAY } from '#contract/durations.ts'
import type { OpeningHours, OpeningHoursBody } from '#contract/hours.ts'
import {
  findHours,
  findSpanProblem,
  type HourSpan,
  toSpansText,
  weekdayNames,
  weekdays,
} from '#contract/opening-hours.ts'

/** `inherit`: the same as the pod's location. */
export type DayMode = 'inherit' | 'open' | 'closed'

export type DayValues = { weekday: (typeof weekdays)[number]; mode: DayMode; spans: HourSpan[] }
export type ExceptionValues = { key: string; date: string; label: string; mode: 'open' | 'closed'; spans: HourSpan[] }
export type HourValues = { week: DayValues[]; exceptions: ExceptionValues[] }

export const hourLabels = { week: 'Week', exceptions: 'Dates with other hours' } as const

const MOST_EXCEPTIONS = 1000

/** The server's paths of the dates and their labels, at which the form shows their errors. */
export const exceptionPaths = Array.from({ length: MOST_EXCEPTIONS }, (_, index) => `exceptions.${index}`).flatMap(
  (path) => [`${path}.date`, `${path}.label`],
)

/** An arbitrary Monday, from which a date is computed for each weekday. */
const MONDAY = Date.parse('2026-11-23T00:00:00.000Z')

export function toHourValues({ week, exceptions, location }: OpeningHours): HourValues {
  return {
    week: weekdays.map((weekday) => {
      const own = week.find((day) => day.weekday === weekday)
      const mode = own ? (own.spans.length > 0 ? 'open' : 'closed') : location ? 'inherit' : 'open'
      return { weekday, mode, spans: own ? own.spans : [...findInherited(location, weekday)] }
    }),
    exceptions: exceptions
      .toSorted((a, b) => a.date.localeCompare(b.date))
      .map(({ date, label, spans }) => ({
        key: date,
        date,
        label,
        mode: spans.length > 0 ? 'open' : 'closed',
        spans,
      })),
  }
}

/** Returns the hours of a weekday for which the pod has none of its own. */
export function findInherited(location: OpeningHours['location'], weekday: number): readonly HourSpan[] {
  const date = new Date(MONDAY + (weekday - 1) * DAY).toISOString().slice(0, 10)
  return findHours(location ? [{ week: location.week, exceptions: [] }] : [], date).spans
}

export function toHourBody({ week, exceptions }: HourValues): OpeningHoursBody {
  return {
    week: week
      .filter(({ mode }) => mode !== 'inherit')
      .map(({ weekday, mode, spans }) => ({ weekday, spans: mode === 'open' ? spans : [] })),
    exceptions: exceptions.map(({ date, label, mode, spans }) => ({
      date,
      label,
      spans: mode === 'open' ? spans : [],
    })),
  }
}

/** Converts the form's values to what is stored, whose dates are in order. */
export function toStoredHours(values: HourValues): OpeningHoursBody {
  const { week, exceptions } = toHourBody(values)
  return { week, exceptions: exceptions.toSorted((a, b) => a.date.localeCompare(b.date)) }
}

export function hasSpanProblem({ mode, spans }: DayValues | ExceptionValues): boolean {
  return mode === 'open' && findSpanProblem(spans) !== undefined
}

/** Formats a field of the form for the comparison of two people's edits. */
export function showHours(name: keyof HourValues, { week, exceptions }: HourValues): string {
  if (name === 'week') {
    return week
      .map(({ weekday, mode, spans }) => `${weekdayNames[weekday - 1] ?? ''}: ${toModeText(mode, spans)}`)
      .join('; ')
  }
  return exceptions.map(({ date, label, mode, spans }) => `${date} ${label}: ${toModeText(mode, spans)}`).join('; ')
}

function toModeText(mode: DayMode, spans: readonly HourSpan[]): string {
  return mode === 'inherit' ? 'as the location' : toSpansText(mode === 'open' ? spans : [])
}
