import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createId } from '#server/ids.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { buildBooking, buildLocation, buildPod, buildStaff, buildTransaction } from '#server/testing/factories.ts'
import { migrateTo } from '#server/testing/migrate-to.ts'
import type { Db } from '../client.ts'
import { type TestDatabase, testEngines } from '../test-databases.ts'
import { migrations } from './index.ts'
import { migrateToLatest } from './migrate.ts'

describe.each(testEngines)('migrating on $engine', ({ create }) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await create()
  })
  afterAll(() => database.remove())

  it('applies every migration once, even when several servers start at the same time', async () => {
    const { db } = database.handle
    const applied = await Promise.all([migrateToLatest(db), migrateToLatest(db), migrateToLatest(db)])
    expect(applied.flat().sort()).toEqual(Object.keys(migrations).sort())
    // In the order in which a restored backup applies them.
    expect(Object.keys(migrations)).toEqual(Object.keys(migrations).sort())
    expect(await migrateToLatest(db)).toEqual([])
  })

  it('refuses a database that a newer version has migrated', async () => {
    const { db } = database.handle
    await sql`insert into kysely_migration (name, timestamp) values ('998-of-a-newer-version', '')`.execute(db)
    try {
      await expect(migrateToLatest(db)).rejects.toThrow(
        'A newer release of Podkeeper has changed this database (998-of-a-newer-version). Start that release',
      )
    } finally {
      await sql`delete from kysely_migration where name = '998-of-a-newer-version'`.execute(db)
    }
  })

  it('rolls back a migration that fails, and names it', async () => {
    const { db } = database.handle
    const broken = {
      up: async (inner: typeof db) => {
        await sql`create table half_made (id int)`.execute(inner)
        await sql`select 1/0`.execute(inner)
      },
    }
    migrations['999-broken'] = broken
    try {
      const attempt = migrateToLatest(db)
      await expect(attempt).rejects.toThrow('The migration 999-broken failed')
      await expect(attempt).rejects.toHaveProperty('cause.code', '22012')
    } finally {
      delete migrations['999-broken']
    }
    const { rows } =
      await sql`select to_regclass('half_made') as made, current_setting('statement_timeout') as timeout`.execute(db)
    expect(rows).toEqual([{ made: null, timeout: database.handle.engine === 'postgres' ? '30s' : '0' }])
    expect(await migrateToLatest(db)).toEqual([])
  })
})

// Each test makes and migrates a database of its own.
describe.each(testEngines)('a database with rows, migrated on $engine', { timeout: 120_000 }, ({ create }) => {
  it('gets counts by month from its counts by day', async () => {
    const { handle, remove } = await create()
    try {
      await migrateTo(handle.db, '004-word-starts')
      await addUsers(handle.db, '2026-01-31T23:30Z', 3)
      await addUsers(handle.db, '2026-02-01T00:30Z', 2)
      await migrateToLatest(handle.db)
      await addUsers(handle.db, '2026-02-28T23:30Z', 4)
      const { rows } = await sql`
        select day::text, sum(n)::int as n from row_counts where list = 'users' and day_of = 'created_month'
         group by day order by day`.execute(handle.db)
      expect(rows).toEqual([
        { day: '2026-01-01', n: 3 },
        { day: '2026-02-01', n: 6 },
      ])
    } finally {
      await remove()
    }
  })

  it('gets closures for blocked pods and locations, with start and reason from the history', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '028-customer-notes')
      const staff = await buildStaff(db)
      const location = await buildLocation(db)
      const [known, unknown] = [await buildPod(db, { location_id: location.id }), await buildPod(db)]
      const since = new Date('2026-03-01T09:00:00.000Z')
      const change = {
        id: createId(),
        actor_kind: 'staff',
        actor_id: staff.id,
        action: 'block',
        entity: 'pod',
        label: 'Pod',
      } as const
      await db
        .insertInto('audit')
        .values({ ...change, at: since, entity_id: known.id, reason: 'Leak' })
        .execute()
      await sql`update pods set is_blocked = true`.execute(db)
      await sql`update locations set is_blocked = true where id = ${location.id}`.execute(db)
      await migrateToLatest(db)
      const { rows } = await sql`
        select coalesce(pod_id, location_id) as of, reason, created_by, closures.starts = ${since} as "isSince",
               instance.ends = 'infinity' as "isOpen"
          from closures join closure_instances as instance on instance.closure_id = closures.id
          left join closure_pods on closure_pods.closure_id = closures.id`.execute(db)
      expect(rows).toHaveLength(3)
      for (const row of [
        { of: known.id, reason: 'Leak', created_by: staff.id, isSince: true, isOpen: true },
        { of: unknown.id, reason: 'Blocked', created_by: null, isSince: false, isOpen: true },
        { of: location.id, reason: 'Blocked', created_by: null, isSince: false, isOpen: true },
      ]) {
        expect(rows).toContainEqual(row)
      }
    } finally {
      await remove()
    }
  })

  it.each([
    [true, 'nothing to the customers of a platform that had bookings before'],
    [false, 'from the beginning to those of a new one'],
  ])('enables messages only if there were no bookings (had bookings: %s, writes %s)', async (hasBookings) => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '028-customer-notes')
      if (hasBookings) await buildBooking(db)
      await migrateToLatest(db)
      const templates = await db.selectFrom('message_templates').select('is_enabled').execute()
      expect(templates).toEqual(Array.from({ length: 4 }, () => ({ is_enabled: !hasBookings })))
    } finally {
      await remove()
    }
  })

  it('recognises the images of its pods in every spelling of their URL', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '008-secret-key-check')
      const { id } = await buildPod(db)
      const url = (n: number) => `/uploads/${String(n).repeat(32)}.webp`
      const added = { thumbnail_url: '', placeholder: '', width: 1, height: 1 }
      await db
        .insertInto('images')
        .values([
          { id: 'one', url: url(1), ...added },
          { id: 'two', url: url(2), ...added, discarded_at: new Date() },
          { id: 'three', url: url(3), ...added, discarded_at: new Date() },
        ])
        .execute()
      const kept = [
        `http://localhost:4000${url(1)}`,
        `/api${url(2)}?v=1`,
        '/uploads/one',
        'https://x.test/uploads/4.webp',
      ]
      await db
        .insertInto('pod_images')
        .values(kept.map((spelling, index) => ({ pod_id: id, position: index + 1, public_id: '', url: spelling })))
        .execute()
      await migrateToLatest(db)
      const rows = await db
        .selectFrom('pod_images')
        .select('url')
        .where('position', '>', 0)
        .orderBy('position')
        .execute()
      expect(rows.map((row) => row.url)).toEqual([url(1), url(2), url(1), kept[3]])
      const given = await db.selectFrom('images').select('id').where('discarded_at', 'is not', null).execute()
      expect(given).toEqual([{ id: 'three' }])
    } finally {
      await remove()
    }
  })

  it('takes bookings to come to the present location of their pod', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '060-session-tokens')
      const pod = await buildPod(db)
      const former = await buildLocation(db)
      const of = { pod_id: pod.id, location_id: former.id }
      const past = await buildBooking(db, { ...of, start_time: new Date('2026-11-20T09:00:00.000Z') })
      const toCome = await buildBooking(db, { ...of, start_time: new Date('2099-11-20T09:00:00.000Z') })
      await migrateToLatest(db)
      const rows = await db.selectFrom('bookings').select(['id', 'location_id']).orderBy('start_time').execute()
      expect(rows).toEqual([
        { id: past.id, location_id: former.id },
        { id: toCome.id, location_id: pod.location_id },
      ])
    } finally {
      await remove()
    }
  })

  it('finds what is owed for bookings of before', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '069-refunds-counted')
      const sold = { price: 150, rate: 2.5, discount_minutes: 0 }
      const charged = await buildBooking(db, { ...sold, balance_due: 150 })
      const cancelled = await buildBooking(db, { ...sold, status: 'Cancelled', paid_when_cancelled: 0 })
      const paidTwice = await buildBooking(db, sold)
      const paid = await buildBooking(db, sold)
      const refunded = await buildBooking(db, { ...sold, status: 'Cancelled', balance_due: -150 })
      for (const { id } of [cancelled, paidTwice, paidTwice, paid, refunded])
        await buildTransaction(db, { booking_id: id, amount: 150 })
      await buildTransaction(db, { booking_id: refunded.id, amount: 150, status: 'refunded' })
      await migrateToLatest(db)
      const rows = await db.selectFrom('open_balances').selectAll().execute()
      expect(Object.fromEntries(rows.map(({ booking_id, amount }) => [booking_id, amount]))).toEqual({
        [charged.id]: '150.00',
        [cancelled.id]: '-150.00',
        [paidTwice.id]: '-150.00',
      })
      expect(await checkBookings(db)).toMatchObject({ wrongBalances: 0 })
    } finally {
      await remove()
    }
  })

  it('replaces known countries with their codes', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '009-image-keys')
      const codes = {
        'South Africa': 'ZA',
        za: 'ZA',
        '+27': 'ZA',
        ' ZA ': 'ZA',
        ZA: 'ZA',
        'Suid-Afrika': 'ZA',
        UK: 'GB',
        Narnia: 'Narnia',
        '+1': '+1',
        '': '',
      }
      for (const typed of Object.keys(codes)) await buildLocation(db, { country_code: typed, name: `“${typed}”` })
      await buildLocation(db, { country_code: 'Namibia', name: 'deleted', deleted_at: new Date() })
      await migrateToLatest(db)
      const rows = await db.selectFrom('locations').select(['name', 'country_code']).execute()
      expect(Object.fromEntries(rows.map((row) => [row.name.replaceAll(/[“”]/g, ''), row.country_code]))).toEqual({
        ...codes,
        deleted: 'NA',
      })
    } finally {
      await remove()
    }
  })
})

async function addUsers(db: Db, createdAt: string, howMany: number): Promise<void> {
  await sql`
    insert into users (id, firstname, lastname, email, mobile, role, username, created_at)
    select gen_random_uuid(), '', '', gen_random_uuid() || '@example.com', '', '', '', ${createdAt}::timestamptz
      from generate_series(1, ${howMany}::int)`.execute(db)
}
