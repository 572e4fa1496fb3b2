import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { BATCH_ROWS } from '#server/db/lists/pagination.ts'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { BATCH_ROWS as CSV_BATCH_ROWS } from './csv-batches.ts'

const test = useTestApp()
const parseCsv = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })

describe.each([
  { route: routes.pods.export, filter: 'status' },
  { route: routes.bookings.export, filter: 'status' },
  { route: routes.transactions.export, filter: 'from' },
])('$route.path', ({ route, filter }) => {
  it('refuses an unknown sort order and an invalid filter', async () => {
    const { token } = await test.signIn()
    for (const path of ['sort', filter]) {
      const response = await test.request(route, { token, query: { [path]: 'nothing' } })
      expect(response.status).toBe(400)
      expect(response.headers).not.toHaveProperty('content-disposition')
      expect(response.body.errors).toMatchObject([{ path }])
    }
  })

  it('returns only the header row when there are no records', async () => {
    const { token } = await test.signIn()
    const response = await test.request(route, { token })
    expect(response.text.startsWith('\uFEFF')).toBe(true)
    expect(response.text.endsWith('\r\n')).toBe(true)
    expect(parseCsv(response.text)).toHaveLength(1)
  })
})

describe('a file of deleted records', () => {
  it.each([
    { route: routes.pods.export, build: buildPod },
    { route: routes.users.export, build: buildUser },
    { route: routes.staff.export, build: buildStaff },
    { route: routes.features.export, build: buildFeature },
  ])('says that they are deleted, as the screen does: $route.summary', async ({ route, build }) => {
    await build(test.db, { deleted_at: test.clock.now() })
    const { token } = await test.signIn()
    const { text } = await test.request(route, { token, query: { status: 'deleted' } })
    expect(parse(text, { bom: true, columns: true })).toMatchObject([{ Status: 'Deleted' }])
  })
})

describe('reads that may use the read replica', () => {
  const files: Route[] = Object.values(routes).flatMap((group) => Object.values(group))
  const withoutParameters = files.filter(({ method, path }) => method === 'GET' && path.startsWith('/exports/'))

  it.each([...withoutParameters, routes.audit.list])('include $path', async (route) => {
    const { token } = await test.signIn()
    const onReplica = vi.spyOn(test.context, 'onReplica')
    onTestFinished(() => onReplica.mockRestore())
    expect((await test.request(route, { token })).status).toBe(200)
    expect(onReplica).toHaveBeenCalled()
  })
})

describe('Pods.csv', () => {
  it('contains the pods of the pods screen, filtered in the same way, without device passwords', async () => {
    const { token } = await test.signIn()
    const { id: location_id } = await buildLocation(test.db, { name: 'Harbour, "East"', city: 'Durban', state: 'KZN' })
    const pod = await buildPod(test.db, { title: '@home', location_id, rate: '2.5000', capacity: 6 })
    await buildPod(test.db, { title: 'Blocked', is_blocked: true, created_at: new Date('2026-01-01') })
    await buildPod(test.db, { deleted_at: new Date() })
    const response = await test.request(routes.pods.export, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="Pods.csv"')
    const records = parseCsv(response.text)
    expect(records.slice(0, 2)).toEqual([
      ['Pod Id', 'Title', 'Location', 'City', 'State', 'Rate per Minute', 'Status', 'Capacity', 'Cleaning Minutes'],
      [pod.id, "'@home", 'Harbour, "East"', 'Durban', 'KZN', '2.5', 'Active', '6', '0'],
    ])
    expect(records[2]?.slice(1)).toEqual([
      'Blocked',
      expect.any(String),
      'Cape Town',
      'Western Cape',
      '2.5',
      'Inactive',
      '',
      '0',
    ])
    expect(response.text).not.toContain('door-secret')
    const queries = [{ search: 'HARBOUR' }, { location: location_id }, { search: pod.id }, { minCapacity: '6' }]
    for (const query of [{ status: 'active' }, ...queries]) {
      const filtered = await test.request(routes.pods.export, { token, query })
      expect(parseCsv(filtered.text).map(([id]) => id)).toEqual(['Pod Id', pod.id])
    }
    const none = await test.request(routes.pods.export, { token, query: { location: 'none' } })
    expect(parseCsv(none.text)).toHaveLength(1)
  })
})

describe('Bookings_Report.csv', () => {
  it('contains the bookings of the bookings screen, filtered in the same way, newest first, with wall-clock times', async () => {
    const { token } = await test.signIn()
    const { id: location_id } = await buildLocation(test.db, { name: 'Harbour', street: '', zip: '' })
    const pod = await buildPod(test.db, { title: 'Quiet room', location_id, deleted_at: new Date() })
    const user = await buildUser(test.db, { firstname: 'Zoë', lastname: '=A1', deleted_at: new Date() })
    const booking = await buildBooking(test.db, {
      pod_id: pod.id,
      user_id: user.id,
      purpose: '',
      start_time: new Date('2026-11-24T21:45:00.000Z'),
      end_time: new Date('2026-11-25T00:00:00.000Z'),
      created_at: new Date('2026-11-02'),
      price: '337.50',
      rate: '2.5',
      discount_minutes: 0,
      checked_in_at: new Date('2026-11-24T21:40:00.000Z'),
      checked_in_method: 'door',
    })
    await buildBooking(test.db, {
      status: 'Cancelled',
      balance_due: -40.5,
      no_show_at: new Date('2026-11-01T07:15:00.000Z'),
      created_at: new Date('2026-11-01'),
    })
    const response = await test.request(routes.bookings.export, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="Bookings_Report.csv"')
    const records = parseCsv(response.text)
    expect(records[0]).toEqual([
      'Booking Id',
      'Booking Date',
      'Booking Purpose',
      'Start Time',
      'End Time',
      'Pod Name',
      'Location',
      'User Name',
      'Company',
      'Price',
      'Status',
      'Balance Due',
      'Checked In',
      'No-show',
    ])
    expect(records[1]).toEqual([
      booking.id,
      '2026-11-24',
      'N/A',
      '9:45 PM',
      '12:00 AM',
      'Quiet room',
      'Harbour, Cape Town, Western Cape, ZA',
      'Zoë =A1',
      '',
      '337.5',
      'Pending',
      '',
      '2026-11-24 11:40 PM',
      '',
    ])
    expect(records[2]?.slice(-5)).toEqual(['', 'Cancelled', '-40.5', '', '2026-11-01 9:15 AM'])
    for (const query of [
      { search: 'quiet' },
      { status: 'Pending' },
      { from: '2026-11-24' },
      { user: user.id },
      { pod: pod.id },
      { location: location_id },
    ]) {
      const filtered = await test.request(routes.bookings.export, { token, query })
      expect(parseCsv(filtered.text).map(([id]) => id)).toEqual(['Booking Id', booking.id])
    }
  })
})

describe('Transactions_Report.csv', () => {
  it('contains the transactions of the transactions screen, filtered in the same way, with numeric amounts', async () => {
    const { token } = await test.signIn()
    const refund = await buildTransaction(test.db, {
      amount: '-150.50',
      checkout_id: '-chk',
      status: 'pending',
      created_at: new Date('2026-11-02'),
    })
    await test.db.updateTable('transactions').set({ booking_id: null }).execute()
    const company = await buildCompany(test.db, { name: '=Karoo, Media' })
    const booking = await buildBooking(test.db, { company_id: company.id })
    const ofCompany = { booking_id: booking.id, payment_facilitator: 'Yoco', created_at: new Date('2026-11-01') }
    await buildTransaction(test.db, ofCompany)
    const response = await test.request(routes.transactions.export, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="Transactions_Report.csv"')
    const records = parseCsv(response.text)
    expect(records[0]).toEqual([
      'Transaction Id',
      'Amount',
      'Currency',
      'Merchant Id',
      'Checkout Id',
      'Payment Facilitator',
      'Pod Name',
      'Location',
      'User Name',
      'Company',
      'Paid Back',
      'Status',
      'Date',
    ])
    expect(records[1]).toEqual([
      refund.id,
      '-150.5',
      'ZAR',
      'merchant-1',
      "'-chk",
      'PayFast',
      'N/A',
      'N/A',
      'N/A',
      '',
      '',
      'pending',
      // Midnight in UTC is 2:00 AM in Johannesburg.
      '2026-11-02 2:00 AM',
    ])
    expect(records[2]?.slice(6, 9)).not.toContain('N/A')
    expect(records[2]?.[9]).toBe("'=Karoo, Media")
    const refunded_at = new Date('2026-12-31T22:30:00Z')
    await test.db.updateTable('transactions').set({ refunded_at }).where('booking_id', '=', booking.id).execute()
    const later = await test.request(routes.transactions.export, { token })
    expect(parseCsv(later.text)[2]?.[10]).toBe('2027-01-01 12:30 AM')
    for (const query of [{ status: 'pending' }, { facilitator: 'PayFast' }, { from: '2026-11-02' }]) {
      const filtered = await test.request(routes.transactions.export, { token, query })
      expect(parseCsv(filtered.text).map(([id]) => id)).toEqual(['Transaction Id', refund.id])
    }
  })
})

const ROWS = 9_000
/** So many rows take a while on a busy machine. */
const SLOW = { timeout: 180_000 }

/** Builds features of seven kilobytes each, so that many of them exceed what socket buffers hold. */
async function buildManyFeatures(rows: number): Promise<void> {
  await sql`
    insert into features (id, name, icon, position)
    select gen_random_uuid(), repeat('x', 7000), '', n from generate_series(1, ${sql.lit(rows)}) as n
  `.execute(test.db)
}

async function request(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { token } = await test.signIn()
  const sent = get({ port: await test.listen(), path, headers: { authorization: `Bearer ${token}`, ...headers } })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Counts only queries of the list of features; those of sessions and jobs run at the same time. */
function countQueries() {
  let queries = 0
  const { stop } = watchStatements(({ text }) => {
    if (/ from "?features/.test(text)) queries += 1
    return undefined
  })
  return {
    stop,
    count: () => queries,
    /** Returns the number of queries, once none was made for 700 ms. */
    async settle(): Promise<number> {
      for (let before = -1; before !== queries; await setTimeout(700)) before = queries
      return queries
    },
  }
}

describe('a file with semicolons', () => {
  it('has them between its columns, and decimal commas; the history has only the filters', async () => {
    const { token } = await test.signIn()
    await buildTransaction(test.db, { amount: '1250.50', checkout_id: 'a,b;c', status: 'pending' })
    const query = { separator: 'semicolon', status: 'pending' }
    const { text } = await test.request(routes.transactions.export, { token, query })
    const records: Record<string, string>[] = parse(text, { bom: true, columns: true, delimiter: ';' })
    expect(records).toMatchObject([{ Amount: '1250,5', 'Checkout Id': 'a,b;c', Currency: 'ZAR' }])
    const changes = await test.db.selectFrom('audit').select('after').where('action', '=', 'export').execute()
    expect(changes).toMatchObject([{ after: { filters: { status: 'pending' } } }])
    expect(changes[0]?.after).not.toHaveProperty('filters.separator')
  })

  it('is refused with any other separator', async () => {
    const { token } = await test.signIn()
    const response = await test.request(routes.pods.export, { token, query: { separator: ';' } })
    expect(response.status).toBe(400)
    expect(response.body.errors).toMatchObject([{ path: 'separator' }])
  })
})

describe('a large response', () => {
  it('is read no faster than the client reads, and queries stop when the client disconnects', SLOW, async () => {
    await buildManyFeatures(ROWS)
    const answers: [string, number, (text: string) => number][] = [
      ['/api/exports/features', CSV_BATCH_ROWS, (text) => text.split('\r\n').length - 2],
      ['/api/location/features', BATCH_ROWS, (text) => JSON.parse(text).length],
    ]
    for (const [path, batchRows, countRows] of answers) {
      const whileGone = countQueries()
      const left = await request(path)
      await once(left, 'readable')
      left.destroy()
      const gone = await whileGone.settle()
      whileGone.stop()

      const whilePaused = countQueries()
      const response = await request(path)
      expect(response.statusCode).toBe(200)
      const paused = await whilePaused.settle()
      expect(countRows((await readAll(response)).toString()), path).toBe(ROWS)
      const whole = whilePaused.count()
      whilePaused.stop()
      expect(whole, path).toBeGreaterThanOrEqual(ROWS / batchRows)
      expect(gone, path).toBeLessThan(whole / 3)
      expect(paused, path).toBeLessThan(whole / 3)
    }
  })

  it('is compressed for exports when the client accepts gzip', SLOW, async () => {
    await buildManyFeatures(1000)
    const response = await request('/api/exports/features', { 'accept-encoding': 'gzip' })
    expect(response.headers['content-encoding']).toBe('gzip')
    expect(parseCsv(gunzipSync(await readAll(response)).toString())).toHaveLength(1001)
  })
})

describe('an export whose query fails', () => {
  it.each(['identity', 'gzip'])(
    'returns an error response instead of a file, and does not call it compressed: %s',
    async (encoding) => {
      const { token } = await test.signIn()
      const headers = { 'accept-encoding': encoding }
      await sql`alter table features rename column name to title`.execute(test.db)
      try {
        const response = await test.request(routes.features.export, { token, headers })
        expect(response.status).toBe(500)
        expect(response.body).toMatchObject({ code: 'internal', requestId: expect.any(String) })
        expect(response.headers).not.toHaveProperty('content-disposition')
        expect(response.headers).not.toHaveProperty('content-encoding')
      } finally {
        await sql`alter table features rename column title to name`.execute(test.db)
      }
    },
  )
})
