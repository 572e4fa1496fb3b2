import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createHeldWork } from '#server/testing/held-work.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { OVERLOAD_LIMITS } from './overload.ts'

const test = useTestApp({}, { poolSize: 2 })

/** All connections are busy, and so many queries wait that the next one would wait for seconds. */
it('refuses requests while too many queries wait for the database, and serves them again afterwards', async () => {
  const { token } = await test.signIn()
  const { work, release } = createHeldWork()
  onTestFinished(release)
  const busy = [work, work].map((hold) => test.db.connection().execute(hold))
  const waiting = Array.from({ length: OVERLOAD_LIMITS.waitingQueries + 50 }, () => sql`select 1`.execute(test.db))

  const ask = () => test.request(routes.pods.list, { token, query: { page: '1' } })
  const refused = await expect
    .poll(() => test.app.isUnderPressure(), { interval: 20 })
    .toBe(true)
    .then(ask)
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('3')
  expect(refused.body).toMatchObject({ code: 'overloaded', message: 'The server is busy. Try again in a moment.' })
  // Its health probes still respond.
  expect((await test.app.inject('/healthz')).statusCode).toBe(200)

  release()
  await Promise.all([...busy, ...waiting])
  await expect.poll(() => test.app.isUnderPressure()).toBe(false)
  expect((await ask()).status).toBe(200)
})

it('returns 503 when a query takes too long', async () => {
  const { token } = await test.signIn()
  await sql`
    create function end_late() returns trigger language plpgsql as $$
    begin raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled'; end $$`.execute(
    test.db,
  )
  await sql`
    create trigger late before insert on locations for each row execute function end_late()`.execute(test.db)
  try {
    const body = {
      name: 'Late',
      Street: '1 Long St',
      city: 'Cape Town',
      state: 'WC',
      zip: '8001',
      country_code: 'ZA',
      latitude: 1,
      longitude: 2,
    }
    const response = await test.request(routes.locations.create, { token, body })
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBe('5')
    expect(response.body.code).toBe('overloaded')
  } finally {
    await sql`drop trigger late on locations`.execute(test.db)
  }
})
