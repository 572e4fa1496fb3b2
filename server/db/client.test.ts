import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type DatabaseHandle, type Db, type Engine, openDatabase } from './client.ts'
import { hasPostgres, type TestDatabase, testEngines } from './test-databases.ts'

async function first<T>(db: Db, query: ReturnType<typeof sql<T>>): Promise<T> {
  const { rows } = await query.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  return row
}

function requireEngine(engine: Engine): (typeof testEngines)[number] {
  const found = testEngines.find((it) => it.engine === engine)
  if (found === undefined) throw new Error(`No ${engine} to test on`)
  return found
}

const addThousand = (db: Db, n: number) => first(db, sql<{ n: number }>`select ${n}::int + 1000 as n`)

describe.each(testEngines)('the database client on $engine', ({ engine, create }) => {
  let database: TestDatabase
  let handle: DatabaseHandle
  let db: Db

  beforeAll(async () => {
    database = await create()
    handle = database.handle
    db = handle.db
  })
  afterAll(() => database.remove())

  it('names its engine', () => {
    expect(handle.engine).toBe(engine)
  })

  it('uses ISO dates in UTC', async () => {
    const settings = await first(
      db,
      sql<{ zone: string; style: string }>`
        select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
    )
    expect(settings.zone).toBe('UTC')
    expect(settings.style).toMatch(/^ISO/)
  })

  it('reads every type of value back as it was written', async () => {
    await sql`create table kept (
      instant timestamptz, plain timestamp, day date, amount numeric(12,2), big int8, small int2, ratio float8,
      document jsonb, tags text[], days date[], amounts numeric[], bigs int8[], bytes bytea, words text, id uuid, flag boolean)`.execute(
      db,
    )
    const instant = new Date('2026-11-21T09:15:30.123Z')
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const words = 'Zoë’s “pod” — 会議室 🛋️ \\ \' " \n\t; drop table kept'
    const document = { title: words, nested: [1, 2.5, null, { deep: true }] }
    const tags = ['Cape Town', 'a,b', '{braces}', 'quo"te', words, '', 'NULL']
    const id = '0192f0c1-2345-7abc-8def-0123456789ab'
    await sql`insert into kept values (
      ${instant}, ${'2026-11-21 09:15:30.123'}, ${'2026-02-28'}, ${'1234567890.10'}, ${Number.MAX_SAFE_INTEGER}, ${9}, ${0.1},
      ${document}, ${tags}, ${['2026-01-01', null]}, ${['0.10', '1e3']}, ${[1, null, 3]}, ${bytes}, ${words}, ${id}, ${true})`.execute(
      db,
    )
    expect(await first(db, sql`select * from kept`)).toEqual({
      instant,
      plain: instant,
      day: '2026-02-28',
      amount: '1234567890.10',
      big: Number.MAX_SAFE_INTEGER,
      small: 9,
      ratio: 0.1,
      document,
      tags,
      days: ['2026-01-01', null],
      amounts: ['0.10', '1000'],
      bigs: [1, null, 3],
      bytes,
      words,
      id,
      flag: true,
    })
    const counted = await first(db, sql<{ count: number }>`select count(*) from kept where words = ${words}`)
    expect(counted.count).toBe(1)
  })

  it('keeps dates unchanged in any time zone of the server', async () => {
    const zone = process.env.TZ
    try {
      for (const TZ of ['Pacific/Auckland', 'America/Los_Angeles']) {
        process.env.TZ = TZ
        const row = await first(
          db,
          sql<{ day: string; instant: Date }>`
            select ${'2026-03-01'}::date as day, ${new Date('2026-03-01T00:00:00Z')}::timestamptz as instant`,
        )
        expect(row).toEqual({ day: '2026-03-01', instant: new Date('2026-03-01T00:00:00Z') })
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })

  it('refuses an int8 that is too large for a number, and keeps working', async () => {
    await expect(sql`select 9007199254740993::int8`.execute(db)).rejects.toThrow('too large for a number')
    await expect(sql`select ${'9007199254740993'}::int8`.execute(db)).rejects.toThrow('too large for a number')
    await sql`select 1`.execute(db)
  })

  it('handles a large text and a long result', async () => {
    const text = 'ä'.repeat(3_000_000)
    const echoed = await first(db, sql<{ text: string }>`select ${text}::text as text`)
    expect(echoed.text === text).toBe(true)
    const { rows } = await sql<{ g: number }>`select g, repeat('x', 100) from generate_series(1, 20000) g`.execute(db)
    expect(rows).toHaveLength(20_000)
    expect(rows.at(-1)?.g).toBe(20_000)
  })

  it('keeps working after an error', async () => {
    await sql`create table poisoned (id int primary key)`.execute(db)
    await sql`insert into poisoned values (1)`.execute(db)
    const failures = [
      sql`insert into poisoned values (1)`,
      sql`insert into poisoned values (${1})`,
      sql`selec 1`,
      sql`selec ${1}`,
      sql`select * from missing where id = ${1}`,
      sql`select 1/0`,
      sql`select ${'not a number'}::int`,
    ]
    for (const failure of failures) {
      await expect(failure.execute(db)).rejects.toHaveProperty('code')
      expect((await first(db, sql<{ count: number }>`select count(*) from poisoned where id = ${1}`)).count).toBe(1)
    }
    await expect(handle.pool.query('select 1/0')).rejects.toHaveProperty('code', '22012')
    expect((await first(db, sql<{ n: number }>`select ${5}::int as n`)).n).toBe(5)
  })

  it('rolls back a transaction that a client left open or aborted', async () => {
    for (const [statement, code] of [['select 1', undefined] as const, ['select 1/0', '22012'] as const]) {
      const client = await handle.pool.connect()
      await client.query('begin')
      await client.query('create table forgotten (id int)')
      const outcome = await client.query(statement).then(
        () => undefined,
        (error: { code: string }) => error.code,
      )
      expect(outcome).toBe(code)
      client.release(true)
      const row = await first(db, sql<{ name: string | null }>`select to_regclass('forgotten')::text as name`)
      expect(row.name).toBeNull()
    }
  })

  it('prepares statements again on the connection that replaces a dropped one', async () => {
    expect((await addThousand(db, 1)).n).toBe(1001)
    await expect(handle.pool.query('select 1/0')).rejects.toThrow('division')
    expect((await addThousand(db, 2)).n).toBe(1002)
  })

  it('returns the right result to each of many concurrent queries', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => first(db, sql<{ n: number }>`select ${n}::int as n`)),
    )
    expect(answers.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  })

  it('checkpoints, vacuums and analyses on request', async () => {
    await handle.maintain('checkpoint')
    await handle.maintain('vacuum')
    const { rows } = await sql<{ analysed: boolean }>`
      select reltuples >= 0 as analysed from pg_class where relname = 'kept'`.execute(db)
    expect(rows).toEqual([{ analysed: true }])
  })

  it('has the extension that the schema needs', async () => {
    await sql`create extension if not exists pg_trgm`.execute(db)
    const row = await first(db, sql<{ close: number }>`select similarity('meeting', 'meetin') as close`)
    expect(row.close).toBeGreaterThan(0.5)
  })
})

describe.runIf(hasPostgres)('a connection to PostgreSQL', () => {
  it('fails only its own query when it breaks, and is replaced for the next one', async () => {
    const { handle, remove } = await requireEngine('postgres').create()
    onTestFinished(remove)
    const backend = await first(handle.db, sql<{ pid: number }>`select pg_backend_pid() as pid`)
    const broken = sql`select pg_sleep(10), ${backend.pid}::int`.execute(handle.db)
    const [outcome] = await Promise.allSettled([
      broken,
      sql`select pg_terminate_backend(${backend.pid})`.execute(handle.db),
    ])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '57P01' } })
    await sql`select 1`.execute(handle.db)
  })

  it('is logged briefly when it breaks while idle', async () => {
    const { databaseUrl, remove } = await requireEngine('postgres').create()
    const logged: object[] = []
    const note = (details: object) => void logged.push(details)
    const handle = await openDatabase({
      databaseUrl,
      dataDir: '/tmp',
      log: { info: note, warn: note, error: note },
    })
    onTestFinished(async () => {
      await handle.close()
      await remove()
    })
    const backend = await first(handle.db, sql<{ pid: number }>`select pg_backend_pid() as pid`)
    const other = await requireEngine('postgres').create()
    onTestFinished(other.remove)
    await sql`select pg_terminate_backend(${backend.pid})`.execute(other.handle.db)
    await expect.poll(() => logged.length).toBeGreaterThanOrEqual(2)
    for (const details of logged)
      expect(details).toMatchObject({ err: expect.not.objectContaining({ client: expect.anything() }) })
  })

  it('sees in each statement what was committed before it, whatever the role or the database says', async () => {
    const { handle, databaseUrl, remove } = await requireEngine('postgres').create()
    const name = sql.id(new URL(databaseUrl ?? '').pathname.slice(1))
    await sql`alter database ${name} set default_transaction_isolation = 'serializable'`.execute(handle.db)
    await sql`alter database ${name} set standard_conforming_strings = off`.execute(handle.db)
    const later = await openDatabase({ databaseUrl, dataDir: '/tmp' })
    onTestFinished(async () => {
      await later.close()
      await remove()
    })
    const settings = await first(
      later.db,
      sql`select current_setting('transaction_isolation') as isolation, '\\d' as pattern`,
    )
    expect(settings).toEqual({ isolation: 'read committed', pattern: '\\d' })
  })

  it('has these settings beside those of the URL', async () => {
    const { databaseUrl, remove } = await requireEngine('postgres').create()
    const url = new URL(databaseUrl ?? '')
    url.searchParams.set('options', '-c search_path=pg_temp,public')
    const handle = await openDatabase({ databaseUrl: url.href, dataDir: '/tmp' })
    onTestFinished(async () => {
      await handle.close()
      await remove()
    })
    const settings = await first(
      handle.db,
      sql`select current_setting('search_path') as path, current_setting('TimeZone') as zone, current_setting('jit') as jit`,
    )
    expect(settings).toEqual({ path: 'pg_temp,public', zone: 'UTC', jit: 'off' })
  })

  it.each([
    [3_600_000, [{ seconds: 3600 }]],
    [-3_600_000, [{ seconds: -3600 }]],
    [10_000, []],
  ])('warns of a clock that is not that of the database: %s ms ahead', async (aheadMs, expected) => {
    const { databaseUrl, remove } = await requireEngine('postgres').create()
    const warned: object[] = []
    const log = { info: () => undefined, warn: (details: object) => void warned.push(details), error: () => undefined }
    const now = Date.now.bind(Date)
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs)
    const handle = await openDatabase({ databaseUrl, dataDir: '/tmp', log }).finally(() => clock.mockRestore())
    onTestFinished(async () => {
      await handle.close()
      await remove()
    })
    expect(warned).toEqual(expected)
  })

  it('fails with the reason when the database has another encoding than UTF8', async () => {
    const { handle, databaseUrl, remove } = await requireEngine('postgres').create()
    const url = new URL(databaseUrl ?? '')
    url.pathname += '_latin1'
    const name = sql.id(url.pathname.slice(1))
    await sql`create database ${name} encoding 'LATIN1' locale 'C' template template0`.execute(handle.db)
    onTestFinished(async () => {
      await sql`drop database ${name} with (force)`.execute(handle.db)
      await remove()
    })
    await expect(openDatabase({ databaseUrl: url.href, dataDir: '/tmp' })).rejects.toThrow(
      `The database has the encoding LATIN1; Podkeeper needs UTF8: create database … encoding 'UTF8'`,
    )
  })

  it('fails with the reason when the database cannot be reached', async () => {
    const attempt = openDatabase({ databaseUrl: 'postgres://postgres@127.0.0.1:1/none', dataDir: '/tmp' })
    await expect(attempt).rejects.toThrow(
      'The database 127.0.0.1:1/none cannot be reached: connect ECONNREFUSED 127.0.0.1:1.',
    )
  })

  it.each([
    ['sslmode=verify-full', 'The server does not support SSL connections'],
    ['sslmode=verify-full&sslrootcert=/none.pem', "ENOENT: no such file or directory, open '/none.pem'"],
  ])('names the database when it cannot be reached because of %s', async (query, reason) => {
    const { databaseUrl = '', remove } = await requireEngine('postgres').create()
    onTestFinished(remove)
    const { host, pathname } = new URL(databaseUrl)
    await expect(openDatabase({ databaseUrl: `${databaseUrl}?${query}`, dataDir: '/tmp' })).rejects.toThrow(
      `The database ${host}${pathname} cannot be reached: ${reason}. See that PostgreSQL runs, and that DATABASE_URL is right.`,
    )
  })
})

describe.each(testEngines)('closing the database client on $engine', ({ create }) => {
  it('succeeds when requested twice, and refuses queries afterwards', async () => {
    const { handle, remove } = await create()
    onTestFinished(remove)
    const slow = sql<{ n: number }>`select count(*) as n from generate_series(1, 300000)`.execute(handle.db)
    await Promise.all([slow, sql`select 1`.execute(handle.db)])
    await Promise.all([handle.close(), handle.close()])
    await expect(sql`select 1`.execute(handle.db)).rejects.toThrow('driver has already been destroyed')
  })
})
