import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from './client.ts'
import { migrateToLatest } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'

describe.each(testEngines)('migrating on $engine', ({ create }) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await create()
  })
  afterAll(() => database.remove())

  it('applies everything once, whoever asks at the same time', async () => {
    const { db } = database.handle
    const applied = await Promise.all([migrateToLatest(db), migrateToLatest(db), migrateToLatest(db)])
    expect(applied.flat().sort()).toEqual(Object.keys(migrations).sort())
    expect(await migrateToLatest(db)).toEqual([])
  })

  it('refuses a database that a newer version has migrated', async () => {
    const { db } = database.handle
    await sql`insert into kysely_migration (name, timestamp) values ('998-of-a-newer-version', '')`.execute(db)
    try {
      await expect(migrateToLatest(db)).rejects.toThrow('998-of-a-newer-version')
    } finally {
      await sql`delete from kysely_migration where name = '998-of-a-newer-version'`.execute(db)
    }
  })

  it('leaves nothing of a migration that fails, and says which it was', async () => {
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

describe.each(testEngines)('a database with rows, migrated on $engine', ({ create }) => {
  it('adds the months up of what was counted by day before', async () => {
    const { handle, remove } = await create()
    const later = Object.entries(migrations).filter(([name]) => name >= '005')
    try {
      for (const [name] of later) delete migrations[name]
      await migrateToLatest(handle.db)
      await addUsers(handle.db, '2026-01-31T23:30Z', 3)
      await addUsers(handle.db, '2026-02-01T00:30Z', 2)
      Object.assign(migrations, Object.fromEntries(later))
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
      Object.assign(migrations, Object.fromEntries(later))
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
