import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runAwaited } from './awaited.ts'
import { type DatabaseHandle, type Db, openDatabase } from './client.ts'
import { hasPostgres, type TestDatabase, testEngines } from './test-databases.ts'

function run<Row>(db: Db, statement: ReturnType<typeof sql<Row>>, signal: AbortSignal) {
  return runAwaited(db, statement.compile(db), signal).then(({ rows }) => rows)
}

const nameOf = (work: Promise<unknown>) =>
  work.then(
    (rows) => rows,
    (error: unknown) => (error instanceof Error ? error.name : error),
  )

describe.each(testEngines)('what a caller waits for on $engine', ({ create }) => {
  let database: TestDatabase
  let handle: DatabaseHandle

  beforeAll(async () => {
    database = await create()
    handle = database.handle
    await sql`create sequence begun`.execute(handle.db)
  })
  afterAll(() => database.remove())

  const countBegun = async () =>
    (await sql<{ is_called: boolean }>`select is_called from begun`.execute(handle.db)).rows

  it('is answered, or fails, as any statement', async () => {
    const { signal } = new AbortController()
    expect(await run(handle.db, sql`select ${7}::int as n`, signal)).toEqual([{ n: 7 }])
    await expect(run(handle.db, sql`select 1 / ${0}::int`, signal)).rejects.toThrow('division by zero')
    expect(await run(handle.db, sql`select ${8}::int as n`, signal)).toEqual([{ n: 8 }])
  })

  it('is not begun once the caller has gone, whether a connection is free or not', async () => {
    const { db, pool } = handle
    expect(await nameOf(run(db, sql`select nextval('begun')`, AbortSignal.abort()))).toBe('AbortError')
    const lent = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const caller = new AbortController()
    const waiting = nameOf(run(db, sql`select nextval('begun')`, caller.signal))
    await expect.poll(() => pool.waitingCount, { timeout: 10_000 }).toBe(1)
    caller.abort()
    for (const client of lent) client.release()
    expect(await waiting).toBe('AbortError')
    expect(await countBegun()).toEqual([{ is_called: false }])
  })
})

describe.runIf(hasPostgres)('what a caller waits for on PostgreSQL alone', () => {
  /** With one connection, so that what is asked later is asked on the same one. */
  async function open() {
    const handle = await openDatabase({ databaseUrl: process.env.TEST_DATABASE_URL, dataDir: '', poolSize: 1 })
    const watch = await openDatabase({ databaseUrl: process.env.TEST_DATABASE_URL, dataDir: '', poolSize: 1 })
    onTestFinished(async () => {
      await handle.close()
      await watch.close()
    })
    const pidOf = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(handle.db)).rows[0]?.pid
    const pid = await pidOf()
    const countRunning = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where pid = ${pid} and query like '%pg_sleep%' and state = 'active'`.execute(watch.db)
      return rows.length
    }
    const untilItRuns = async () => {
      await expect.poll(countRunning, { timeout: 10_000 }).toBe(1)
    }
    return { ...handle, pid, pidOf, untilItRuns }
  }

  it('is ended where it runs when the caller goes away, and the connection goes on', async () => {
    const { db, pid, pidOf, untilItRuns } = await open()
    const caller = new AbortController()
    // Longer than a statement may take: if it is not ended, its own limit ends it, and the test with it.
    const running = nameOf(run(db, sql`select pg_sleep(25)`, caller.signal))
    await untilItRuns()
    caller.abort()
    const began = performance.now()
    expect(await running).toBe('AbortError')
    expect(performance.now() - began).toBeLessThan(10_000)
    for (let times = 0; times < 20; times += 1) expect(await pidOf()).toBe(pid)
  })

  it('is let be when the caller goes away after the answer', async () => {
    const { db, pid, pidOf } = await open()
    const caller = new AbortController()
    expect(await run(db, sql`select 1 as n`, caller.signal)).toEqual([{ n: 1 }])
    const next = sql`select pg_sleep(0.2)`.execute(db)
    caller.abort()
    await next
    expect(await pidOf()).toBe(pid)
  })

  it('costs its connection where the server cannot be told: it could still be told, of somebody else’s statement', async () => {
    const { db, pool, pid, pidOf, untilItRuns } = await open()
    const client: PoolClient = await pool.connect()
    const nobody = 1
    client.port = nobody
    client.release()
    const caller = new AbortController()
    const running = nameOf(run(db, sql`select pg_sleep(3)`, caller.signal))
    await untilItRuns()
    caller.abort()
    // It has come to its end.
    expect(await running).toHaveLength(1)
    expect(await pidOf()).not.toBe(pid)
  })
})
