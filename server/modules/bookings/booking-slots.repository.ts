import { sql } from 'kysely'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { ofAllLocations } from '#server/db/within-locations.ts'
import { toActorColumns } from '../audit/record-event.ts'
import { toFields } from '../audit/record-kind.ts'
import { heldUntil } from './booking-conditions.ts'

/** Inserts bookings, and holds and frees their slots. */

export type NewBooking = {
  id: string
  pod_id: string
  pod_title: string
  location_id: string
  user_id: string | null
  staff_id: string | null
  company_id: string | null
  made_by_staff_id: string | null
  series_id: string | null
  booking_date: string
  purpose: string
  start_time: Date
  end_time: Date
  slot_count: number
  note: string
  price: number | null
  rate: number | null
  discount_minutes: number | null
  balance_due: number
  cancel_policy: CancelPolicy | null
  created_at: Date
  /** The id of the booking's row in the history. */
  audit_id: string
}

/** Staff's own bookings are not paid for. */
export const NOT_SOLD = { price: null, rate: null, discount_minutes: null, balance_due: 0, cancel_policy: null }

/**
 * Inserts bookings with their slots and history in one statement. The caller has checked under the pods' lock that the
 * times are free; a slot that is taken all the same violates the primary key of booking_slots (23505). `reason` is what
 * the history records.
 */
export async function insertBookings(
  db: Db | Tx,
  actor: Actor,
  bookings: readonly NewBooking[],
  reason?: string,
): Promise<void> {
  const by = toActorColumns(actor)
  await sql`
    with given as (
      select *
        from jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb) as given (
          id uuid, pod_id uuid, pod_title text, location_id uuid, user_id uuid, staff_id uuid, company_id uuid,
          made_by_staff_id uuid, series_id uuid, booking_date date, purpose text, start_time timestamptz,
          end_time timestamptz, slot_count smallint, note text, price numeric, rate numeric, discount_minutes integer,
          balance_due numeric, cancel_policy jsonb, created_at timestamptz, audit_id uuid
        )
    ), booking as (
      insert into bookings (id, pod_id, location_id, user_id, staff_id, company_id, made_by_staff_id, series_id,
                            booking_date, purpose, start_time, end_time, slot_count, status, note, price, rate,
                            discount_minutes, balance_due, cancel_policy, created_at)
      select id, pod_id, location_id, user_id, staff_id, company_id, made_by_staff_id, series_id, booking_date, purpose,
             start_time, end_time, slot_count, 'Pending', note, price, rate, discount_minutes, balance_due,
             cancel_policy, created_at
        from given
      returning *
    ), slots as (
      insert into booking_slots (pod_id, slot_start, booking_id, is_buffer)
      select booking.pod_id, slot_start, booking.id, slot_start >= end_time
        from booking join pods on pods.id = booking.pod_id,
             generate_series(start_time, end_time + make_interval(mins => buffer_minutes - 15), interval '15 minutes') as slot_start
       order by booking.pod_id, slot_start
    )
    insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version, after, reason)
    select given.audit_id, booking.created_at, ${by.actor_kind}, ${by.actor_id}::uuid, ${by.address}, ${by.request_id},
           'create', 'booking', booking.id, given.pod_title, 1, ${toFields('booking')}, ${reason ?? null}
      from booking join given on given.id = booking.id`.execute(db)
  for (const { id, audit_id: auditId } of bookings) {
    actor.changes.push({ auditId, entity: 'booking', action: 'create', id, version: 1, undoEntity: undefined })
  }
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
