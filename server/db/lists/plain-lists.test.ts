import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bookingStatuses, openStatuses } from '#contract/booking-statuses.ts'
import { type Route, routes } from '#contract/routes.ts'
import { toWallClock } from '#contract/slots.ts'
import { buildBooking, buildLocation, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { TEST_NOW, useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const ZONE = 'Africa/Johannesburg'
const now = toWallClock(TEST_NOW, ZONE)
const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']
const NAMES = ['Aurora', 'Beacon', 'Naledi', 'Sipho', 'Zoë', 'van Wyk', 'O’Brien', 'Anne-Marie']
const STATUSES = ['active', 'blocked', 'deleted']
const LIMIT = 9

/** A list as plain JavaScript sees it: its rows, and what each of its parameters does with them. */
type PlainList<Row> = {
  route: Route
  file: Route
  rows: Row[]
  filters: Record<string, { values: readonly string[]; keeps: (row: Row, value: string) => boolean }>
  /** Whether the row is listed when nobody asks for the deleted ones. */
  isKept?: (row: Row) => boolean
  /** The newest come first by default. */
  orders: Record<string, (row: Row) => number | string>
  textOf: (row: Row) => string
  /** Whether somebody with this location alone sees the row. */
  isAt: (row: Row, location: string) => boolean
}

type Base = { id: string; created_at: Date }
type Query = Partial<Record<string, string>>

const pick = <T>(values: readonly T[], at: number) => values[at % values.length] as T
const toDay = (instant: Date) => toWallClock(instant, ZONE).toISOString().slice(0, 10)
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** Builds records whose fields repeat with different periods, so that most combinations of filters keep some. */
async function buildWorld() {
  const { db } = test
  const from = TEST_NOW.getTime() - 60 * 3_600_000
  // Several rows of the same instant, in no order of their ids.
  const createdAt = (at: number) => new Date(from + ((at * 7) % 12) * 5 * 3_600_000)
  const deletedAt = (at: number) => (at % 5 === 4 ? TEST_NOW : null)
  const locations = await Promise.all(['Harbour', 'Ridge', 'Aurora Park'].map((name) => buildLocation(db, { name })))
  const pods = []
  for (let at = 0; at < 14; at++) {
    const location = pick(locations, at)
    const title = `${pick(NAMES, at * 3)} ${at}`
    const values = { title, location_id: location.id, capacity: pick([null, 2, 4, 8], at), is_blocked: at % 4 === 3 }
    pods.push({
      ...(await buildPod(db, { ...values, created_at: createdAt(at), deleted_at: deletedAt(at) })),
      location,
    })
  }
  const users = []
  for (let at = 0; at < 20; at++) {
    const names = { firstname: pick(NAMES, at), lastname: `${pick(NAMES, at * 3 + 1)} ${at}`, is_blocked: at % 3 === 2 }
    users.push(await buildUser(db, { ...names, created_at: createdAt(at), deleted_at: deletedAt(at) }))
  }
  const bookings = []
  for (let at = 0; at < 112; at++) {
    const pod = pick(pods, at)
    const user = pick(users, at * 3)
    const start = new Date(`${pick(DAYS, at)}T${String(7 + Math.floor(at / 14) * 2).padStart(2, '0')}:00:00Z`)
    const status = pick(bookingStatuses, at * 5 + 1)
    const isIn = status !== 'Pending' && at % 3 === 0
    const checkedIn = isIn ? { checked_in_at: TEST_NOW, checked_in_method: 'staff' as const } : {}
    const values = {
      pod_id: pod.id,
      user_id: user.id,
      start_time: start,
      status,
      created_at: createdAt(at),
      ...checkedIn,
    }
    bookings.push({ ...(await buildBooking(db, values)), pod, user })
  }
  const transactions = []
  for (let at = 0; at < 90; at++) {
    const booking = pick(bookings, at * 5)
    const amount = pick(['99.99', '100.00', '150.50'], at)
    const [status, payment_facilitator] = [
      pick(['completed', 'failed', 'pending'], at * 2),
      pick(['PayFast', 'Yoco'], at),
    ]
    const values = { booking_id: booking.id, amount, status, payment_facilitator, created_at: createdAt(at) }
    transactions.push({ ...(await buildTransaction(db, values)), booking })
  }
  return { locations, pods, users, bookings, transactions }
}

type World = Awaited<ReturnType<typeof buildWorld>>
const toBookingText = ({ pod, user }: World['bookings'][number]) =>
  `${pod.title} ${pod.location.name} ${user.firstname} ${user.lastname}`

type Named = { is_blocked: boolean; deleted_at: Date | null }

const byStatus = {
  values: STATUSES,
  keeps: ({ is_blocked, deleted_at }: Named, status: string) =>
    status === 'deleted' ? deleted_at !== null : deleted_at === null && is_blocked === (status === 'blocked'),
}
const isKept = ({ deleted_at }: Named) => deleted_at === null
const createdAt = ({ created_at }: Base) => created_at.getTime()
const idsOf = (rows: readonly Base[]) => rows.map(({ id }) => id)

function bookingList({ locations, pods, users, bookings }: World): PlainList<World['bookings'][number]> {
  type Row = World['bookings'][number]
  const isOpen = ({ status, end_time }: Row) => openStatuses.some((open) => open === status) && end_time > now
  const isRunning = (row: Row) => isOpen(row) && row.start_time <= now
  const moments: Record<string, (row: Row) => boolean> = {
    upcoming: isOpen,
    past: (row) => !isOpen(row),
    running: isRunning,
    late: (row) => isRunning(row) && row.checked_in_at === null,
  }
  return {
    route: routes.bookings.list,
    file: routes.bookings.export,
    rows: bookings,
    filters: {
      status: { values: bookingStatuses, keeps: (row, status) => row.status === status },
      location: { values: idsOf(locations), keeps: (row, id) => row.location_id === id },
      pod: { values: idsOf(pods), keeps: (row, id) => row.pod_id === id },
      user: { values: idsOf(users), keeps: (row, id) => row.user_id === id },
      from: { values: DAYS, keeps: (row, day) => row.booking_date >= day },
      to: { values: DAYS, keeps: (row, day) => row.booking_date <= day },
      when: { values: Object.keys(moments), keeps: (row, when) => moments[when]?.(row) ?? false },
    },
    orders: { createdAt, startTime: ({ start_time }) => start_time.getTime() },
    textOf: toBookingText,
    isAt: (row, location) => row.location_id === location,
  }
}

function transactionList({ locations, users, transactions }: World): PlainList<World['transactions'][number]> {
  const amounts = ['99.99', '100', '150.5']
  return {
    route: routes.transactions.list,
    file: routes.transactions.export,
    rows: transactions,
    filters: {
      status: { values: ['completed', 'failed'], keeps: (row, status) => row.status === status },
      facilitator: { values: ['PayFast', 'Yoco'], keeps: (row, name) => row.payment_facilitator === name },
      location: { values: idsOf(locations), keeps: ({ booking }, id) => booking.location_id === id },
      user: { values: idsOf(users), keeps: ({ booking }, id) => booking.user_id === id },
      from: { values: DAYS, keeps: (row, day) => toDay(row.created_at) >= day },
      to: { values: DAYS, keeps: (row, day) => toDay(row.created_at) <= day },
      minAmount: { values: amounts, keeps: (row, least) => Number(row.amount) >= Number(least) },
      maxAmount: { values: amounts, keeps: (row, most) => Number(row.amount) <= Number(most) },
    },
    orders: { createdAt, amount: ({ amount }) => Number(amount) },
    textOf: ({ booking }) => toBookingText(booking),
    isAt: ({ booking }, location) => booking.location_id === location,
  }
}

function podList({ locations, pods }: World): PlainList<World['pods'][number]> {
  return {
    route: routes.pods.list,
    file: routes.pods.export,
    rows: pods,
    filters: {
      status: byStatus,
      location: { values: idsOf(locations), keeps: (row, id) => row.location_id === id },
      minCapacity: { values: ['2', '3', '8'], keeps: ({ capacity }, least) => (capacity ?? 0) >= Number(least) },
    },
    isKept,
    orders: { createdAt },
    textOf: ({ title, location }) => `${title} ${location.name}`,
    isAt: (row, location) => row.location_id === location,
  }
}

function userList({ users, bookings }: World): PlainList<World['users'][number]> {
  return {
    route: routes.users.list,
    file: routes.users.export,
    rows: users,
    filters: { status: byStatus },
    isKept,
    orders: { createdAt, email: ({ email }) => email },
    textOf: ({ firstname, lastname }) => `${firstname} ${lastname}`,
    isAt: ({ id }, location) => bookings.some(({ user_id, location_id }) => user_id === id && location_id === location),
  }
}

/** Returns the ids that JavaScript finds, in order. */
function find<Row extends Base>(list: PlainList<Row>, { sort, search, ...filters }: Query, location?: string) {
  const key = list.orders[sort?.replace('-', '') ?? ''] ?? createdAt
  const direction = sort === undefined || sort.startsWith('-') ? -1 : 1
  const rows = list.rows.filter(
    (row) =>
      (filters.status !== undefined || (list.isKept?.(row) ?? true)) &&
      Object.entries(filters).every(([name, value = '']) => list.filters[name]?.keeps(row, value)) &&
      (location === undefined || list.isAt(row, location)) &&
      (search === undefined || fold(list.textOf(row)).includes(fold(search))),
  )
  const toSign = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)
  return idsOf(rows.toSorted((a, b) => direction * (toSign(key(a), key(b)) || toSign(a.id, b.id))))
}

async function request(route: Route, token: string, query: Query) {
  const response = await test.request(route, { token, query: query as Record<string, string> })
  expect(response.status).toBe(200)
  return response
}

/** Returns the ids and the total of all pages of a list. */
async function readPages(route: Route, token: string, query: Query) {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { body, headers } = await request(route, token, { ...query, page: String(page), limit: String(LIMIT) })
    const rows: { _id: string }[] = Array.isArray(body) ? body : body.data
    ids.push(...rows.map(({ _id }) => _id))
    if (rows.length < LIMIT) return { ids, total: Number(headers['x-total-count']) }
  }
}

/**
 * Asks for the list with random parameters, as people with all locations and with one, and expects what JavaScript
 * finds. Returns how many rows that were.
 */
async function compare<Row extends Base>({ locations }: World, list: PlainList<Row>): Promise<number> {
  const location = locations[1]?.id ?? ''
  const everywhere = await test.signIn()
  const somewhere = await test.signIn(undefined, { location_ids: [location] })
  const values = {
    ...Object.fromEntries(Object.entries(list.filters).map(([name, filter]) => [name, filter.values])),
    search: [...NAMES, 'Harbour'],
    sort: Object.keys(list.orders).flatMap((order) => [order, `-${order}`]),
  }
  const parameter = fc.oneof(
    ...Object.entries(values).map(([name, some]) => fc.constantFrom(...some).map((value) => [name, value] as const)),
  )
  const query = fc.uniqueArray(parameter, { selector: ([name]) => name, maxLength: 4 }).map(Object.fromEntries)
  let found = 0
  const property = fc.asyncProperty(query, fc.boolean(), async (query, isSomewhere) => {
    const expected = find(list, query, isSomewhere ? location : undefined)
    // Where nothing matches, names with other spellings are found.
    if (expected.length === 0 && query.search !== undefined) return
    found += expected.length
    const { token } = isSomewhere ? somewhere : everywhere
    expect(await readPages(list.route, token, query)).toEqual({ ids: expected, total: expected.length })
    const { body } = await request(list.route, token, query)
    expect((body.data ?? body).map(({ _id }: { _id: string }) => _id)).toEqual(expected)
    const { text } = await request(list.file, token, query)
    expect(parse(text, { bom: true, from_line: 2 }).map(([id]: string[]) => id)).toEqual(expected)
  })
  await fc.assert(property, { numRuns: 60 })
  return found
}

const lists = {
  bookings: (world: World) => compare(world, bookingList(world)),
  transactions: (world: World) => compare(world, transactionList(world)),
  pods: (world: World) => compare(world, podList(world)),
  users: (world: World) => compare(world, userList(world)),
}

it.each(Object.entries(lists))('lists %s as JavaScript does, by pages, whole and in the file', async (_, check) => {
  expect(await check(await buildWorld())).toBeGreaterThan(100)
})
