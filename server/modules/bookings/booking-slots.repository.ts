import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import { toActorColumns, toFields } from '../audit/record-change.ts'
import type { BookingRow } from './bookings.repository.ts'

/** What holds a pod's time and lets it go. */

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
  /** The pod's, as they are now. */
  buffer_minutes: number
}

/** Its row in the history, written with it (rules §22.1). */
export type BookingAudit = Parameters<typeof toActorColumns>[0] & { auditId: string }

/**
 * Inserts the booking with its slots and its history in one statement. That its time is free has been asked under the
 * pod's lock; a slot that is taken all the same fails on the primary key of booking_slots (23505), which nobody can get past.
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
 * Makes bookings hold exactly the slots of their intervals as they are now, and after them those for cleaning that their
 * pods ask for now; none when cancelled. What they do not hold yet is held, and what they held before is freed, in one
 * statement. A slot that is taken fails on the primary key (23505), and then nothing has changed. Nobody cleans up after a
 * no-show, and what ends early is cleaned for as long as there is: the pod may ask for more now than when the next one was
 * made.
 */
export async function exchangeSlots(tx: Tx, bookingIds: readonly string[]): Promise<void> {
  const [id] = bookingIds
  // Of a single id the database keeps its plan; of an array it would plan anew at each call.
  const among = bookingIds.length === 1 ? sql`= ${id}` : sql`= any(${bookingIds}::uuid[])`
  const isHeld = sql`wanted.booking_id = held.booking_id and wanted.pod_id = held.pod_id and wanted.slot_start = held.slot_start`
  await sql`
    with booking as (
      select bookings.id, bookings.pod_id, start_time, coalesce(released_from, end_time) as until,
             case when no_show_at is null then buffer_minutes else 0 end as buffer, released_from is not null as is_released
        from bookings join pods on pods.id = bookings.pod_id
       where bookings.id ${among} and status <> 'Cancelled'
    ), wanted as (
      select id as booking_id, pod_id, slot_start, slot_start >= until as is_buffer
        from booking, generate_series(start_time, until + make_interval(mins => buffer - 15), interval '15 minutes') as slots (slot_start)
       where not (is_released and slots.slot_start >= until and exists (
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
     where held.booking_id ${among} and not exists (select from wanted where ${isHeld})`.execute(tx)
}
