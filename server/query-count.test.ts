import { type KyselyPlugin, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from './testing/factories.ts'
import { useTestApp } from './testing/test-app.ts'
import { watchStatements } from './testing/watch-statements.ts'

const test = useTestApp()

/** Counts the statements that `work` runs. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const { context } = test
  const { db, shortReads } = context
  onTestFinished(() => {
    Object.assign(context, { db, shortReads })
  })
  let queries = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Called once per statement; transformQuery is also called for each query within one.
    transformResult: async ({ result }) => {
      queries += 1
      return result
    },
  }
  Object.assign(context, { db: db.withPlugin(counter), shortReads: shortReads.withPlugin(counter) })
  await work()
  Object.assign(context, { db, shortReads })
  return queries
}

async function fill(rows: number): Promise<void> {
  for (let n = 0; n < rows; n++) {
    const pod = await buildPod(test.db, { title: `Room ${n}` })
    const feature = await buildFeature(test.db)
    await test.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    const user = await buildUser(test.db, { firstname: `Thandi${n}` })
    const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
    await buildTransaction(test.db, { booking_id: booking.id })
  }
  await sql`analyze`.execute(test.db)
}

/** The statement that reads the session. */
const SESSION = 1

it.each([
  routes.bookings.list,
  routes.transactions.list,
  routes.users.list,
  routes.pods.list,
  routes.locations.list,
  routes.staff.list,
])('$path runs one query for the rows and one for the total, however many rows there are', async (route) => {
  const { token } = await test.signIn()
  for (const rows of [1, 12]) {
    await fill(rows)
    const list = (query: Record<string, string>) =>
      countQueries(async () => {
        const response = await test.request(route, { token, query: { page: '1', limit: '100', ...query } })
        expect(response.status).toBe(200)
      })
    expect(await list({})).toBe(SESSION + 2)
    for (const search of ['a', '0']) expect(await list({ search })).toBe(SESSION + 2)
    // When nothing is found, one more statement looks for similar spellings.
    for (const search of ['room', 'thandi', 'nothing like it']) {
      expect(await list({ search })).toBeLessThanOrEqual(SESSION + 3)
    }
  }
})

it.each([
  { route: routes.bookings.list, table: 'bookings' },
  { route: routes.transactions.list, table: 'transactions' },
])('$route.path takes the total of a search from the search texts alone', async ({ route, table }) => {
  await fill(2)
  const { token } = await test.signIn()
  const counts: string[] = []
  watchStatements(({ text }) => {
    if (text.includes('as counted')) counts.push(text)
    return undefined
  })
  const { headers } = await test.request(route, { token, query: { page: '1', search: 'room' } })
  expect(headers['x-total-count']).toBe('2')
  expect(counts).toEqual([expect.stringContaining('search_texts')])
  expect(counts[0]).not.toContain(`"${table}"`)
})

it('the dashboard runs one query for each panel and one for all totals', async () => {
  await fill(5)
  const { token, _id } = await test.signIn()
  const call = () => test.request(routes.dashboard.get, { token, params: { userId: _id } })
  expect(await countQueries(async () => expect((await call()).status).toBe(200))).toBe(SESSION + 6 + 1)
})

it.each([
  { route: routes.schedule.get, query: { date: '2026-11-23' } },
  { route: routes.bookingActions.arrivals, query: {} },
  { route: routes.dashboard.today, query: {} },
  { route: routes.dashboard.get, query: {} },
])('$route.path is read a few times for twenty who ask at the same moment', async ({ route, query }) => {
  await fill(5)
  const { token, _id } = await test.signIn()
  const ask = async () =>
    expect((await test.request(route, { token, query, params: { userId: _id } })).status).toBe(200)
  const alone = (await countQueries(ask)) - SESSION
  const together = await countQueries(() => Promise.all(Array.from({ length: 20 }, ask)))
  expect(together - 20 * SESSION).toBeLessThan(10 * alone)
})

it('availability takes one query, and a booking three: for the lock, the check and the insert', async () => {
  const pod = await buildPod(test.db)
  const { token } = await test.signIn()
  const params = { podId: pod.id }
  const availability = { token, params, query: { booking_date: '2026-11-23' } }
  const look = async () => expect((await test.request(routes.bookings.availability, availability)).status).toBe(200)
  expect(await countQueries(look)).toBe(SESSION + 1)
  const body = {
    bookingPurpose: 'meeting',
    bookingDate: '2026-11-23',
    startTime: '2026-11-23T09:00:00.000Z',
    endTime: '2026-11-23T10:00:00.000Z',
  }
  const book = async () =>
    expect((await test.request(routes.bookings.create, { token, params, body })).status).toBe(201)
  expect(await countQueries(book)).toBe(SESSION + 3)
})

it('an edit changes a record and writes its history in one statement', async () => {
  const { token } = await test.signIn()
  const headers = { 'if-match': '*' }
  const edits = [
    { route: routes.features.update, id: (await buildFeature(test.db)).id, body: { name: 'Whiteboard' } },
    { route: routes.locations.update, id: (await buildLocation(test.db)).id, body: { zip: '2196' } },
    { route: routes.users.setNote, id: (await buildUser(test.db)).id, body: { note: 'Calls first' } },
  ]
  for (const { route, id, body } of edits) {
    const edit = async () =>
      expect((await test.request(route, { token, params: { id }, body, headers })).status).toBe(200)
    expect(await countQueries(edit)).toBe(SESSION + 1)
  }
  expect(await test.db.selectFrom('audit').select('action').execute()).toHaveLength(edits.length)
})

it('the preview of a series in another pod takes as many queries, however many bookings it has', async () => {
  const { token } = await test.signIn()
  const counts: number[] = []
  for (const until of ['2026-11-30', '2027-01-25']) {
    const [pod, other] = [await buildPod(test.db), await buildPod(test.db)]
    const day = {
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T09:00:00.000Z',
      endTime: '2026-11-23T10:00:00.000Z',
    }
    const forCustomer = { kind: 'customer', userId: (await buildUser(test.db)).id }
    const body = { ...day, podId: pod.id, bookingPurpose: 'meeting', for: forCustomer, repeats: { until } }
    const created = await test.request(routes.series.create, { token, body })
    const options = {
      token,
      params: { id: created.body.series._id },
      query: { scope: 'all' },
      body: { podId: other.id },
    }
    const preview = async () => expect((await test.request(routes.series.previewUpdate, options)).status).toBe(200)
    counts.push(await countQueries(preview))
  }
  expect(counts[1]).toBe(counts[0])
})

it('the preview of a closure takes as many queries, however many pods of a kind it closes', async () => {
  const { token } = await test.signIn()
  await buildPod(test.db)
  const location_id = (await buildLocation(test.db)).id
  const counts: number[] = []
  for (const pods of [1, 9]) {
    for (let n = 0; n < pods; n++) {
      await buildBooking(test.db, { pod_id: (await buildPod(test.db, { location_id })).id })
    }
    const body = { locationId: location_id, reason: 'Painting' }
    const preview = async () => {
      const { body: found } = await test.request(routes.closures.preview, { token, body })
      expect(found.bookings).toHaveLength(pods === 1 ? 1 : 10)
    }
    counts.push(await countQueries(preview))
  }
  expect(counts[1]).toBe(counts[0])
})
