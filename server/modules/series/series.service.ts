import { mayChange } from '#contract/booking-access.ts'
import type { FreeInstead } from '#contract/booking-actions.ts'
import { DAY, MINUTE } from '#contract/durations.ts'
import type { Obstacle } from '#contract/errors.ts'
import { toCents, toPrice } from '#contract/money.ts'
import type {
  MovedOccurrence,
  Occurrence,
  ScopeQuery,
  Series,
  SeriesBody,
  SeriesCancelQuery,
  SeriesChoice,
  SeriesEdit,
  SeriesQuestion,
  SeriesUpdate,
} from '#contract/series.ts'
import { toDate } from '#contract/slots.ts'
import type { Actor, AppContext, Person, SignedIn } from '#server/context.ts'
import { type Db, type Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound, withDate } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'
import { listPodsLike, lockPods, type PodLike } from '../availability/availability.repository.ts'
import { findObstaclesOfEach, requireBookingTimes } from '../availability/availability.ts'
import { findAlternatives } from '../availability/free-instead.ts'
import type { AvailabilityOptions, Interval, WantedInterval } from '../availability/obstacles.ts'
import { type BookingTerms, getBookingTerms } from '../bookings/book-for.repository.ts'
import { chooseOwner, createBookingsFor, type PricedInterval } from '../bookings/book-for.service.ts'
import { cancelBooking } from '../bookings/booking-actions.service.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { type BookingRequest, toState } from '../bookings/change-booking.ts'
import { isShorter, moveBooking } from '../bookings/move-booking.service.ts'
import { quoteMoveWithTerms } from '../bookings/move-price.ts'
import { planClosuresAhead, planClosuresOfPods } from '../closures/plan-closures.ts'
import { applySendCode } from '../messages/messages.service.ts'
import { listStarts } from './occurrences.ts'
import { countVersion, findSeries, insertSeries, listScope } from './series.repository.ts'

/** The most dates that alternatives are looked for, as each takes several queries. */
const MOST_OFFERED = 40

/** Returns every date of a series, with what is in its way and what is free instead (rules §29.7). */
export async function previewSeries(
  context: AppContext,
  session: SignedIn,
  question: SeriesQuestion,
): Promise<Occurrence[]> {
  const { db } = context
  const options = { now: toBusinessNow(context), pages: session.pages }
  const intervals = listIntervals(context, question).intervals
  await planClosuresAhead(db, intervals, options.now)
  return explainOccurrences(db, intervals, options, (terms, { podId, start, end }) => {
    const sold = terms.get(podId)
    return sold ? toPrice((end.getTime() - start.getTime()) / MINUTE, sold.rate, sold.discountMinutes) : null
  })
}

type Quote = (terms: ReadonlyMap<string, BookingTerms>, interval: WantedInterval) => number | null

/** Returns each interval with what is in its way, and what is free instead on its date; `quote` prices other pods. */
async function explainOccurrences(
  db: Db,
  intervals: readonly WantedInterval[],
  options: AvailabilityOptions,
  quote: Quote,
): Promise<Occurrence[]> {
  const obstacles = await findObstaclesOfEach(db, intervals, { ...options, isTogether: true })
  if (obstacles[0]?.some(({ code }) => code === 'not_found')) throw notFound('Pod')
  const taken = intervals.filter((_, index) => obstacles[index]?.length === 0)
  let offered = 0
  const podsLike = new Map<string, PodLike[]>()
  const found: { interval: WantedInterval; reasons: Obstacle[]; free: FreeInstead }[] = []
  for (const [index, interval] of intervals.entries()) {
    const reasons = obstacles[index] ?? []
    const isOffered = reasons.length > 0 && offered < MOST_OFFERED
    if (!isOffered) {
      found.push({ interval, reasons, free: { times: [], pods: [] } })
      continue
    }
    offered += 1
    const like = podsLike.get(interval.podId) ?? (await listPodsLike(db, interval.podId))
    podsLike.set(interval.podId, like)
    const free = await findAlternatives(db, interval, { ...options, taken, searchedDays: 1 }, like)
    found.push({ interval, reasons, free })
  }
  const offers = new Set(found.flatMap(({ free }) => free.pods.map(({ podId }) => podId)))
  const terms = await getBookingTerms(db, [...offers])
  return found.map(({ interval, reasons, free: { times, pods } }) =>
    Object.assign(toFree(interval), {
      reasons: reasons.map(({ code, message }) => ({ code, message })),
      free: {
        times,
        pods: pods.map((pod) => Object.assign(pod, { price: quote(terms, { ...interval, podId: pod.podId }) })),
      },
    }),
  )
}

/** Creates all bookings of a series or none. Each date that is not free needs a choice. */
export async function createSeries(
  context: AppContext,
  actor: Actor,
  session: Person,
  body: SeriesBody,
): Promise<Series> {
  const { rule, intervals } = listIntervals(context, body)
  const chosen = applyChoices(intervals, body.choices ?? [])
  const [first] = chosen
  if (!first) throw fieldError('choices', 'Leave at least one date')
  const options = { now: toBusinessNow(context), pages: session.pages }
  return inTransaction(context.db, async (tx) => {
    const pods = await lockPods(tx, [...new Set(chosen.map(({ podId }) => podId))])
    await planClosuresOfPods(tx, chosen, options.now)
    const obstacles = await findObstaclesOfEach(tx, chosen, options)
    const refused = chosen.flatMap(({ start }, index) => (obstacles[index]?.length ? [toDate(start)] : []))
    if (obstacles.some((found) => found.some(({ code }) => code === 'not_found'))) throw notFound('Pod')
    if (refused.length > 0) {
      throw new AppError('series_conflict', {
        message: `Not free: ${refused.join(', ')}. Choose what to do with ${refused.length === 1 ? 'it' : 'them'}.`,
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
    const bookingIds = await createBookingsFor(tx, actor, { body, owner, pods, seriesId: id }, chosen)
    await applySendCode(context, tx, bookingIds, body.sendCode)
    return getSeries(tx, session, id, options.now)
  })
}

/** `now` is the pods' wall clock labelled Z. */
export async function getSeries(
  db: Db | Tx,
  { id: callerId, pages }: SignedIn,
  id: string,
  now: Date,
): Promise<Series> {
  const found = await findSeries(db, id, now)
  if (!found) throw notFound('Series')
  if (!mayChange([found.madeBy], callerId, pages)) throw new AppError('booking_of_another')
  return found.series
}

/** Cancels the upcoming bookings of the scope one by one, and returns their number. */
export async function cancelSeries(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  { reason, causedByUs: isOurs, shownRefund, ...scope }: SeriesCancelQuery,
): Promise<number> {
  const causedByUs = isOurs === 'true'
  const requireRefund = (bookings: Series['bookings']) => {
    const given = bookings.reduce((sum, booking) => sum + (causedByUs ? booking.paid : booking.refund), 0)
    if (shownRefund !== undefined && shownRefund !== toCents(given)) throw new AppError('refund_changed')
  }
  const cancel = async (request: BookingRequest) => {
    await cancelBooking(request, { ...(reason ? { reason } : {}), causedByUs })
    return true
  }
  return changeScope(context, actor, session, id, scope, cancel, requireRefund)
}

/** Returns each booking of the scope with what is in its way, what is free instead, and the difference in price. */
export async function previewSeriesMove(
  context: AppContext,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
  edit: SeriesEdit,
): Promise<MovedOccurrence[]> {
  const { db } = context
  const now = toBusinessNow(context)
  requireScope(scope)
  await getSeries(db, session, id, now)
  const bookings = await listScope(db, id, scope, now)
  // The bookings are moved one by one, so that all others are in the way where they are now.
  const moves = bookings.map((booking) => ({
    before: toState(booking),
    version: booking.version,
    interval: { ...toMoved(booking, edit), exceptBookingId: booking.id },
  }))
  for (const { interval } of moves) requireBookingTimes(interval, { now, mayHavePassed: true })
  const checked = moves.filter(({ before, interval }) => !isShorter(before, interval)).map(({ interval }) => interval)
  await planClosuresAhead(db, checked, now)
  const states = new Map(moves.map(({ before, interval }) => [interval.exceptBookingId, before]))
  const quote: Quote = (terms, interval) => {
    const before = states.get(interval.exceptBookingId ?? '')
    return before ? quoteMoveWithTerms(terms, before, interval, edit).newPrice : null
  }
  const occurrences = await explainOccurrences(db, checked, { now, pages: session.pages }, quote)
  const explained = new Map(checked.map(({ exceptBookingId }, index) => [exceptBookingId, occurrences[index]]))
  const terms = await getBookingTerms(db, [...new Set(moves.map(({ interval }) => interval.podId))])
  return moves.map(({ before, interval, version }) => {
    const { exceptBookingId: bookingId } = interval
    const { newPrice, difference } = quoteMoveWithTerms(terms, before, interval, edit)
    return Object.assign(explained.get(bookingId) ?? toFree(interval), { bookingId, version, newPrice, difference })
  })
}

/**
 * Moves the bookings of the scope to another time of their day, another pod, or both, except as `choices` say; all of
 * them or none. Returns the number of moved bookings.
 */
export async function moveSeries(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
  { choices = [], prices = [], ...edit }: SeriesUpdate,
): Promise<number> {
  const byBooking = new Map(choices.map((choice) => [choice.bookingId, choice]))
  const shown = new Map(prices.map((one) => [one.bookingId, one]))
  const requireShown = (bookings: Series['bookings']) => {
    const ids = new Set(bookings.map(({ _id }) => _id))
    if (prices.some(({ bookingId }) => !ids.has(bookingId))) throw new AppError('record_changed')
  }
  const move = async (request: BookingRequest, booking: Scoped) => {
    const choice = byBooking.get(booking.id)
    if (choice?.action === 'skip') return false
    const { podId, start, end } = toMoved(booking, { ...edit, ...choice })
    const bookingDate = toDate(booking.start_time)
    await moveBooking(request, {
      podId,
      bookingDate,
      startTime: start.toISOString(),
      endTime: end.toISOString(),
      causedByUs: edit.causedByUs,
      version: shown.get(booking.id)?.version ?? booking.version,
      newPrice: choice ? choice.newPrice : shown.get(booking.id)?.newPrice,
    }).catch((error: unknown) => {
      throw withDate(error, bookingDate)
    })
    return true
  }
  return changeScope(context, actor, session, id, scope, move, requireShown)
}

type Scoped = Awaited<ReturnType<typeof listScope>>[number]

/** Returns the interval of a booking after a change. Its date stays the same. */
function toMoved({ pod_id, start_time, end_time }: Scoped, { podId, startTime, endTime }: SeriesEdit): Interval {
  const toDay = (time: string | undefined, is: Date) => (time === undefined ? is : onDayOf(start_time, time))
  const start = toDay(startTime, start_time)
  const end = toDay(endTime, end_time)
  if (podId !== undefined && !isId(podId)) throw notFound('Pod')
  // 24:00 is written as 00:00 of the next day.
  const midnight = Date.parse(toDate(start_time))
  return { podId: podId ?? pod_id, start, end: end.getTime() === midnight ? new Date(midnight + DAY) : end }
}

function requireScope({ scope, booking }: ScopeQuery): void {
  if (scope !== 'all' && !(booking !== undefined && isId(booking))) {
    throw fieldError('booking', 'Say which booking it begins with')
  }
}

/**
 * Runs `change`, which returns whether it has changed the booking, for the scope. `check` sees the bookings of the scope
 * before. Returns the number of changes.
 */
async function changeScope(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  scope: ScopeQuery,
  change: (request: BookingRequest, booking: Scoped) => Promise<boolean>,
  check: (bookings: Series['bookings']) => void = () => undefined,
): Promise<number> {
  requireScope(scope)
  const now = toBusinessNow(context)
  return inTransaction(context.db, async (tx) => {
    const before = await getSeries(tx, session, id, now)
    const version = await countVersion(tx, id)
    // Bookings have versions and histories of their own; the version of the series detects concurrent changes of it.
    if (actor.expects !== 'any' && actor.expects !== version - 1) {
      throw new AppError('record_changed', { current: (await findSeries(tx, id, now))?.series })
    }
    const bookings = await listScope(tx, id, scope, now)
    if (bookings.length === 0) {
      throw new AppError('booking_state', { message: 'None of these bookings is still to come.' })
    }
    check(before.bookings.filter(({ _id }) => bookings.some(({ id }) => id === _id)))
    const inTx = { ...context, db: tx, shortReads: tx }
    let changed = 0
    for (const booking of bookings) {
      const request = { context: inTx, actor: { ...actor, expects: 'any' as const }, session, id: booking.id }
      if (await change(request, booking)) changed += 1
    }
    if (changed === 0) throw fieldError('choices', 'Leave at least one booking')
    return changed
  })
}

function listIntervals(context: AppContext, question: SeriesQuestion): { rule: string; intervals: Interval[] } {
  const [start, end] = [new Date(question.startTime), new Date(question.endTime)]
  // Invalid times of day are refused at their fields. A first date in the past is allowed, as it can be skipped.
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

function applyChoices(intervals: readonly Interval[], choices: readonly SeriesChoice[]): PricedInterval[] {
  const byDate = new Map(choices.map((choice) => [choice.date, choice]))
  return intervals.flatMap((interval) => {
    const choice = byDate.get(toDate(interval.start))
    if (choice?.action === 'skip') return []
    if (!choice) return [interval]
    const podId = choice.podId ?? interval.podId
    if (!isId(podId)) throw notFound('Pod')
    const start = choice.startTime === undefined ? interval.start : new Date(choice.startTime)
    const end = choice.endTime === undefined ? interval.end : new Date(choice.endTime)
    return [{ podId, start, end, shownPrice: choice.newPrice }]
  })
}

const toFree = (interval: Interval): Occurrence => ({
  date: toDate(interval.start),
  ...toTimes(interval),
  reasons: [],
  free: { times: [], pods: [] },
})

const toTimes = ({ start, end }: Interval) => ({ startTime: start.toISOString(), endTime: end.toISOString() })

/** Returns the time of day of the wall clock `time` on the date of `day`. */
function onDayOf(day: Date, time: string): Date {
  return new Date(`${toDate(day)}T${new Date(time).toISOString().slice(11)}`)
}
