import { sql, type Updateable } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import { mayChange } from '#contract/booking-access.ts'
import type { BookingAction } from '#contract/booking-actions.ts'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import { errors } from '#contract/errors.ts'
import { toClockText, toDate } from '#contract/slots.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { BookingsTable, Fields } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { ofAllLocations } from '#server/db/within-locations.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { isId } from '#server/ids.ts'
import { lockRecords, recordChange, recordChanges } from '../audit/record-change.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { hasOtherTimesSince, listBookedTimes } from '../closures/closures.repository.ts'
import { planClosuresAhead } from '../closures/plan-closures.ts'
import { hasChangedSince, isOpen } from './booking-conditions.ts'
import { findOwners } from './booking-page.repository.ts'
import { exchangeSlots } from './booking-slots.repository.ts'
import { type BookingState, listActions } from './booking-state.ts'
import { bookingRecord } from './bookings.repository.ts'
import { toBusinessNow } from './bookings.service.ts'

/** What all changes of a booking share: access, version check, locks and history. */

export type State = BookingState & {
  podId: string
  /** Null for bookings of staff. */
  customerId: string | null
  releasedFrom: Date | null
  price: number | null
  rate: number | null
  discountMinutes: number
  balanceDue: number
  refundsCounted: number
  sequence: number
}

/** A request to change a booking: who sends it, and which booking. */
export type BookingRequest = { context: AppContext; actor: Actor; session: SignedIn; id: string }

type Details = {
  action: AuditAction
  /** Undefined when the client sends it as If-Match, or not at all. */
  version?: number | undefined
  reason?: string | undefined
  /** Pods to lock besides the booking's own. Given, even if empty, when slots are to be held. */
  podIds?: readonly string[]
}

/**
 * Changes a booking, if the session may, and records the change. Locks pods before the booking, as closing and booking
 * do: two transactions that take the same locks in different orders would deadlock.
 */
export async function changeBooking(
  { context, actor, session, id }: BookingRequest,
  { version, podIds, ...change }: Details,
  write: (tx: Tx, before: State, now: Date) => Promise<void>,
): Promise<void> {
  const now = toBusinessNow(context)
  const seen = version === undefined ? actor : { ...actor, expects: version }
  await inTransaction(context.db, async (tx) => {
    const owners = await requireMyBooking(tx, id, session)
    if (podIds) await lockPods(tx, [...new Set([owners.pod_id, ...podIds.filter(isId)])])
    await recordChange(tx, seen, bookingRecord, { id, ...change }, async (fields) => {
      // Its pod may have moved to a location that the person does not have while the lock was waited for.
      if (session.locations) await requireMyBooking(tx, id, session)
      await write(tx, toState(fields), now)
    })
  })
}

/**
 * Locks bookings that are changed one by one, and the pods that this takes: one after the other, they would be locked in
 * another order than by whoever changes some of them at once.
 */
export async function lockBookings(
  tx: Tx,
  podIds: Iterable<string>,
  bookings: readonly { id: string }[],
): Promise<void> {
  await lockPods(tx, [...podIds])
  await lockRecords(
    tx,
    bookingRecord,
    bookings.map(({ id }) => id),
  )
}

/** Returns a booking's owners and pod; throws unless it exists and the session may change it, and so see it. */
export async function requireMyBooking(db: Db | Tx, id: string, session: SignedIn) {
  const owners = await findOwners(db, id)
  if (!owners) throw notFound('Booking')
  requireMine(owners, session)
  return owners
}

export function requireMine(
  owners: { staff_id: string | null; made_by_staff_id: string | null },
  { id, staff, pages }: SignedIn,
) {
  if (mayChange([owners.staff_id, owners.made_by_staff_id], id, pages)) return
  if (staff) throw new AppError('booking_of_another')
  throw new AppError('page_required', { message: 'An API key needs Booking, also for bookings that it made itself.' })
}

export function requireAction(before: State, action: BookingAction, now: Date): void {
  if (!listActions(before, now).includes(action))
    throw new AppError('booking_state', { message: explainState(before, now) })
}

export function explainState({ status, isNoShow, isEnded, end, start }: State, now: Date): string {
  if (status === 'Cancelled') return 'This booking has been cancelled.'
  if (isNoShow) return 'Nobody came for this booking, and it is over.'
  if (isEnded) return 'This booking was ended early.'
  if (end <= now) return 'This booking has already ended.'
  if (start > now) return `This booking begins on ${toDate(start)} at ${toClockText(start)}.`
  return errors.booking_state.message
}

/** Completes a booking and frees the rest of its time. */
export async function release(tx: Tx, id: string, fields: Updateable<BookingsTable>): Promise<void> {
  await updateBooking(tx, id, { ...fields, status: 'Completed' })
  await exchangeSlots(tx, [id])
}

export async function updateBooking(tx: Tx, id: string, fields: Updateable<BookingsTable>): Promise<void> {
  await tx.updateTable('bookings').set(fields).where('id', '=', id).execute()
}

/**
 * Takes a pod's bookings that are not over, cancelled ones too, to its new location. The caller has locked the pod, so
 * that nobody books or moves there meanwhile. Throws a 409 if a closure of the location hits one of them: whom a closure
 * hits is always decided on (rules §26.6). When an undo takes them back, to where they were until `leftAt`, this was
 * decided then, unless the booking or the closure has changed since.
 */
export async function followPod(
  tx: Tx,
  actor: Actor,
  { podId, locationId, now, leftAt }: { podId: string; locationId: string; now: Date; leftAt?: Date },
): Promise<void> {
  await planClosuresAhead(tx, await listBookedTimes(tx, [podId], now), now)
  const isUndecided = leftAt
    ? sql`(${hasChangedSince(leftAt, ['pod_id', 'start_time', 'end_time'])} or ${hasOtherTimesSince(leftAt)})`
    : sql`true`
  const { rows: counted } = await sql<{ hit: number }>`
    select count(*) as hit from bookings
     where pod_id = ${podId} and end_time > ${now} and ${isOpen} ${ofAllLocations}
       and exists (select from closures join closure_instances as instance on instance.closure_id = closures.id
                    where closures.location_id = ${locationId}
                      and instance.starts < end_time and instance.ends > greatest(start_time, ${now})
                      and ${isUndecided})`.execute(tx)
  const hit = counted[0]?.hit ?? 0
  if (hit > 0) {
    const bookings = hit === 1 ? '1 booking of this pod is' : `${hit} bookings of this pod are`
    const message = `${bookings} at a time when that location is closed. Move or cancel them first.`
    throw new AppError('closure_undecided', { message, fields: [{ path: 'location', message }] })
  }
  const { rows } = await sql<{ id: string }>`
    select id from bookings
     where pod_id = ${podId} and end_time > ${now} and location_id <> ${locationId} ${ofAllLocations}`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await recordChanges(tx, { ...actor, expects: 'any' }, bookingRecord, { ids, action: 'edit' }, async () => {
    await tx
      .updateTable('bookings')
      .set({ location_id: locationId, sequence: sql`sequence + 1` })
      .where('id', 'in', ids)
      .execute()
  })
}

/** Puts a booking that is not over where its pod is now, which may have moved since the booking was in it before. */
export async function stayWithPod(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    update bookings set location_id = pods.location_id from pods
     where bookings.id = ${id} and pods.id = pod_id and end_time > ${now}
       and bookings.location_id <> pods.location_id`.execute(tx)
}

/** Reads the state from a row of `bookings`, or from its fields in the history. */
export function toState(row: Fields): State {
  const amount = (value: unknown) => (value === null || value === undefined ? null : Number(value))
  const time = (value: unknown) => (value instanceof Date || typeof value === 'string' ? new Date(value) : null)
  return {
    status: row.status as BookingStatus, // guaranteed by a check constraint
    podId: String(row.pod_id),
    customerId: typeof row.user_id === 'string' ? row.user_id : null,
    start: new Date(String(row.start_time)),
    end: new Date(String(row.end_time)),
    releasedFrom: time(row.released_from),
    isCheckedIn: row.checked_in_at !== null,
    isNoShow: row.no_show_at !== null,
    isEnded: row.ended_at !== null,
    price: amount(row.price),
    rate: amount(row.rate),
    discountMinutes: amount(row.discount_minutes) ?? 0,
    balanceDue: amount(row.balance_due) ?? 0,
    refundsCounted: amount(row.refunds_counted) ?? 0,
    sequence: Number(row.sequence),
  }
}
