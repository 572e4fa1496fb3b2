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

/** On a busy machine a test's event loop may be late, which must not count as overload. */
const TEST_OVERLOAD_LIMITS = { ...OVERLOAD_LIMITS, eventLoopDelayMs: 600_000 }

export type TestClock = Clock & { set(instant: Date | string): void }

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

/**
 * Sets up a whole server on a real database for the tests of one file: `const test = useTestApp()` at its top. The
 * database is emptied, and the clock set back to TEST_NOW, before each test.
 */
export function useTestApp(
  settings: Record<string, string> = {},
  { poolSize, ...appOptions }: { poolSize?: number } & Partial<Omit<AppOptions, 'context'>> = {},
) {
  const clock = createTestClock()
  let app: FastifyInstance
  let context: AppContext
  let database: TestDatabase

  beforeAll(async () => {
    database = await openTestDatabase(poolSize === undefined ? {} : { poolSize })
    const config = parseConfig({
      NODE_ENV: 'test',
      DATA_DIR: database.dataDir,
      LOG_LEVEL: 'silent',
      STAFF_CHANGES: '1000000',
      ...settings,
    })
    context = await createContext(config, database, clock)
    app = await createApp({
      context,
      logger: pino({ level: config.logLevel }),
      overloadLimits: TEST_OVERLOAD_LIMITS,
      ...appOptions,
    })
    await app.ready()
  })
  beforeEach(async () => {
    clock.set(TEST_NOW)
    restartCounting()
    await emptyDatabase(database.db)
  })
  afterAll(async () => {
    await app?.close()
    await database?.remove()
  })

  return {
    clock,
    get app() {
      return app
    },
    get context() {
      return context
    },
    get db() {
      return database.db
    },
    get database() {
      return database
    },
    /** Creates a staff member with these pages (all nine by default) and a live session. */
    async signIn(
      pages: readonly PageCode[] = pageCodes,
      overrides: Parameters<typeof buildStaff>[1] = {},
    ): Promise<SignedInStaff> {
      const staff = await buildStaff(database.db, { pages: [...pages], ...overrides })
      const token = randomBytes(32).toString('base64url')
      const expires_at = new Date(clock.now().getTime() + 3_600_000)
      await database.db
        .insertInto('sessions')
        .values({
          token_hash: toTokenHash(token),
          staff_id: staff.id,
          expires_at,
          created_at: clock.now(),
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
      const row = await buildApiKey(database.db, { pages: [...pages], view_only_pages, ...overrides })
      return { _id: row.id, token: row.key }
    },
    /** Starts listening, for tests that need a real connection; returns the port. */
    async listen(): Promise<number> {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port // listening on TCP
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
      const response = await app.inject(request)
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
