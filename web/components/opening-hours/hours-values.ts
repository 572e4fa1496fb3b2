import { DAY } from '#contract/durations.ts'
import type { OpeningHours, OpeningHoursBody } from '#contract/hours.ts'
import {
  findHours,
  findSpanProblem,
  type HourSpan,
  toSpansText,
  toWeekday,
  weekdayNames,
  type weekdays,
} from '#contract/opening-hours.ts'
import { isDay } from '#web/lib/days.ts'

/** `inherit`: the same as the pod's location. */
export type DayMode = 'inherit' | 'open' | 'closed'

type Weekday = (typeof weekdays)[number]
export type DayValues = { weekday: Weekday; mode: DayMode; spans: HourSpan[] }
export type ExceptionValues = { key: string; date: string; label: string; mode: 'open' | 'closed'; spans: HourSpan[] }
type WeekdayName = (typeof weekdayNames)[number]
/** Each weekday is a field, so that two people may change different ones at the same time. */
export type HourValues = Record<WeekdayName, DayValues> & { exceptions: ExceptionValues[] }

export const hourLabels: Record<keyof HourValues, string> = {
  ...toDays((_, name) => name),
  exceptions: 'Dates with other hours',
}

/** Returns an object with what `build` returns for each weekday: 1 is Monday. */
export function toDays<Day>(build: (weekday: Weekday, name: WeekdayName) => Day): Record<WeekdayName, Day> {
  const days = weekdayNames.map((name, index) => [name, build((index + 1) as Weekday, name)]) // from 1 to 7
  return Object.fromEntries(days) as Record<WeekdayName, Day> // of all seven names
}

const MOST_EXCEPTIONS = 1000

/** The server's paths of the dates and their labels, at which the form shows their errors. */
export const exceptionPaths = Array.from({ length: MOST_EXCEPTIONS }, (_, index) => `exceptions.${index}`).flatMap(
  (path) => [`${path}.date`, `${path}.label`],
)

/** An arbitrary Monday, from which a date is computed for each weekday. */
const MONDAY = Date.parse('2026-11-23T00:00:00.000Z')

export function toHourValues({ week, exceptions, location }: OpeningHours): HourValues {
  return {
    ...toDays((weekday): DayValues => {
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

/** Returns the hours that the form has for the weekday of a date; none when it is closed, or the date is not one. */
export function findUsualSpans(
  values: HourValues,
  location: OpeningHours['location'],
  date: string,
): readonly HourSpan[] {
  const day = weekdayNames.map((name) => values[name]).find(({ weekday }) => isDay(date) && weekday === toWeekday(date))
  if (!day || day.mode === 'closed') return []
  return day.mode === 'inherit' ? findInherited(location, day.weekday) : day.spans
}

export function toHourBody(values: HourValues): OpeningHoursBody {
  return {
    week: weekdayNames
      .map((name) => values[name])
      .filter(({ mode }) => mode !== 'inherit')
      .map(({ weekday, mode, spans }) => ({ weekday, spans: mode === 'open' ? spans : [] })),
    exceptions: values.exceptions.map(({ date, label, mode, spans }) => ({
      date,
      label,
      spans: mode === 'open' ? spans : [],
    })),
  }
}

/** Converts the form's values to what is stored, whose dates are in order. */
export function toStoredHours(values: HourValues): Record<keyof HourValues, unknown> {
  const { week, exceptions } = toHourBody(values)
  return {
    ...toDays((weekday) => week.find((day) => day.weekday === weekday)),
    exceptions: exceptions.toSorted((a, b) => a.date.localeCompare(b.date)),
  }
}

export function hasSpanProblem({ mode, spans }: DayValues | ExceptionValues): boolean {
  return mode === 'open' && findSpanProblem(spans) !== undefined
}

/** Formats a field of the form for the comparison of two people's edits. */
export function showHours(name: keyof HourValues, values: HourValues): string {
  if (name !== 'exceptions') return toModeText(values[name].mode, values[name].spans)
  return values.exceptions
    .map(({ date, label, mode, spans }) => `${date} ${label}: ${toModeText(mode, spans)}`)
    .join('; ')
}

function toModeText(mode: DayMode, spans: readonly HourSpan[]): string {
  return mode === 'inherit' ? 'As its location' : toSpansText(mode === 'open' ? spans : [])
}
