import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import type { Clock } from '#server/clock.ts'
import { parseConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { type DatabaseHandle, type Db, openDatabase } from '#server/db/client.ts'
import { OVERLOAD_LIMITS } from '#server/http/overload.ts'
import { requireSecretKey } from '#server/start/secret-key.ts'
import { emptyDatabase } from '#server/testing/empty-database.ts'
import { drawImage } from './images.ts'

export type TestServer = {
  url: string
  /** For the factories in server/testing, and for checking the stored data. */
  db: Db
  /** The server's clock: the real time until it is set, and again after each test. */
  clock: Clock & { set(instant: string | undefined): void }
  /** The use of the database's connections, for the report of a test that failed. */
  load: DatabaseHandle['load']
  reset(): Promise<void>
  close(): Promise<void>
}

/** The address in QR codes, whatever address the test uses. */
export const PUBLIC_URL = 'http://pods.example.com'

/** What a server needs in production; the address has no port, which is not known yet. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET_KEY: 'a key of some length',
  PUBLIC_URL: 'http://127.0.0.1',
}

/** No query of a test takes as long, unless something holds it up. */
const SLOW_MS = 5000

/**
 * Starts the whole server on a port of its own, in the worker's process, so that tests can access its database and
 * clock.
 */
export async function startTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'podkeeper-e2e-server-'))
  await cp(requireTemplate(), dataDir, { recursive: true })
  const database = await openDatabase({
    dataDir,
    onQuery: ({ query, queryDurationMillis }) => {
      if (queryDurationMillis > SLOW_MS) process.stderr.write(`${Math.round(queryDurationMillis)} ms: ${query.sql}\n`)
    },
  })
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PUBLIC_URL,
    APP_STORE_URL: 'https://apps.example.com/podkeeper',
    PLAY_STORE_URL: 'https://play.example.com/podkeeper',
    ...settings,
  })
  let frozen: string | undefined
  const clock = {
    now: () => (frozen === undefined ? new Date() : new Date(frozen)),
    set: (instant: string | undefined) => {
      frozen = instant
    },
  }
  const context = await createContext(config, database, clock)
  // As at a start: deriving the key takes half a second, in which no request would be served.
  await requireSecretKey(database.db, context.secrets)
  const { buffer: image } = await drawImage('any')
  const app = await createApp({
    context,
    logger: pino({ level: config.logLevel }),
    portalFolder: resolve('dist/web'),
    // The tests share the server’s event loop, which may stand still on a busy machine.
    overloadLimits: { ...OVERLOAD_LIMITS, eventLoopDelayMs: 0 },
    // The factories' images have no file. Intercepting requests in the browser instead would delay all of them.
    watch: (app) =>
      app.addHook('onRequest', async (request, reply) =>
        request.url.startsWith('/uploads/image-') ? reply.type('image/png').send(image) : undefined,
      ),
  })
  // Any free port, unless the test has to know it.
  const url = await app.listen({ port: Number(settings.PORT ?? 0), host: '127.0.0.1' })
  return {
    url,
    db: database.db,
    clock,
    load: database.load,
    async reset() {
      frozen = undefined
      await emptyDatabase(database.db)
    },
    async close() {
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function requireTemplate(): string {
  const folder = process.env.E2E_DATABASE_TEMPLATE
  if (!folder) throw new Error('The global setup of the browser tests has not run')
  return folder
}
