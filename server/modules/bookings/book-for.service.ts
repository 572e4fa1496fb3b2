import type { BookFor, BookForBody, VisitBody } from '#contract/book-for.ts'
import type { Booking } from '#contract/bookings.ts'
import { errors } from '#contract/errors.ts'
import { toPrice } from '#contract/money.ts'
import { countMarks, countMinutes, toDate } from '#contract/slots.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'
import { recordCreation } from '../audit/record-change.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { overrideHours, requireAvailable, requireBookingTimes } from '../availability/availability.ts'
import type { Interval } from '../availability/obstacles.ts'
import { lockCompany } from '../companies/companies.repository.ts'
import { applySendCode } from '../messages/booking-messages.service.ts'
import { requirePrice } from '../pricing/require-price.ts'
import { createUser, customerRecord, lockUser } from '../users/users.repository.ts'
import { insertBookings, type NewBooking, NOT_SOLD } from './booking-slots.repository.ts'
import { type BookingTerms, getBookingTerms } from './booking-terms.repository.ts'
import { findBooking } from './bookings.repository.ts'
import { toBusinessNow } from './bookings.service.ts'

/** The owner of a booking; a customer's booking also records which staff member made it (rules §29.5). */
type BookedFor = Pick<NewBooking, 'user_id' | 'staff_id' | 'company_id' | 'made_by_staff_id'>

export async function bookFor(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  body: BookForBody,
): Promise<Booking> {
  const interval = { podId: body.podId, start: new Date(body.startTime), end: new Date(body.endTime) }
  const { pages } = session
  const { ignoresHours, auditReason } = overrideHours(body.overrideReason, pages)
  const options = { now: toBusinessNow(context), pages, ignoresHours }
  requireBookingTimes(interval, options, body.bookingDate)
  return inTransaction(context.db, async (tx) => {
    const pod = await lockPod(tx, body.podId)
    await requireAvailable(tx, interval, options)
    const owner = await chooseOwner(tx, actor, session, body.for)
    const booking = await createBookingFor(tx, actor, { body, owner, pods: [pod], auditReason }, interval)
    await applySendCode(context, tx, [booking._id], body.sendCode)
    return booking
  })
}

type Pod = { id: string; title: string; location_id: string }

/** Returns the pod, locked for booking; throws a 404 when there is none. */
export async function lockPod(tx: Tx, podId: string): Promise<Pod> {
  const [pod] = isId(podId) ? await lockPods(tx, [podId]) : []
  if (!pod) throw notFound('Pod')
  return pod
}

/**
 * Returns the owner of a booking, locking the customer or company so that it cannot be blocked or deleted meanwhile. A
 * new customer is created in the booking's transaction, and so exists only if the booking does.
 */
export async function chooseOwner(tx: Tx, actor: Actor, session: SignedIn, who: BookFor): Promise<BookedFor> {
  const { staff } = session
  const own = { staff_id: staff?._id ?? null, user_id: null, company_id: null, made_by_staff_id: null }
  const ofCustomer = (user_id: string) => ({ ...own, user_id, staff_id: null, made_by_staff_id: own.staff_id })
  // Bookings that are not a customer's belong to a staff member, and an API key is none.
  if (!staff && (who.kind === 'me' || who.kind === 'company')) {
    throw fieldError('for', 'An API key books for customers')
  }
  switch (who.kind) {
    case 'me':
      return own
    case 'customer': {
      const user = isId(who.userId) ? await lockUser(tx, who.userId) : undefined
      if (!user) throw unbookable('Customer', 'for.userId')
      if (user.is_blocked) {
        const { message } = errors.customer_blocked
        throw new AppError('customer_blocked', { fields: [{ path: 'for.userId', message }] })
      }
      return ofCustomer(who.userId)
    }
    case 'newCustomer':
      return ofCustomer(await createCustomer(tx, actor, session, who))
    case 'company':
      if (!isId(who.companyId) || !(await lockCompany(tx, who.companyId))) throw unbookable('Company', 'for.companyId')
      return { ...own, company_id: who.companyId }
  }
}

/** Of a customer or company that was deleted while a form had it chosen. */
function unbookable(noun: 'Customer' | 'Company', path: string): AppError {
  const message = `This ${noun.toLowerCase()} cannot be booked for any more. Choose another.`
  return new AppError('not_found', { message: `${noun} not found`, fields: [{ path, message }] })
}

async function createCustomer(
  tx: Tx,
  actor: Actor,
  { locations }: SignedIn,
  { firstname, lastname = '', email = '', mobile = '' }: Extract<BookFor, { kind: 'newCustomer' }>,
): Promise<string> {
  const now = actor.now()
  const id = createId(now.getTime())
  const address = email.toLowerCase()
  const user = { id, firstname, lastname, email: address, mobile, role: 'user', username: address, created_at: now }
  await recordCreation(tx, actor, customerRecord, id, () => createUser(tx, user)).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'users_email_key')) throw error
    // Staff with some locations do not find customers who have booked elsewhere only.
    const unlessHidden = locations
      ? ' Who is not found there has to be booked by a colleague who has all locations.'
      : ''
    const message = `A customer with this email address is there already. Choose them under Customer.${unlessHidden}`
    throw new AppError('email_taken', { message, fields: [{ path: 'for.email', message }] })
  })
  return id
}

type NewBookings = {
  body: Omit<VisitBody, 'for'>
  owner: BookedFor
  pods: readonly Pod[]
  seriesId?: string
  /** The reason that the history records. */
  auditReason?: string | undefined
}

/** `shownPrice` is what the client has shown for it, unless that is the price of the request. */
export type PricedInterval = Interval & { shownPrice?: number | undefined }

/** Does what `createBookingsFor` does for a single booking, and returns it. */
export async function createBookingFor(
  tx: Tx,
  actor: Actor,
  bookings: NewBookings,
  interval: PricedInterval,
): Promise<Booking> {
  const [id = ''] = await createBookingsFor(tx, actor, bookings, [interval])
  const created = await findBooking(tx, id)
  if (!created) throw new Error('A new booking is not there')
  return created.booking
}

/** Inserts bookings with slots and history and returns their ids. The caller has checked availability under lock. */
export async function createBookingsFor(
  tx: Tx,
  actor: Actor,
  { body, owner, pods, seriesId, auditReason }: NewBookings,
  intervals: readonly PricedInterval[],
): Promise<string[]> {
  const now = actor.now()
  const terms = await getBookingTerms(
    tx,
    pods.map(({ id }) => id),
  )
  const bookings = intervals.map((interval) => {
    const { podId, start, end, shownPrice } = interval
    const pod = pods.find(({ id }) => id === podId)
    const sold = terms.get(podId)
    if (!pod || !sold) throw new Error('A pod was not locked before it was booked')
    const minutes = countMinutes(interval)
    const isSold = owner.user_id !== null || owner.company_id !== null
    const sale = isSold ? toSale(minutes, sold) : NOT_SOLD
    requirePrice(shownPrice ?? (podId === body.podId ? body.price : undefined), sale.price)
    return {
      ...owner,
      id: createId(now.getTime()),
      pod_id: podId,
      pod_title: pod.title,
      location_id: pod.location_id,
      booking_date: toDate(start),
      purpose: body.bookingPurpose,
      start_time: start,
      end_time: end,
      slot_count: countMarks(minutes),
      note: body.note ?? '',
      ...sale,
      series_id: seriesId ?? null,
      created_at: now,
      audit_id: createId(now.getTime()),
    }
  })
  await insertBookings(tx, actor, bookings, auditReason)
  return bookings.map(({ id }) => id)
}

function toSale(minutes: number, { rate, discountMinutes, cancelPolicy }: BookingTerms) {
  const price = toPrice(minutes, rate, discountMinutes)
  return { price, rate, discount_minutes: discountMinutes, balance_due: price, cancel_policy: cancelPolicy }
}
