import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type DatabaseHandle, type Db, openDatabase } from '../client.ts'
import { hasPostgres, type TestDatabase, testEngines } from '../test-databases.ts'
import { inTransaction } from '../transaction.ts'

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

function createGate() {
  let finish = () => {}
  const promise = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { promise, finish: () => finish() }
}

describe.each(testEngines)('short reads on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db
  let shortReads: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    shortReads = database.handle.shortReads
    await sql`create table rooms (id int primary key, name text)`.execute(db)
  })
  beforeEach(async () => {
    await sql`truncate rooms`.execute(db)
    await sql`insert into rooms values (1, 'Aurora'), (2, 'Baobab')`.execute(db)
  })
  afterAll(() => database.remove())

  const readName = async (id: number) =>
    (await sql<{ name: string }>`select name from rooms where id = ${id}`.execute(shortReads)).rows[0]?.name
  const countRooms = async () =>
    (await sql<{ n: number }>`select count(*) as n from rooms`.execute(shortReads)).rows[0]?.n

  it('each get their own result, however many run at once', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const read = async (n: number) =>
      (await sql<{ n: number }>`select ${n}::int as n from rooms limit 1`.execute(shortReads)).rows[0]?.n
    expect(await Promise.all(numbers.map(read))).toEqual(numbers)
  })

  it('fail alone, without affecting the reads before and after', async () => {
    const [before, division, table, after] = await Promise.all([
      readName(1),
      messageOf(sql`select 1 / (id - ${2}::int) as n from rooms`.execute(shortReads)),
      messageOf(sql`select nothing from rooms`.execute(shortReads)),
      readName(2),
    ])
    expect([before, after]).toEqual(['Aurora', 'Baobab'])
    expect([division, table]).toEqual(['division by zero', 'column "nothing" does not exist'])
    expect(await countRooms()).toBe(2)
  })

  it('see no uncommitted rows of an open transaction, and are refused inside one', async () => {
    const { promise: finished, finish } = createGate()
    const work = inTransaction(db, async (tx) => {
      await sql`insert into rooms values (3, 'Cedar')`.execute(tx)
      expect(await messageOf(countRooms())).toContain('outside the transaction')
      await finished
    })
    const counted = countRooms()
    finish()
    await work
    // Counted before the transaction or after it, but never its uncommitted row.
    expect([2, 3]).toContain(await counted)
    expect(await countRooms()).toBe(3)
  })

  it('keep working after a change of their table', async () => {
    const read = async () => (await sql`select * from rooms where id = ${1}`.execute(shortReads)).rows
    const room = { id: 1, name: 'Aurora' }
    expect(await read()).toEqual([room])
    await sql`alter table rooms add column size int default 4`.execute(db)
    const larger = { ...room, size: 4 }
    expect(await Promise.all([read(), read(), read()])).toEqual([[larger], [larger], [larger]])
    await sql`alter table rooms drop column size`.execute(db)
    expect(await read()).toEqual([room])
  })

  it('give other queries their turn while more and more reads arrive', async () => {
    const until = new AbortController()
    let sent = 0
    const readOn = async () => {
      const underWay: Promise<unknown>[] = []
      while (!until.signal.aborted) {
        underWay.push(sql`select pg_sleep(0.003)`.execute(shortReads))
        // At least one query is always under way.
        if (underWay.length > 8) await underWay.shift()
        sent += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all(underWay)
    }
    const readers = readOn()
    for (const id of [11, 12, 13]) await sql`insert into rooms values (${id}, 'new')`.execute(db)
    until.abort()
    // Each query takes 3 ms: 100 ms for each of the inserts that waited, and the queries still under way.
    expect(sent).toBeLessThan(300)
    await readers
    expect(await countRooms()).toBe(5)
  })

  it('fail when no connection is available', async () => {
    const other = await create()
    await other.remove()
    const read = sql`select 1 as n`.execute(other.handle.shortReads)
    expect(await messageOf(read)).toMatch(/Cannot use a pool after calling end|driver has already been destroyed/)
  })
})

describe.runIf(hasPostgres)('short reads on PostgreSQL only', () => {
  async function open(): Promise<DatabaseHandle> {
    const handle = await openDatabase({ databaseUrl: process.env.TEST_DATABASE_URL, dataDir: '' })
    onTestFinished(() => handle.close())
    return handle
  }
  /** Stops the clock, so that no connection is given back for the time it was shared, however busy the machine is. */
  function stopClock() {
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
  }
  const readPid = async (db: Db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

  it('share one connection', async () => {
    const { shortReads, pool } = await open()
    stopClock()
    const pids = await Promise.all([readPid(shortReads), readPid(shortReads), readPid(shortReads)])
    expect(new Set(pids).size).toBe(1)
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  })

  it('use more than one connection when many run at once', async () => {
    const { shortReads, pool } = await open()
    await Promise.all(Array.from({ length: 100 }, () => readPid(shortReads)))
    expect(pool.totalCount).toBeGreaterThan(1)
  })

  it('use another connection when theirs has broken', async () => {
    const { shortReads } = await open()
    stopClock()
    const end = messageOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(shortReads))
    const beside = messageOf(readPid(shortReads))
    expect(await end).toContain('terminating connection')
    expect(await readPid(shortReads)).toBeTypeOf('number')
    expect(await beside).toEqual(expect.stringMatching(/terminat|ECONNRESET|EPIPE/))
  })
})
