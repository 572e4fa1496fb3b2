import { mayChange } from '#contract/booking-access.ts'
import { toPrice } from '#contract/money.ts'
import type { Occurrence, Series, SeriesBody, SeriesChoice, SeriesQuestion } from '#contract/series.ts'
import { countMinutes, toDate } from '#contract/slots.ts'
import type { Actor, AppContext, Person, SignedIn } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { findObstaclesOfEach, requireBookingTimes } from '../availability/availability.ts'
import type { Interval } from '../availability/obstacles.ts'
import { chooseOwner, createBookingsFor, type PricedInterval } from '../bookings/book-for.service.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { planClosuresAhead, planClosuresOfPods } from '../closures/plan-closures.ts'
import { applySendCode } from '../messages/booking-messages.service.ts'
import { explainOccurrences } from './explain-occurrences.ts'
import { listStarts } from './occurrences.ts'
import { findSeries, insertSeries } from './series.repository.ts'

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
  return explainOccurrences(db, intervals, options, (terms, interval) => {
    const sold = terms.get(interval.podId)
    return sold ? toPrice(countMinutes(interval), sold.rate, sold.discountMinutes) : null
  })
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
