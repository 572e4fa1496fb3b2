import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../client.ts'
import { type TestDatabase, testEngines } from '../test-databases.ts'
import { inTransaction } from '../transaction.ts'

const all = () => sql`select * from shaped where id = ${1}`

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

  it('are created once and reused', async () => {
    await db.connection().execute(async (connection) => {
      for (const n of [1, 2, 3]) await sql`select ${n}::int as once`.execute(connection)
      const { rows } = await sql`
        select statement, (generic_plans + custom_plans) as used from pg_prepared_statements
        where statement like '%as once'`.execute(connection)
      expect(rows).toEqual([{ statement: 'select $1::int as once', used: 3 }])
    })
  })

  it('are not used for searches, bulk statements and statements without a plan', async () => {
    await db.connection().execute(async (connection) => {
      await sql`select id as searched from shaped where id::text like ${'1%'}`.execute(connection)
      const bulk = Array.from({ length: 3_000 }, (_, n) => sql`(${n + 10})`)
      await sql`insert into shaped (id) values ${sql.join(bulk)}`.execute(connection)
      await sql`show server_version`.execute(connection)
      const { rows } = await sql`
        select statement from pg_prepared_statements
         where statement ~ '^(select id as searched|insert into shaped .id|show)'`.execute(connection)
      expect(rows).toEqual([])
    })
  })

  it('survive repeated changes of the table', async () => {
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10 }])
    await sql`alter table shaped add column more text default 'x'`.execute(db)
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10, more: 'x' }])
    await sql`alter table shaped drop column more`.execute(db)
    expect((await all().execute(db)).rows).toEqual([{ id: 1, value: 10 }])
  })

  it('fail once in a transaction after a change of the table, and then work again', async () => {
    await db.connection().execute(async (connection) => {
      await all().execute(connection)
      await sql`alter table shaped add column late int`.execute(connection)
      const work = connection.transaction().execute((tx) => all().execute(tx))
      await expect(work).rejects.toHaveProperty('code', '0A000')
      expect((await all().execute(connection)).rows).toEqual([{ id: 1, value: 10, late: null }])
    })
    expect(await inTransaction(db, async (tx) => (await all().execute(tx)).rows.length)).toBe(1)
  })

  it('work again after the session has deallocated them', async () => {
    await all().execute(db)
    await database.handle.pool.query('deallocate all')
    expect((await all().execute(db)).rows).toHaveLength(1)
  })
})
