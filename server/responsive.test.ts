import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildPod } from './testing/factories.ts'
import { useTestApp } from './testing/test-app.ts'
import { untilSomeoneWaits } from './testing/until-someone-waits.ts'

const test = useTestApp()

/** Returns a number of rows that takes the database at least half a second to count. */
async function countLong(): Promise<number> {
  for (let rows = 2_000_000; ; rows *= 2) {
    const begin = performance.now()
    await sql`select count(*) from generate_series(1, ${sql.lit(rows)}) as n where n % 7 = 3`.execute(test.db)
    if (performance.now() - begin > 500) return rows
  }
}

it('a long query does not block other requests, and requests that need the database get their turn', async () => {
  const { token } = await test.signIn([9])
  const pod = await buildPod(test.db)
  const rows = await countLong()

  const progress = { isRunning: true }
  const long = sql`select count(*) from generate_series(1, ${sql.lit(rows)}) as n where n % 7 = 3`
    .execute(test.db)
    .finally(() => {
      progress.isRunning = false
    })
  const waiting = test.request(routes.bookings.availability, {
    token,
    params: { podId: pod.id },
    query: { booking_date: '2026-11-23' },
  })
  let answered = 0
  while (progress.isRunning) {
    const [health, refused] = await Promise.all([
      test.app.inject({ url: '/healthz' }),
      test.request(routes.bookings.list, {}),
    ])
    expect([health.statusCode, refused.status]).toEqual([200, 401])
    if (progress.isRunning) answered += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await long
  expect(answered).toBeGreaterThan(5)
  expect((await waiting).status).toBe(200)
})

it.runIf(process.env.TEST_ENGINE === 'postgres').each([
  ['pages deep in a list', { page: '5000' }],
  ['whole lists', {}],
])('%s, however many are asked for at once, leave connections to others', async (_, query) => {
  const { token } = await test.signIn()
  const asked = await test.db.transaction().execute(async (tx) => {
    await sql`lock table users in access exclusive mode`.execute(tx)
    const lists = Array.from({ length: 20 }, () => test.request(routes.users.list, { token, query }))
    await untilSomeoneWaits(tx)
    expect((await test.request(routes.pods.list, { token, query: { page: '1' } })).status).toBe(200)
    return lists
  })
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
