import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from './client.ts'
import { createStatementNames } from './named-statements.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'
import { inTransaction } from './transaction.ts'

const all = () => sql`select * from shaped where id = ${1}`

describe('names of statements', () => {
  it('are the same for the same text, and fit PostgreSQL', () => {
    const names = createStatementNames()
    const name = names.find('select $1')
    expect(name).toMatch(/^[\w-]{43}$/)
    expect(names.find('select $1')).toBe(name)
    expect(names.find('select $2')).not.toBe(name)
    expect(createStatementNames().find('select $1')).toBe(name)
  })

  it('run out at the cap, and those that were given stay', () => {
    const names = createStatementNames(2)
    const given = ['select 1', 'select 2'].map((text) => names.find(text))
    expect(names.find('select 3')).toBeUndefined()
    expect(['select 1', 'select 2'].map((text) => names.find(text))).toEqual(given)
  })

  it('are for what is planned, and not for bulk texts', () => {
    const names = createStatementNames()
    expect(names.find('declare c cursor for select $1')).toBeUndefined()
    expect(names.find(`insert into t values ${'($1),'.repeat(5000)}`)).toBeUndefined()
    expect(names.find('\n  WITH x AS (select $1) select * from x')).toBeDefined()
  })

  it('change when they are renamed, as often as it takes, and never grow past 63 bytes', () => {
    const names = createStatementNames()
    const seen = new Set([names.find('select $1')])
    for (let turn = 0; turn < 3; turn++) {
      names.rename('select $1')
      seen.add(names.find('select $1'))
    }
    expect(seen.size).toBe(4)
    for (const name of seen) expect(name?.length).toBeLessThan(64)
  })
})

describe.each(testEngines)('prepared statements on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await sql`create table shaped (id int primary key, value int)`.execute(db)
    await sql`insert into shaped values (1, 10)`.execute(db)
  })
  afterAll(() => database.remove())

  it('are made once and used again', async () => {
    await db.connection().execute(async (connection) => {
      for (const n of [1, 2, 3]) await sql`select ${n}::int as once`.execute(connection)
      const { rows } = await sql`
        select statement, (generic_plans + custom_plans) as used from pg_prepared_statements
        where statement like '%as once'`.execute(connection)
      expect(rows).toEqual([{ statement: 'select $1::int as once', used: 3 }])
    })
  })

  it('survive a change of the table, again and again', async () => {
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10 }])
    await sql`alter table shaped add column more text default 'x'`.execute(db)
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10, more: 'x' }])
    await sql`alter table shaped drop column more`.execute(db)
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10 }])
  })

  it('fail once inside a transaction after such a change, and not the next time', async () => {
    await db.connection().execute(async (connection) => {
      await all().execute(connection)
      await sql`alter table shaped add column late int`.execute(connection)
      const work = connection.transaction().execute((tx) => all().execute(tx))
      await expect(work).rejects.toHaveProperty('code', '0A000')
      expect((await all().execute(connection)).rows).toEqual([{ id: 1, value: 10, late: null }])
    })
    expect(await inTransaction(db, async (tx) => (await all().execute(tx)).rows.length)).toBe(1)
  })

  it('survive a session that forgot them', async () => {
    await all().execute(db)
    await database.handle.pool.query('deallocate all')
    expect((await all().execute(db)).rows).toHaveLength(1)
  })
})
