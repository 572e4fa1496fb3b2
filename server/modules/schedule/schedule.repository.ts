import { type RawBuilder, sql } from 'kysely'
import type { HourSet } from '#contract/opening-hours.ts'
import { SLOT_MINUTES } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { hasId } from '../bookings/bookings.filter.ts'
import { toHourSet } from '../hours/hours.repository.ts'

/** Which pods' bookings begin when: wall clocks labelled Z, the last one not included. */
export type Range = { from: Date; to: Date; location?: string | undefined; pod?: string | undefined }

/** After a no-show or an early end the rest of the time is free again. */
const heldUntil = sql`coalesce(bookings.released_from, bookings.end_time)`

export type ClosedTime = {
  id: string
  reason: string
  /** Of all pods there; else of `pod_ids`. */
  location_id: string | null
  pod_ids: string[]
  /** Minutes since `from`, within the range. */
  start: number
  end: number
}

/** What is closed between the two, at all locations: there are few. */
export async function listClosedTimes(db: Db, { from, to }: Range): Promise<ClosedTime[]> {
  const minutes = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time} - ${from}::timestamptz) / 60)::int`
  const { rows } = await sql<ClosedTime>`
    select closures.id, closures.reason, closures.location_id,
           ${minutes(sql`greatest(instance.starts, ${from})`)} as start, ${minutes(sql`least(instance.ends, ${to})`)} as "end",
           (select coalesce(json_agg(pod_id), '[]') from closure_pods where closure_id = closures.id) as pod_ids
      from closure_instances as instance join closures on closures.id = instance.closure_id
     where instance.starts < ${to} and instance.ends > ${from}
     order by instance.starts, closures.id`.execute(db)
  return rows
}

/** All bookings that hold time, one pod after the other; found by their start (bookings_start_time_idx, or the pod's). */
export function listBookings(db: Db, { from, to, location, pod }: Range) {
  const minutesSince = (time: RawBuilder<unknown>) =>
    sql<number>`extract(epoch from ${time} - ${from}::timestamptz)::int / 60`
  return db
    .selectFrom('bookings')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(['bookings.id', 'bookings.pod_id', 'bookings.status', 'bookings.version'])
    .select([minutesSince(sql`bookings.start_time`).as('start'), minutesSince(heldUntil).as('end')])
    .select([
      sql<string>`coalesce(companies.name, trim(coalesce(users.firstname, staff.firstname, '') || ' ' ||
        coalesce(users.lastname, staff.lastname, '')))`.as('who'),
      sql<boolean>`bookings.checked_in_at is not null`.as('is_checked_in'),
      sql<boolean>`bookings.note <> ''`.as('has_note'),
    ])
    .where('bookings.start_time', '>=', from)
    .where('bookings.start_time', '<', to)
    .where('bookings.status', '<>', 'Cancelled')
    .where(sql<boolean>`${heldUntil} > bookings.start_time`)
    .$if(location !== undefined, (rows) =>
      rows.where(sql<boolean>`bookings.pod_id in (select id from pods where ${hasId(sql`location_id`, location)})`),
    )
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`bookings.pod_id`, pod)))
    .orderBy('bookings.pod_id')
    .orderBy('bookings.start_time')
    .execute()
}

/** Deleted ones only while somebody has a booking there, which has to be honoured or cancelled. */
export function listPods(db: Db, { from, to, location, pod }: Range) {
  return db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .select([
      'pods.id',
      'pods.title',
      'pods.capacity',
      'pods.rate',
      'pods.is_blocked',
      'pods.location_id',
      'pods.buffer_minutes',
    ])
    .select(['locations.name', 'locations.city', 'locations.is_blocked as location_is_blocked'])
    .select(sql<boolean>`pods.deleted_at is not null`.as('is_deleted'))
    .select(
      sql<string[]>`array(select feature_id::text from pod_features where pod_id = pods.id order by position)`.as(
        'features',
      ),
    )
    .where(sql<boolean>`(pods.deleted_at is null or exists (
      select from bookings
       where bookings.pod_id = pods.id and start_time >= ${from} and start_time < ${to} and status <> 'Cancelled'))`)
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`pods.location_id`, location)))
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`pods.id`, pod)))
    .execute()
}

export function listFeatures(db: Db) {
  return db.selectFrom('features').select(['id', 'name']).orderBy('position').execute()
}

/** Minutes that are kept free after bookings, by the booking's id. */
export async function readBuffers(db: Db, { from, to, pod }: Range): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('booking_slots')
    .select(['booking_id', sql<number>`count(*)::int * ${sql.lit(SLOT_MINUTES)}`.as('minutes')])
    .where('is_buffer', '=', sql.lit(true))
    .where('slot_start', '>=', from)
    .where('slot_start', '<', to)
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`pod_id`, pod)))
    .groupBy('booking_id')
    .execute()
  return new Map(rows.map(({ booking_id, minutes }) => [booking_id, minutes]))
}

/** What pods and locations say of their hours on these days, by their ids. Few rows: most say nothing of themselves. */
export async function readHours(db: Db, { from, to }: Range): Promise<Map<string, HourSet>> {
  const [week, exceptions] = await Promise.all([
    db.selectFrom('opening_hours').selectAll().orderBy('opens').execute(),
    db
      .selectFrom('hour_exceptions')
      .selectAll()
      .where('date', '>=', toDay(from))
      .where('date', '<', toDay(to))
      .orderBy('opens')
      .execute(),
  ])
  const [weeks, dates] = [groupByOwner(week), groupByOwner(exceptions)]
  const owners = new Set([...weeks.keys(), ...dates.keys()])
  return new Map([...owners].map((id) => [id, toHourSet(weeks.get(id) ?? [], dates.get(id) ?? [])]))
}

function groupByOwner<Row extends { pod_id: string | null; location_id: string | null }>(rows: readonly Row[]) {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const owner = row.pod_id ?? row.location_id ?? ''
    groups.set(owner, [...(groups.get(owner) ?? []), row])
  }
  return groups
}

const toDay = (time: Date) => time.toISOString().slice(0, 10)
