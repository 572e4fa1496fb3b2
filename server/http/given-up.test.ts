import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { getScope } from '#server/db/database-scope.ts'
import { connectClient } from '#server/testing/leaving-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'

/** A total may take seconds to count. Who types on, or leaves the screen, gives it up; nobody else waits for it. */

const test = useTestApp()
/** The embedded engine does one thing at a time, and cannot end it. */
const isPostgres = process.env.TEST_ENGINE === 'postgres'

/** Lets counts take `seconds` and tells how many are begun. */
function watchCounts(seconds = 0): { begun: number } {
  const seen = { begun: 0 }
  watchStatements(({ text }) => {
    if (!text.startsWith('select (select count(*)')) return undefined
    seen.begun += 1
    return seconds > 0 ? `select pg_sleep(${seconds})` : undefined
  })
  return seen
}

/** A call by a client that can go away. */
async function begin(path: string, token: string) {
  const client = await connectClient(test)
  client.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return client
}

/** How many of the slowed counts the database is at. */
async function running(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(test.db)
  return rows.length
}

const paths = ['/api/user/all-bookings', '/api/transactions/getalltransactions', '/api/user/all-users']

it.runIf(isPostgres).each(paths)('%s: a total is counted no further', async (path) => {
  const { token } = await test.signIn()
  const counts = watchCounts(25)
  const call = await begin(`${path}?count=only&search=co`, token)
  await expect.poll(running, { timeout: 10_000 }).toBe(1)
  expect(counts.begun).toBe(1)
  await call.leave()
  await expect.poll(running, { timeout: 10_000 }).toBe(0)
})

it.each(paths)('%s: a total that still waits for the database is not begun', async (path) => {
  const { token } = await test.signIn()
  const counts = watchCounts()
  const { pool } = test.database
  const lent = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const call = await begin(`${path}?count=only&search=co`, token)
  await expect.poll(() => test.context.databaseLoad().waiting, { timeout: 10_000 }).toBeGreaterThan(0)
  await call.leave()
  for (const client of lent) client.release()
  // One that somebody waits for takes the same steps, and later.
  expect((await test.call(routes.users.list, { token, query: { count: 'only', search: 'co' } })).status).toBe(200)
  expect(counts.begun).toBe(1)
})

it.runIf(isPostgres)('a total waits for the one before it, and rows for neither', async () => {
  const { token } = await test.signIn()
  const counts = watchCounts(3)
  const ask = (count: string) => test.call(routes.transactions.list, { token, query: { count, search: 'co' } })
  const totals = Promise.all([ask('only'), ask('only')])
  await expect.poll(running, { timeout: 10_000 }).toBe(1)
  expect((await ask('no')).status).toBe(200)
  expect(counts.begun).toBe(1)
  expect((await totals).map(({ status }) => status)).toEqual([200, 200])
  expect(counts.begun).toBe(2)
})

it('a total whose turn does not come in time is refused as overload is', async () => {
  const { token } = await test.signIn()
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  vi.spyOn(getScope(test.db).totals, 'run').mockRejectedValue(late)
  onTestFinished(() => void vi.restoreAllMocks())
  const answer = await test.call(routes.users.list, { token, query: { count: 'only', search: 'co' } })
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'overloaded', '5'])
  expect((await test.call(routes.users.list, { token, query: { count: 'only' } })).status).toBe(200)
})

it.runIf(!isPostgres)(
  'a total waits on the embedded engine until nobody has called for a while, but not for ever',
  async () => {
    const { token } = await test.signIn()
    const counts = watchCounts()
    const progress = { isCounted: false }
    const started = performance.now()
    const total = test.call(routes.users.list, { token, query: { count: 'only', search: 'co' } }).finally(() => {
      progress.isCounted = true
    })
    // Someone calls all the time.
    let begunAt = Number.NaN
    while (!progress.isCounted) {
      await test.call(routes.users.list, { token, query: { count: 'no', search: 'co' } })
      if (counts.begun > 0 && Number.isNaN(begunAt)) begunAt = performance.now() - started
    }
    expect((await total).status).toBe(200)
    expect(begunAt).toBeGreaterThan(900)
    expect(counts.begun).toBe(1)
  },
)
