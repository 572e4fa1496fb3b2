import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openDatabase } from './db/client.ts'
import { buildPod } from './testing/factories.ts'
import { listenLive } from './testing/live-client.ts'
import { createDatabase, dropDatabase, runStatement, toDatabaseUrl } from './testing/postgres-databases.ts'
import {
  buildServerProcess,
  findFreePort,
  killProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './testing/server-process.ts'

const isMissing = spawnSync('pgbouncer', ['--version']).error !== undefined
const name = `podkeeper_test_pooler_${process.pid}`
const emptyName = `${name}_empty`
const admin = { email: 'lerato@example.com', password: 'harbour lamp 2026 x' }
const CLIENTS = 20
/** Fewer than the clients and than the connections of the server, so that each transaction may be on another one. */
const POOLER_CONNECTIONS = 3
const LONGEST_MS = 120_000

/** pgbouncer assigns a connection per transaction, so nothing may rely on the state of a session. */
describe.runIf(process.env.TEST_ENGINE === 'postgres' && (!isMissing || process.env.CI === 'true'))(
  'a server behind pgbouncer in transaction mode',
  () => {
    let folder: string
    let pooler: ChildProcess
    let toPoolerUrl: (database: string) => string
    let server: ServerProcess | undefined
    let podId: string

    beforeAll(async () => {
      await buildServerProcess()
      folder = await mkdtemp(join(tmpdir(), 'podkeeper-pooler-'))
      // Readable for others, because pgbouncer runs as another user.
      await chmod(folder, 0o755)
      await createDatabase(name, inject('databaseTemplate'))
      const database = await openDatabase({ databaseUrl: toDatabaseUrl(name), dataDir: folder })
      podId = (await buildPod(database.db)).id
      await database.close()
      const port = await findFreePort()
      toPoolerUrl = (database) => `postgres://postgres@127.0.0.1:${port}/${database}`
      pooler = await startPooler(folder, port)
    }, LONGEST_MS)
    afterAll(async () => {
      await killProcess(server?.child)
      await killProcess(pooler)
      await dropDatabase(name)
      await dropDatabase(emptyName)
      await rm(folder, { recursive: true, force: true })
    })

    const start = (database = name) =>
      startServerProcess({
        DATABASE_URL: toPoolerUrl(database),
        DATABASE_DIRECT_URL: toDatabaseUrl(database),
        DATA_DIR: folder,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
      })

    it.each([
      ['timezone', 'Asia/Tokyo', 'UTC'],
      ['default_transaction_isolation', 'repeatable read', 'read committed'],
    ])(
      'refuses to start while the database has the %s %s, and says how to fix it',
      {
        timeout: LONGEST_MS,
      },
      async (setting, wrong, right) => {
        await runStatement(`alter database "${name}" set ${setting} = '${wrong}'`)
        server = start()
        expect(await server.ended).toBe(1)
        expect(server.readOutput()).toContain(`alter role … set ${setting} = '${right}'`)
        await runStatement(`alter database "${name}" set ${setting} = '${right}'`)
        // Connections that the pooler holds keep the settings that they began with.
        await killProcess(pooler)
        pooler = await startPooler(folder, Number(new URL(toPoolerUrl(name)).port))
      },
    )

    it('refuses to start when DATABASE_DIRECT_URL leads to another database', { timeout: LONGEST_MS }, async () => {
      await runStatement(`alter database "${name}" set timezone = 'UTC'`)
      server = startServerProcess({
        DATABASE_URL: toPoolerUrl(name),
        DATABASE_DIRECT_URL: toDatabaseUrl('postgres'),
        DATA_DIR: folder,
      })
      const outcome = await waitUntilReady(server).then(() => 'ready', String)
      expect(outcome).toContain('DATABASE_DIRECT_URL leads to another database than DATABASE_URL')
    })

    it('migrates without changing the sessions that the pooler keeps', { timeout: LONGEST_MS }, async () => {
      await createDatabase(emptyName)
      await runStatement(`alter database "${emptyName}" set timezone = 'UTC'`)
      await runStatement(`alter database "${emptyName}" set statement_timeout = '30s'`)
      // Each on a connection of its own, because all of them are in a transaction at once.
      const readTimeouts = async () => {
        const clients = Array.from(
          { length: POOLER_CONNECTIONS },
          () => new Client({ connectionString: toPoolerUrl(emptyName) }),
        )
        await Promise.all(clients.map((client) => client.connect()))
        await Promise.all(clients.map((client) => client.query('begin')))
        const results = await Promise.all(clients.map((client) => client.query('show statement_timeout')))
        await Promise.all(clients.map((client) => client.query('commit')))
        await Promise.all(clients.map((client) => client.end()))
        return results.map(({ rows }) => rows[0].statement_timeout)
      }
      const before = await readTimeouts()
      server = start(emptyName)
      await waitUntilReady(server)
      expect(server.readOutput()).toContain('database migrated')
      await killProcess(server.child)
      expect(await readTimeouts()).toEqual(before)
      expect(new Set(before)).toEqual(new Set(['30s']))
    })

    it('books, reads, searches, exports and notifies open screens', { timeout: LONGEST_MS }, async () => {
      server = start()
      await waitUntilReady(server)
      const { url } = server
      const signIn = () =>
        fetch(`${url}/api/user/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(admin),
        })
      // On a busy machine a server that has just started may say that it is overloaded.
      const signedIn = await vi.waitUntil(
        async () => {
          const response = await signIn()
          return response.status === 503 ? undefined : response
        },
        { timeout: 30_000, interval: 500 },
      )
      expect(signedIn.status, (await signedIn.clone().text()) + server.readOutput()).toBe(200)
      const { token } = (await signedIn.json()) as { token: string }
      // More sign-ins than the pooler has connections: a statement prepared on one is unknown on another.
      const others = await Promise.all(Array.from({ length: POOLER_CONNECTIONS * 2 }, signIn))
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const listener = await listenLive(url, token)
      const book = async (place: number) => {
        const toTime = (quarter: number) => new Date(Date.UTC(2040, 0, 1, 6) + quarter * 900_000).toISOString()
        const response = await fetch(`${url}/api/user/create-booking/${podId}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({
            bookingPurpose: 'work',
            bookingDate: '2040-01-01',
            startTime: toTime(place),
            endTime: toTime(place + 1),
          }),
        })
        return response.status
      }
      // Each time is requested twice, and one of the two requests gets it.
      const places = Array.from({ length: CLIENTS * 2 }, (_, index) => Math.floor(index / 2))
      const statuses = await Promise.all(places.map(book))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(CLIENTS).fill(201),
        ...Array<number>(CLIENTS).fill(409),
      ])
      await listener.waitFor(() =>
        expect(listener.list('changes').flat()).toContainEqual(expect.objectContaining({ entity: 'booking' })),
      )
      listener.leave()
      const get = (path: string) => fetch(`${url}/api${path}`, { headers })
      const paths = [`${routes.bookings.list.path}?search=work`, routes.pods.list.path, routes.features.list.path]
      const reads = await Promise.all(Array.from({ length: 30 }, (_, index) => get(paths[index % paths.length] ?? '')))
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
      const csv = await get(routes.bookings.export.path)
      expect((await csv.text()).trim().split('\n')).toHaveLength(CLIENTS + 1)
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
    })
  },
)

async function startPooler(folder: string, port: number): Promise<ChildProcess> {
  const { hostname, port: databasePort, username } = new URL(toDatabaseUrl(name))
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${databasePort || 5432} user=${username || 'postgres'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOLER_CONNECTIONS}
server_round_robin = 1
`,
  )
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('pgbouncer', ['-q', ...asOther, file], { stdio: 'inherit' })
  await vi.waitUntil(() => isListening(port), { timeout: 20_000 })
  return pooler
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
