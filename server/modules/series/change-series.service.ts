import { DAY } from '#contract/durations.ts'
import { toCents } from '#contract/money.ts'
import type {
  MovedOccurrence,
  ScopeQuery,
  Series,
  SeriesCancelQuery,
  SeriesEdit,
  SeriesUpdate,
} from '#contract/series.ts'
import { toDate } from '#contract/slots.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound, withDate } from '#server/http/app-error.ts'
import { isId } from '#server/ids.ts'
import { requireBookingTimes } from '../availability/availability.ts'
import type { Interval } from '../availability/obstacles.ts'
import { cancelBooking } from '../bookings/booking-actions.service.ts'
import { getBookingTerms } from '../bookings/booking-terms.repository.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { type BookingRequest, lockBookings, toState } from '../bookings/change-booking.ts'
import { isShorter, moveBooking } from '../bookings/move-booking.service.ts'
import { quoteMoveWithTerms } from '../bookings/move-price.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import { explainOccurrences, type Quote, toFree } from './explain-occurrences.ts'
import { incrementVersion, findSeries, listScope } from './series.repository.ts'
import { getSeries } from './series.service.ts'

/** A request to change a series: who sends it, and which series. */
type SeriesRequest = { context: AppContext; actor: Actor; session: SignedIn; id: string }

/** Cancels the upcoming bookings of the scope one by one, and returns their number. */
export async function cancelSeries(
  request: SeriesRequest,
  { reason, causedByUs: isOurs, shownRefund, ...scope }: SeriesCancelQuery,
): Promise<number> {
  const causedByUs = isOurs === 'true'
  const check = (bookings: Series['bookings']) => {
    const given = bookings.reduce((sum, booking) => sum + (causedByUs ? booking.paid : booking.refund), 0)
    if (shownRefund !== undefined && shownRefund !== toCents(given)) throw new AppError('refund_changed')
  }
  const change = async (one: BookingRequest) => {
    await cancelBooking(one, { ...(reason ? { reason } : {}), causedByUs })
    return true
  }
  return changeScope(request, scope, { check, toPods: () => [], change })
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
  requireInSeries(scope, await getSeries(db, session, id, now))
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
  request: SeriesRequest,
  scope: ScopeQuery,
  { choices = [], prices = [], ...edit }: SeriesUpdate,
): Promise<number> {
  const byBooking = new Map(choices.map((choice) => [choice.bookingId, choice]))
  const shown = new Map(prices.map((one) => [one.bookingId, one]))
  const check = (bookings: Series['bookings']) => {
    const ids = new Set(bookings.map(({ _id }) => _id))
    if (prices.some(({ bookingId }) => !ids.has(bookingId))) throw new AppError('record_changed')
  }
  const change = async (one: BookingRequest, booking: Scoped) => {
    const choice = byBooking.get(booking.id)
    if (choice?.action === 'skip') return false
    const { podId, start, end } = toMoved(booking, { ...edit, ...choice })
    const bookingDate = toDate(booking.start_time)
    await moveBooking(one, {
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
  const toPods = (booking: Scoped) => {
    const choice = byBooking.get(booking.id)
    return choice?.action === 'skip' ? [] : [booking.pod_id, toMoved(booking, { ...edit, ...choice }).podId]
  }
  return changeScope(request, scope, { check, toPods, change })
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

/** Without it, a booking of another series would seem to be over. */
function requireInSeries({ scope, booking }: ScopeQuery, { bookings }: Series): void {
  if (scope !== 'all' && !bookings.some(({ _id }) => _id === booking)) throw notFound('Booking')
}

type ScopeChange = {
  /** Refuses the change by what the bookings are beforehand. */
  check: (bookings: Series['bookings']) => void
  /** Returns the pods that the change of a booking locks. */
  toPods: (booking: Scoped) => string[]
  /** Returns whether it has changed the booking. */
  change: (request: BookingRequest, booking: Scoped) => Promise<boolean>
}

/** Changes the bookings of the scope one by one, and returns how many have changed. */
async function changeScope(
  { context, actor, session, id }: SeriesRequest,
  scope: ScopeQuery,
  { check, toPods, change }: ScopeChange,
): Promise<number> {
  requireScope(scope)
  const now = toBusinessNow(context)
  return inTransaction(context.db, async (tx) => {
    const before = await getSeries(tx, session, id, now)
    requireInSeries(scope, before)
    const version = await incrementVersion(tx, id)
    // Bookings have versions and histories of their own; the version of the series detects concurrent changes of it.
    if (actor.expects !== 'any' && actor.expects !== version - 1) {
      throw new AppError('record_changed', { current: (await findSeries(tx, id, now))?.series })
    }
    const bookings = await listScope(tx, id, scope, now)
    if (bookings.length === 0) {
      throw new AppError('booking_state', { message: 'None of these bookings is still to come.' })
    }
    check(before.bookings.filter(({ _id }) => bookings.some(({ id }) => id === _id)))
    await lockBookings(tx, new Set(bookings.flatMap(toPods)), bookings)
    const inTx = { ...context, db: tx, shortReads: tx }
    let changed = 0
    for (const booking of bookings) {
      const one = { context: inTx, actor: { ...actor, expects: 'any' as const }, session, id: booking.id }
      if (await change(one, booking)) changed += 1
    }
    if (changed === 0) throw fieldError('choices', 'Leave at least one booking')
    return changed
  })
}

/** Returns the time of day of the wall clock `time` on the date of `day`. */
function onDayOf(day: Date, time: string): Date {
  return new Date(`${toDate(day)}T${new Date(time).toISOString().slice(11)}`)
}
