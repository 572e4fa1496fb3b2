import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Tx } from './client.ts'
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
  const openCursors = async (tx: Tx) =>
    (await sql`select name from pg_cursors where name like 'rows\\_%'`.execute(tx)).rows.length

  it('returns every row once, in order, in batches', async () => {
    await inTransaction(db, async (tx) => {
      const batches: Row[][] = []
      for await (const batch of streamRows(tx, from(1))) batches.push(batch)
      expect(batches.map((batch) => batch.length)).toEqual([1000, 1000, 500])
      expect(batches.flat().map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1))
      expect(await openCursors(tx)).toBe(0)
    })
  })

  it('accepts parameters and query builders, and ends after a full batch or no rows', async () => {
    await inTransaction(db, async (tx) => {
      expect(await readSizes(streamRows(tx, from(1501)))).toEqual([1000])
      expect(await readSizes(streamRows(tx, from(2501)))).toEqual([])
      expect(await readSizes(streamRows(tx, from(2491), { batch: 4 }))).toEqual([4, 4, 2])
      const builder = tx
        .selectFrom(sql<Row>`many`.as('many'))
        .select('many.id')
        .where('many.id', '>', 2400)
      expect(await readSizes(streamRows(tx, builder))).toEqual([100])
    })
  })

  it('closes its cursor when the consumer stops early', async () => {
    await inTransaction(db, async (tx) => {
      for await (const batch of streamRows(tx, from(1), { batch: 10 })) {
        expect(batch).toHaveLength(10)
        break
      }
      expect(await openCursors(tx)).toBe(0)
    })
  })

  it('throws the error of a query that fails at once or half-way', async () => {
    const read = (query: ReturnType<typeof from>) => inTransaction(db, (tx) => readSizes(streamRows(tx, query)))
    await expect(read(sql<Row>`select * from missing`.compile(db))).rejects.toHaveProperty('code', '42P01')
    const late = sql<Row>`select 1 / (${1500} - id), name from many order by id`.compile(db)
    await expect(read(late)).rejects.toHaveProperty('code', '22012')
  })

  it('reads the uncommitted changes of its transaction', async () => {
    await inTransaction(db, async (tx) => {
      await sql`delete from many where id > ${10}`.execute(tx)
      expect(await readSizes(streamRows(tx, from(1), { batch: 4 }))).toEqual([4, 4, 2])
    })
  })
})
