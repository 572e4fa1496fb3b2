import { type BookingProblem, findBookingProblem } from '#contract/booking-rules.ts'
import { MINUTE } from '#contract/durations.ts'
import { errors, type Obstacle } from '#contract/errors.ts'
import { findHours, type HourSet, toSpansText } from '#contract/opening-hours.ts'
import { PAGE } from '#contract/pages.ts'
import { toDate, toMinutes } from '#contract/slots.ts'
import type { PodTime } from './availability.repository.ts'

/** What prevents a booking of an interval, from what the database holds of the pod's time. Pure. */

/** Wall clock labelled Z (rules §1.1). */
export type Interval = { podId: string; start: Date; end: Date }

export function isSameInterval({ podId, start, end }: Interval, other: Interval | undefined): boolean {
  return podId === other?.podId && Number(start) === Number(other.start) && Number(end) === Number(other.end)
}

/** An interval, and the booking that moves there, whose own slots do not count. */
export type WantedInterval = Interval & { exceptBookingId?: string | undefined }

export type AvailabilityOptions = {
  /** Wall clock labelled Z. */
  now: Date
  /** The pages of the caller, who sees the bookings and closures in the way only with access to these. */
  pages: readonly number[]
  /** Intervals of bookings that are made or moved in the same change. */
  taken?: readonly Interval[]
  /** With many intervals: each free interval counts as taken for the ones after it. */
  isTogether?: boolean
  /** Set when staff override the opening hours, for a reason that the history keeps. */
  ignoresHours?: boolean
  /**
   * Set for a booking that gets its own time back: the cleaning after it may have grown or been booked since, and its pod
   * deleted, whose bookings are still to be honoured.
   */
  isRegained?: boolean
  /** Allows a start in the past, for bookings that are running already. */
  mayHavePassed?: boolean
  /** Where the booking is that moves: it is not offered instead. */
  current?: Interval
  /** How many days are searched for times that are free instead: a week by default. */
  searchedDays?: number
}

export function findTimeProblem(
  { start, end }: Omit<Interval, 'podId'>,
  { now, mayHavePassed }: Pick<AvailabilityOptions, 'now' | 'mayHavePassed'>,
  date = toDate(start),
): BookingProblem | undefined {
  return findBookingProblem({ date, start, end, now: mayHavePassed ? new Date(0) : now })
}

type Found = Obstacle & { bookingId?: string }

const toObstacle = (code: Obstacle['code'], more: Partial<Found> = {}): Found => ({
  code,
  message: errors[code].message,
  ...more,
})

/** Returns everything that prevents a booking of the interval, most important first; [] means free. */
export function explain(time: PodTime | undefined, interval: Interval, options: AvailabilityOptions): Found[] {
  if (isOver(interval, options)) return time ? explainHeld({ ...time, bufferMinutes: 0 }, interval) : []
  if (!time && options.isRegained) return []
  if (!time) return [toObstacle('not_found', { message: 'There is no such pod. It may have been deleted.' })]
  const problem = findTimeProblem(interval, options)
  return [
    ...(problem ? [toObstacle(problem)] : []),
    ...explainClosures(time, toLeft(interval, options), options),
    ...(options.ignoresHours ? [] : explainHours(toOpenDay(time.hours, toDate(interval.start)), interval)),
    ...explainHeld(options.isRegained ? { ...time, bufferMinutes: 0 } : time, interval),
    ...explainTaken(time, interval, options.taken ?? []),
  ]
}

/** Whether a booking gets back time that has passed: only another one that has had it since can be in the way. */
function isOver({ start, end }: Interval, { now, mayHavePassed }: AvailabilityOptions): boolean {
  return mayHavePassed === true && start < end && end <= now
}

/** Returns what is left of the interval of a running booking: it was let go through what has closed its pod before. */
function toLeft(interval: Interval, { now, mayHavePassed }: AvailabilityOptions): Interval {
  return mayHavePassed && interval.start < now ? { ...interval, start: now } : interval
}

/** In the order in which obstacles are listed. Blocked means closed without an end (rules §26.7). */
const closedCodes = ['pod_blocked', 'location_blocked', 'pod_closed'] as const

/** Names closures and their reasons only to callers who may see them; others get one obstacle per code. */
export function explainClosures({ closed }: PodTime, interval: Interval, { now, pages }: AvailabilityOptions): Found[] {
  if (closed.length === 0) return []
  const [from, to] = [interval.start.getTime(), interval.end.getTime()]
  const maySee = pages.includes(PAGE.pods)
  const found = closed
    .filter(({ start, end }) => start < to && (end ?? Number.POSITIVE_INFINITY) > from)
    .map(({ closureId, reason, isOfLocation, start, end }) => {
      const isBlocked = end === null && start <= now.getTime()
      const code = !isBlocked ? 'pod_closed' : isOfLocation ? 'location_blocked' : 'pod_blocked'
      if (!maySee) return toObstacle(code)
      const [starts, ends] = [new Date(start).toISOString(), end === null ? null : new Date(end).toISOString()]
      return toObstacle(code, {
        message: `Closed${isBlocked ? ' until further notice' : ''}: ${reason}`,
        closure: { _id: closureId, reason, starts, ends },
      })
    })
  return closedCodes.flatMap((code) => {
    const named = found.filter((obstacle) => obstacle.code === code)
    return maySee && code === 'pod_closed' ? named : named.slice(0, 1)
  })
}

/** The opening hours of a pod on a date: when each span begins and ends, and what is said of the time outside them. */
type OpenDay = { spans: { from: number; to: number }[]; toMessage: () => string }

export function toOpenDay(hours: readonly HourSet[], date: string): OpenDay {
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  const { spans, label } = findHours(hours, date)
  const toTime = (mark: string) => midnight + toMinutes(mark) * MINUTE
  return {
    spans: spans.map(({ opens, closes }) => ({ from: toTime(opens), to: toTime(closes) })),
    toMessage: () => {
      const why = label === '' ? '' : ` (${label})`
      return `${spans.length === 0 ? 'Closed' : `Open ${toSpansText(spans)}`} on ${date}${why}.`
    },
  }
}

/** Finds an obstacle unless the interval lies within one span of its day's opening hours. */
export function explainHours({ spans, toMessage }: OpenDay, { start, end }: Omit<Interval, 'podId'>): Found[] {
  const isOpen = spans.some(({ from, to }) => from <= start.getTime() && end.getTime() <= to)
  return isOpen ? [] : [toObstacle('outside_hours', { message: toMessage() })]
}

/** Finds the bookings that hold part of the interval or of the cleaning time after it. */
function explainHeld({ held, bufferMinutes }: PodTime, interval: Interval): Found[] {
  const [from, to] = [interval.start.getTime(), interval.end.getTime()]
  return held
    .filter(({ start, end }) => start < to + bufferMinutes * MINUTE && end > from)
    .map(({ bookingId, start, bufferStart }) => {
      if (start >= to) {
        const message = `Another booking begins within the ${bufferMinutes} minutes of cleaning after this one.`
        return toObstacle('buffer_taken', { message, bookingId })
      }
      if (bufferStart <= from) {
        return toObstacle('buffer_taken', {
          message: 'The pod is being cleaned after another booking then.',
          bookingId,
        })
      }
      return toObstacle('slot_taken', { bookingId })
    })
}

function explainTaken(
  { bufferMinutes }: PodTime,
  { podId, start, end }: Interval,
  taken: readonly Interval[],
): Found[] {
  const buffer = bufferMinutes * MINUTE
  const other = taken.find(
    (one) =>
      one.podId === podId &&
      one.start.getTime() < end.getTime() + buffer &&
      start.getTime() < one.end.getTime() + buffer,
  )
  return other
    ? [toObstacle('slot_taken', { message: 'Another of these bookings would take place at the same time.' })]
    : []
}
