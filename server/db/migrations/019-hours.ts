import { type Kysely, sql } from 'kysely'

/** Adds the minutes of cleaning after a booking, and the opening hours of pods (rules §26.2, §26.3). */

const hours = `
  opens smallint,
  closes smallint,
  check (num_nonnulls(location_id, pod_id) = 1),
  check ((opens is null) = (closes is null)),
  check (opens between 360 and 1425 and opens % 15 = 0 and closes between 375 and 1440 and closes % 15 = 0 and opens < closes)`

const statements = [
  `alter table pods add column buffer_minutes smallint not null default 0
     check (buffer_minutes between 0 and 120 and buffer_minutes % 15 = 0)`,
  'alter table booking_slots add column is_buffer boolean not null default false',
  // Minutes since midnight; a single row without them means closed that day. Without any row the next scope decides.
  `create table opening_hours (
    location_id uuid references locations (id) on delete cascade,
    pod_id uuid references pods (id) on delete cascade,
    weekday smallint not null check (weekday between 1 and 7),
    ${hours}
  )`,
  'create unique index opening_hours_pod_key on opening_hours (pod_id, weekday, opens) nulls not distinct where pod_id is not null',
  'create unique index opening_hours_location_key on opening_hours (location_id, weekday, opens) nulls not distinct where location_id is not null',
  `create table hour_exceptions (
    location_id uuid references locations (id) on delete cascade,
    pod_id uuid references pods (id) on delete cascade,
    date date not null,
    label text not null,
    ${hours}
  )`,
  'create unique index hour_exceptions_pod_key on hour_exceptions (pod_id, date, opens) nulls not distinct where pod_id is not null',
  'create unique index hour_exceptions_location_key on hour_exceptions (location_id, date, opens) nulls not distinct where location_id is not null',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
