import { type RawBuilder, sql } from 'kysely'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { HourSet } from '#contract/opening-hours.ts'
import { SLOT_MINUTES, toDate } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { personName } from '../bookings/booked-by.ts'
import { heldUntil } from '../bookings/booking-conditions.ts'
import { toHourSet } from '../hours/hours.repository.ts'

/** Selects bookings by start, from `from` until before `to` (wall clocks labelled Z), and by location or pod. */
export type Range = { from: Date; to: Date; location?: string | undefined; pod?: string | undefined }

const minutesSince = (from: Date, time: RawBuilder<unknown>) =>
  sql`(date_part('epoch', ${time} - ${from}::timestamptz) / 60)::int`

export type ClosedTime = {
  id: string
  reason: string
  /** The location whose pods are all closed; null when only the pods in `pod_ids` are. */
  location_id: string | null
  pod_ids: string[]
  /** Minutes since `from`, clipped to the range. */
  start: number
  end: number
}

/** Returns the closures between `from` and `to` at all locations, as there are few. */
export async function listClosedTimes(db: Db, { from, to }: Range): Promise<ClosedTime[]> {
  const { rows } = await sql<ClosedTime>`
    select closures.id, closures.reason, closures.location_id,
           ${minutesSince(from, sql`greatest(instance.starts, ${from})`)} as start,
           ${minutesSince(from, sql`least(instance.ends, ${to})`)} as "end",
           (select coalesce(json_agg(pod_id), '[]') from closure_pods where closure_id = closures.id) as pod_ids
      from closure_instances as instance join closures on closures.id = instance.closure_id
     where instance.starts < ${to} and instance.ends > ${from}
     order by instance.starts, closures.id`.execute(db)
  return rows
}

/** The bookings of a pod that hold time, ordered by start, as one array per column. */
export type PodBookings = {
  pod_id: string
  id: string[]
  version: number[]
  status: BookingStatus[]
  /** Minutes since `from`. */
  start: number[]
  end: number[]
  /** Minutes of cleaning after each booking. */
  buffer: number[]
  who: string[]
  is_checked_in: boolean[]
  has_note: boolean[]
}

/**
 * Returns the bookings of each pod, found by their start (bookings_start_time_idx, or the pod's index). The database
 * builds the columns: one row per booking took twice as long to make, send and read for a day of 6,000 bookings.
 */
export async function listBookings(db: Db, { from, to, location, pod }: Range): Promise<PodBookings[]> {
  // Ids and versions are read only for the days of one pod, as only these are sent with them.
  const { rows } = await sql<PodBookings>`
    select pod_id, json_agg(status) as status, json_agg(start) as start, json_agg("end") as "end", json_agg(buffer) as buffer,
           json_agg(who) as who, json_agg(is_checked_in) as is_checked_in, json_agg(has_note) as has_note,
           ${pod === undefined ? sql`'[]'::json` : sql`json_agg(id)`} as id,
           ${pod === undefined ? sql`'[]'::json` : sql`json_agg(version)`} as version
      from (
        select bookings.pod_id, bookings.id, bookings.version, bookings.status,
               ${minutesSince(from, sql`bookings.start_time`)} as start, ${minutesSince(from, heldUntil)} as "end",
               coalesce(buffers.minutes, 0) as buffer,
               coalesce(companies.name, ${personName}) as who,
               bookings.checked_in_at is not null as is_checked_in, bookings.note <> '' as has_note
          from bookings
          left join users on users.id = bookings.user_id
          left join staff on staff.id = bookings.staff_id
          left join companies on companies.id = bookings.company_id
          left join (select booking_id, count(*)::int * ${sql.lit(SLOT_MINUTES)} as minutes
                       from booking_slots
                      where is_buffer and slot_start >= ${from} and slot_start < ${to}
                      group by booking_id) as buffers on buffers.booking_id = bookings.id
         where bookings.start_time >= ${from} and bookings.start_time < ${to}
           and bookings.status <> 'Cancelled' and ${heldUntil} > bookings.start_time
           and ${location === undefined ? sql`true` : sql`bookings.pod_id in (select id from pods where ${hasId(sql`location_id`, location)})`}
           and ${pod === undefined ? sql`true` : hasId(sql`bookings.pod_id`, pod)}
         order by bookings.pod_id, bookings.start_time
      ) as held
     group by pod_id`.execute(db)
  return rows
}

/** Includes a deleted pod only when it has bookings in the range, which have to be honoured or cancelled. */
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
      sql<
        string[]
      >`(select coalesce(json_agg(feature_id order by position), '[]') from pod_features where pod_id = pods.id)`.as(
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
  return db.selectFrom('features').select(['id', 'name']).where('deleted_at', 'is', null).orderBy('position').execute()
}

export async function getDiscountMinutes(db: Db): Promise<number> {
  const { discount_minutes } = await db.selectFrom('pricing').select('discount_minutes').executeTakeFirstOrThrow()
  return discount_minutes
}

/** Returns the hours of pods and locations on these days by their ids. Few rows, as most have no hours of their own. */
export async function readHours(db: Db, { from, to }: Range): Promise<Map<string, HourSet>> {
  const [week, exceptions] = await Promise.all([
    db.selectFrom('opening_hours').selectAll().orderBy('opens').execute(),
    db
      .selectFrom('hour_exceptions')
      .selectAll()
      .where('date', '>=', toDate(from))
      .where('date', '<', toDate(to))
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
