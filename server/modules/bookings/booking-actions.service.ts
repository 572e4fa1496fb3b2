import type { Updateable } from 'kysely'
import type { z } from 'zod'
import type { BookingPage, CancelBody, MoveQuestion, MoveQuote } from '#contract/booking-actions.ts'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import { quoteRefund } from '#contract/cancel-policy.ts'
import { toCents } from '#contract/money.ts'
import { countMarks } from '#contract/slots.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { BookingsTable, Fields } from '#server/db/schema.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { isId } from '#server/ids.ts'
import { writeFields } from '../audit/audit.repository.ts'
import type { AvailabilityOptions, Interval } from '../availability/obstacles.ts'
import { findAlternatives, findFreePods } from '../availability/free-instead.ts'
import { findObstacles, overrideHours, requireAvailable, requireBookingTimes } from '../availability/availability.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import { findNotifies, getBookingMessages } from '../messages/messages.service.ts'
import { requirePrice } from '../pricing/require-price.ts'
import {
  balanceOf,
  findBookingPage,
  findCancellation,
  findCancelTerms,
  hasRefund,
  listPayments,
} from './booking-page.repository.ts'
import { exchangeSlots } from './booking-slots.repository.ts'
import { listActions, toEndRelease } from './booking-state.ts'
import { toBookingListItem } from './bookings.repository.ts'
import { toBookingCode, toBusinessNow } from './bookings.service.ts'
import {
  changeBooking,
  release,
  requireAction,
  requireMine,
  type State,
  toState,
  updateBooking,
} from './change-booking.ts'
import { quoteMove } from './move-price.ts'

/** Actions on existing bookings. */

const MINUTE = 60_000

export async function getBookingPage(context: AppContext, session: SignedIn, id: string): Promise<BookingPage> {
  const [row, messages, payments, pricing] = await Promise.all([
    findBookingPage(context.db, id),
    getBookingMessages(context, id),
    listPayments(context.db, id),
    context.db.selectFrom('pricing').select('cancel_reasons').executeTakeFirstOrThrow(),
  ])
  if (!row) throw notFound('Booking')
  requireMine(row, session)
  const now = toBusinessNow(context)
  const refund = quoteRefund(row.policy, Number(row.paid), row.start_time, now, Number(row.balance_due))
  const booking = toBookingListItem(row)
  return {
    ...booking,
    qrText: toBookingCode(context.config, { booking, deviceId: row.device_id, podUserId: row.pod_user_id }),
    customer:
      row.user_id === null
        ? null
        : { _id: row.user_id, name: booking.username, email: row.email ?? '', phone: row.user_mobile ?? '' },
    company: booking.company && {
      ...booking.company,
      contactName: row.company_contact ?? '',
      email: row.company_email ?? '',
      phone: row.company_phone ?? '',
    },
    madeBy:
      row.maker_id === null
        ? null
        : {
            _id: row.maker_id,
            name: row.maker_name ?? '',
            email: row.maker_email ?? '',
            phone: row.maker_phone ?? '',
          },
    pod: { _id: row.pod_id, title: row.pod_title, direction: row.direction },
    checkedInMethod: row.checked_in_method,
    checkedInBy: row.receiver_name,
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
    cancelReason: row.cancel_reason,
    payments: payments.map((payment) => ({
      _id: payment.id,
      amount: Number(payment.amount),
      currency: payment.currency,
      status: payment.status,
      paymentFacilitator: payment.payment_facilitator,
      createdAt: payment.created_at.toISOString(),
    })),
    paid: Number(row.paid),
    balanceDue: Number(row.balance_due),
    refund: {
      amount: refund.amount,
      percent: refund.bracket?.percent ?? 0,
      hoursBefore: refund.bracket?.hoursBefore ?? null,
      fee: row.policy.fee,
    },
    cancelReasons: pricing.cancel_reasons,
    ...messages,
    actions: listActions(toState(row), now),
    businessNow: now.toISOString(),
    timeZone: context.config.businessTimeZone,
  }
}

type MoveBody = MoveQuestion & {
  version: number
  newPrice?: number | undefined
  reason?: string | undefined
  overrideReason?: string | undefined
}

/** Sets pod, date and times at once: at every moment the booking holds its old or its new time (rules §27.5). */
export async function moveBooking(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  body: MoveBody,
): Promise<void> {
  const interval = { ...toInterval(body), exceptBookingId: id }
  const { ignoresHours, auditReason } = overrideHours(body.overrideReason, session.pages)
  const reason = [body.reason, auditReason].filter(Boolean).join(' – ') || undefined
  const change = { action: 'move', version: body.version, reason, podIds: [interval.podId] } as const
  await changeBooking(context, actor, session, id, change, async (tx, before, now) => {
    requireAction(before, 'move', now)
    const options = { ...toMoveOptions(before, session, now), ignoresHours }
    requireBookingTimes(interval, options, body.bookingDate)
    requireSameStart(before, interval, now)
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
      slot_count: countMarks((interval.end.getTime() - interval.start.getTime()) / MINUTE),
      sequence: before.sequence + 1,
      // Customers are checked in for the day.
      ...(body.bookingDate === before.start.toISOString().slice(0, 10)
        ? {}
        : { checked_in_at: null, checked_in_by: null, checked_in_method: null }),
      ...(quote.newPrice === null
        ? {}
        : {
            price: quote.newPrice,
            rate: quote.rate,
            balance_due: toCents(before.balanceDue + quote.difference),
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
  const found = db.selectFrom('bookings').selectAll().select(balanceOf().as('balance')).where('id', '=', id)
  const row = await found.executeTakeFirst()
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
  return {
    price,
    newPrice,
    difference,
    balanceDue: toCents(Number(row.balance) + difference),
    reasons,
    free,
    notifies: told?.kinds.includes('moved') ? { to: told.to } : null,
  }
}

/** Lists similar pods that are free at the booking's time, for somebody else who wants to meet then (rules §29.6). */
export async function listFreePods(context: AppContext, session: SignedIn, id: string) {
  const { db } = context
  const row = await db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Booking')
  requireMine(row, session)
  const interval = { podId: row.pod_id, start: row.start_time, end: row.end_time }
  return { pods: await findFreePods(db, interval, { now: toBusinessNow(context), pages: session.pages }) }
}

type CancelOptions = Partial<z.output<typeof CancelBody>>

/** Cancels and frees the slots; a refund becomes a negative balance due (rules §27.6). Older clients send no reason. */
export async function cancelBooking(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  { version, reason, causedByUs, refund, refundReason }: CancelOptions,
): Promise<void> {
  const audited = [reason, refundReason].filter((text) => text).join(' – ') || undefined
  await changeBooking(
    context,
    actor,
    session,
    id,
    { action: 'cancel', version, reason: audited },
    async (tx, before, now) => {
      requireCancellable(before, now)
      const { policy, paid, balanceDue } = await findCancelTerms(tx, id)
      const quoted = causedByUs ? paid : quoteRefund(policy, paid, before.start, now, balanceDue).amount
      const given = refund ?? quoted
      if (given > paid) throw fieldError('refund', 'No more can be given back than was paid')
      if (given !== quoted && !refundReason) {
        throw fieldError('refundReason', 'Say why another amount is given back than the policy says')
      }
      await updateBooking(tx, id, {
        status: 'Cancelled',
        cancelled_at: actor.now(),
        cancel_reason: reason ?? null,
        balance_due: given === 0 ? 0 : -given,
        sequence: before.sequence + 1,
      })
      await exchangeSlots(tx, [id])
    },
  )
}

export function requireCancellable(before: State, now: Date): void {
  if (before.status === 'Cancelled') throw new AppError('booking_cancelled')
  if (!listActions(before, now).includes('cancel')) throw new AppError('booking_ended')
}

const PAID_BACK = 'This booking was paid back and cannot be reinstated. Make a new one.'

/** Undoes a cancellation, a no-show or an early end, as long as the freed time is still free. */
export async function reinstateBooking(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  { version, overrideReason }: { version: number; overrideReason?: string | undefined },
): Promise<void> {
  const { ignoresHours, auditReason } = overrideHours(overrideReason, session.pages)
  await changeBooking(
    context,
    actor,
    session,
    id,
    { action: 'reinstate', version, reason: auditReason, podIds: [] },
    async (tx, before, now) => {
      const actions = listActions(before, now)
      const options = { now, pages: session.pages, ignoresHours }
      if (actions.includes('undo-no-show') || actions.includes('undo-end')) {
        const isOver = before.end <= now
        const regained = { ...options, ignoresCleaning: true }
        await hold(tx, id, before, regained, {
          no_show_at: null,
          ended_at: null,
          released_from: null,
          // The status scheduler advances it from here.
          status: isOver ? 'Completed' : before.start <= now ? 'Processing' : 'Confirmed',
        })
        return
      }
      if (!actions.includes('reinstate')) {
        throw new AppError('booking_state', {
          message:
            before.status === 'Cancelled'
              ? 'This booking has ended and cannot be reinstated.'
              : 'This booking is not cancelled.',
        })
      }
      if (await hasRefund(tx, id)) throw new AppError('booking_state', { message: PAID_BACK })
      const earlier = (await findCancellation(tx, id))?.before
      await hold(tx, id, before, options, {
        status: toActiveStatus(earlier?.status),
        cancelled_at: null,
        cancel_reason: null,
        sequence: before.sequence + 1,
        // The history has it only if cancelling changed it.
        balance_due: Number(earlier ? (earlier.balance_due ?? before.balanceDue) : 0),
      })
    },
  )
}

/** Undoes a change of a booking by writing its earlier fields back. Its slots follow; a 409 when they are taken. */
export async function takeBackChange(
  context: AppContext,
  tx: Tx,
  session: SignedIn,
  id: string,
  fields: Fields,
  earlier: Fields,
  overrideReason: string | undefined,
): Promise<void> {
  const now = toBusinessNow(context)
  const before = toState(fields)
  const later = toState({ ...fields, ...earlier })
  if (before.status === 'Cancelled' && later.status !== 'Cancelled' && (await hasRefund(tx, id)))
    throw new AppError('cannot_undo', { message: PAID_BACK })
  const holdsMore = ['status', 'released_from', 'start_time', 'end_time', 'pod_id'].some((name) => name in earlier)
  if (holdsMore && later.status !== 'Cancelled' && later.releasedFrom === null) {
    if (later.end <= now && !before.isNoShow) {
      throw new AppError('cannot_undo', { message: 'This booking has ended and cannot be changed back.' })
    }
    const { ignoresHours } = overrideHours(overrideReason, session.pages)
    if (later.end > now) {
      const options = { now, pages: session.pages, ignoresHours, ignoresCleaning: before.releasedFrom !== null }
      await requireFree(tx, id, later, options).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'outside_hours') throw error
        const how = later.status === before.status ? 'move' : 'reinstate'
        throw new AppError('outside_hours', {
          message: `This time is outside opening hours now. Open the booking to ${how} it with a reason.`,
          ...(error.refusal && { refusal: error.refusal }),
        })
      })
    }
  }
  // The sequence still rises, so that the next calendar file counts as newer than that of the undone change.
  await writeFields(tx, 'bookings', id, 'sequence' in earlier ? { ...earlier, sequence: before.sequence + 1 } : earlier)
  if (holdsMore) await exchangeSlots(tx, [id])
}

export async function endBooking(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  { version }: { version: number },
): Promise<void> {
  await changeBooking(context, actor, session, id, { action: 'end', version }, async (tx, before, now) => {
    requireAction(before, 'end', now)
    await release(tx, id, { ended_at: actor.now(), released_from: toEndRelease(before.start, before.end, now) })
  })
}

export async function setNote(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  { note, version }: { note: string; version: number },
): Promise<void> {
  await changeBooking(context, actor, session, id, { action: 'edit', version }, (tx) => updateBooking(tx, id, { note }))
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
  return { now, pages, mayHavePassed: before.start <= now }
}

function toInterval({ podId, startTime, endTime }: MoveQuestion): Interval {
  if (!isId(podId)) throw notFound('Pod')
  return { podId, start: new Date(startTime), end: new Date(endTime) }
}

/** Writes the fields and holds the booking's whole time again; throws when it is not free any more. */
async function hold(
  tx: Tx,
  id: string,
  before: State,
  options: AvailabilityOptions,
  fields: Updateable<BookingsTable>,
): Promise<void> {
  if (before.end > options.now) await requireFree(tx, id, before, options)
  await updateBooking(tx, id, fields)
  await exchangeSlots(tx, [id])
}

async function requireFree(tx: Tx, id: string, { podId, start, end }: State, options: AvailabilityOptions) {
  await requireAvailable(tx, { podId, start, end, exceptBookingId: id }, { ...options, mayHavePassed: true })
}

function toActiveStatus(status: unknown): BookingStatus {
  return status === 'Confirmed' || status === 'Processing' ? status : 'Pending'
}
