import { type RawBuilder, sql } from 'kysely'
import type { Obstacle } from '#contract/errors.ts'
import type { HourSet } from '#contract/opening-hours.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { personName } from '../bookings/booked-by.ts'
import { closuresOfPod } from '../closures/closures.repository.ts'
import { type HoursOfPod, hoursOfPod, toHourSets } from '../hours/hours.repository.ts'
import type { WantedInterval } from './obstacles.ts'

type LockedPod = { id: string; title: string; location_id: string }

/**
 * Locks the pods, then their locations, each in the order of their ids, and returns the pods that exist. Other
 * transactions that book, close, block or delete one of them wait for this one, or this one waits for them. Read what
 * they wrote in a later statement: this one sees the database as it was before it waited. The locations' lock is shared,
 * so that bookings at one location do not wait for each other. Deleted pods are locked too: closures go on changing them.
 */
export async function lockPods(tx: Tx, podIds: readonly string[]): Promise<LockedPod[]> {
  const { rows } = await sql<LockedPod>`
    with pod as (
      select id, title, location_id, deleted_at from pods
       where id = any(${podIds}::uuid[])
       order by id
         for no key update
    ), location as (
      -- Sorted, so that no location is locked while a pod is still waited for.
      select id from locations
       where id in (select location_id from pod)
       order by id
         for share
    )
    select pod.id, title, location_id
      from pod join location on location.id = location_id
     where deleted_at is null`.execute(tx)
  return rows
}

/**
 * Does the same for a location that is closed with its pods. All locations are locked so that nobody else can lock them:
 * whoever had locked one as `lockPods` does and then wanted it alone would wait for others who wait for it alone.
 */
export async function lockPodsAndLocation(tx: Tx, podIds: readonly string[], locationId: string): Promise<void> {
  await sql`select from pods where id = any(${podIds}::uuid[]) order by id for no key update`.execute(tx)
  await sql`
    select from locations
     where id = ${locationId} or id in (select location_id from pods where id = any(${podIds}::uuid[]))
     order by id for no key update`.execute(tx)
}

/** All that can prevent a booking of a pod within one interval. Times are in milliseconds since 1970. */
export type PodTime = {
  /** Cleaning time after a booking. */
  bufferMinutes: number
  /** Time held by bookings, from `start` to `end`, including the cleaning time that begins at `bufferStart`. */
  held: { bookingId: string; start: number; bufferStart: number; end: number }[]
  /** Closures of the pod or its location, by start; `end` is null for until further notice. */
  closed: { closureId: string; reason: string; isOfLocation: boolean; start: number; end: number | null }[]
  /** The pod's own opening hours, then its location's: the first that match count. */
  hours: HourSet[]
}

/** Returns one result per interval, in their order; undefined where there is no such pod. */
export async function readPodTimes(
  db: Db | Tx,
  intervals: readonly WantedInterval[],
): Promise<(PodTime | undefined)[]> {
  if (intervals.length === 0) return []
  const [one] = intervals
  // With an array PostgreSQL would plan the query every time, which takes longer than running it: it guesses ten rows.
  const wanted =
    one && intervals.length === 1
      ? sql`(select ${one.podId}::uuid as pod_id, ${one.start}::timestamptz as starts, ${one.end}::timestamptz as ends,
                    ${one.exceptBookingId ?? null}::uuid as except_id, 1 as index)`
      : sql`unnest(${intervals.map(({ podId }) => podId)}::uuid[], ${intervals.map(({ start }) => start)}::timestamptz[],
                   ${intervals.map(({ end }) => end)}::timestamptz[],
                   ${intervals.map(({ exceptBookingId }) => exceptBookingId ?? null)}::uuid[]) with ordinality`
  const { rows } = await sql<Omit<PodTime, 'hours'> & { index: number; hours: HoursOfPod }>`
    select wanted.index::int - 1 as index, pods.buffer_minutes as "bufferMinutes",
           (select coalesce(json_agg(json_build_object(
                     'bookingId', booking_id,
                     'start', ${toMilliseconds(sql`slot_start`)},
                     'bufferStart', ${toMilliseconds(sql`coalesce(buffer_start, slot_end)`)},
                     'end', ${toMilliseconds(sql`slot_end`)}
                   ) order by slot_start), '[]')
              from (select booking_id, min(slot_start) as slot_start, max(slot_start) + interval '15 minutes' as slot_end,
                           min(slot_start) filter (where is_buffer) as buffer_start
                      from booking_slots
                     where pod_id = wanted.pod_id and slot_start >= wanted.starts
                       and slot_start < wanted.ends + make_interval(mins => pods.buffer_minutes)
                       and booking_id is distinct from wanted.except_id
                     group by booking_id) as slots) as held,
           (select coalesce(json_agg(json_build_object(
                     'closureId', closures.id, 'reason', closures.reason, 'isOfLocation', closures.location_id is not null,
                     'start', ${toMilliseconds(sql`instance.starts`)},
                     'end', ${toMilliseconds(sql`nullif(instance.ends, 'infinity')`)}
                   ) order by instance.starts), '[]')
              from ${closuresOfPod} as closures
              join closure_instances as instance on instance.closure_id = closures.id
             where instance.starts < wanted.ends and instance.ends > wanted.starts) as closed,
           ${hoursOfPod(sql`wanted.starts`, sql`wanted.ends`)} as hours
      from ${wanted} as wanted (pod_id, starts, ends, except_id, index)
      join pods on pods.id = wanted.pod_id and pods.deleted_at is null`.execute(db)
  const byIndex = new Map(rows.map(({ index, hours, ...time }) => [index, { ...time, hours: toHourSets(hours) }]))
  return intervals.map((_, index) => byIndex.get(index))
}

const toMilliseconds = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::bigint`

/** Returns bookings by id, as shown to a person who may see them. */
export async function listBookingsInTheWay(
  db: Db | Tx,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Obstacle['booking']>>> {
  const rows = await db
    .selectFrom('bookings')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(['bookings.id', 'start_time', 'end_time', personName.as('username'), 'companies.name as company'])
    .where('bookings.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(
    rows.map(({ id, start_time, end_time, username, company }) => [
      id,
      {
        _id: id,
        username,
        ...(company !== null && { company }),
        startTime: start_time.toISOString(),
        endTime: end_time.toISOString(),
      },
    ]),
  )
}

export type PodLike = {
  podId: string
  podTitle: string
  locationName: string
  city: string
  bufferMinutes: number
  /** Its seats when they are fewer than in the pod that it is like. */
  fewerSeats: number | null
}

/** Returns what kind each pod is of: those of one kind have the same pods like them, apart from themselves. */
export async function readKinds(db: Db | Tx, podIds: readonly string[]): Promise<{ id: string; kind: string }[]> {
  const { rows } = await sql<{ id: string; kind: string }>`
    select id, json_build_array(location_id, capacity, (
             select json_agg(feature_id order by feature_id) from pod_features where pod_id = pods.id))::text as kind
      from pods where id = any(${podIds}::uuid[])
     order by id`.execute(db)
  return rows
}

/** Lists active pods similar to a pod, all or the first: by location, city, capacity, then shared features. */
export async function listPodsLike(
  db: Db | Tx,
  podId: string,
  { except = [], first = null }: { except?: readonly string[]; first?: number | null } = {},
): Promise<PodLike[]> {
  const { rows } = await sql<PodLike>`
    with shared as (
      select its.pod_id, count(*) as features
        from pod_features as theirs join pod_features as its using (feature_id)
       where theirs.pod_id = ${podId}
       group by its.pod_id
    )
    select pods.id as "podId", pods.title as "podTitle", locations.name as "locationName",
           locations.city, pods.buffer_minutes as "bufferMinutes",
           case when pods.capacity < wanted.capacity then pods.capacity end as "fewerSeats"
      from pods as wanted join locations as place on place.id = wanted.location_id, pods
      join locations on locations.id = pods.location_id
      left join shared on shared.pod_id = pods.id
     where wanted.id = ${podId} and pods.id <> wanted.id and pods.deleted_at is null
       and not pods.is_blocked and not locations.is_blocked and pods.id <> all(${except}::uuid[])
     order by pods.location_id = wanted.location_id desc, locations.city = place.city desc,
              coalesce(pods.capacity >= wanted.capacity, wanted.capacity is null) desc,
              coalesce(shared.features, 0) desc,
              abs(coalesce(pods.capacity - wanted.capacity, 0)), pods.title, pods.id
     limit ${first}`.execute(db)
  return rows
}
