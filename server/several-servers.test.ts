import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from './db/client.ts'
import { toTokenHash } from './http/session.ts'
import { buildPod, buildStaff } from './testing/factories.ts'
import { listenLive } from './testing/live-client.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './testing/postgres-databases.ts'
import {
  buildServerProcess,
  findFreePort,
  killProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './testing/server-process.ts'

const isMissing = spawnSync('haproxy', ['-v']).error !== undefined
const name = `podkeeper_test_several_${process.pid}`
const token = randomBytes(32).toString('base64url')
const CLIENTS = 6
/** Quarters of an hour from 06:00 to 24:00. */
const QUARTERS_A_DAY = 72
/** Three servers have to be built, started and stopped, on a machine that may be busy. */
const LONGEST_MS = 180_000

/** Three servers behind HAProxy, which checks whether each is ready. The embedded engine admits only one process. */
describe.runIf(process.env.TEST_ENGINE === 'postgres' && (!isMissing || process.env.CI === 'true'))(
  'three servers on one database',
  () => {
    const servers: ServerProcess[] = []
    let folder: string
    let database: DatabaseHandle
    let proxy: ChildProcess
    let url: string
    let podId: string

    const start = (port: string) =>
      startServerProcess({ DATABASE_URL: toDatabaseUrl(name), DATA_DIR: folder, PORT: port, DRAIN_SECONDS: '2' })

    beforeAll(async () => {
      await buildServerProcess()
      folder = await mkdtemp(join(tmpdir(), 'podkeeper-several-'))
      await createDatabase(name, inject('databaseTemplate'))
      database = await openDatabase({ databaseUrl: toDatabaseUrl(name), dataDir: folder })
      podId = (await buildPod(database.db)).id
      const staff = await buildStaff(database.db)
      const expires_at = new Date(Date.now() + 3_600_000)
      await database.db
        .insertInto('sessions')
        .values({ token_hash: toTokenHash(token), staff_id: staff.id, expires_at })
        .execute()
      const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
      servers.push(...ports.map((port) => start(String(port))))
      await Promise.all(servers.map(waitUntilReady))
      const proxyPort = await findFreePort()
      url = `http://127.0.0.1:${proxyPort}`
      proxy = await startProxy(folder, proxyPort, ports)
      await vi.waitUntil(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok, { timeout: 20_000 })
    }, LONGEST_MS)
    afterAll(async () => {
      for (const child of [proxy, ...servers.map((server) => server.child)]) await killProcess(child)
      await database?.close()
      await dropDatabase(name)
      await rm(folder, { recursive: true, force: true })
    })

    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    let quarters = 0

    /** Books the quarter of an hour with this number, in the far future. */
    const book = (key: string, quarter: number) => {
      const day = Date.UTC(2040, 0, 1 + Math.floor(quarter / QUARTERS_A_DAY))
      const toTime = (place: number) => new Date(day + (360 + place * 15) * 60_000).toISOString()
      const place = quarter % QUARTERS_A_DAY
      return fetch(`${url}/api/user/create-booking/${podId}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify({
          bookingPurpose: 'work',
          bookingDate: new Date(day).toISOString().slice(0, 10),
          startTime: toTime(place),
          endTime: toTime(place + 1),
        }),
      })
    }
    const listBookings = () => fetch(`${url}/api/user/all-bookings`, { headers })

    /** Books and reads until told to stop, and repeats a lost request once with the same key, as the portal does. */
    function work() {
      const result = { booked: 0, retried: 0, refused: [] as string[] }
      const over = new AbortController()
      const send = async (request: () => Promise<Response>) => {
        if (await succeeds(request)) return
        result.retried += 1
        await pause(500)
        if (!(await succeeds(request))) result.refused.push('lost twice')
      }
      /** Returns false when the request was lost: there was no response, or only an error of the proxy. */
      const succeeds = async (request: () => Promise<Response>): Promise<boolean> => {
        const response = await request().catch(() => undefined)
        const text = await response?.text().catch(() => undefined)
        if (response === undefined || text === undefined || response.status > 500) return false
        if (!response.ok) result.refused.push(`${response.status} ${text}`)
        return true
      }
      const client = async () => {
        while (!over.signal.aborted) {
          const [key, quarter] = [randomUUID(), quarters]
          quarters += 1
          await send(() => book(key, quarter))
          result.booked += 1
          await send(listBookings)
        }
      }
      const clients = Array.from({ length: CLIENTS }, client)
      const stop = async () => {
        over.abort()
        await Promise.all(clients)
      }
      return { result, stop }
    }

    const countBookings = async () =>
      (await database.db.selectFrom('bookings').select('id').where('pod_id', '=', podId).execute()).length

    it('share sessions and data, and notify the listeners of all servers of a change', async () => {
      const listeners = await Promise.all(servers.map((server) => listenLive(server.url, token)))
      expect((await book(randomUUID(), quarters++)).status).toBeLessThan(300)
      for (const listener of listeners) {
        const heard = () =>
          expect(listener.list('changes').flat()).toContainEqual(expect.objectContaining({ entity: 'booking' }))
        await listener.waitFor(heard)
        listener.leave()
      }
    })

    it('lose no request when they are restarted one after the other', { timeout: LONGEST_MS }, async () => {
      const before = await countBookings()
      const { stop, result } = work()
      for (const [index, server] of servers.entries()) {
        server.child.kill('SIGTERM')
        expect(await server.ended).toBe(0)
        const next = start(new URL(server.url).port)
        servers[index] = next
        await waitUntilReady(next)
        await vi.waitFor(() => expect(next.readOutput()).toContain('create-booking'), { timeout: 20_000 })
      }
      await stop()
      expect(result).toEqual({ booked: result.booked, retried: 0, refused: [] })
      expect(await countBookings()).toBe(before + result.booked)
    })

    it('lose nothing when one is killed: a single retry succeeds, and nothing is booked twice', async () => {
      const before = await countBookings()
      const { stop, result } = work()
      const waitForBookings = (count: number) =>
        vi.waitFor(() => expect(result.booked).toBeGreaterThan(count), { timeout: 20_000 })
      await waitForBookings(30)
      await killProcess(servers[0]?.child)
      await waitForBookings(result.booked + 60)
      await stop()
      expect(result.refused).toEqual([])
      expect(await countBookings()).toBe(before + result.booked)
    })
  },
)

async function startProxy(folder: string, port: number, ports: number[]): Promise<ChildProcess> {
  const lines = ports.map((each, index) => `  server s${index} 127.0.0.1:${each} check inter 100ms fall 1 rise 1`)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option redispatch
frontend all
  bind 127.0.0.1:${port}
  default_backend podkeeper
backend podkeeper
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
${lines.join('\n')}
`,
  )
  return spawn('haproxy', ['-q', '-db', '-f', file], { stdio: 'inherit' })
}
