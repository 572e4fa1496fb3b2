import type { MoveQuestion, MoveQuote } from '#contract/booking-actions.ts'
import { toCents } from '#contract/money.ts'
import { countMarks, countMinutes, toDate } from '#contract/slots.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import { fieldError, notFound } from '#server/http/app-error.ts'
import { isId } from '#server/ids.ts'
import { findObstacles, overrideHours, requireAvailable, requireBookingTimes } from '../availability/availability.ts'
import { findAlternatives } from '../availability/free-instead.ts'
import { type Interval, isSameInterval } from '../availability/obstacles.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import { findNotifies } from '../messages/booking-messages.service.ts'
import { requirePrice } from '../pricing/require-price.ts'
import { countRefunds, findLedger } from './booking-money.ts'
import { exchangeSlots } from './booking-slots.repository.ts'
import { toBusinessNow } from './bookings.service.ts'
import {
  type BookingRequest,
  changeBooking,
  requireAction,
  requireMine,
  type State,
  toState,
  updateBooking,
} from './change-booking.ts'
import { quoteMove } from './move-price.ts'

type MoveBody = MoveQuestion & {
  version: number
  newPrice?: number | undefined
  reason?: string | undefined
  overrideReason?: string | undefined
}

/** Sets pod, date and times at once: at every moment the booking holds its old or its new time (rules §27.5). */
export async function moveBooking(request: BookingRequest, body: MoveBody): Promise<void> {
  const { session, id } = request
  const interval = { ...toInterval(body), exceptBookingId: id }
  const { ignoresHours, auditReason } = overrideHours(body.overrideReason, session.pages)
  const reason = [body.reason, auditReason].filter(Boolean).join(' – ') || undefined
  const change = { action: 'move', version: body.version, reason, podIds: [interval.podId] } as const
  await changeBooking(request, change, async (tx, before, now) => {
    requireAction(before, 'move', now)
    const options = { ...toMoveOptions(before, session, now), ignoresHours }
    requireBookingTimes(interval, options, body.bookingDate)
    requireSameStart(before, interval, now)
    if (isSameInterval(interval, before)) return
    if (!isShorter(before, interval)) await requireAvailable(tx, interval, options)
    const quote = await quoteMove(tx, before, interval, body)
    requirePrice(body.newPrice, quote.newPrice)
    const { location_id } = await tx
      .selectFrom('pods')
      .select('location_id')
      .where('id', '=', interval.podId)
      .executeTakeFirstOrThrow()
    await updateBooking(tx, id, {
      pod_id: interval.podId,
      location_id,
      booking_date: body.bookingDate,
      start_time: interval.start,
      end_time: interval.end,
      slot_count: countMarks(countMinutes(interval)),
      sequence: before.sequence + 1,
      // Customers are checked in for the day.
      ...(body.bookingDate === toDate(before.start)
        ? {}
        : { checked_in_at: null, checked_in_by: null, checked_in_method: null }),
      ...(quote.newPrice === null
        ? {}
        : {
            price: quote.newPrice,
            rate: quote.rate,
            balance_due: toCents(before.balanceDue + quote.difference),
            // What was paid back is charged again when the price rises.
            refunds_counted: toCents(before.refundsCounted + countRefunds((await findLedger(tx, id)).ledger)),
          }),
    })
    await exchangeSlots(tx, [id])
  })
}

/** Returns what a move would cost and what prevents it, without moving anything. */
export async function previewMove(
  context: AppContext,
  session: SignedIn,
  id: string,
  body: MoveQuestion,
): Promise<MoveQuote> {
  const { db } = context
  const row = await db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Booking')
  requireMine(row, session)
  const now = toBusinessNow(context)
  const before = toState(row)
  requireAction(before, 'move', now)
  const interval = { ...toInterval(body), exceptBookingId: id }
  const options = toMoveOptions(before, session, now)
  requireBookingTimes(interval, options, body.bookingDate)
  requireSameStart(before, interval, now)
  await planClosuresAhead(db, [interval], now)
  const reasons = isShorter(before, interval) ? [] : await findObstacles(db, interval, options)
  const { price, newPrice, difference } = await quoteMove(db, before, interval, body)
  const free = reasons.length > 0 ? await findAlternatives(db, interval, options) : { times: [], pods: [] }
  const told = await findNotifies(context, id)
  const { ledger } = await findLedger(db, id)
  const counted = countRefunds(ledger)
  const balanceDue = ledger.balanceDue + counted + difference
  return {
    price,
    newPrice,
    difference,
    balanceDue: toCents(balanceDue + countRefunds({ refunded: ledger.refunded - counted, balanceDue })),
    reasons,
    free,
    notifies: told?.kinds.includes('moved') ? { to: told.to } : null,
  }
}

/** Throws unless a running booking keeps its pod and start: only its end can move (rules §27.5). */
export function requireSameStart(before: State, { podId, start, end }: Interval, now: Date): void {
  if (before.start > now) return
  if (podId !== before.podId) throw fieldError('podId', 'This booking has begun: it stays in its pod')
  if (start.getTime() !== before.start.getTime())
    throw fieldError('startTime', 'This booking has begun: its start stays')
  if (end <= now) throw fieldError('endTime', 'Choose an end that is still to come, or end the booking now')
}

/** Whether the booking only gives time up, which it may whatever has been closed or changed since. */
export function isShorter(before: State, { podId, start, end }: Interval): boolean {
  return podId === before.podId && start >= before.start && end <= before.end
}

function toMoveOptions(before: State, { pages }: SignedIn, now: Date) {
  return { now, pages, mayHavePassed: before.start <= now, current: before }
}

function toInterval({ podId, startTime, endTime }: MoveQuestion): Interval {
  if (!isId(podId)) throw notFound('Pod')
  return { podId, start: new Date(startTime), end: new Date(endTime) }
}
