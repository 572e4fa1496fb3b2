import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from './client.ts'
import { madeOnce, madeOnceByName } from './made-once.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'
import { inTransaction } from './transaction.ts'

describe.each(testEngines)('a statement made once, on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await sql`create table features (id int, name text)`.execute(db)
    await sql`insert into features values (1, 'Wi-Fi'), (2, 'Screen'), (3, 'Coffee')`.execute(db)
  })
  afterAll(() => database.remove())

  it('is put together at its first run alone, and has the values of each run', async () => {
    let made = 0
    const select = madeOnce((db, { names, most }: { names: string[]; most: number }) => {
      made += 1
      return db
        .selectFrom('features')
        .select('name')
        .where(sql<boolean>`name = any(${names}::text[])`)
        .where(sql<boolean>`id <= ${most}`)
        .where('name', '<>', 'never')
        .orderBy('name')
    })
    expect(await select(db, { names: ['Wi-Fi', 'Screen'], most: 9 })).toEqual([{ name: 'Screen' }, { name: 'Wi-Fi' }])
    expect(await select(db, { most: 2, names: ['Screen', 'Coffee'] })).toEqual([{ name: 'Screen' }])
    expect(await Promise.all([1, 2].map((most) => select(db, { most, names: ['Wi-Fi', 'Screen'] })))).toEqual([
      [{ name: 'Wi-Fi' }],
      [{ name: 'Screen' }, { name: 'Wi-Fi' }],
    ])
    expect(made).toBe(1)
  })

  it('is known by its name where it has no values, and refuses any', async () => {
    const read = madeOnceByName<{ name: string }>()
    let made = 0
    const first = (most: 1 | 2) => () => {
      made += 1
      return db.selectFrom('features').select('name').orderBy('name').limit(sql.lit(most))
    }
    expect(await read(db, 'one', first(1))).toEqual([{ name: 'Coffee' }])
    expect(await read(db, 'two', first(2))).toEqual([{ name: 'Coffee' }, { name: 'Screen' }])
    expect(await read(db, 'one', first(1))).toEqual([{ name: 'Coffee' }])
    expect(made).toBe(2)
    const withValue = () => db.selectFrom('features').select('name').where('name', '=', 'Coffee')
    await expect(read(db, 'coffee', withValue)).rejects.toThrow('has values')
  })

  it('runs in the transaction whose handle it is given', async () => {
    const select = madeOnce((db, { name }: { name: string }) =>
      db.selectFrom('features').select('name').where('name', '=', name),
    )
    expect(await select(db, { name: 'Desk' })).toEqual([])
    const rollback = new Error('rolled back')
    const work = inTransaction(db, async (tx) => {
      await sql`insert into features values (4, 'Desk')`.execute(tx)
      expect(await select(tx, { name: 'Desk' })).toEqual([{ name: 'Desk' }])
      throw rollback
    })
    await expect(work).rejects.toBe(rollback)
    expect(await select(db, { name: 'Desk' })).toEqual([])
  })
})
