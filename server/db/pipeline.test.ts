import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Db, openDatabase } from './client.ts'
import { runBrief } from './pipeline.ts'
import { hasPostgres, type TestDatabase, testEngines } from './test-databases.ts'
import { inTransaction } from './transaction.ts'

type Reading = { db: Db; text: string; values?: unknown[] }

async function read<Row>({ db, text, values = [] }: Reading): Promise<Row[]> {
  const parts = text.split('?')
  const query = sql<Row>(Object.assign(parts, { raw: parts }), ...values).compile(db)
  return (await runBrief(db, query)).rows
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    (rows) => rows,
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

describe.each(testEngines)('brief statements on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await sql`create table rooms (id int primary key, name text)`.execute(db)
  })
  beforeEach(async () => {
    await sql`truncate rooms`.execute(db)
    await sql`insert into rooms values (1, 'Aurora'), (2, 'Baobab')`.execute(db)
  })
  afterAll(() => database.remove())

  it('have each its own answer, however many there are', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const answers = await Promise.all(
      numbers.map((n) => read({ db, text: 'select ?::int as n, (select count(*) from rooms) as rooms', values: [n] })),
    )
    expect(answers).toEqual(numbers.map((n) => [{ n, rooms: 2 }]))
  })

  it('fail alone, those before and after not with them', async () => {
    const answers = await Promise.all([
      read({ db, text: 'select name from rooms where id = ?', values: [1] }),
      messageOf(read({ db, text: 'select 1 / (id - ?::int) as n from rooms', values: [2] })),
      messageOf(read({ db, text: 'select nothing from rooms' })),
      read({ db, text: 'select name from rooms where id = ?', values: [2] }),
    ])
    expect(answers).toEqual([
      [{ name: 'Aurora' }],
      'division by zero',
      'column "nothing" does not exist',
      [{ name: 'Baobab' }],
    ])
    expect(await read({ db, text: 'select count(*) as n from rooms' })).toEqual([{ n: 2 }])
  })

  it('see what was committed before, and are no part of a transaction that is open meanwhile', async () => {
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const work = inTransaction(db, async (tx) => {
      await sql`insert into rooms values (3, 'Cedar')`.execute(tx)
      await finished
    })
    const during = read({ db, text: 'select count(*) as n from rooms' })
    // On the embedded engine it waits until the transaction has ended; on PostgreSQL it sees what was there before.
    const seen = Promise.race([during, new Promise((resolve) => setTimeout(resolve, 300))])
    expect([undefined, [{ n: 2 }]]).toContainEqual(await seen)
    finish()
    await work
    await during
    expect(await read({ db, text: 'select count(*) as n from rooms' })).toEqual([{ n: 3 }])
  })

  it('belong to the transaction whose handle they are given, and are refused beside it', async () => {
    await inTransaction(db, async (tx) => {
      await sql`insert into rooms values (3, 'Cedar')`.execute(tx)
      expect(await read({ db: tx, text: 'select count(*) as n from rooms' })).toEqual([{ n: 3 }])
      expect(await messageOf(read({ db, text: 'select count(*) as n from rooms' }))).toContain(
        'outside the transaction',
      )
    })
  })

  it('go on after a change of their table', async () => {
    const all = () => read({ db, text: 'select * from rooms where id = ?', values: [1] })
    const room = { id: 1, name: 'Aurora' }
    expect(await all()).toEqual([room])
    await sql`alter table rooms add column size int default 4`.execute(db)
    const larger = { ...room, size: 4 }
    expect(await Promise.all([all(), all(), all()])).toEqual([[larger], [larger], [larger]])
    await sql`alter table rooms drop column size`.execute(db)
    expect(await Promise.all([all(), all(), all()])).toEqual([[room], [room], [room]])
  })

  it('give others their turn, however long they go on', async () => {
    const until = new AbortController()
    let answered = 0
    const readOn = async () => {
      const underWay: Promise<unknown>[] = []
      while (!until.signal.aborted) {
        underWay.push(read({ db, text: 'select pg_sleep(0.003)' }))
        // There is never none under way.
        if (underWay.length > 8) await underWay.shift()
        answered += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all(underWay)
    }
    const readers = readOn()
    for (const id of [11, 12, 13]) await sql`insert into rooms values (${id}, 'new')`.execute(db)
    until.abort()
    // Three milliseconds each: a tenth of a second for each that waited, and those that were under way.
    expect(answered).toBeLessThan(300)
    await readers
    expect(await read({ db, text: 'select count(*) as n from rooms' })).toEqual([{ n: 5 }])
  })

  it('fail when no connection can be had', async () => {
    const other = await create()
    await other.remove()
    const text = 'select 1 as n'
    expect(await messageOf(read({ db: other.handle.db, text }))).toContain('Cannot use a pool after calling end')
  })
})

describe.runIf(hasPostgres)('brief statements on PostgreSQL alone', () => {
  const url = process.env.TEST_DATABASE_URL

  async function open() {
    const handle = await openDatabase({ databaseUrl: url, dataDir: '' })
    onTestFinished(() => handle.close())
    return handle
  }
  /** However busy the machine is, no connection is left for want of an answer. */
  function stopClock() {
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
  }
  const pidOf = (db: Db) => read<{ pid: number }>({ db, text: 'select pg_backend_pid() as pid' })

  it('share one connection, also with those whose answer is still to come', async () => {
    const { db, pool } = await open()
    stopClock()
    const first = read<{ pid: number }>({ db, text: 'select pg_backend_pid() as pid, pg_sleep(0.05)' })
    await new Promise((resolve) => setImmediate(resolve))
    const pids = await Promise.all([first, pidOf(db), pidOf(db)])
    expect(new Set(pids.flat().map(({ pid }) => pid)).size).toBe(1)
    expect(pool.totalCount).toBe(1)
    expect(pool.idleCount).toBe(1)
  })

  it('do not wait behind one that takes long', async () => {
    const { db, pool } = await open()
    const holder = await pool.connect()
    await holder.query('select pg_advisory_lock(1)')
    const slow = read({ db, text: 'select pg_advisory_lock_shared(1)' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await pidOf(db)).toHaveLength(1)
    await holder.query('select pg_advisory_unlock(1)')
    holder.release()
    await slow
  })

  it('use a connection beside, when many are under way', async () => {
    const { db, pool } = await open()
    await Promise.all(Array.from({ length: 100 }, () => pidOf(db)))
    expect(pool.totalCount).toBeGreaterThan(1)
  })

  it('use another connection when theirs has broken', async () => {
    const { db } = await open()
    stopClock()
    const end = messageOf(read({ db, text: 'select pg_terminate_backend(pg_backend_pid())' }))
    const beside = messageOf(pidOf(db))
    expect(await end).toContain('terminating connection')
    expect(await pidOf(db)).toEqual([{ pid: expect.any(Number) as number }])
    expect(await beside).toEqual(expect.stringMatching(/terminat|ECONNRESET|EPIPE/))
  })
})
