import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#server/db/client.ts'
import { type Acknowledged, killWhileWriting } from '#server/db/embedded/kill-while-writing.ts'
import { toTokenHash } from '#server/http/session.ts'
import { buildStaff } from '#server/testing/factories.ts'
import {
  buildServerProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from '#server/testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts'

const KILLS = process.env.TEST_LONG ? 30 : 3
const CLIENTS = 4

const token = randomBytes(32).toString('base64url')
let database: TestDatabase
let lastServer: ServerProcess | undefined

beforeAll(async () => {
  await buildServerProcess()
  database = await openTestDatabase()
  const staff_id = (await buildStaff(database.db)).id
  const expires_at = new Date(Date.now() + 3_600_000)
  await database.db
    .insertInto('sessions')
    .values({ token_hash: toTokenHash(token), staff_id, expires_at })
    .execute()
  // Only one process at a time can open the embedded engine's folder.
  await database.close()
})
afterAll(async () => {
  lastServer?.child.kill('SIGKILL')
  await lastServer?.ended
  await database?.remove()
})

async function startServer(): Promise<ServerProcess> {
  const { dataDir, databaseUrl } = database
  const settings = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  lastServer = startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings })
  await waitUntilReady(lastServer)
  return lastServer
}

async function createFeature(url: string, key: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/api/location/create-features`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name: key, icon: 'wifi' }),
  })
  return { status: response.status, text: await response.text() }
}

/** Creates features until the server is gone. Sets the response of each key sent, undefined until it arrives. */
function keepCreating(url: string, responses: Map<string, string | undefined>): Acknowledged {
  const all: string[] = []
  const createNext = async () => {
    const key = randomUUID()
    responses.set(key, undefined)
    const { status, text } = await createFeature(url, key)
    expect(status, text).toBe(201)
    responses.set(key, text)
    all.push(key)
  }
  const createOn = async (): Promise<void> => {
    for (;;) await createNext()
  }
  const first = createNext()
  // Each client ends when its connection breaks.
  for (let index = 0; index < CLIENTS; index++) void first.then(createOn).catch(() => undefined)
  return { first, all }
}

it('neither loses nor duplicates requests that are repeated with their key after the server was killed', async () => {
  const sent = new Set<string>()
  let inDoubt = 0
  for (let turn = 0; turn < KILLS; turn++) {
    const responses = new Map<string, string | undefined>()
    const server = turn === 0 ? await startServer() : (lastServer as ServerProcess) // the server of the previous turn
    await killWhileWriting(server.child, keepCreating(server.url, responses))
    const { url } = await startServer()
    for (const [key, text] of responses) {
      const again = await createFeature(url, key)
      expect(again.status, again.text).toBe(201)
      expect(again.text).toBe(text ?? again.text)
      if (text === undefined) inDoubt += 1
      sent.add(key)
    }
  }
  lastServer?.child.kill('SIGKILL')
  await lastServer?.ended
  const { dataDir, databaseUrl } = database
  const handle = await openDatabase({ dataDir, databaseUrl })
  onTestFinished(() => handle.close())
  const features = await handle.db.selectFrom('features').select('name').execute()
  expect(features.map(({ name }) => name).sort()).toEqual([...sent].sort())
  const changes = await handle.db.selectFrom('audit').select('label').where('action', '=', 'create').execute()
  expect(changes.map(({ label }) => label).sort()).toEqual([...sent].sort())
  expect(sent.size).toBeGreaterThan(KILLS)
  // Some requests lost their connection before a response arrived.
  expect(inDoubt).toBeGreaterThan(0)
}, 600_000)
