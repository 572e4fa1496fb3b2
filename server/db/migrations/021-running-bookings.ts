import { type Kysely, sql } from 'kysely'
import { eventWords, toQueueWebhooks } from './016-webhooks.ts'

/**
 * Adds what happens to a booking on its day, the terms it was sold under, and what a cancellation gives back
 * (rules §27.1, §27.3).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Full refund until two hours before the start, none afterwards. */
const DEFAULT_POLICY = '{"brackets": [{"hoursBefore": 2, "percent": 100}], "fee": 0}'

const isPolicy = (column: string) =>
  `${column} is null or (jsonb_typeof(${column} -> 'brackets') is not distinct from 'array'
     and jsonb_typeof(${column} -> 'fee') is not distinct from 'number')`

const statements = [
  // None of these columns rewrites the table: they are null or have a constant default.
  `alter table bookings
     add column checked_in_at timestamptz,
     add column checked_in_by uuid references staff (id),
     add column checked_in_method text,
     add column no_show_at timestamptz,
     add column ended_at timestamptz,
     -- Wall clock labelled Z, as start_time is. Its slots from here to the end are free again.
     add column released_from timestamptz,
     add column note text not null default '',
     add column made_by_staff_id uuid references staff (id),
     -- In ZAR, with what it was worked out from.
     add column price numeric(12,2),
     add column rate numeric(12,4),
     add column discount_minutes integer,
     add column cancel_policy jsonb,
     add column cancelled_at timestamptz,
     add column cancel_reason text,
     -- In ZAR: what the customer still owes; below zero what is to be given back.
     add column balance_due numeric(12,2) not null default 0,
     -- Of its calendar file: how often its time has changed.
     add column sequence integer not null default 0,
     add constraint bookings_check_in check (
       (checked_in_at is null) = (checked_in_method is null)
       and (checked_in_by is null or checked_in_at is not null)
       and checked_in_method in ('staff', 'code', 'door')
     ),
     -- Who did not come was not there, and cannot have left early.
     add constraint bookings_no_show check (no_show_at is null or (checked_in_at is null and ended_at is null)),
     add constraint bookings_released check (
       released_from is null
       or (released_from >= start_time and released_from < end_time
           and num_nonnulls(no_show_at, ended_at) = 1 and status in ('Completed', 'Rated'))
     ),
     add constraint bookings_made_by check (made_by_staff_id is null or staff_id is null),
     add constraint bookings_price check (
       num_nonnulls(price, rate, discount_minutes) in (0, 3)
       and price >= 0 and rate >= 0 and discount_minutes >= 0
     ),
     add constraint bookings_cancel_policy check (${isPolicy('cancel_policy')}),
     add constraint bookings_cancelled check (num_nonnulls(cancelled_at, cancel_reason) = 0 or status = 'Cancelled')`,
  // For staff with only page 9, to find the bookings that they made for others.
  `create index bookings_made_by_idx on bookings (made_by_staff_id, created_at desc, id desc)
    where made_by_staff_id is not null`,

  `alter table locations
     add column cancel_policy jsonb,
     -- Minutes after the start at which a booking nobody has come for is released; null: never.
     add column no_show_minutes smallint check (no_show_minutes between 5 and 180),
     add constraint locations_cancel_policy check (${isPolicy('cancel_policy')})`,
  `alter table pricing
     add column cancel_policy jsonb not null default '${DEFAULT_POLICY}',
     add column cancel_reasons text[] not null
       default array['Customer asked', 'Booked by mistake', 'Pod cannot be used', 'Not paid'],
     add constraint pricing_cancel_policy check (${isPolicy('cancel_policy')})`,

  toQueueWebhooks({ ...eventWords, move: 'changed', 'check-in': 'changed', 'no-show': 'changed', end: 'changed' }),
]
