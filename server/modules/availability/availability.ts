import { type BookingProblem, findBookingProblem } from '#contract/booking-rules.ts'
import { errors, type FreeInstead, type Obstacle } from '#contract/errors.ts'
import { findHours, toSpansText } from '#contract/opening-hours.ts'
import { PAGE } from '#contract/pages.ts'
import { CLOSING_HOUR, closingMark, marks, OPENING_HOUR, SLOT_MINUTES, toMinutes } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { planClosuresOfPods } from '../closures/plan-closures.ts'
import {
  listBookingsInTheWay,
  listPodsLike,
  type PodLike,
  type PodTime,
  readPodTimes,
} from './availability.repository.ts'

/** Decides whether a pod can be booked at a time (rules §26.1). All code that holds a pod's time checks here. */

export { lockPods } from './availability.repository.ts'

/** Wall clock labelled Z (rules §1.1). */
export type Interval = { podId: string; start: Date; end: Date }

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
  /** Set for a booking that gets its own time back: the cleaning after it may have grown or been booked since. */
  ignoresCleaning?: boolean
  /** Allows a start in the past, for bookings that are running already. */
  mayHavePassed?: boolean
  /** How many days are searched for times that are free instead: a week by default. */
  searchedDays?: number
}

const MINUTE = 60_000
const SLOT = SLOT_MINUTES * MINUTE
const DAY = 24 * 60 * MINUTE

/** How many free times and pods are offered instead, and how many days are searched for times. */
const OFFERED = 3
const SEARCHED_DAYS = 7

const OUTSIDE_HOURS = 'Outside opening hours: '

/** Lets staff with Booking book outside opening hours for a reason that the history keeps (rules §26.8); else a 403. */
export function overrideHours(reason: string | undefined, pages: readonly number[]) {
  if (!reason) return { ignoresHours: false, auditReason: undefined }
  if (!pages.includes(PAGE.bookings)) {
    throw new AppError('page_required', { message: 'Booking outside opening hours requires access to Booking.' })
  }
  return { ignoresHours: true, auditReason: `${OUTSIDE_HOURS}${reason}` }
}

/** Returns the reason that `overrideHours` put into the history; undefined when the change has none. */
export function findOverrideReason(auditReason: string | null | undefined): string | undefined {
  return auditReason?.split(OUTSIDE_HOURS)[1]
}

/** Returns everything that prevents a booking, most important first; [] means free. */
export async function findObstacles(
  db: Db | Tx,
  interval: WantedInterval,
  options: AvailabilityOptions,
): Promise<Obstacle[]> {
  const [obstacles = []] = await findObstaclesOfEach(db, [interval], options)
  return obstacles
}

/** Does the same for many intervals, with one result per interval and at most two queries in total. */
export async function findObstaclesOfEach(
  db: Db | Tx,
  intervals: readonly WantedInterval[],
  options: AvailabilityOptions,
): Promise<Obstacle[][]> {
  const times = await readPodTimes(db, intervals)
  const taken: Interval[] = [...(options.taken ?? [])]
  const found = intervals.map((interval, index) => {
    const obstacles = explain(times[index], interval, { ...options, taken })
    if (options.isTogether && obstacles.length === 0) taken.push(interval)
    return obstacles
  })
  const inTheWay = found.flat().flatMap(({ bookingId }) => bookingId ?? [])
  const maySee = options.pages.includes(PAGE.bookings)
  const bookings = maySee && inTheWay.length > 0 ? await listBookingsInTheWay(db, inTheWay) : new Map()
  return found.map((obstacles) =>
    obstacles.map(({ bookingId, ...obstacle }) => {
      const booking = bookingId === undefined ? undefined : bookings.get(bookingId)
      return booking ? { ...obstacle, booking } : obstacle
    }),
  )
}

/**
 * Returns what is free instead: the nearest times of the same length in that pod, and similar pods at that time. Nothing
 * for a booking that has begun, which stays in its pod and keeps its start (rules §27.5).
 */
export async function findAlternatives(
  db: Db | Tx,
  interval: WantedInterval,
  options: AvailabilityOptions,
): Promise<FreeInstead> {
  if (options.mayHavePassed && interval.start <= options.now) return { times: [], pods: [] }
  return {
    times: await findFreeTimes(db, interval, options),
    pods: await findFreePods(db, interval, options),
  }
}

/** The form field at which each error is shown. */
const problemPaths: Record<BookingProblem, string> = {
  slot_order: 'endTime',
  slot_grid: 'startTime',
  slot_date: 'bookingDate',
  slot_hours: 'startTime',
  slot_too_long: 'endTime',
  slot_passed: 'startTime',
}

/** Throws a 400 for times at which no pod can be booked (rules §4.2). `date` is the requested date, if any. */
export function requireBookingTimes(
  { start, end }: Omit<Interval, 'podId'>,
  options: Pick<AvailabilityOptions, 'now' | 'mayHavePassed'>,
  date?: string,
): void {
  const problem = findTimeProblem({ start, end }, options, date)
  if (!problem) return
  throw new AppError(problem, { fields: [{ path: problemPaths[problem], message: errors[problem].message }] })
}

/**
 * Throws unless the interval is free: a 400 for invalid times, a 404 without such a pod, else a 409 with every reason
 * and what is free instead. The result holds until the commit only if an earlier statement ran `lockPods`.
 */
export async function requireAvailable(tx: Tx, interval: WantedInterval, options: AvailabilityOptions): Promise<void> {
  await requireEachAvailable(tx, [interval], options)
}

/** Does the same for many intervals that are booked together. */
export async function requireEachAvailable(
  tx: Tx,
  intervals: readonly WantedInterval[],
  options: AvailabilityOptions,
): Promise<void> {
  for (const interval of intervals) requireBookingTimes(interval, options)
  await planClosuresOfPods(tx, intervals, options.now)
  const obstacles = await findObstaclesOfEach(tx, intervals, { ...options, isTogether: true })
  for (const [index, interval] of intervals.entries()) {
    const reasons = obstacles[index] ?? []
    const [first] = reasons
    if (!first) continue
    if (first.code === 'not_found') throw notFound('Pod')
    const free = await findAlternatives(tx, interval, { ...options, ignoresCleaning: false })
    const { start } = interval
    const when = `${toDate(start)} at ${start.toISOString().slice(11, 16)}`
    throw new AppError(first.code, {
      refusal: { reasons, free },
      ...(intervals.length > 1 && { message: `${when}: ${first.message}` }),
    })
  }
}

/**
 * Chooses the first free interval of each list, so that no two conflict; undefined where none is free. Reads each pod's
 * day only once, however many intervals lie in it.
 */
export async function chooseFree(
  db: Db | Tx,
  lists: readonly (readonly Interval[])[],
  options: AvailabilityOptions,
): Promise<(Interval | undefined)[]> {
  const days = new Map<string, Interval>()
  const toKey = ({ podId, start }: Interval) => `${podId} ${toDate(start)}`
  for (const interval of lists.flat()) {
    const midnight = Date.parse(`${toDate(interval.start)}T00:00:00.000Z`)
    days.set(toKey(interval), { podId: interval.podId, start: new Date(midnight), end: new Date(midnight + DAY) })
  }
  const times = await readPodTimes(db, [...days.values()])
  const byDay = new Map([...days.keys()].map((key, index) => [key, times[index]]))
  const taken: Interval[] = [...(options.taken ?? [])]
  return lists.map((intervals) => {
    const free = intervals.find((one) => explain(byDay.get(toKey(one)), one, { ...options, taken }).length === 0)
    if (free) taken.push(free)
    return free
  })
}

function findTimeProblem(
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

function explain(time: PodTime | undefined, interval: Interval, options: AvailabilityOptions): Found[] {
  if (!time) return [toObstacle('not_found', { message: 'Pod not found' })]
  const problem = findTimeProblem(interval, options)
  return [
    ...(problem ? [toObstacle(problem)] : []),
    ...explainClosures(time, interval, options),
    ...(options.ignoresHours ? [] : explainHours(time, interval)),
    ...explainHeld(options.ignoresCleaning ? { ...time, bufferMinutes: 0 } : time, interval),
    ...explainTaken(time, interval, options.taken ?? []),
  ]
}

/** In the order in which obstacles are listed. Blocked means closed without an end (rules §26.7). */
const closedCodes = ['pod_blocked', 'location_blocked', 'pod_closed'] as const

/** Names closures and their reasons only to callers who may see them; others get one obstacle per code. */
function explainClosures({ closed }: PodTime, interval: Interval, { now, pages }: AvailabilityOptions): Found[] {
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

/** Finds an obstacle unless the interval lies within one span of its day's opening hours. */
function explainHours({ hours }: PodTime, { start, end }: Interval): Found[] {
  const date = toDate(start)
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  const { spans, label } = findHours(hours, date)
  const [from, to] = [start, end].map((time) => (time.getTime() - midnight) / MINUTE) as [number, number] // a pair
  if (spans.some(({ opens, closes }) => toMinutes(opens) <= from && to <= toMinutes(closes))) return []
  const why = label === '' ? '' : ` (${label})`
  const message = `${spans.length === 0 ? 'Closed' : `Open ${toSpansText(spans)}`} on ${date}${why}.`
  return [toObstacle('outside_hours', { message })]
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

/** A time before every closure, so that all count as closed rather than blocked. */
const NEVER = new Date(0)

type DayReasons = {
  /** Why a slot cannot be booked, by its mark; free slots are absent. */
  reasons: Map<string, string>
  /** Marks of the slots that only the opening hours keep from being booked. */
  outsideHours: string[]
  /** Marks at which a booking cannot end. */
  notEnds: string[]
  bufferMinutes: number
}

/** Returns what prevents bookings of a pod on a day; undefined when there is no such pod. */
export async function explainDay(db: Db | Tx, podId: string, date: string): Promise<DayReasons | undefined> {
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  const [time] = await readPodTimes(db, [{ podId, start: new Date(midnight), end: new Date(midnight + DAY) }])
  if (!time) return undefined
  const { bufferMinutes, held } = time
  const reasons = new Map<string, string>()
  const notEnds: string[] = []
  const outsideHours: string[] = []
  for (const mark of marks) {
    const start = midnight + toMinutes(mark) * MINUTE
    const slot = { podId, start: new Date(start), end: new Date(start + SLOT) }
    const [first] =
      mark === closingMark
        ? []
        : [
            ...explainSlot(held, start),
            ...explainClosures(time, slot, { now: NEVER, pages: [] }),
            ...explainHours(time, slot),
          ]
    if (first) reasons.set(mark, typeof first === 'string' ? first : first.message)
    if (typeof first === 'object' && first.code === 'outside_hours') outsideHours.push(mark)
    if (bufferMinutes > 0 && held.some((one) => one.start < start + bufferMinutes * MINUTE && one.end > start))
      notEnds.push(mark)
  }
  return { reasons, outsideHours, notEnds, bufferMinutes }
}

function explainSlot(held: PodTime['held'], start: number): string[] {
  const inTheWay = held.find((one) => one.start < start + SLOT && one.end > start)
  if (!inTheWay) return []
  return [inTheWay.bufferStart <= start ? 'Cleaning' : 'Booked']
}

async function findFreeTimes(db: Db | Tx, interval: WantedInterval, options: AvailabilityOptions) {
  const { podId, start, end } = interval
  const { searchedDays = SEARCHED_DAYS } = options
  const length = end.getTime() - start.getTime()
  const midnight = Date.parse(`${toDate(start)}T00:00:00.000Z`)
  const wholeDays = { ...interval, start: new Date(midnight), end: new Date(midnight + searchedDays * DAY) }
  const [time] = await readPodTimes(db, [wholeDays])
  if (!time) return []
  const free = []
  for (const from of listStarts(midnight, searchedDays, start.getTime(), length)) {
    const found = { podId, start: new Date(from), end: new Date(from + length) }
    if (explain(time, found, { ...options, mayHavePassed: false }).length > 0) continue
    free.push({ startTime: found.start.toISOString(), endTime: found.end.toISOString() })
    if (free.length === OFFERED) break
  }
  return free
}

/** Lists possible starts, nearest first; of two equally near ones the earlier first. */
function listStarts(midnight: number, days: number, wanted: number, length: number): number[] {
  const starts: number[] = []
  for (let day = 0; day < days; day++) {
    const opens = midnight + day * DAY + OPENING_HOUR * 60 * MINUTE
    const closes = midnight + day * DAY + CLOSING_HOUR * 60 * MINUTE
    for (let start = opens; start + length <= closes; start += SLOT) starts.push(start)
  }
  return starts.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
}

/** Finds similar pods that are free in the interval, most similar first. */
export async function findFreePods(
  db: Db | Tx,
  interval: WantedInterval,
  options: AvailabilityOptions,
): Promise<FreeInstead['pods']> {
  const free: PodLike[] = []
  for (let page = 0; ; page++) {
    const pods = await listPodsLike(db, interval.podId, page)
    const times = await readPodTimes(
      db,
      pods.map(({ podId }) => ({ ...interval, podId })),
    )
    free.push(...pods.filter((_, index) => explain(times[index], interval, options).length === 0))
    if (pods.length > 0 && free.length < OFFERED) continue
    return free.slice(0, OFFERED).map(({ podId, podTitle, locationName }) => ({ podId, podTitle, locationName }))
  }
}

/** Cuts the time off instead of taking ten characters: years after 9999 are longer. */
const toDate = (wallClock: Date) => wallClock.toISOString().slice(0, -'T00:00:00.000Z'.length)
