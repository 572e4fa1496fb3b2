import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { AffectedBooking, Closure, ClosureListQuery } from '#contract/closures.ts'
import type { CurrentClosure } from '#contract/fields.ts'
import { SLOT_MS } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { email, personName, phone } from '../bookings/booked-by.ts'
import { isOpen } from '../bookings/booking-conditions.ts'
import { notPaidBack } from '../bookings/booking-money.ts'

/** One occurrence of a closure, as wall clocks labelled Z; `ends` is null for until further notice. */
export type Instance = { starts: Date; ends: Date | null }

const orders = {
  starts: { by: sql.ref('closures.starts'), type: 'timestamptz', id: sql.ref('closures.id') },
} as const

type ListQuery = z.output<typeof ClosureListQuery>

export async function listClosures(db: Db, { state, location, pod, ...query }: ListQuery, now: Date) {
  const rows = selectClosures(db, now)
    .$if(state !== undefined, (found) => found.where(sql<boolean>`${stateAt(now)} = ${state}`))
    .$if(location !== undefined, (found) =>
      found.where(sql<boolean>`(${hasId(sql`closures.location_id`, location)} or exists (
        select from closure_pods join pods on pods.id = pod_id
         where closure_id = closures.id and ${hasId(sql`pods.location_id`, location)}))`),
    )
    .$if(pod !== undefined, (found) =>
      found.where(sql<boolean>`exists (
        select from pods where ${hasId(sql`pods.id`, pod)} and (pods.location_id = closures.location_id
          or exists (select from closure_pods where closure_id = closures.id and pod_id = pods.id)))`),
    )
  const page = await readPlainPage(db, rows, toListOrder(orders, query.sort, '-starts'), query)
  return { ...page, rows: page.rows.map(toClosure) }
}

export async function findClosure(db: Db | Tx, id: string, now: Date): Promise<Closure | undefined> {
  const row = await selectClosures(db, now).where('closures.id', '=', id).executeTakeFirst()
  return row && toClosure(row)
}

export const closureRecord = (now: Date): RecordKind => ({
  entity: 'closure',
  table: 'closures',
  label: sql`record.reason`,
  more: sql`jsonb_build_object('pods', (
    select coalesce(jsonb_agg(pod_id order by pod_id), '[]') from closure_pods where closure_id = record.id))`,
  isDeletable: false,
  find: (db, id) => findClosure(db, id, now),
})

const stateAt = (now: Date): RawBuilder<Closure['state']> => sql`case
  when closures.ended_at is not null then 'over'
  when exists (select from closure_instances where closure_id = closures.id and starts <= ${now} and ends > ${now}) then 'now'
  when exists (select from closure_instances where closure_id = closures.id and ends > ${now}) then 'upcoming'
  else 'over' end`

function selectClosures(db: Db | Tx, now: Date) {
  return db
    .selectFrom('closures')
    .leftJoin('locations', 'locations.id', 'closures.location_id')
    .leftJoin('staff', 'staff.id', 'closures.created_by')
    .select(['closures.id', 'closures.reason', 'closures.starts', 'closures.ends', 'closures.rrule'])
    .select(['closures.ended_at', 'closures.created_at', 'closures.version', 'closures.location_id'])
    .select('locations.name as location_name')
    .select([
      sql<string>`trim(coalesce(staff.firstname, '') || ' ' || coalesce(staff.lastname, ''))`.as('created_by_name'),
      sql<Closure['pods']>`(select coalesce(json_agg(json_build_object(
            '_id', pods.id, 'title', pods.title, 'locationName', pod_location.name, 'city', pod_location.city
          ) order by pods.title, pod_location.name, pods.id), '[]')
        from closure_pods join pods on pods.id = pod_id join locations as pod_location on pod_location.id = pods.location_id
       where closure_id = closures.id)`.as('pods'),
      sql<number>`(select count(*) from closure_pods where closure_id = closures.id)`.as('pod_count'),
      stateAt(now).as('state'),
      sql<{ starts: string; ends: string | null } | null>`(
        select json_build_object('starts', instance.starts, 'ends', nullif(instance.ends, 'infinity'))
          from closure_instances as instance
         where closure_id = closures.id and instance.ends > ${now} and closures.ended_at is null
         order by instance.starts limit 1)`.as('next'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectClosures>['executeTakeFirstOrThrow']>>

function toClosure(row: Row): Closure {
  const { next } = row
  return {
    _id: row.id,
    reason: row.reason,
    location: row.location_id === null ? null : { _id: row.location_id, name: row.location_name ?? '' },
    pods: row.pods,
    ...(row.pod_count > row.pods.length && { hasOtherPods: true }),
    starts: row.starts.toISOString(),
    ends: row.ends?.toISOString() ?? null,
    repeats: row.rrule,
    next: next && {
      starts: new Date(next.starts).toISOString(),
      ends: next.ends === null ? null : new Date(next.ends).toISOString(),
    },
    state: row.state,
    createdBy: row.created_by_name,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    version: row.version,
  }
}

/** Whether the row `closures` closes the pod, by itself, or the location with this id. */
export const isClosureOf = (entity: 'pod' | 'location', id: RawBuilder<unknown>) =>
  entity === 'pod'
    ? sql`closures.id in (select closure_id from closure_pods where pod_id = ${id})`
    : sql`closures.location_id = ${id}`

/** Selects the closure without an end that blocks the row `pods` or `locations`; null when it is not blocked. */
export function blockOf(entity: 'pod' | 'location'): RawBuilder<CurrentClosure | null> {
  const isOfRow = isClosureOf(entity, sql.ref(`${entity}s.id`))
  const closure = current(sql`closures`, sql`${isOfRow} and instance.ends = 'infinity'`)
  return sql`case when ${sql.ref(`${entity}s.is_blocked`)} then ${closure} end`
}

/**
 * Selects the closures of the row `pods`, of its location and its own, each by an index: with `or` in their place, all
 * closures are read for each pod.
 */
export const closuresOfPod = sql`(
  select * from closures where closures.location_id = pods.location_id
  union all
  select closures.* from closure_pods join closures on closures.id = closure_id where pod_id = pods.id)`

/** Selects the closure that closes the row `pods` at `now`, the pod's own before its location's. */
export const closureOfPodAt = (now: Date) => current(closuresOfPod, isAt(now))

/** Whether the row `pods` is closed at `now`, itself or by its location. Reads what is closed then once for all pods. */
export const isPodClosedAt = (now: Date) =>
  sql<boolean>`(
    pods.id in (select pod_id from closure_pods join closure_instances as instance using (closure_id) where ${isAt(now)})
    or pods.location_id in (
      select location_id from closures join closure_instances as instance on instance.closure_id = closures.id
       where location_id is not null and ${isAt(now)}))`

const isAt = (now: Date) => sql`instance.starts <= ${now} and instance.ends > ${now}`

function current(closures: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<CurrentClosure | null> {
  const toText = (time: RawBuilder<unknown>) =>
    sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql`(
    select json_build_object(
             '_id', closures.id, 'reason', closures.reason, 'starts', ${toText(sql`instance.starts`)},
             'ends', ${toText(sql`nullif(instance.ends, 'infinity')`)},
             'createdBy', trim(coalesce(staff.firstname, '') || ' ' || coalesce(staff.lastname, '')))
      from ${closures} as closures join closure_instances as instance on instance.closure_id = closures.id
      left join staff on staff.id = closures.created_by
     where ${condition}
     order by closures.location_id is not null, instance.ends desc, instance.starts, closures.id limit 1)`
}

export async function insertClosure(
  tx: Tx,
  closure: Insertable<Database['closures']>,
  podIds: readonly string[],
  instances: readonly Instance[],
): Promise<void> {
  await tx.insertInto('closures').values(closure).execute()
  if (podIds.length > 0) {
    await tx
      .insertInto('closure_pods')
      .values(podIds.map((pod_id) => ({ closure_id: closure.id, pod_id })))
      .execute()
  }
  await planInstances(tx, closure.id, instances)
}

/** Stores the instances that are not planned yet. Returns the number of new ones. */
export async function planInstances(db: Db | Tx, closureId: string, instances: readonly Instance[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into closure_instances (closure_id, starts, ends)
    select ${closureId}::uuid, starts, ends from ${toRows(instances)}
        on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Replaces the instances that are not over yet by `instances`, and those that are over but now end later. */
export async function replaceInstances(
  tx: Tx,
  closureId: string,
  now: Date,
  instances: readonly Instance[],
): Promise<void> {
  const starts = instances.map((instance) => instance.starts)
  await sql`
    delete from closure_instances
     where closure_id = ${closureId} and (ends > ${now} or starts = any(${starts}::timestamptz[]))`.execute(tx)
  await planInstances(tx, closureId, instances)
}

/**
 * Ends a closure at `now`: deletes later instances and cuts the current one short, so that the quarter of an hour that
 * contains `now` can be booked again.
 */
export async function endClosure(tx: Tx, closureId: string, now: Date, at: Date): Promise<void> {
  const from = new Date(Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)
  await sql`delete from closure_instances where closure_id = ${closureId} and starts >= ${from}`.execute(tx)
  await sql`update closure_instances set ends = ${from} where closure_id = ${closureId} and ends > ${from}`.execute(tx)
  await tx.updateTable('closures').set({ ended_at: at }).where('id', '=', closureId).execute()
}

/**
 * Selects the repeating closures that nobody has ended; with `podId`, only those that close this pod. They are in the
 * order of their ids, so that transactions that plan several do not wait for each other in a circle.
 */
export function selectRepeating(db: Db | Tx, podId?: string) {
  return db
    .selectFrom('closures')
    .select(['id', 'starts', 'ends', 'rrule'])
    .where('rrule', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .$if(podId !== undefined, (rows) =>
      rows.where(sql<boolean>`(
        location_id = (select location_id from pods where id = ${podId})
        or id in (select closure_id from closure_pods where pod_id = ${podId}))`),
    )
}

/** Whether the row `closures` was made at this instant or later, or its times have changed since. */
export const hasOtherTimesSince = (at: Date) => sql<boolean>`(
  closures.created_at >= ${at} or exists (
    select from audit
     where entity = 'closure' and entity_id = closures.id and at >= ${at} and after ?| '{starts,ends,rrule}'))`

/** Lists when these pods are booked after `from`. */
export async function listBookedTimes(db: Db | Tx, podIds: readonly string[], from: Date) {
  return db
    .selectFrom('bookings')
    .select(['start_time as start', 'end_time as end'])
    .distinct()
    .where(sql<boolean>`pod_id = any(${podIds}::uuid[])`)
    .where(isOpen)
    .where('end_time', '>', from)
    .execute()
}

/** Lists the pods of a location, deleted ones too: their bookings are still to be honoured. */
export async function listPodIds(db: Db | Tx, locationId: string): Promise<string[]> {
  const rows = await db.selectFrom('pods').select('id').where('location_id', '=', locationId).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Lists the pods that a closure closes, deleted ones too: all of its location, or its own. */
export async function listPodIdsOf(db: Db | Tx, closureId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('pods')
    .select('id')
    .where(sql<boolean>`(
      location_id = (select location_id from closures where id = ${closureId})
      or id in (select pod_id from closure_pods where closure_id = ${closureId}))`)
    .execute()
  return rows.map(({ id }) => id)
}

const toRows = (instances: readonly Instance[]) =>
  sql`unnest(${instances.map(({ starts }) => starts)}::timestamptz[],
             ${instances.map(({ ends }) => ends?.toISOString() ?? 'infinity')}::timestamptz[]) as instance (starts, ends)`

/** Lists the first `limit` bookings still to be honoured that overlap one of these times, by start. */
export async function listAffected(
  db: Db | Tx,
  podIds: readonly string[],
  instances: readonly Instance[],
  now: Date,
  limit: number,
): Promise<Omit<AffectedBooking, 'free'>[]> {
  if (podIds.length === 0 || instances.length === 0) return []
  const rows = await selectWithContact(db)
    .where(sql<boolean>`bookings.pod_id = any(${podIds}::uuid[])`)
    .where(isOpen)
    .where('end_time', '>', now)
    .where(
      sql<boolean>`exists (select from ${toRows(instances)} where instance.starts < end_time and instance.ends > start_time)`,
    )
    .orderBy('start_time')
    .orderBy('bookings.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    podId: row.pod_id,
    podTitle: row.title,
    locationName: row.location_name,
    city: row.city,
    bookingDate: row.booking_date,
    startTime: row.start_time.toISOString(),
    endTime: row.end_time.toISOString(),
    status: row.status,
    purpose: row.purpose,
    customerId: row.user_id,
    username: row.username,
    phone: row.phone,
    email: row.email,
    company: row.company_name ?? '',
    paid: Number(row.paid),
  }))
}

/** Selects bookings with their pod, whom to reach about them, and what was paid. */
export function selectWithContact(db: Db | Tx) {
  return db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(['bookings.id', 'bookings.pod_id', 'booking_date', 'start_time', 'end_time', 'status', 'purpose'])
    .select([
      'bookings.user_id',
      'pods.title',
      'locations.name as location_name',
      'locations.city',
      'companies.name as company_name',
    ])
    .select([personName.as('username'), phone.as('phone'), email.as('email'), notPaidBack.as('paid')])
}
