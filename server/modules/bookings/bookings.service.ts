import type { Availability, Booking, BookingBody, BookingDetails } from '#contract/bookings.ts'
import { CLOSING_HOUR, countMarks, countMinutes, OPENING_HOUR, toWallClock } from '#contract/slots.ts'
import { type Config, toPortalUrl } from '#server/config.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import { inOneTransaction, inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { explainDay, requireAvailable, requireBookingTimes } from '../availability/availability.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import { insertBookings, type NewBooking, NOT_SOLD } from './booking-slots.repository.ts'
import { findBooking, toBooking } from './bookings.repository.ts'
import { type QrSource, toQrText } from './qr-text.ts'
import { type BookingOwner, countUpcomingBookings as countUpcoming } from './upcoming-bookings.repository.ts'

export async function getAvailability(context: AppContext, podId: string, date: string): Promise<Availability> {
  const now = toBusinessNow(context)
  const midnight = new Date(`${date}T00:00:00.000Z`)
  await planClosuresAhead(context.db, [{ start: midnight, end: midnight }], now, podId)
  const day = await explainDay(context.shortReads, podId, date)
  if (!day) throw notFound('Pod')
  return {
    start_time: OPENING_HOUR,
    end_time: CLOSING_HOUR,
    business_now: now.toISOString(),
    product_availability: {
      product_id: podId,
      booking_date: date,
      slot_bookings: [...day.reasons.keys()],
      slot_reasons: Object.fromEntries(day.reasons),
      outside_hours: day.outsideHours,
      not_ends: day.notEnds,
      buffer_minutes: day.bufferMinutes,
    },
  }
}

/** Makes a booking for the signed-in staff member. A status in the request is ignored (rules §4.8). */
export async function createBooking(
  context: AppContext,
  actor: Actor,
  { staff, pages }: Person,
  podId: string,
  body: BookingBody,
): Promise<Booking> {
  const start = new Date(body.startTime)
  const end = new Date(body.endTime)
  const options = { now: toBusinessNow(context), pages }
  requireBookingTimes({ start, end }, options, body.bookingDate)
  const now = context.clock.now()
  const booking = await inTransaction(context.db, async (tx) => {
    // Both queries are sent at once but run in order, so availability is checked when the pod is locked.
    const [[pod]] = await Promise.all([lockPods(tx, [podId]), requireAvailable(tx, { podId, start, end }, options)])
    if (!pod) throw notFound('Pod')
    const booking = {
      id: createId(now.getTime()),
      pod_id: podId,
      pod_title: pod.title,
      location_id: pod.location_id,
      user_id: null,
      staff_id: staff._id,
      company_id: null,
      made_by_staff_id: null,
      series_id: null,
      booking_date: body.bookingDate,
      purpose: body.bookingPurpose,
      start_time: start,
      end_time: end,
      slot_count: countMarks(countMinutes({ start, end })),
      note: '',
      ...NOT_SOLD,
      created_at: now,
      audit_id: createId(now.getTime()),
    } satisfies NewBooking
    await insertBookings(tx, actor, [booking])
    return booking
  })
  return toBooking({
    ...booking,
    version: 1,
    status: 'Pending',
    checked_in_at: null,
    no_show_at: null,
    ended_at: null,
    released_from: null,
  })
}

export async function getBooking({ config, db }: AppContext, bookingId: string): Promise<BookingDetails> {
  const found = await findBooking(db, bookingId)
  if (!found) throw notFound('Booking')
  return { ...found.booking, qrText: toBookingCode(config, found) }
}

/** Returns the text of a booking's QR code. */
export function toBookingCode(config: Config, booking: Pick<QrSource, 'booking' | 'deviceId' | 'podUserId'>): string {
  return toQrText({
    ...booking,
    template: config.qrTemplate,
    origin: toPortalUrl(config),
    timeZone: config.businessTimeZone,
  })
}

const ownerNames: Record<BookingOwner, string> = {
  pod: 'Pod',
  location: 'Location',
  user: 'User',
  staff: 'User',
  company: 'Company',
}

/** Counts the bookings that remain when their owner is blocked or deleted: staff must still honour or cancel them. */
export async function countUpcomingBookings(
  context: AppContext,
  owner: BookingOwner,
  id: string,
): Promise<{ upcomingBookings: number }> {
  const upcomingBookings = await countUpcoming(context.db, owner, id, toBusinessNow(context))
  if (upcomingBookings === undefined) throw notFound(ownerNames[owner])
  return { upcomingBookings }
}

/** Blocks a record with `block` and counts its upcoming bookings. */
export function blockAndCount(
  context: AppContext,
  owner: BookingOwner,
  id: string,
  block: (context: AppContext) => Promise<void>,
): Promise<{ message: string; upcomingBookings: number }> {
  return inOneTransaction(context, async (inTx) => {
    await block(inTx)
    return { message: `${ownerNames[owner]} blocked successfully`, ...(await countUpcomingBookings(inTx, owner, id)) }
  })
}

/** Returns the pods' current wall clock, labelled Z (rules §1.2). */
export function toBusinessNow({ clock, config }: AppContext): Date {
  return toWallClock(clock.now(), config.businessTimeZone)
}
