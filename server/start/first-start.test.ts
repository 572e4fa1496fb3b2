import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, dropDatabase, toDatabaseUrl } from '../testing/postgres-databases.ts'
import {
  buildServerProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from '../testing/server-process.ts'

/** PostgreSQL only: the embedded engine admits one process (main.test.ts tests that a second one does not start). */
describe.runIf(process.env.TEST_ENGINE === 'postgres')('two servers that start at once on an empty PostgreSQL', () => {
  const name = `podkeeper_first_start_${process.pid}`
  let folder: string
  const servers: ServerProcess[] = []

  beforeAll(buildServerProcess)
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-first-start-'))
    await createDatabase(name)
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.child.kill('SIGKILL')
      await server.ended
    }
    await dropDatabase(name)
    await rm(folder, { recursive: true, force: true })
  })

  const startBoth = async (env: Record<string, string>) => {
    const settings = { DATABASE_URL: toDatabaseUrl(name), DATA_DIR: folder, SECRET_KEY: 'a key of some length', ...env }
    servers.push(startServerProcess(settings), startServerProcess(settings))
    await Promise.all(servers.map(waitUntilReady))
    return servers
  }

  const read = async (query: string): Promise<Record<string, unknown>> => {
    const client = new pg.Client({ connectionString: toDatabaseUrl(name) })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(query)).rows[0] ?? {}
    } finally {
      await client.end()
    }
  }

  const signIn = (server: ServerProcess, email: string, password: string) =>
    fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })

  it(
    'both work, with one first staff member, whose password only one of them prints',
    {
      timeout: 120_000,
    },
    async () => {
      const both = await startBoth({})
      expect(await read('select count(*)::int as n from staff')).toEqual({ n: 1 })
      expect(await read('select count(*)::int as n from pricing')).toEqual({ n: 1 })
      expect(await read('select count(*)::int as n from secret_key_check')).toEqual({ n: 1 })
      const shown = both.flatMap((server) => [...server.readOutput().matchAll(/Email +(\S+)\n +Password +(\S+)/g)])
      expect(shown).toHaveLength(1)
      const [, email = '', password = ''] = shown[0] ?? []
      for (const server of both) expect((await signIn(server, email, password)).status).toBe(200)
    },
  )

  it('both work, with one set of demo data and images', { timeout: 300_000 }, async () => {
    const both = await startBoth({
      DEMO_DATA: 'on',
      ADMIN_EMAIL: 'a@example.com',
      ADMIN_PASSWORD: 'a password of ours',
    })
    expect(
      await read(`select (select count(*)::int from staff) as staff, (select count(*)::int from locations) as locations,
        (select count(*)::int from pods) as pods, (select count(*)::int from bookings) as bookings,
        (select count(*)::int from staff where email = 'a@example.com') as first`),
    ).toEqual({ staff: 6, locations: 8, pods: 24, bookings: 3600, first: 1 })
    for (const server of both) expect((await signIn(server, 'a@example.com', 'a password of ours')).status).toBe(200)
    const files = await readdir(join(folder, 'uploads'))
    expect(files.filter((file) => file.endsWith('.partial'))).toEqual([])
    const { n } = await read('select count(*)::int as n from images')
    expect(files).toHaveLength(2 * Number(n))
  })
})
