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
> & { staff_id: string }

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
      insert into booking_slots (pod_id, slot_start, booking_id)
      select pod_id, slot_start, id
        from booking, generate_series(start_time, end_time - interval '15 minutes', interval '15 minutes') as slot_start
       order by slot_start
    )
    insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version, after)
    select ${audit.auditId}, booking.created_at, ${by.actor_kind}, ${by.actor_id}, ${by.address}, ${by.request_id},
           'create', 'booking', booking.id, ${booking.pod_title}, 1, ${toFields('booking')}
      from booking`.execute(db)
}

/** The starts of a pod's slots that are held between two wall clocks, in order; undefined when there is no such pod. */
export async function listHeldSlots(db: Db, podId: string, from: Date, to: Date): Promise<Date[] | undefined> {
  const rows = await db
    .selectFrom('pods')
    .leftJoin('booking_slots', (join) =>
      join
        .onRef('booking_slots.pod_id', '=', 'pods.id')
        .on('booking_slots.slot_start', '>=', from)
        .on('booking_slots.slot_start', '<', to),
    )
    .select('booking_slots.slot_start')
    .where('pods.id', '=', podId)
    .where('pods.deleted_at', 'is', null)
    .orderBy('booking_slots.slot_start')
    .execute()
  return rows.length === 0 ? undefined : rows.flatMap(({ slot_start }) => slot_start ?? [])
}

/**
 * Makes a booking hold exactly the slots of its interval as it is now, none when it is cancelled: what it does not hold yet
 * is held, and what it held before is freed, in one statement. A slot that is taken fails on the primary key (23505), and
 * then nothing has changed.
 */
export async function exchangeSlots(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    with wanted as (
      select pod_id, slot_start
        from bookings,
             generate_series(start_time, coalesce(released_from, end_time) - interval '15 minutes', interval '15 minutes')
               as slot_start
       where id = ${bookingId} and status <> 'Cancelled'
    ), held as (
      insert into booking_slots (pod_id, slot_start, booking_id)
      select pod_id, slot_start, ${bookingId}::uuid from wanted
       where (pod_id, slot_start) not in (select pod_id, slot_start from booking_slots where booking_id = ${bookingId})
       order by pod_id, slot_start
    )
    delete from booking_slots
     where booking_id = ${bookingId} and (pod_id, slot_start) not in (select pod_id, slot_start from wanted)`.execute(
    tx,
  )
}
