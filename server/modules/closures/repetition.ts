import { DAY } from '#contract/durations.ts'
import { fieldError } from '#server/http/app-error.ts'
import { RRule } from '#server/rrule.ts'
import type { Instance } from './closures.repository.ts'

/** How far ahead the instances of repeating closures are planned; a job keeps this up as time passes. */
const PLANNED_MS = 366 * DAY
/** How long a closure repeats. RRule searches from the start, which takes seconds for a booking in the year 9999. */
const REPEATED_MS = 100 * 366 * DAY

export type ClosureTimes = { starts: Date; ends: Date | null; rrule: string | null }

export type Period = { start: Date; end: Date }

/** Returns the period, from `now` on, for which repeating closures are planned. */
export const toPlanned = (now: Date): Period => ({ start: now, end: new Date(now.getTime() + PLANNED_MS) })

/** Lists the instances of a closure in these periods, as wall clocks labelled Z. */
export function listInstances({ starts, ends, rrule }: ClosureTimes, periods: readonly Period[]): Instance[] {
  if (rrule === null || ends === null) {
    return periods.some(({ start }) => ends === null || ends > start) ? [{ starts, ends }] : []
  }
  const lasts = ends.getTime() - starts.getTime()
  const from = Math.min(...periods.map(({ start }) => start.getTime())) - lasts
  const until = Math.max(...periods.map(({ end }) => end.getTime()))
  return toRule(toParts(rrule), starts)
    .between(new Date(from), new Date(until), true)
    .map((time) => ({ starts: time, ends: new Date(time.getTime() + lasts) }))
    .filter((instance) => periods.some(({ start, end }) => instance.starts <= end && instance.ends > start))
}

/**
 * Lists the instances of the planned year, in other `periods`, and the next one after that year: a closure that repeats
 * less often, or begins later, would count as over without it.
 */
export function listPlanned(times: ClosureTimes, now: Date, periods: readonly Period[] = []): Instance[] {
  const planned = toPlanned(now)
  const next = times.rrule === null ? null : toRule(toParts(times.rrule), times.starts).after(planned.end)
  return listInstances(times, [planned, ...(next ? [{ start: next, end: next }] : []), ...periods])
}

/** Reads a rule. A last date without a time of day is the whole of that day. */
function toParts(rrule: string) {
  return RRule.parseString(rrule.replace(/(UNTIL=\d{8})(?=;|$)/, '$1T235959Z'))
}

function toRule(parts: ReturnType<typeof toParts>, starts: Date) {
  const last = new Date(starts.getTime() + REPEATED_MS)
  const until = parts.until && parts.until < last ? parts.until : last
  return new RRule({ ...parts, dtstart: starts, until })
}

const frequencies = new Set([RRule.DAILY, RRule.WEEKLY, RRule.MONTHLY, RRule.YEARLY])

/** How many occurrences must not overlap: at least a year of them. */
const COMPARED = 367

/** Throws a 400 for an end before the start, and for a rule that is invalid, more than daily, or overlaps itself. */
export function requireRepetition({ starts, ends, rrule }: ClosureTimes): void {
  if (ends !== null && ends <= starts) throw fieldError('ends', 'The end must be after the start')
  if (rrule === null) return
  if (ends === null) throw fieldError('ends', 'A closure that repeats needs an end')
  const rule = parseRule(rrule, starts)
  if (!rule) {
    throw fieldError('repeats', 'The repetition must be daily, weekly, monthly or yearly, such as FREQ=WEEKLY;BYDAY=SU')
  }
  const lasts = ends.getTime() - starts.getTime()
  const found = happens(rule, starts) ? rule.all((_, count) => count < COMPARED) : []
  const times = found.map((time) => time.getTime())
  if (times.length === 0) throw fieldError('repeats', 'The repetition never happens')
  if (times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < lasts)) {
    throw fieldError('repeats', 'The closure would begin again before it has ended')
  }
}

function parseRule(rrule: string, starts: Date) {
  try {
    const parts = /^[A-Z0-9=;,+-]+$/.test(rrule) ? toParts(rrule) : {}
    const { freq, byhour, byminute, bysecond, tzid } = parts
    const isOnceADay = byhour === undefined && byminute === undefined && bysecond === undefined && !tzid
    // RRule goes back in time, or never on, for other numbers.
    const isCounted = [parts.interval ?? 1, parts.count ?? 1].every((number) => Number.isInteger(number) && number >= 1)
    const isAllowed = isOnceADay && isCounted && freq !== undefined && frequencies.has(freq)
    return isAllowed ? toRule(parts, starts) : undefined
  } catch {
    return undefined
  }
}

/** RRule searches until the year 9999. From here, that is longer than a closure repeats. */
const LATE_YEAR = 9870

/**
 * Tells whether a rule has an occurrence. RRule would search for one until the year 9999, which takes seconds, so it is
 * given the same day in a late year whose dates, and those of the years after it, fall on the same weekdays.
 */
function happens({ origOptions }: InstanceType<typeof RRule>, starts: Date): boolean {
  const toNewYear = (year: number) => [year % 4, new Date(Date.UTC(year, 0, 1)).getUTCDay()].join()
  const newYear = toNewYear(starts.getUTCFullYear())
  let year = LATE_YEAR
  while (toNewYear(year) !== newYear) year -= 1
  const dtstart = new Date(starts)
  dtstart.setUTCFullYear(year)
  return new RRule({ ...origOptions, dtstart, until: null }).all((_, count) => count < 1).length > 0
}
