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
 * Makes a booking hold exactly the slots of its interval as it is now, and after it those for cleaning that its pod asks for
 * now; none when it is cancelled. What it does not hold yet is held, and what it held before is freed, in one statement. A
 * slot that is taken fails on the primary key (23505), and then nothing has changed. Nobody cleans up after a no-show, and
 * what ends early is cleaned for as long as there is: the pod may ask for more now than when the next one was made.
 */
export async function exchangeSlots(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    with booking as (
      select bookings.pod_id, start_time, coalesce(released_from, end_time) as until,
             case when no_show_at is null then buffer_minutes else 0 end as buffer, released_from is not null as is_released
        from bookings join pods on pods.id = bookings.pod_id
       where bookings.id = ${bookingId} and status <> 'Cancelled'
    ), wanted as (
      select pod_id, slot_start, slot_start >= until as is_buffer
        from booking, generate_series(start_time, until + make_interval(mins => buffer - 15), interval '15 minutes') as slots (slot_start)
       where not (is_released and slots.slot_start >= until and exists (
               select from booking_slots as taken
                where taken.pod_id = booking.pod_id and taken.slot_start between until and slots.slot_start
                  and taken.booking_id <> ${bookingId}))
    ), held as (
      insert into booking_slots (pod_id, slot_start, booking_id, is_buffer)
      select pod_id, slot_start, ${bookingId}::uuid, is_buffer from wanted
       where (pod_id, slot_start) not in (select pod_id, slot_start from booking_slots where booking_id = ${bookingId})
       order by pod_id, slot_start
    ), marked as (
      update booking_slots set is_buffer = wanted.is_buffer from wanted
       where booking_id = ${bookingId} and booking_slots.pod_id = wanted.pod_id
         and booking_slots.slot_start = wanted.slot_start and booking_slots.is_buffer <> wanted.is_buffer
    )
    delete from booking_slots
     where booking_id = ${bookingId} and (pod_id, slot_start) not in (select pod_id, slot_start from wanted)`.execute(
    tx,
  )
}
