import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from './app.ts'
import { parseConfig } from './config.ts'
import { createContext } from './create-context.ts'
import { type DatabaseHandle, openDatabase } from './db/client.ts'
import { inTransaction } from './db/transaction.ts'
import { createId } from './ids.ts'
import { TEST_PASSWORD } from './testing/factories.ts'
import { useTestApp } from './testing/test-app.ts'

const OUTAGE_MS = process.env.TEST_LONG ? 30_000 : 2_000
const isPostgres = process.env.TEST_ENGINE === 'postgres'
const test = useTestApp()

/** Starts a proxy between the server and its database that can be cut. */
async function startWire(target: URL) {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const join = async () => {
    server = createServer((near) => {
      const far = new Socket().connect(Number(target.port || 5432), target.hostname)
      keep(near)
      keep(far)
      near.pipe(far).pipe(near)
      // A pipe passes on an end, but no error: without this, a reset of one side would leave the other waiting for
      // ever.
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port // listening on TCP
  }
  const cut = async () => {
    const closed = server && once(server, 'close')
    server?.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
    server = undefined
  }
  /** Leaves the present connections open, and passes nothing on, as when a machine loses its power. */
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  await join()
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return { url: url.href, cut, silence, join }
}

describe.runIf(isPostgres)('the server when PostgreSQL is unavailable', () => {
  let wire: Awaited<ReturnType<typeof startWire>>
  let database: DatabaseHandle
  let app: FastifyInstance
  let dataDir: string
  let token: string
  /** A connection outside the pool, for what an administrator does. */
  let admin: Client
  const name = () => new URL(test.database.databaseUrl ?? '').pathname.slice(1)

  async function open(databaseUrl: string, poolSize = 3) {
    database = await openDatabase({ databaseUrl, dataDir, poolSize })
    const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const context = await createContext(config, database)
    app = await createApp({ context, logger: pino({ level: 'silent' }) })
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'podkeeper-outage-'))
    const serverUrl = process.env.TEST_DATABASE_URL ?? ''
    wire = await startWire(new URL(test.database.databaseUrl ?? ''))
    admin = new Client({ connectionString: serverUrl })
    await admin.connect()
    await open(wire.url)
  })
  beforeEach(async () => {
    token = (await test.signIn()).token
    // The session expires by the tests' clock, but this server uses the real time.
    await test.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() + 3_600_000) })
      .execute()
    await vi.waitUntil(async () => (await ready()) === 200, { timeout: 20_000 })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await wire.cut()
    await admin.end()
    await rm(dataDir, { recursive: true })
  })

  const request = (method: 'GET' | 'POST', url: string, payload?: InjectOptions['payload']) =>
    app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) })
  const ready = async () => (await app.inject('/readyz')).statusCode
  const endSessions = () =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])

  const location = {
    name: 'Dock',
    Street: '1 Quay',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    country_code: 'ZA',
  }

  async function expectAway() {
    const requests = [
      request('GET', '/api/location/details?page=1'),
      request('GET', '/api/location/details'),
      request('POST', '/api/location/create', location),
      request('GET', '/api/exports/features'),
      app.inject({
        method: 'POST',
        url: '/api/user/login',
        payload: { email: 'here@example.com', password: TEST_PASSWORD },
      }),
    ]
    for (const response of await Promise.all(requests)) {
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('3')
      expect(response.json()).toMatchObject({
        code: 'unavailable',
        message: 'The database cannot be reached at the moment. Try again in a moment.',
      })
    }
    await expect.poll(ready, { timeout: 20_000 }).toBe(503)
    const readiness = await app.inject('/readyz')
    expect(readiness.headers['retry-after']).toBe('5')
    expect((await app.inject({ method: 'HEAD', url: '/readyz' })).statusCode).toBe(503)
    expect(readiness.json()).toEqual({ status: 'unavailable', message: 'The database does not answer.' })
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  }

  it('returns 503 while connections are refused, and recovers by itself', async () => {
    await wire.cut()
    await expectAway()
    await wire.join()
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  })

  it(
    'loses no change that is saved during an outage: clients get a 503, and their retries succeed once',
    {
      timeout: OUTAGE_MS + 60_000,
    },
    async () => {
      const acknowledged: string[] = []
      const refused = new Set<string>()
      const progress = { isOver: false }
      const others: string[] = []
      const save = async (name: string): Promise<void> => {
        const key = createId()
        for (;;) {
          const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key }
          const response = await app.inject({
            method: 'POST',
            url: '/api/location/create',
            headers,
            payload: { ...location, name },
          })
          if (response.statusCode === 201) {
            acknowledged.push(name)
            return
          }
          if (response.statusCode === 503) refused.add(response.json().message)
          else others.push(`${response.statusCode} ${response.body}`)
          await pause(100)
        }
      }
      const client = async (number: number) => {
        for (let n = 0; !progress.isOver; n++) await save(`Outage ${number} ${n}`)
      }
      const clients = [1, 2, 3].map(client)
      await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(5)
      await wire.cut()
      await pause(OUTAGE_MS)
      await wire.join()
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 5)
      progress.isOver = true
      await Promise.all(clients)
      expect(others).toEqual([])
      expect([...refused]).toEqual(['The database cannot be reached at the moment. Try again in a moment.'])
      const rows = await test.db.selectFrom('locations').select('name').where('name', 'like', 'Outage%').execute()
      expect(rows.map(({ name }) => name).sort()).toEqual(acknowledged.sort())
      if (process.env.TEST_LONG)
        process.stdout.write(`${acknowledged.length} saved around an outage, none lost or doubled\n`)
    },
  )

  it.each([
    ['the database', false],
    ['a pooler', true],
  ])('gives up connections to %s on which nothing is answered any more, and opens others', async (_, isPooler) => {
    const ownWire = await startWire(new URL(test.database.databaseUrl ?? ''))
    const { url: databaseUrl } = ownWire
    const direct = isPooler ? { directUrl: databaseUrl } : {}
    if (isPooler) await admin.query(`alter database "${name()}" set timezone = 'UTC'`) // which it leaves to the role
    const silent = await openDatabase({ databaseUrl, dataDir, poolSize: 2, answerMs: 1_000, ...direct })
    const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const other = await createApp({ context: await createContext(config, silent), logger: pino({ level: 'silent' }) })
    try {
      const save = () =>
        other.inject({
          method: 'POST',
          url: '/api/location/create',
          headers: { authorization: `Bearer ${token}` },
          payload: location,
        })
      expect((await Promise.all([save(), save()])).map(({ statusCode }) => statusCode)).toEqual([201, 201])
      ownWire.silence()
      const asked = performance.now()
      const refused = await save()
      expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
      await expect.poll(async () => (await save()).statusCode, { timeout: 10_000 }).toBe(201)
      expect(performance.now() - asked).toBeLessThan(10_000)
      // Nothing may end what takes long on purpose.
      await silent.db.connection().execute(async (db) => {
        await sql`set statement_timeout = 0`.execute(db)
        await sql`select pg_sleep(1.5)`.execute(db)
        await sql`reset statement_timeout`.execute(db)
        await expect(sql`select pg_sleep(1.5)`.execute(db)).rejects.toThrow('Query read timeout')
      })
      await inTransaction(silent.db, async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx)
        await sql`select pg_sleep(1.5)`.execute(tx)
      })
      await expect(inTransaction(silent.db, (tx) => sql`select pg_sleep(1.5)`.execute(tx))).rejects.toThrow()
    } finally {
      await other.close()
      await silent.close()
      await ownWire.cut()
    }
  })

  it('returns 503 while the database allows no connections, and recovers by itself', async () => {
    // Refuses new connections, then ends the existing ones, including those of the tests' own pool.
    await admin.query(`alter database "${name()}" with allow_connections false`)
    try {
      await endSessions()
      await expectAway()
    } finally {
      await admin.query(`alter database "${name()}" with allow_connections true`)
    }
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  })

  it('responds to every request while connections are terminated again and again', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 30; round++) {
      const requests = [1, 2, 3].flatMap(() => [
        request('GET', '/api/location/details?page=1'),
        request('GET', '/api/location/details'),
        request('POST', '/api/location/create', location),
      ])
      await endSessions()
      await endSessions()
      for (const { statusCode } of await Promise.all(requests)) statuses.add(statusCode)
    }
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  })

  it('still reads while the database is read-only, and refuses changes with 503', async () => {
    await admin.query(`alter database "${name()}" set default_transaction_read_only = on`)
    try {
      await endSessions()
      await expect.poll(ready, { timeout: 20_000 }).toBe(503)
      expect((await app.inject('/readyz')).json().message).toBe('The database cannot be written: it is read-only.')
      const response = await request('POST', '/api/location/create', location)
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '60'])
      expect(response.json()).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('the database is read-only'),
      })
      expect((await request('GET', '/api/location/details?page=1')).statusCode).toBe(200)
    } finally {
      await admin.query(`alter database "${name()}" reset default_transaction_read_only`)
      await endSessions()
    }
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
    expect((await request('POST', '/api/location/create', location)).statusCode).toBe(201)
  })

  it('returns 503 while the database has too many connections', async () => {
    const role = `limited_${createId().replaceAll('-', '')}`
    await admin.query(`create role ${role} login connection limit 3 password 'limited'`)
    const own = new Client({ connectionString: test.database.databaseUrl })
    await own.connect()
    await own.query(`grant all on all tables in schema public to ${role}`)
    const url = new URL(test.database.databaseUrl ?? '')
    url.username = role
    url.password = 'limited'
    const limited = await openDatabase({ databaseUrl: url.href, dataDir, poolSize: 6 })
    const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const other = await createApp({ context: await createContext(config, limited), logger: pino({ level: 'silent' }) })
    try {
      const held = [await limited.pool.connect(), await limited.pool.connect(), await limited.pool.connect()]
      const request = { url: '/api/location/details?page=1', headers: { authorization: `Bearer ${token}` } }
      const refused = await other.inject(request)
      expect([refused.statusCode, refused.json().code]).toEqual([503, 'overloaded'])
      for (const client of held) client.release()
      expect((await other.inject(request)).statusCode).toBe(200)
    } finally {
      await other.close()
      await limited.close()
      await own.query(`drop owned by ${role}`)
      await own.end()
      await admin.query(`drop role ${role}`)
    }
  })

  it('names the unreachable database at the start, without the password', async () => {
    const url = new URL(wire.url)
    url.password = 'our-password'
    await wire.cut()
    try {
      const attempt = openDatabase({ databaseUrl: url.href, dataDir })
      await expect(attempt).rejects.toThrow(
        `The database ${url.host}/${name()} cannot be reached: connect ECONNREFUSED`,
      )
      await expect(attempt).rejects.not.toThrow('our-password')
    } finally {
      await wire.join()
    }
  })
})
