import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
