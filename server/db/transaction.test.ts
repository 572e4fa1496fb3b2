import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from './client.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'
import { inTransaction, isUniqueViolation } from './transaction.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const insert = (id: number, name = `parent ${id}`) => sql`insert into parents values (${id}, ${name})`

describe.each(testEngines)('a transaction on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await sql`create table parents (id int primary key, name text constraint parents_name_key unique)`.execute(db)
  })
  beforeEach(async () => {
    await sql`truncate parents`.execute(db)
  })
  afterAll(() => database.remove())

  const count = async () => (await sql<{ n: number }>`select count(*) as n from parents`.execute(db)).rows[0]?.n

  it('commits all of its work and returns the result', async () => {
    const answer = await inTransaction(db, async (tx) => {
      await insert(1).execute(tx)
      await insert(2).execute(tx)
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await count()).toBe(2)
  })

  it('rolls back when the work throws, without a retry', async () => {
    let runs = 0
    const work = inTransaction(db, async (tx) => {
      runs += 1
      await insert(1).execute(tx)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(runs).toBe(1)
    expect(await count()).toBe(0)
  })

  it.each(['40001', '40P01'])('retries from the start after %s', async (code) => {
    let runs = 0
    await inTransaction(db, async (tx) => {
      runs += 1
      await insert(runs).execute(tx)
      if (runs === 1) throw failure(code)
    })
    expect(runs).toBe(2)
    const { rows } = await sql`select id from parents`.execute(db)
    expect(rows).toEqual([{ id: 2 }])
  })

  it('gives up after four attempts', async () => {
    let runs = 0
    const work = inTransaction(db, () => {
      runs += 1
      return Promise.reject(failure('40001'))
    })
    await expect(work).rejects.toHaveProperty('code', '40001')
    expect(runs).toBe(4)
  })

  it('retries after a serialisation error raised by the database', async () => {
    let runs = 0
    await inTransaction(db, async (tx) => {
      runs += 1
      if (runs === 1) await sql`do $$ begin raise exception 'lost the race' using errcode = '40001'; end $$`.execute(tx)
      await insert(7).execute(tx)
    })
    expect(await count()).toBe(1)
  })

  it('reports a unique violation with its constraint, and leaves the connection usable', async () => {
    await insert(1).execute(db)
    const error = await caught(inTransaction(db, (tx) => insert(2, 'parent 1').execute(tx)))
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'parents_name_key')).toBe(true)
    expect(isUniqueViolation(error, 'parents_pkey')).toBe(false)
    expect(await count()).toBe(1)
  })

  it('immediately refuses a query that bypasses its handle', async () => {
    const work = inTransaction(db, async (tx) => {
      await insert(1).execute(tx)
      await count()
    })
    await expect(work).rejects.toThrow("use the transaction's own handle")
    expect(await count()).toBe(0)
  })

  it('refuses a query that bypasses its handle while other transactions begin and end', async () => {
    await inTransaction(db, (tx) => insert(1).execute(tx))
    const work = inTransaction(db, async (tx) => {
      await insert(2).execute(tx)
      await insert(3).execute(db)
    })
    await expect(work).rejects.toThrow("use the transaction's own handle")
    expect(await count()).toBe(1)
    const [, after] = await Promise.allSettled([
      inTransaction(db, (tx) => insert(4).execute(tx)),
      inTransaction(db, async (tx) => {
        await sql`select pg_sleep(0.2)`.execute(tx)
        await insert(5).execute(db)
      }),
    ])
    expect(after.status).toBe('rejected')
    expect(await count()).toBe(2)
  })

  it('allows its work to schedule a query for after the commit', async () => {
    const later = await inTransaction(db, async (tx) => {
      await insert(1).execute(tx)
      return { count: new Promise((resolve) => setTimeout(resolve, 20)).then(count) }
    })
    expect(await later.count).toBe(1)
  })
})

it('a violation is recognised by its error code only', () => {
  for (const error of [undefined, null, 'text', 23505, new Error('23505'), { code: 23505 }]) {
    expect(isUniqueViolation(error)).toBe(false)
  }
  expect(isUniqueViolation({ code: '23505' })).toBe(true)
})
