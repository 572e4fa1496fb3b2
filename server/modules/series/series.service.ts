import { mayChange } from '#contract/booking-access.ts'
import type {
  Occurrence,
  ScopeQuery,
  Series,
  SeriesBody,
  SeriesChoice,
  SeriesEdit,
  SeriesQuestion,
} from '#contract/series.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import { type Db, type Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'
import {
  findAlternatives,
  findObstaclesOfEach,
  type Interval,
  lockPods,
  requireBookingTimes,
} from '../availability/availability.ts'
import { chooseOwner, createBookingsFor } from '../bookings/book-for.service.ts'
import { cancelBooking, moveBooking } from '../bookings/booking-actions.service.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { listStarts } from './occurrences.ts'
import { countVersion, findSeries, insertSeries, listScope } from './series.repository.ts'

/** Alternatives are looked for at so many dates: each takes several queries. */
const MOST_OFFERED = 40

/** Every date of it, with what is in the way and what is free instead (rules §29.7). */
export async function previewSeries(
  context: AppContext,
  session: SignedIn,
  question: SeriesQuestion,
): Promise<Occurrence[]> {
  const { db } = context
  const options = { now: toBusinessNow(context), pages: session.pages }
  const intervals = listIntervals(context, question).intervals
  const obstacles = await findObstaclesOfEach(db, intervals, options)
  if (obstacles[0]?.some(({ code }) => code === 'not_found')) throw notFound('Pod')
  let offered = 0
  const occurrences: Occurrence[] = []
  for (const [index, interval] of intervals.entries()) {
    const reasons = obstacles[index] ?? []
    const isOffered = reasons.length > 0 && offered < MOST_OFFERED
    if (isOffered) offered += 1
    const free = isOffered ? await findAlternatives(db, interval, options) : { times: [], pods: [] }
    const date = toDate(interval.start)
    occurrences.push({
      date,
      ...toTimes(interval),
      reasons: reasons.map(({ code, message }) => ({ code, message })),
      free: { ...free, times: free.times.filter(({ startTime }) => startTime.startsWith(date)) },
    })
  }
  return occurrences
}

/** All bookings of it or none, with a choice for each date that is not free. */
export async function createSeries(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  body: SeriesBody,
): Promise<Series> {
  const { rule, intervals } = listIntervals(context, body)
  const chosen = applyChoices(intervals, body.choices ?? [])
  const [first] = chosen
  if (!first) throw fieldError('choices', 'Leave at least one date')
  const options = { now: toBusinessNow(context), pages: session.pages }
  return inTransaction(context.db, async (tx) => {
    const pods = await lockPods(tx, [...new Set(chosen.map(({ podId }) => podId))])
    const obstacles = await findObstaclesOfEach(tx, chosen, options)
    const refused = chosen.flatMap(({ start }, index) => (obstacles[index]?.length ? [toDate(start)] : []))
    if (obstacles.some((found) => found.some(({ code }) => code === 'not_found'))) throw notFound('Pod')
    if (refused.length > 0) {
      throw new AppError('series_conflict', {
        message: `Not free: ${refused.join(', ')}. Choose what becomes of ${refused.length === 1 ? 'it' : 'them'}.`,
        refusal: { reasons: obstacles.flat(), free: { times: [], pods: [] } },
      })
    }
    const owner = await chooseOwner(tx, actor, session, body.for)
    const now = actor.now()
    const id = createId(now.getTime())
    await insertSeries(tx, {
      id,
      rule,
      pod_id: first.podId,
      purpose: body.bookingPurpose,
      start_time: first.start,
      end_time: first.end,
      made_by_staff_id: session.staff._id,
      created_at: now,
    })
    await createBookingsFor(tx, actor, { body, owner, pods, seriesId: id }, chosen)
    return getSeries(tx, session, id)
  })
}

export async function getSeries(db: Db | Tx, { staff, pages }: SignedIn, id: string): Promise<Series> {
  const found = await findSeries(db, id)
  if (!found) throw notFound('Series')
  if (!mayChange([found.madeBy], staff._id, pages)) throw new AppError('booking_of_another')
  return found.series
}

/** Frees the slots of what is still to come in the scope, each as a cancellation of its own. Returns how many. */
export async function cancelSeries(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
): Promise<number> {
  return changeScope(context, actor, session, id, scope, async (inTx, one, booking) => {
    await cancelBooking(inTx, one, session, booking.id, {})
  })
}

/** Each booking of the scope at another time of its day, in another pod, or both; all of them or none. */
export async function moveSeries(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
  { podId, startTime, endTime }: SeriesEdit,
): Promise<number> {
  return changeScope(context, actor, session, id, scope, async (inTx, one, booking) => {
    const toDay = (time: string | undefined, is: Date) => (time === undefined ? is : onDayOf(booking.start_time, time))
    const start = toDay(startTime, booking.start_time)
    const end = toDay(endTime, booking.end_time)
    const bookingDate = toDate(booking.start_time)
    await moveBooking(inTx, one, session, booking.id, {
      podId: podId ?? booking.pod_id,
      bookingDate,
      startTime: start.toISOString(),
      // 24:00 is written as 00:00 of the next day.
      endTime: (end > start ? end : new Date(end.getTime() + DAY_MS)).toISOString(),
      version: booking.version,
    }).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      const { refusal, fields = [] } = error
      throw new AppError(error.code, {
        message: `${bookingDate}: ${error.message}`,
        ...(refusal ? { refusal } : {}),
        ...(fields.length > 0 ? { fields } : {}),
      })
    })
  })
}

type Scoped = Awaited<ReturnType<typeof listScope>>[number]

async function changeScope(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
  change: (inTx: AppContext, actor: Actor, booking: Scoped) => Promise<void>,
): Promise<number> {
  if (scope.scope !== 'all' && !(scope.booking !== undefined && isId(scope.booking))) {
    throw fieldError('booking', 'Say which booking it begins with')
  }
  return inTransaction(context.db, async (tx) => {
    await getSeries(tx, session, id)
    const version = await countVersion(tx, id)
    // Each booking has a version and a history of its own; that of the series lets two people notice each other.
    if (actor.expects !== 'any' && actor.expects !== version - 1) {
      throw new AppError('record_changed', { current: (await findSeries(tx, id))?.series })
    }
    const bookings = await listScope(tx, id, scope, toBusinessNow(context))
    if (bookings.length === 0) {
      throw new AppError('booking_state', { message: 'None of these bookings is still to come.' })
    }
    const inTx = { ...context, db: tx, shortReads: tx }
    for (const booking of bookings) await change(inTx, { ...actor, expects: 'any' }, booking)
    // One button cannot take all of them back: each is undone from its own history.
    if (bookings.length > 1) for (const made of actor.changes) made.isUndoable = false
    return bookings.length
  })
}

const DAY_MS = 24 * 60 * 60_000

function listIntervals(context: AppContext, question: SeriesQuestion): { rule: string; intervals: Interval[] } {
  const [start, end] = [new Date(question.startTime), new Date(question.endTime)]
  // The times of day are refused at their fields; that the first date has passed is a date to be skipped.
  requireBookingTimes({ start, end }, { now: toBusinessNow(context), mayHavePassed: true }, question.bookingDate)
  const { rule, starts } = listStarts(question)
  const length = end.getTime() - start.getTime()
  if (!isId(question.podId)) throw notFound('Pod')
  const intervals = starts.map((from) => ({
    podId: question.podId,
    start: from,
    end: new Date(from.getTime() + length),
  }))
  return { rule, intervals }
}

function applyChoices(intervals: readonly Interval[], choices: readonly SeriesChoice[]): Interval[] {
  const byDate = new Map(choices.map((choice) => [choice.date, choice]))
  return intervals.flatMap((interval) => {
    const choice = byDate.get(toDate(interval.start))
    if (choice?.action === 'skip') return []
    if (!choice) return [interval]
    const podId = choice.podId ?? interval.podId
    if (!isId(podId)) throw notFound('Pod')
    const start = choice.startTime === undefined ? interval.start : new Date(choice.startTime)
    const end = choice.endTime === undefined ? interval.end : new Date(choice.endTime)
    return [{ podId, start, end }]
  })
}

const toDate = (wallClock: Date) => wallClock.toISOString().slice(0, 10)

const toTimes = ({ start, end }: Interval) => ({ startTime: start.toISOString(), endTime: end.toISOString() })

/** The time of day of a wall clock, on another day. */
function onDayOf(day: Date, time: string): Date {
  return new Date(`${toDate(day)}T${new Date(time).toISOString().slice(11)}`)
}
