import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import { ofAllLocations } from '#server/db/within-locations.ts'
import { toActorColumns } from '../audit/record-event.ts'
import { toFields } from '../audit/record-kind.ts'
import { heldUntil } from './booking-conditions.ts'
import type { BookingRow } from './bookings.repository.ts'

/** Holds and frees the slots of bookings. */

export type NewBooking = Pick<
  BookingRow,
  | 'id'
  | 'pod_id'
  | 'pod_title'
  | 'location_id'
  | 'booking_date'
  | 'purpose'
  | 'start_time'
  | 'end_time'
  | 'slot_count'
  | 'created_at'
> & {
  staff_id: string
  /** The pod's current cleaning time. */
  buffer_minutes: number
}

/** The booking's row in the history, written in the same statement (rules §22.1). */
type BookingAudit = Parameters<typeof toActorColumns>[0] & { auditId: string }

/**
 * Inserts a booking with its slots and history in one statement. The caller has checked under the pod's lock that the
 * time is free; a slot that is taken all the same violates the primary key of booking_slots (23505).
 */
export async function createBooking(db: Db | Tx, booking: NewBooking, audit: BookingAudit): Promise<void> {
  const by = toActorColumns(audit)
  await sql`
    with booking as (
      insert into bookings (id, pod_id, location_id, staff_id, booking_date, purpose, start_time, end_time, slot_count,
                            status, created_at)
      values (${booking.id}, ${booking.pod_id}, ${booking.location_id}, ${booking.staff_id}, ${booking.booking_date},
              ${booking.purpose}, ${booking.start_time}, ${booking.end_time}, ${booking.slot_count}, 'Pending',
              ${booking.created_at})
      returning *
    ), slots as (
      insert into booking_slots (pod_id, slot_start, booking_id, is_buffer)
      select pod_id, slot_start, id, slot_start >= end_time
        from booking,
             generate_series(start_time, end_time + make_interval(mins => ${booking.buffer_minutes} - 15), interval '15 minutes') as slot_start
       order by slot_start
    )
    insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version, after)
    select ${audit.auditId}, booking.created_at, ${by.actor_kind}, ${by.actor_id}, ${by.address}, ${by.request_id},
           'create', 'booking', booking.id, ${booking.pod_title}, 1, ${toFields('booking')}
      from booking`.execute(db)
}

/**
 * Makes bookings hold exactly the slots of their current intervals and of their pods' current cleaning time after them,
 * or none when cancelled. Adds and frees slots in one statement; if a slot is taken, the primary key is violated
 * (23505) and nothing has changed. No-shows need no cleaning. The cleaning is cut off at the next booking: it may have
 * grown, or been booked, before an early end or while the time was free. Other changes check beforehand that it fits.
 * Reads all locations: the pod of a booking that is over may be at another by now.
 */
export async function exchangeSlots(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  const [id] = bookingIds
  // Compares a single id directly: PostgreSQL caches that plan, but would plan a query with an array every time.
  const among = bookingIds.length === 1 ? sql`= ${id}` : sql`= any(${bookingIds}::uuid[])`
  const isHeld = sql`wanted.booking_id = held.booking_id and wanted.pod_id = held.pod_id and wanted.slot_start = held.slot_start`
  await sql`
    with booking as (
      select bookings.id, bookings.pod_id, start_time, ${heldUntil} as until,
             case when no_show_at is null then buffer_minutes else 0 end as buffer
        from bookings join pods on pods.id = bookings.pod_id
       where bookings.id ${among} and status <> 'Cancelled'
    ), wanted as (
      select id as booking_id, pod_id, slot_start, slot_start >= until as is_buffer
        from booking, generate_series(start_time, until + make_interval(mins => buffer - 15), interval '15 minutes') as slots (slot_start)
       where not (slots.slot_start >= until and exists (
               select from booking_slots as taken
                where taken.pod_id = booking.pod_id and taken.slot_start between until and slots.slot_start
                  and taken.booking_id <> booking.id))
    ), added as (
      insert into booking_slots (pod_id, slot_start, booking_id, is_buffer)
      select pod_id, slot_start, booking_id, is_buffer from wanted
       where not exists (select from booking_slots as held where held.booking_id ${among} and ${isHeld})
       order by pod_id, slot_start
    ), marked as (
      update booking_slots as held set is_buffer = wanted.is_buffer from wanted
       where held.booking_id ${among} and ${isHeld} and held.is_buffer <> wanted.is_buffer
    )
    delete from booking_slots as held
     where held.booking_id ${among} and not exists (select from wanted where ${isHeld}) ${ofAllLocations}`.execute(tx)
}
