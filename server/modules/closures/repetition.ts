import { fieldError } from '#server/http/app-error.ts'
import { RRule } from '#server/rrule.ts'
import type { Instance } from './closures.repository.ts'

const DAY = 24 * 60 * 60_000
/** How far ahead the instances of repeating closures are planned; a job keeps this up as time passes. */
const PLANNED_MS = 366 * DAY

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
  const rule = new RRule({ ...RRule.parseString(rrule), dtstart: starts })
  const found = periods.flatMap(({ start, end }) =>
    rule
      .between(new Date(start.getTime() - lasts), end, true)
      .filter((time) => time.getTime() + lasts > start.getTime()),
  )
  return [...new Set(found.map((time) => time.getTime()))].map((time) => ({
    starts: new Date(time),
    ends: new Date(time + lasts),
  }))
}

const frequencies = new Set([RRule.DAILY, RRule.WEEKLY, RRule.MONTHLY, RRule.YEARLY])

/** Throws a 400 for an end before the start, and for a rule that is invalid, more than daily, or overlaps itself. */
export function requireRepetition({ starts, ends, rrule }: ClosureTimes): void {
  if (ends !== null && ends <= starts) throw fieldError('ends', 'The end must be after the start')
  if (rrule === null) return
  if (ends === null) throw fieldError('ends', 'A closure that repeats needs an end')
  const rule = parseRule(rrule)
  const isOnceADay = rule && rule.byhour === undefined && rule.byminute === undefined && rule.bysecond === undefined
  if (!isOnceADay || rule.freq === undefined || !frequencies.has(rule.freq)) {
    throw fieldError('repeats', 'The repetition must be daily, weekly, monthly or yearly, such as FREQ=WEEKLY;BYDAY=SU')
  }
  const [first, second] = new RRule({ ...rule, dtstart: starts }).all((_, count) => count < 2)
  if (!first) throw fieldError('repeats', 'The repetition never happens')
  if (second && second.getTime() - first.getTime() < ends.getTime() - starts.getTime()) {
    throw fieldError('repeats', 'The closure would begin again before it has ended')
  }
}

function parseRule(rrule: string) {
  try {
    return /^[A-Z0-9=;,+-]+$/.test(rrule) ? RRule.parseString(rrule) : undefined
  } catch {
    return undefined
  }
}
