import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { type DatabaseHandle, openDatabase } from './db/client.ts'
import { buildModule } from './db/embedded/build-worker.ts'
import { buildPod } from './testing/factories.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './testing/postgres-databases.ts'
import {
  buildServerProcess,
  killProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './testing/server-process.ts'

/** The last commit that was released, whose servers keep running while servers of this one replace them. */
const LAST_RELEASE = '30041e36e650d58feb330041038eec2ec1802c76'
const isKnown = spawnSync('git', ['cat-file', '-e', `${LAST_RELEASE}^{commit}`]).status === 0
const name = `podkeeper_test_rolling_${process.pid}`
const admin = { email: 'lerato@example.com', password: 'harbour lamp 2026 x' }
const DAY = '2040-01-02'
/** Two releases have to be built and started, on a machine that may be busy. */
const LONGEST_MS = 180_000

/** Skipped in a copy of the sources without history, which has no earlier release. */
describe.runIf(process.env.TEST_ENGINE === 'postgres' && isKnown)('a release with migrations', () => {
  let folder: string
  let database: DatabaseHandle
  let former: ServerProcess
  let next: ServerProcess
  let podId: string
  let token: string

  const settings = () => ({
    DATABASE_URL: toDatabaseUrl(name),
    DATA_DIR: folder,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-rolling-'))
    await createDatabase(name)
    former = startServerProcess(settings(), await buildLastRelease(folder))
    await waitUntilReady(former)
    token = await signIn(former)
    await buildServerProcess()
    next = startServerProcess(settings())
    await waitUntilReady(next)
    database = await openDatabase({ databaseUrl: toDatabaseUrl(name), dataDir: folder })
    podId = (await buildPod(database.db)).id
  }, LONGEST_MS)
  afterAll(async () => {
    for (const server of [former, next]) await killProcess(server?.child)
    await database?.close()
    await dropDatabase(name)
    await rm(folder, { recursive: true, force: true })
  })

  async function send(server: ServerProcess, method: string, path: string, body?: object, headers: object = {}) {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as Response) : undefined
    const undoId = response.headers.get('x-undo-id') ?? ''
    return { status: response.status, text, body: json, etag: response.headers.get('etag') ?? '', undoId }
  }
  type Response = { _id?: string; version?: number; booking?: { _id: string } }

  async function signIn(server: ServerProcess): Promise<string> {
    const response = await fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { token: string }).token
  }

  const book = (server: ServerProcess, hour: string, key = randomUUID()) => {
    const [startTime, endTime] = [`${DAY}T${hour}:00:00.000Z`, `${DAY}T${hour}:30:00.000Z`]
    const body = { bookingPurpose: 'work', bookingDate: DAY, startTime, endTime }
    return send(server, 'POST', `/user/create-booking/${podId}`, body, { 'idempotency-key': key })
  }

  it('lets servers of both releases write, each seeing the changes of the other', { timeout: LONGEST_MS }, async () => {
    const key = randomUUID()
    const booked = await book(former, '09', key)
    expect(booked.status, booked.text).toBe(201)
    // Sent again to the other server, as the portal does when a connection breaks.
    const again = await book(next, '09', key)
    expect([again.status, again.body?.booking?._id]).toEqual([201, booked.body?.booking?._id])
    expect((await book(next, '10')).status).toBe(201)
    expect((await book(former, '10')).status).toBe(409)

    for (const [server, other, hour] of [
      [former, next, '12'],
      [next, former, '14'],
    ] as const) {
      const feature = await send(server, 'POST', '/location/create-features', { name: 'Desk', icon: 'desk', order: -1 })
      expect(feature.status, feature.text).toBe(201)
      const { _id, version = 1 } = feature.body ?? {}
      const edit = await send(
        server,
        'PUT',
        `/location/edit-feature/${_id}`,
        { name: 'Tall desk', icon: 'desk' },
        {
          'if-match': String(version),
        },
      )
      expect(edit.status, edit.text).toBe(200)
      expect((await send(server, 'PUT', `/product/block-pods/${podId}`)).status).toBe(200)
      expect((await send(server, 'PUT', `/product/unblock-pods/${podId}`)).status).toBe(200)
      const cancelled = await send(
        server,
        'PUT',
        `/user/cancel-booking/${(await book(server, hour)).body?.booking?._id}`,
      )
      expect(cancelled.status, cancelled.text).toBe(200)
      const undo = routes.audit.undo.path.replace(':id', cancelled.undoId)
      const undone = await send(server, 'POST', undo)
      expect(undone.status, undone.text).toBe(200)
      expect((await send(other, 'POST', undo)).status).toBe(409)
      const staff = {
        firstname: 'Zola',
        lastname: 'Adams',
        email: `${randomUUID()}@example.com`,
        phoneNumber: '',
        role: '',
      }
      const added = await send(server, 'POST', '/user/register-staff', { ...staff, auth_page: ['6'] })
      expect(added.status, added.text).toBe(201)
    }
    expect(former.readOutput()).not.toContain('"level":50')
  })

  it(
    'lets servers of the last release still read every list and file, with the same number of rows as the new one',
    {
      timeout: LONGEST_MS,
    },
    async () => {
      const all: Route[] = Object.values(routes).flatMap((group) => Object.values(group))
      const paths = all.filter(
        ({ method, path }) => method === 'GET' && !path.includes(':') && path !== routes.live.stream.path,
      )
      const countRows = ({ body }: { body: unknown }) => (Array.isArray(body) ? body.length : 0)
      for (const { path } of paths) {
        const answer = await send(former, 'GET', path)
        expect(answer.status, `${path} ${answer.text}`).toBeLessThan(500)
        // A list that the last release does not have yet is a 404.
        if (answer.status === 404) continue
        expect(countRows(await send(next, 'GET', path)), path).toBe(countRows(answer))
      }
      expect(countRows(await send(former, 'GET', routes.bookings.list.path))).toBeGreaterThan(0)
      expect(former.readOutput()).not.toContain('"level":50')
    },
  )

  it('lets servers of the last release accept sessions of the new one', async () => {
    token = await signIn(next)
    expect((await send(former, 'GET', routes.pods.list.path)).status).toBe(200)
  })
})

/** Bundles the last release with the packages of this one, which include all that it needs. */
async function buildLastRelease(folder: string): Promise<URL> {
  const sources = join(folder, 'sources')
  await mkdir(sources)
  const archive = execFileSync('git', ['archive', LAST_RELEASE, 'server', 'contract', 'package.json'], {
    maxBuffer: 512 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', sources], { input: archive })
  const built = new URL('../node_modules/.cache/podkeeper/last-release/main.js', import.meta.url)
  await buildModule(pathToFileURL(join(sources, 'server', 'main.ts')), built)
  return built
}
