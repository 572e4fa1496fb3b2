import type { Selectable } from 'kysely'
import type { RebookBody } from '#contract/book-for.ts'
import type { Booking } from '#contract/bookings.ts'
import type { BookingsTable } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { requireAvailable } from '../availability/availability.ts'
import { chooseOwner, createBookingFor, lockPod } from './book-for.service.ts'
import { cancelBooking } from './booking-actions.service.ts'
import { toBusinessNow } from './bookings.service.ts'
import { type BookingRequest, requireMyBooking } from './change-booking.ts'

type Owner = Pick<Selectable<BookingsTable>, 'user_id' | 'company_id' | 'staff_id'>

/**
 * Books the pod and time of a booking for somebody else and cancels that booking, in one transaction (rules §29.10). It
 * becomes another booking because the former customer has the code of this one, and gets no note because that may be
 * about the former customer, with whose data it has to be erased (rules §8.4). Throws a 409 when the booking has begun
 * or been paid for.
 */
export async function rebook(
  { context, actor, session, id }: BookingRequest,
  { version, for: who, price }: RebookBody,
): Promise<Booking> {
  const now = toBusinessNow(context)
  return inTransaction(context.db, async (tx) => {
    const { pod_id: podId } = await requireMyBooking(tx, id, session)
    const pod = await lockPod(tx, podId)
    const owner = await chooseOwner(tx, actor, session, who)
    const inTx = { ...context, db: tx, shortReads: tx }
    await cancelBooking({ context: inTx, actor, session, id }, { version, reason: 'Booked for somebody else' })
    const former = await tx.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (former.start_time <= now) throw new AppError('booking_state', { message: 'This booking has begun.' })
    if (Number(former.paid_when_cancelled) > 0) throw new AppError('booking_state', { message: PAID })
    if (isSameOwner(former, owner)) throw fieldError('for', 'This booking is for them already')
    const interval = { podId, start: former.start_time, end: former.end_time }
    // The time is held already, also when it is outside the opening hours.
    await requireAvailable(tx, interval, { now, pages: session.pages, ignoresHours: true })
    const body = { podId, bookingPurpose: former.purpose, price }
    const auditReason = 'In place of a booking for somebody else'
    return createBookingFor(tx, actor, { body, owner, pods: [pod], auditReason }, interval)
  })
}

/** Whether both belong to the same customer or company, whoever made them, or to the same staff member. */
function isSameOwner(one: Owner, other: Owner): boolean {
  if (one.user_id !== other.user_id || one.company_id !== other.company_id) return false
  return one.user_id !== null || one.company_id !== null || one.staff_id === other.staff_id
}

const PAID = 'This booking has been paid for. Cancel it, and book the time again.'
