import { sql } from 'kysely'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toActorColumns } from '../audit/record-event.ts'
import { toFields } from '../audit/record-kind.ts'

/** The terms under which a pod is sold now; each booking keeps a copy. `rate` is ZAR per minute. */
export type BookingTerms = { rate: number; discountMinutes: number; cancelPolicy: CancelPolicy }

export async function getBookingTerms(db: Db | Tx, podIds: readonly string[]): Promise<Map<string, BookingTerms>> {
  const { rows } = await sql<BookingTerms & { id: string }>`
    select pods.id, pods.rate::float8 as rate, pricing.discount_minutes as "discountMinutes",
           coalesce(locations.cancel_policy, pricing.cancel_policy) as "cancelPolicy"
      from pods join locations on locations.id = pods.location_id cross join pricing
     where pods.id = any(${podIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...terms }) => [id, terms]))
}

export type NewBookingFor = {
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

/** Inserts bookings with their slots and history in one statement. Fails on the primary key when a slot is taken. */
export async function insertBookings(
  tx: Tx,
  actor: Actor,
  bookings: readonly NewBookingFor[],
  reason: string | undefined,
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
      from booking join given on given.id = booking.id`.execute(tx)
}
