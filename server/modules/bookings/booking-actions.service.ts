import type { Updateable } from 'kysely'
import type { z } from 'zod'
import type { CancelBody } from '#contract/booking-actions.ts'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import { quoteRefund, REFUND_REASON_REQUIRED, toFullRefund } from '#contract/cancel-policy.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { toCents, toMoneyText } from '#contract/money.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { BookingsTable, Fields } from '#server/db/schema.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { writeFields } from '../audit/audit.repository.ts'
import { overrideHours, requireAvailable } from '../availability/availability.ts'
import type { AvailabilityOptions } from '../availability/obstacles.ts'
import { requireCustomerNotErased } from '../users/erase-customers.ts'
import { countRefunds, findLedger, sumRefundsSince } from './booking-money.ts'
import { findCancellation } from './booking-page.repository.ts'
import { exchangeSlots } from './booking-slots.repository.ts'
import { listActions, toEndRelease } from './booking-state.ts'
import { toBusinessNow } from './bookings.service.ts'
import {
  type BookingRequest,
  changeBooking,
  release,
  requireAction,
  type State,
  toState,
  updateBooking,
} from './change-booking.ts'
import { isShorter } from './move-booking.service.ts'

/** Actions on existing bookings, besides moving (move-booking.service.ts) and arriving (arrivals.service.ts). */

type CancelOptions = Partial<z.output<typeof CancelBody>>

/** Cancels and frees the slots; a refund becomes a negative balance due (rules §27.6). Older clients send no reason. */
export async function cancelBooking(
  request: BookingRequest,
  { version, reason, causedByUs, refund, refundReason }: CancelOptions,
): Promise<void> {
  const { actor, id } = request
  const audited = [reason, refundReason].filter((text) => text).join(' – ') || undefined
  await changeBooking(request, { action: 'cancel', version, reason: audited }, async (tx, before, now) => {
    requireCancellable(before, now)
    const { policy, ledger, paid, refunds } = await findLedger(tx, id)
    const most = toFullRefund(ledger)
    const quoted = causedByUs ? most : quoteRefund(policy, ledger, before.start, now).amount
    const given = refund ?? quoted
    if (given > most) throw fieldError('refund', `No more than ${toMoneyText(most)} can be given back`)
    if (given !== quoted && !refundReason) throw fieldError('refundReason', REFUND_REASON_REQUIRED)
    await updateBooking(tx, id, {
      status: 'Cancelled',
      cancelled_at: actor.now(),
      cancel_reason: reason ?? null,
      paid_when_cancelled: paid,
      balance_due: given === 0 ? 0 : -given,
      refunds_counted: refunds,
      sequence: before.sequence + 1,
    })
    await exchangeSlots(tx, [id])
  })
}

export function requireCancellable(before: State, now: Date): void {
  if (before.status === 'Cancelled') throw new AppError('booking_cancelled')
  if (!listActions(before, now).includes('cancel')) throw new AppError('booking_ended')
}

const PAID_BACK = 'This booking was paid back and cannot be reinstated. Make a new one.'

/** Undoes a cancellation, a no-show or an early end, as long as the freed time is still free. */
export async function reinstateBooking(
  request: BookingRequest,
  { version, overrideReason }: { version: number; overrideReason?: string | undefined },
): Promise<void> {
  const { session, id } = request
  const { ignoresHours, auditReason } = overrideHours(overrideReason, session.pages)
  const change = { action: 'reinstate', version, reason: auditReason, podIds: [] } as const
  await changeBooking(request, change, async (tx, before, now) => {
    const actions = listActions(before, now)
    const options = { now, pages: session.pages, ignoresHours }
    if (actions.includes('undo-no-show') || actions.includes('undo-end')) {
      const isOver = before.end <= now
      const regained = { ...options, isRegained: true }
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
    await requireReinstatable(tx, id, before, 'booking_state')
    const earlier = (await findCancellation(tx, id))?.before
    await hold(tx, id, before, options, {
      status: toActiveStatus(earlier?.status),
      cancelled_at: null,
      cancel_reason: null,
      paid_when_cancelled: null,
      sequence: before.sequence + 1,
      // The history has it only if cancelling changed it.
      balance_due: Number(earlier ? (earlier.balance_due ?? before.balanceDue) : 0),
      refunds_counted: Number(earlier ? (earlier.refunds_counted ?? before.refundsCounted) : 0),
    })
  })
}

/** Throws when something was paid back since the cancellation, or the customer erased, who has no bookings to come. */
async function requireReinstatable(tx: Tx, id: string, { customerId }: State, code: ErrorCode): Promise<void> {
  if ((await findLedger(tx, id)).ledger.refunded > 0) throw new AppError(code, { message: PAID_BACK })
  if (customerId !== null) await requireCustomerNotErased(tx, customerId)
}

type TakenBack = {
  id: string
  /** When the change was made. */
  at: Date
  fields: Fields
  earlier: Fields
  overrideReason: string | undefined
}

/** Undoes a change of a booking by writing its earlier fields back. Its slots follow; a 409 when they are taken. */
export async function takeBackChange(
  context: AppContext,
  tx: Tx,
  session: SignedIn,
  { id, at, fields, earlier, overrideReason }: TakenBack,
): Promise<void> {
  const now = toBusinessNow(context)
  const before = toState(fields)
  const later = toState({ ...fields, ...earlier })
  if (before.status === 'Cancelled' && later.status !== 'Cancelled')
    await requireReinstatable(tx, id, before, 'cannot_undo')
  const holdsMore = ['status', 'released_from', 'start_time', 'end_time', 'pod_id'].some((name) => name in earlier)
  if (holdsMore && later.status !== 'Cancelled' && later.releasedFrom === null) {
    if (later.end <= now && !before.isNoShow) {
      throw new AppError('cannot_undo', { message: 'This booking has ended and cannot be changed back.' })
    }
    const { ignoresHours } = overrideHours(overrideReason, session.pages)
    const isHeld = before.status !== 'Cancelled' && before.releasedFrom === null
    if (!(isHeld && isShorter(before, later))) {
      const options = { now, pages: session.pages, ignoresHours, isRegained: before.releasedFrom !== null }
      await requireFree(tx, id, later, options).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'outside_hours') throw error
        const { refusal } = error.details
        const how = later.status === before.status ? 'move' : 'reinstate'
        throw new AppError('outside_hours', {
          message: `This time is outside opening hours now. Open the booking to ${how} it with a reason.`,
          ...(refusal && { refusal }),
        })
      })
    }
  }
  await writeFields(tx, 'bookings', id, {
    ...earlier,
    // The sequence still rises, so that the next calendar file counts as newer than that of the undone change.
    ...('sequence' in earlier && { sequence: before.sequence + 1 }),
    ...((later.price ?? 0) > (before.price ?? 0) && (await chargeRefundsSince(tx, { id, at }, before, later))),
  })
  if (holdsMore) await exchangeSlots(tx, [id])
}

/**
 * What was paid back since a change made the booking cheaper is charged again, as by another move. A favour from before
 * the change stays one.
 */
async function chargeRefundsSince(
  tx: Tx,
  { id, at }: Pick<TakenBack, 'id' | 'at'>,
  before: State,
  later: State,
): Promise<Updateable<BookingsTable>> {
  const { ledger, refunds } = await findLedger(tx, id)
  const since = Math.min(ledger.refunded, await sumRefundsSince(tx, id, at))
  // What was paid back before the change is first of what covers the sum that it was to give back.
  const charged = countRefunds({ refunded: since, balanceDue: ledger.balanceDue + ledger.refunded - since })
  if (charged === 0) return {}
  const counted = later.refundsCounted
  const earlierDue = ledger.balanceDue + counted - before.refundsCounted + Number(later.price) - Number(before.price)
  const owedEarlier = countRefunds({ refunded: Math.max(0, refunds - since - counted), balanceDue: earlierDue })
  return { refunds_counted: toCents(counted + owedEarlier + charged) }
}

export async function endBooking(request: BookingRequest, { version }: { version: number }): Promise<void> {
  await changeBooking(request, { action: 'end', version }, async (tx, before, now) => {
    requireAction(before, 'end', now)
    const released_from = toEndRelease(before.start, before.end, now)
    await release(tx, request.id, { ended_at: request.actor.now(), released_from })
  })
}

export async function setNote(
  request: BookingRequest,
  { note, version }: { note: string; version: number },
): Promise<void> {
  await changeBooking(request, { action: 'edit', version }, (tx) => updateBooking(tx, request.id, { note }))
}

/** Writes the fields and holds the booking's whole time again; throws when it is not free any more. */
async function hold(
  tx: Tx,
  id: string,
  before: State,
  options: AvailabilityOptions,
  fields: Updateable<BookingsTable>,
): Promise<void> {
  await requireFree(tx, id, before, options)
  await updateBooking(tx, id, fields)
  await exchangeSlots(tx, [id])
}

async function requireFree(tx: Tx, id: string, { podId, start, end }: State, options: AvailabilityOptions) {
  await requireAvailable(tx, { podId, start, end, exceptBookingId: id }, { ...options, mayHavePassed: true })
}

function toActiveStatus(status: unknown): BookingStatus {
  return status === 'Confirmed' || status === 'Processing' ? status : 'Pending'
}
