import { type RawBuilder, sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { toWallClock } from '#contract/slots.ts'
import type { Db } from '../db/client.ts'
import { toSlug } from '../modules/pods/slug.ts'
import { type PlanOptions, planBookings, toCapacity } from './booking-plan.ts'
import { BLOCKED_EVERY, demoUsers, toDemoEmail, WITHOUT_MOBILE_EVERY } from './demo-people.ts'
import { demoPods } from './demo-pods.ts'
import { dropFill, type FillSources, fillBookings, prepareFill } from './fill-bookings.ts'
import { rateFinishedPods } from './rate-pods.ts'
import { idOf } from './uuid-sql.ts'

/** Small enough to finish within the statement timeout and to show progress every few seconds. */
const BATCH = 20_000
/** New people and pods are created over this many days before the first booking. */
const OPENED_OVER_DAYS = 400

type BulkSeedOptions = {
  bookings: number
  transactions: number
  pods: number
  users: number
  /** Days before and after today in which bookings lie. */
  daysBehind: number
  daysAhead: number
}

type SeedMoment = { now: Date; timeZone: string }

/**
 * Adds pods, customers, bookings and payments to the demo data. New bookings are only for new pods and customers, so
 * they cannot overlap with existing ones. Batches are committed one by one: an interrupted run leaves valid data.
 * Throws beforehand when the bookings do not fit, or when there are no demo pods: real data must not be filled up by
 * mistake.
 */
export async function bulkSeed(
  db: Db,
  options: BulkSeedOptions,
  { now, timeZone }: SeedMoment,
  onBookings: (made: number) => void = () => undefined,
): Promise<void> {
  const room = toCapacity(options.pods, options.daysBehind + 1 + options.daysAhead)
  if (options.bookings > room) {
    throw new Error(
      `${options.pods} pods have room for ${room} bookings in that time, not for ${options.bookings}: ask for more pods or days.`,
    )
  }
  const wallNow = toWallClock(now, timeZone)
  // One connection, because the sources are in its temporary tables.
  await db.connection().execute(async (connection) => {
    await relax(connection)
    try {
      const sources = await addSources(connection, options, now)
      await prepareFill(connection, sources)
      await fillInBatches(connection, options, { now, wallNow, timeZone }, onBookings)
      await rateFinishedPods(connection, sources.podIds)
      await dropFill(connection)
    } finally {
      await sql`reset synchronous_commit`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Turns off the sync at each commit, as a lost batch can be made again, and the statement timeout. */
async function relax(db: Db): Promise<void> {
  await sql`set synchronous_commit = off`.execute(db)
  await sql`set statement_timeout = 0`.execute(db)
}

async function fillInBatches(
  db: Db,
  options: BulkSeedOptions,
  moment: Parameters<typeof fillBookings>[3],
  onBookings: (made: number) => void,
): Promise<void> {
  const plan: PlanOptions = {
    blockedPods: new Set(),
    podCount: options.pods,
    bookings: options.bookings,
    today: moment.wallNow.toISOString().slice(0, 10),
    daysBehind: options.daysBehind,
    daysAhead: options.daysAhead,
    batchSize: BATCH,
    seed: 'grow',
  }
  let bookings = 0
  let transactions = 0
  for (const batch of planBookings(plan)) {
    bookings += batch.bookings
    const due = Math.round((options.transactions * bookings) / options.bookings)
    await fillBookings(db, batch, due - transactions, moment)
    transactions = due
    onBookings(bookings)
  }
}

async function addSources(db: Db, options: BulkSeedOptions, now: Date): Promise<FillSources> {
  const since = new Date(now.getTime() - (OPENED_OVER_DAYS + options.daysBehind) * DAY)
  const podIds = await addPods(db, options.pods, since)
  const userIds = await addUsers(db, options.users, since)
  const staff = await sql<{ id: string }>`
    select id from staff where deleted_at is null and not is_blocked order by created_at, id`.execute(db)
  return { podIds, userIds, staffIds: staff.rows.map(({ id }) => id) }
}

/** Returns SQL for the time at which the `n`-th of `count` rows was created. */
const nthMoment = (since: Date, count: number): RawBuilder<Date> => sql<Date>`date_trunc('milliseconds',
  ${since}::timestamptz + (n - 1) * make_interval(secs => ${OPENED_OVER_DAYS * 86_400} / ${Math.max(count, 1)}::float8))`

/** Adds copies of the demo pods with their images and features, numbered after the existing pods. */
async function addPods(db: Db, count: number, since: Date): Promise<string[]> {
  const slugs = demoPods.map((pod) => toSlug(pod.title))
  const { rows } = await sql<{ id: string }>`
    with models as materialized (
      select id, row_number() over (order by created_at, id) as number, count(*) over () as models
      from pods where slug = any (${slugs}::text[]) and deleted_at is null
    ), moments as materialized (
      select n, lpad((n + (select count(*) from pods))::text, 5, '0') as suffix, ${nthMoment(since, count)} as at
      from generate_series(1, ${count}::integer) as n
    ), copies as materialized (
      select ${idOf('at')} as id, at, suffix, n, models.id as model
      from moments join models on models.number = 1 + (n - 1) % models.models
    ), made as (
      insert into pods (id, title, slug, description, direction, location_id, category, time_slot, tags,
        booking_requirements, availability, cancellation_policy, safety_and_property, pod_user_id, device_id, serial,
        device_password, email, rate, capacity, product_id, created_at, updated_at)
      select copies.id, title || ' ' || suffix, slug || '-' || suffix, description, direction, location_id, category,
        time_slot, tags, booking_requirements, availability, cancellation_policy, safety_and_property,
        pod_user_id || '-' || suffix, device_id || '-' || suffix, serial || '-' || suffix, device_password, email, rate,
        capacity, product_id, at, at
      from copies join pods on pods.id = model
    ), with_images as (
      insert into pod_images (pod_id, position, public_id, url)
      select copies.id, position, public_id, url from copies join pod_images on pod_images.pod_id = model
    ), with_features as (
      insert into pod_features (pod_id, feature_id, position)
      select copies.id, feature_id, position from copies join pod_features on pod_features.pod_id = model
    )
    select id from copies order by n`.execute(db)
  if (rows.length < count) throw new Error('This database holds no demo data to grow. Seed an empty one.')
  return rows.map(({ id }) => id)
}

/**
 * Adds customers with random first and last names of the demo, and a number in the email address. Returns the ids of
 * those who are not blocked.
 */
async function addUsers(db: Db, count: number, since: Date): Promise<string[]> {
  const firsts = [...new Set(demoUsers.map(([first]) => first))]
  const lasts = [...new Set(demoUsers.map(([, last]) => last))]
  const plain = (names: readonly string[]) => names.map((name) => toDemoEmail(name, '').replace(/\.?@.*$/, ''))
  const { rows } = await sql<{ id: string; is_blocked: boolean }>`
    with moments as materialized (
      select n, n + (select count(*) from users) as number, ${nthMoment(since, count)} as at,
        1 + abs(hashint8extended(n, 1) % ${firsts.length}) as f, 1 + abs(hashint8extended(n, 2) % ${lasts.length}) as l
      from generate_series(1, ${count}::integer) as n
    )
    insert into users (id, firstname, lastname, email, mobile, role, username, is_blocked, created_at)
    select ${idOf('at')}, (${firsts}::text[])[f], (${lasts}::text[])[l], local || '@example.com',
      case when number % ${WITHOUT_MOBILE_EVERY} = 0 then ''
        else '+27 82 555 ' || lpad((number % 10000)::text, 4, '0') end,
      'user', local, number % ${BLOCKED_EVERY} = 0, at
    from moments cross join lateral (
      select (${plain(firsts)}::text[])[f] || '.' || (${plain(lasts)}::text[])[l] || '.' || number as local
    ) as addresses
    returning id, is_blocked`.execute(db)
  return rows.filter((row) => !row.is_blocked).map(({ id }) => id)
}
