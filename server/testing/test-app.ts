import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import type { Route } from '#contract/routes.ts'
import { type AppOptions, createApp } from '../app.ts'
import type { Clock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { createContext } from '../create-context.ts'
import { OVERLOAD_LIMITS } from '../http/overload.ts'
import { toTokenHash } from '../http/session.ts'
import { emptyDatabase } from './empty-database.ts'
import { ALWAYS_IN_USE, buildApiKey, buildStaff, restartCounting } from './factories.ts'
import { openTestDatabase, type TestDatabase } from './test-database.ts'

/** Saturday, 11:00 in Johannesburg. */
export const TEST_NOW = new Date('2026-11-21T09:00:00.000Z')

/** On a busy machine a test's event loop may be late, or stand still, which must not count as overload. */
const TEST_OVERLOAD_LIMITS = { ...OVERLOAD_LIMITS, eventLoopDelayMs: 0 }

type TestClock = Clock & { set(instant: Date | string): void }

function createTestClock(): TestClock {
  let now = TEST_NOW
  return {
    now: () => new Date(now),
    set: (instant) => {
      now = new Date(instant)
    },
  }
}

export type SignedInStaff = { _id: string; token: string; email: string }

type RequestOptions = {
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

export type TestResponse = { status: number; headers: Record<string, unknown>; body: any; text: string } // oxlint-disable-line typescript/no-explicit-any -- assertions look into responses of every shape

type Running = { app: FastifyInstance; context: AppContext; database: TestDatabase; clock: TestClock }

type TestAppOptions = { poolSize?: number } & Partial<Omit<AppOptions, 'context'>>

async function startApp(
  settings: Record<string, string> = {},
  { poolSize, ...options }: TestAppOptions = {},
): Promise<Running> {
  const clock = createTestClock()
  const database = await openTestDatabase(poolSize === undefined ? {} : { poolSize })
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    LOG_LEVEL: 'silent',
    STAFF_CHANGES: '1000000',
    ...settings,
  })
  const context = await createContext(config, database, clock)
  const app = await createApp({
    context,
    logger: pino({ level: config.logLevel }),
    overloadLimits: TEST_OVERLOAD_LIMITS,
    ...options,
  })
  await app.ready()
  return { app, context, database, clock }
}

/**
 * The server with default settings, which all test files of a process share: starting one takes longer than most tests.
 * It ends with the process, and the global set-up removes its database.
 */
let shared: Promise<Running> | undefined
function startShared(): Promise<Running> {
  shared ??= startApp()
  return shared
}

/**
 * Sets up a whole server on a real database for the tests of one file: `const test = useTestApp()` at its top. The
 * database is emptied, and the clock set back to TEST_NOW, before each test. A file with settings or options gets a
 * server of its own. `isOwn` asks for one where tests depend on what remains: partitions, stored files, pending live
 * changes, or a port that is already open.
 */
export function useTestApp(
  settings: Record<string, string> = {},
  { isOwn = false, ...options }: TestAppOptions & { isOwn?: boolean } = {},
) {
  const isShared = !isOwn && Object.keys({ ...settings, ...options }).length === 0
  let running: Running

  beforeAll(async () => {
    running = await (isShared ? startShared() : startApp(settings, options))
  })
  beforeEach(async () => {
    running.clock.set(TEST_NOW)
    restartCounting()
    await emptyDatabase(running.database.db)
  })
  afterAll(async () => {
    if (isShared) return
    await running?.app.close()
    await running?.database.remove()
  })

  return {
    get clock() {
      return running.clock
    },
    get app() {
      return running.app
    },
    get context() {
      return running.context
    },
    get db() {
      return running.database.db
    },
    get database() {
      return running.database
    },
    /** Creates a staff member with these pages (all nine by default) and a live session. */
    async signIn(
      pages: readonly PageCode[] = pageCodes,
      overrides: Parameters<typeof buildStaff>[1] = {},
    ): Promise<SignedInStaff> {
      const staff = await buildStaff(running.database.db, { pages: [...pages], ...overrides })
      const token = randomBytes(32).toString('base64url')
      const expires_at = new Date(running.clock.now().getTime() + 3_600_000)
      await running.database.db
        .insertInto('sessions')
        .values({
          token_hash: toTokenHash(token),
          staff_id: staff.id,
          expires_at,
          created_at: running.clock.now(),
          last_used_at: ALWAYS_IN_USE,
          confirmed_at: ALWAYS_IN_USE,
        })
        .execute()
      return { _id: staff.id, token, email: staff.email }
    },
    /** Creates an API key with these pages. It may only view the Staff page, as all keys. */
    async issueKey(
      pages: readonly PageCode[],
      overrides: Parameters<typeof buildApiKey>[1] = {},
    ): Promise<{ _id: string; token: string }> {
      const view_only_pages = pages.filter((page) => page === PAGE.staff)
      const row = await buildApiKey(running.database.db, { pages: [...pages], view_only_pages, ...overrides })
      return { _id: row.id, token: row.key }
    },
    /** Starts listening, for tests that need a real connection; returns the port. */
    async listen(): Promise<number> {
      if (!running.app.server.listening) await running.app.listen({ port: 0, host: '127.0.0.1' })
      return (running.app.server.address() as AddressInfo).port // listening on TCP
    },
    /** Requests an endpoint of the contract, with `/api` before its path. */
    async request(
      route: Route,
      { token, params = {}, query, body, headers }: RequestOptions = {},
    ): Promise<TestResponse> {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
      const request: InjectOptions = {
        method: route.method,
        url: `/api${path}`,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
        ...(query ? { query } : {}),
        ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
      }
      const response = await running.app.inject(request)
      const isJson = String(response.headers['content-type']).includes('json')
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson ? response.json() : undefined,
        text: response.body,
      }
    },
  }
}
