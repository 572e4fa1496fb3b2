import type { BookingProblem } from '#contract/booking-rules.ts'
import { DAY, MINUTE } from '#contract/durations.ts'
import { errors, type Obstacle } from '#contract/errors.ts'
import { PAGE } from '#contract/pages.ts'
import { closingMark, marks, OPENING_HOUR, SLOT_MS, toClockText, toDate, toMinutes } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { AppError } from '#server/http/app-error.ts'
import { planClosuresAhead, planClosuresOfPods } from '../closures/plan-closures.ts'
import { listBookingsInTheWay, type PodTime, readPodTimes } from './availability.repository.ts'
import { findAlternatives } from './free-instead.ts'
import {
  type AvailabilityOptions,
  explain,
  explainClosures,
  explainHours,
  findTimeProblem,
  type Interval,
  toOpenDay,
  type WantedInterval,
} from './obstacles.ts'

/** Decides whether a pod can be booked at a time (rules §26.1). All code that holds a pod's time checks here. */

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

/** Returns the field at which each error is shown: of the two times, the one that breaks the rule. */
function toPath(problem: BookingProblem, start: Date): string {
  if (problem === 'slot_date') return 'bookingDate'
  const isOfStart = {
    slot_order: false,
    slot_grid: start.getTime() % SLOT_MS !== 0,
    slot_hours: start.getUTCHours() < OPENING_HOUR,
    slot_too_long: false,
    slot_passed: true,
  }
  return isOfStart[problem] ? 'startTime' : 'endTime'
}

/** Throws a 400 for times at which no pod can be booked (rules §4.2). `date` is the requested date, if any. */
export function requireBookingTimes(
  { start, end }: Omit<Interval, 'podId'>,
  options: Pick<AvailabilityOptions, 'now' | 'mayHavePassed'>,
  date?: string,
): void {
  const problem = findTimeProblem({ start, end }, options, date)
  if (!problem) return
  throw new AppError(problem, { fields: [{ path: toPath(problem, start), message: errors[problem].message }] })
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
    if (first.code === 'not_found') throw new AppError('not_found', { message: first.message })
    await planClosuresAhead(tx, [interval], options.now)
    const free = await findAlternatives(tx, interval, { ...options, isRegained: false })
    const { start } = interval
    const when = `${toDate(start)} at ${toClockText(start)}`
    throw new AppError(first.code, {
      refusal: { reasons, free },
      ...(intervals.length > 1 && { message: `${when}: ${first.message}` }),
    })
  }
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
  const openDay = toOpenDay(time.hours, date)
  for (const mark of marks) {
    const start = midnight + toMinutes(mark) * MINUTE
    const slot = { podId, start: new Date(start), end: new Date(start + SLOT_MS) }
    if (mark !== closingMark) {
      const [closed] = explainClosures(time, slot, { now: NEVER, pages: [] })
      const [outside] = explainHours(openDay, slot)
      const taken = explainSlot(held, start) ?? closed?.message
      const reason = taken ?? outside?.message
      if (reason !== undefined) reasons.set(mark, reason)
      if (taken === undefined && outside) outsideHours.push(mark)
    }
    if (bufferMinutes > 0 && held.some((one) => one.start < start + bufferMinutes * MINUTE && one.end > start))
      notEnds.push(mark)
  }
  return { reasons, outsideHours, notEnds, bufferMinutes }
}

function explainSlot(held: PodTime['held'], start: number): string | undefined {
  const inTheWay = held.find((one) => one.start < start + SLOT_MS && one.end > start)
  return inTheWay && (inTheWay.bufferStart <= start ? 'Cleaning' : 'Booked')
}
