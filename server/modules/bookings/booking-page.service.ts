import type { BookingPage } from '#contract/booking-actions.ts'
import type { BookingListItem } from '#contract/bookings.ts'
import { quoteRefund } from '#contract/cancel-policy.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import { notFound } from '#server/http/app-error.ts'
import { findFreePods } from '../availability/free-instead.ts'
import { getBookingMessages } from '../messages/booking-messages.service.ts'
import { toLedger } from './booking-money.ts'
import { findBookingPage, listPayments } from './booking-page.repository.ts'
import { listActions } from './booking-state.ts'
import { toBookingListItem } from './bookings.repository.ts'
import { toBookingCode, toBusinessNow } from './bookings.service.ts'
import { requireMine, toState } from './change-booking.ts'

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
  const ledger = toLedger(row)
  const refund = quoteRefund(row.policy, ledger, row.start_time, now)
  const booking = toBookingListItem(row)
  const isFinal = row.customer_erased_at !== null || ledger.refunded > 0
  return {
    ...booking,
    qrText: toBookingCode(context.config, { booking, deviceId: row.device_id, podUserId: row.pod_user_id }),
    ...toPeople(row, booking),
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
      refundedAt: payment.refunded_at?.toISOString() ?? null,
    })),
    paid: Number(row.paid),
    refund: {
      amount: refund.amount,
      paid: ledger.paid,
      refunded: Math.min(ledger.paid, ledger.refunded),
      overpaid: refund.overpaid,
      percent: refund.bracket?.percent ?? 0,
      hoursBefore: refund.bracket?.hoursBefore ?? null,
      fee: row.policy.fee,
    },
    cancelReasons: pricing.cancel_reasons,
    ...messages,
    actions: listActions(toState(row), now).filter((action) => action !== 'reinstate' || !isFinal),
    businessNow: now.toISOString(),
    timeZone: context.config.businessTimeZone,
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof findBookingPage>>>

/** Returns the people behind a booking, with how to reach them. */
function toPeople(row: Row, booking: BookingListItem): Pick<BookingPage, 'customer' | 'company' | 'madeBy'> {
  return {
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
