import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import { retryLostRace } from '#server/db/transaction.ts'
import { toActorColumns, toFields } from '../audit/record-change.ts'
import type { BookingRow } from './bookings.repository.ts'

/** What holds a pod's time and lets it go. Each is one statement, and so one transaction and one round trip. */

export type NewBooking = Omit<
  BookingRow,
  'pod_title' | 'location_id' | 'user_id' | 'staff_id' | 'status' | 'version'
> & {
  staff_id: string
}

/** Its row in the history, written with it (rules §22.1). */
export type BookingAudit = Parameters<typeof toActorColumns>[0] & { auditId: string }

export type BookedPod = { title: string; location_id: string; is_blocked: boolean; location_is_blocked: boolean }

/**
 * Inserts the booking with its slots, unless its pod or the pod's location is blocked: then it writes nothing, and the
 * answer says which. Undefined when there is no such pod.
 *
 * - A slot that is taken fails on the primary key of booking_slots (23505), which nobody can get past. The slots go in
 *   ascending order, so that two bookings never wait for each other in a ring.
 * - The pod's row is locked first, then its location's. Whoever blocks or deletes one of them waits for this booking,
 *   or this booking waits and then reads what they wrote, a new location of the pod included. The location's lock is
 *   shared: bookings at one location do not wait for each other.
 */
export async function createBooking(
  db: Db | Tx,
  booking: NewBooking,
  audit: BookingAudit,
): Promise<BookedPod | undefined> {
  const by = toActorColumns(audit)
  const statement = sql<BookedPod>`
    with pod as (
      select id, title, location_id, is_blocked from pods
       where id = ${booking.pod_id} and deleted_at is null
         for no key update
    ), location as (
      select locations.id, locations.is_blocked from pod join locations on locations.id = pod.location_id
         for share of locations
    ), booking as (
      insert into bookings (id, pod_id, location_id, staff_id, booking_date, purpose, start_time, end_time, slot_count,
                            status, created_at)
      select ${booking.id}::uuid, pod.id, location.id, ${booking.staff_id}::uuid, ${booking.booking_date}::date,
             ${booking.purpose}, ${booking.start_time}::timestamptz, ${booking.end_time}::timestamptz,
             ${booking.slot_count}::smallint, 'Pending', ${booking.created_at}::timestamptz
        from pod, location
       where not pod.is_blocked and not location.is_blocked
      returning *
    ), slots as (
      insert into booking_slots (pod_id, slot_start, booking_id)
      select pod_id, slot_start, id
        from booking, generate_series(start_time, end_time - interval '15 minutes', interval '15 minutes') as slot_start
       order by slot_start
    ), audited as (
      insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version, after)
      select ${audit.auditId}::uuid, booking.created_at, ${by.actor_kind}, ${by.actor_id}::uuid, ${by.address},
             ${by.request_id}, 'create', 'booking', booking.id, pod.title, 1, ${toFields('booking')}
        from booking, pod
    )
    select pod.title, pod.location_id, pod.is_blocked, location.is_blocked as location_is_blocked
      from pod, location`
  const { rows } = await retryLostRace(() => statement.execute(db))
  return rows[0]
}

/** Cancels a booking that has not ended at `now`, a wall clock labelled Z; false when it has, or was cancelled before. */
export async function cancelBooking(tx: Tx, bookingId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with cancelled as (
      update bookings set status = 'Cancelled'
       where id = ${bookingId} and status in ('Pending', 'Confirmed', 'Processing') and end_time > ${now}
      returning id
    ), freed as (
      delete from booking_slots using cancelled where booking_id = cancelled.id
    )
    select id from cancelled`.execute(tx)
  return rows.length === 1
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

/** Holds a booking's slots, from its start to its end. */
export async function holdSlots(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    insert into booking_slots (pod_id, slot_start, booking_id)
    select pod_id, slot_start, id
      from bookings, generate_series(start_time, end_time - interval '15 minutes', interval '15 minutes') as slot_start
     where id = ${bookingId}
     order by slot_start`.execute(tx)
}
