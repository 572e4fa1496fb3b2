import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from './client.ts'
import { streamRows } from './stream.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'
import { inTransaction } from './transaction.ts'

type Row = { id: number; name: string }

async function readSizes(stream: AsyncIterable<unknown[]>): Promise<number[]> {
  const sizes: number[] = []
  for await (const batch of stream) sizes.push(batch.length)
  return sizes
}

describe.each(testEngines)('a stream of rows on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await sql`create table many (id int primary key, name text)`.execute(db)
  })
  beforeEach(async () => {
    await sql`truncate many`.execute(db)
    await sql`insert into many select g, 'row ' || g from generate_series(1, 2500) g`.execute(db)
  })
  afterAll(() => database.remove())

  const from = (id: number) => sql<Row>`select id, name from many where id >= ${id} order by id`.compile(db)
  const openCursors = async () =>
    (await sql`select name from pg_cursors where name like 'rows\\_%'`.execute(db)).rows.length

  it('gives every row once, in order, in batches', async () => {
    const batches: Row[][] = []
    for await (const batch of streamRows(db, from(1))) batches.push(batch)
    expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 500])
    expect(batches.flat().map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1))
    expect(await openCursors()).toBe(0)
  })

  it('takes parameters, a builder, and ends well on a full batch and on nothing', async () => {
    expect(await readSizes(streamRows(db, from(1501)))).toEqual([1000])
    expect(await readSizes(streamRows(db, from(2501)))).toEqual([])
    expect(await readSizes(streamRows(db, from(2491), { batch: 4 }))).toEqual([4, 4, 2])
    const builder = db.selectFrom(sql<Row>`many`.as('many')).select('many.id').where('many.id', '>', 2400)
    expect(await readSizes(streamRows(db, builder))).toEqual([100])
  })

  it('shows one moment, lets others read and write in between, and waits for a slow consumer', async () => {
    const stream = streamRows(db, from(1), { batch: 500 })
    const seen = [(await stream.next()).value ?? []]
    for (let turn = 0; turn < 3; turn++) {
      await sql`insert into many values (${10_000 + turn}, 'late')`.execute(db)
      await inTransaction(db, (tx) => sql`update many set name = 'changed' where id > ${2000}`.execute(tx))
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for await (const batch of stream) seen.push(batch)
    const rows = seen.flat()
    expect(rows).toHaveLength(2500)
    expect(rows.at(-1)).toEqual({ id: 2500, name: 'row 2500' })
  })

  it('runs beside other streams', async () => {
    const streams = Array.from({ length: 4 }, () => readSizes(streamRows(db, from(1), { batch: 900 })))
    expect(await Promise.all(streams)).toEqual(streams.map(() => [900, 900, 700]))
  })

  it('closes its cursor and frees its connection when the consumer stops early', async () => {
    for (let turn = 0; turn < 25; turn++) {
      for await (const batch of streamRows(db, from(1), { batch: 10 })) {
        expect(batch).toHaveLength(10)
        break
      }
    }
    expect(await openCursors()).toBe(0)
  })

  it('outlives an error elsewhere that costs a client', async () => {
    const stream = streamRows(db, from(1), { batch: 2000 })
    await stream.next()
    await expect(database.handle.pool.query('select 1/0')).rejects.toThrow('division')
    expect((await stream.next()).value).toHaveLength(500)
    await stream.return()
  })

  it('shows the error of a query that fails at once or half-way', async () => {
    await expect(readSizes(streamRows(db, sql`select * from missing`.compile(db)))).rejects.toHaveProperty(
      'code',
      '42P01',
    )
    const late = sql`select 1 / (${1000} - id), name from many order by id`.compile(db)
    await expect(readSizes(streamRows(db, late, { batch: 100 }))).rejects.toHaveProperty('code', '22012')
    expect(await openCursors()).toBe(0)
  })

  it('reads within a transaction what that has written', async () => {
    await inTransaction(db, async (tx) => {
      await sql`delete from many where id > ${10}`.execute(tx)
      const batches: Row[][] = []
      for await (const batch of streamRows(tx, from(1), { batch: 4 })) batches.push(batch)
      expect(batches.map((batch) => batch.length)).toEqual([4, 4, 2])
    })
  })
})
