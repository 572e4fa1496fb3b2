import { beforeEach, describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import {
  ADDRESS,
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list } = routes.transactions
const unknownId = '019a9c00-0000-7000-8000-00000000dead'

let token: string
beforeEach(async () => {
  token = (await test.signIn([4])).token
})

async function listIds(query?: Record<string, string>): Promise<string[]> {
  const response = await test.request(list, { token, ...(query ? { query } : {}) })
  expect(response.status).toBe(200)
  return response.body.data.map((transaction: { _id: string }) => transaction._id)
}

/** Builds transactions without bookings, each made one second after the previous one. */
async function buildSome(count: number, overrides: Record<string, unknown> = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: createId(),
    booking_id: null,
    amount: String(((index * 7) % count) + 0.5),
    merchant_id: 'merchant-1',
    checkout_id: `checkout-${index}`,
    payment_facilitator: 'PayFast',
    status: 'completed',
    currency: 'ZAR',
    created_at: new Date(Date.parse('2026-11-01T10:00:00.000Z') + index * 1000),
    ...overrides,
  }))
  await test.db.insertInto('transactions').values(rows).execute()
  return rows.map(({ id }) => id)
}

describe('the list of transactions', () => {
  it('needs a session with page 4', async () => {
    expect((await test.request(list)).status).toBe(401)
    const other = await test.signIn([1, 2, 3, 5, 6, 7, 8, 9])
    expect((await test.request(list, { token: other.token })).status).toBe(403)
  })

  it('shows pod, location and user of the booking, even when they are deleted', async () => {
    const location = await buildLocation(test.db, { name: 'Sea Point' })
    const pod = await buildPod(test.db, { location_id: location.id, title: 'Signal Hill', deleted_at: new Date() })
    const user = await buildUser(test.db, { firstname: 'Sipho', lastname: 'Khumalo', deleted_at: new Date() })
    const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
    const transaction = await buildTransaction(test.db, { booking_id: booking.id, amount: '0.10', status: 'refunded' })
    const expected = [
      {
        _id: transaction.id,
        amount: 0.1,
        currency: 'ZAR',
        merchantId: 'merchant-1',
        checkoutId: transaction.checkout_id,
        paymentFacilitator: 'PayFast',
        status: 'refunded',
        createdAt: transaction.created_at.toISOString(),
        refundedAt: null,
        bookingId: booking.id,
        podTitle: 'Signal Hill',
        locationName: 'Sea Point',
        locationDetails: {
          _id: location.id,
          name: 'Sea Point',
          ...ADDRESS,
          isBlocked: false,
        },
        username: 'Sipho Khumalo',
        customerId: user.id,
        company: null,
      },
    ]
    expect((await test.request(list, { token })).body).toEqual({ data: expected })
    expect((await test.request(list, { token, query: { page: '1' } })).body).toEqual({ data: expected })
    const withoutApi = await test.app.inject({
      url: '/transactions/getalltransactions',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(withoutApi.json()).toEqual({ data: expected })
  })

  it('shows N/A without a booking, and the staff member’s name when staff booked', async () => {
    await buildSome(1, { amount: '9999999999.99' })
    const alone = await test.request(list, { token })
    expect(alone.body.data[0]).toMatchObject({
      amount: 9999999999.99,
      bookingId: null,
      podTitle: 'N/A',
      locationName: 'N/A',
      locationDetails: null,
      username: 'N/A',
      customerId: null,
      company: null,
    })
    await buildTransaction(test.db)
    const response = await test.request(list, { token, query: { limit: '1' } })
    expect(response.body.data[0].username).toMatch(/^Thandi Nkosi \d+$/)
  })

  it('names the company whose booking was paid for, also when it has been deleted', async () => {
    const company = await buildCompany(test.db, { name: 'Karoo Media', deleted_at: new Date() })
    const booking = await buildBooking(test.db, { company_id: company.id })
    await buildTransaction(test.db, { booking_id: booking.id })
    const { body } = await test.request(list, { token })
    expect(body.data).toMatchObject([
      { company: { _id: company.id, name: 'Karoo Media', isDeleted: true }, customerId: null },
    ])
    expect(body.data[0].username).toMatch(/^Thandi Nkosi \d+$/)
  })

  it('says when a payment itself was paid back, and not of a refund', async () => {
    const [refund = ''] = await buildSome(1, { status: 'refunded' })
    const [payment = ''] = await buildSome(1)
    const before = Date.now()
    await test.db.updateTable('transactions').set({ status: 'refunded' }).where('id', '=', payment).execute()
    const { body } = await test.request(list, { token })
    const at = new Map<string, string | null>(
      body.data.map((row: { _id: string; refundedAt: string | null }) => [row._id, row.refundedAt]),
    )
    expect(at.get(refund)).toBeNull()
    // The database's clock may differ a little from this one.
    expect(Math.abs(Date.parse(at.get(payment) ?? '') - before)).toBeLessThan(60_000)
  })

  it('is empty when there are no transactions', async () => {
    expect((await test.request(list, { token })).body).toEqual({ data: [] })
    const page = await test.request(list, { token, query: { page: '1' } })
    expect(page).toMatchObject({ body: { data: [] }, headers: { 'x-total-count': '0' } })
  })

  it('is complete without page and limit, newest first, also beyond one batch', async () => {
    expect(await listIds()).toEqual([])
    const ids = await buildSome(1500)
    expect(await listIds()).toEqual(ids.reverse())
  })

  it('can be paged and sorted', async () => {
    const ids = await buildSome(15)
    const newest = [...ids].reverse()
    const first = await test.request(list, { token, query: { page: '1' } })
    expect(first.headers['x-total-count']).toBe('15')
    expect(first.body.data.map((it: { _id: string }) => it._id)).toEqual(newest.slice(0, 10))
    expect(await listIds({ page: '3', limit: '6' })).toEqual(newest.slice(12))
    expect(await listIds({ sort: 'createdAt' })).toEqual(ids)
    const byAmount = ids
      .map((id, index) => ({ id, amount: (index * 7) % 15 }))
      .sort((a, b) => a.amount - b.amount)
      .map(({ id }) => id)
    expect(await listIds({ sort: 'amount' })).toEqual(byAmount)
    expect(await listIds({ sort: '-amount', page: '1', limit: '4' })).toEqual([...byAmount].reverse().slice(0, 4))
  })

  it('can be filtered by status, facilitator and days in the business time zone', async () => {
    const [a = ''] = await buildSome(1, { status: 'pending', created_at: new Date('2026-11-20T21:59:59.999Z') })
    const [b = ''] = await buildSome(1, { status: 'created', created_at: new Date('2026-11-20T22:00:00.000Z') })
    const [c = ''] = await buildSome(1, {
      payment_facilitator: 'Yoco',
      created_at: new Date('2026-11-21T22:00:00.000Z'),
    })
    expect(await listIds({ from: '2026-11-21', to: '2026-11-21' })).toEqual([b])
    const ever = { from: '0001-01-01', to: '9999-12-31' }
    expect(await listIds(ever)).toEqual(await listIds({}))
    expect(await listIds({ to: '0001-01-01' })).toEqual([])
    expect(await listIds({ from: '9999-12-31' })).toEqual([])
    expect(await listIds({ from: '2026-11-21' })).toEqual([c, b])
    expect(await listIds({ to: '2026-11-20' })).toEqual([a])
    expect(await listIds({ status: 'pending' })).toEqual([a])
    expect(await listIds({ status: 'lost' })).toEqual([])
    expect(await listIds({ facilitator: 'Yoco' })).toEqual([c])
    expect(await listIds({ facilitator: 'Yoco', status: 'created' })).toEqual([])
    const page = await test.request(list, { token, query: { page: '1', from: '2026-11-21' } })
    expect(page.headers['x-total-count']).toBe('2')
    const together = { facilitator: 'PayFast', status: 'created', from: '2026-11-21', to: '2026-11-21' }
    const one = await test.request(list, { token, query: { page: '1', ...together } })
    expect(one.body.data).toMatchObject([{ _id: b }])
    expect(one.headers['x-total-count']).toBe('1')
  })

  it('can be filtered by location and amount, also combined with a search', async () => {
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id, title: 'Kelp' })
    const booking = await buildBooking(test.db, { pod_id: pod.id })
    const [a, b, c] = ['99.99', '100.00', '250.50'].map((amount) => ({ booking_id: booking.id, amount }))
    const ids: string[] = []
    for (const row of [a, b, c]) ids.push((await buildTransaction(test.db, row)).id)
    const [low = '', middle = '', high = ''] = ids
    const [elsewhere = ''] = await buildSome(1, { amount: '100.00' })

    expect(await listIds({ location: location.id })).toEqual([high, middle, low])
    expect(await listIds({ location: unknownId })).toEqual([])
    expect(await listIds({ location: 'no id' })).toEqual([])
    expect(await listIds({ minAmount: '100', sort: '-amount' })).toEqual([
      high,
      ...[middle, elsewhere].sort().reverse(),
    ])
    expect((await listIds({ minAmount: '100', maxAmount: '100.00' })).sort()).toEqual([middle, elsewhere].sort())
    expect(await listIds({ location: location.id, minAmount: '100', maxAmount: '100' })).toEqual([middle])
    expect(await listIds({ maxAmount: '100', search: 'kelp' })).toEqual([middle, low])
    const page = await test.request(list, { token, query: { page: '1', location: location.id, minAmount: '99,995' } })
    expect(page).toMatchObject({ status: 400 })
    const counted = { page: '1', limit: '1', location: location.id, minAmount: '100' }
    const two = await test.request(list, { token, query: counted })
    expect(two.headers['x-total-count']).toBe('2')
    expect(two.body.data).toMatchObject([{ _id: high }])
  })

  it('matches facilitator and status exactly, including case, spaces and special characters', async () => {
    const name = `Pay “é😀” <b>'&" ${'x'.repeat(180)} `
    const [id = ''] = await buildSome(1, { payment_facilitator: name, status: 'été ' })
    await buildSome(1)
    expect(await listIds({ facilitator: name })).toEqual([id])
    expect(await listIds({ facilitator: name, status: 'été ', page: '1' })).toEqual([id])
    expect(await listIds({ facilitator: name.trim() })).toEqual([])
    expect(await listIds({ facilitator: 'payfast' })).toEqual([])
    expect(await listIds({ status: 'Completed' })).toEqual([])
  })

  it('can be searched by a checkout or merchant id that looks like one of ours', async () => {
    const checkout_id = '0d0a2c3e-7f5b-4a1e-9c2d-3b4a5c6d7e8f'
    const merchant_id = '1d0a2c3e-7f5b-4a1e-9c2d-3b4a5c6d7e8f'
    const { id } = await buildTransaction(test.db, { checkout_id, merchant_id })
    for (const search of [checkout_id, merchant_id, checkout_id.slice(0, -1), id])
      expect(await listIds({ search, page: '1' }), search).toEqual([id])
  })

  it('can be searched by its own texts, pod, location and person, without wildcards', async () => {
    const location = await buildLocation(test.db, { name: 'Kloof 100%' })
    const pod = await buildPod(test.db, { title: 'Under_Score', location_id: location.id })
    const user = await buildUser(test.db, { firstname: 'Zoë', lastname: 'van Wyk', email: 'zoe@example.com' })
    const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
    const { id } = await buildTransaction(test.db, { booking_id: booking.id, checkout_id: 'CHK_😀"1"' })
    await buildTransaction(test.db, { payment_facilitator: 'Yoco' })
    await buildSome(1)
    const found = [
      'under_',
      'KLOOF 100%',
      'zoË VAN',
      'zoe@EXAMPLE',
      'chk_😀"',
      id,
      booking.id,
      id.slice(0, 30),
      id.slice(-6),
    ]
    for (const search of found) {
      expect([search, await listIds({ search })]).toEqual([search, [id]])
      expect([search, await listIds({ search, page: '1' })]).toEqual([search, [id]])
    }
    for (const search of ['Under%Score', 'chk%', "' or 1=1 --", unknownId]) {
      expect([search, await listIds({ search })]).toEqual([search, []])
    }
    expect(await listIds({ search: 'yoco' })).toHaveLength(1)
    expect(await listIds({ search: 'yoco', sort: 'amount', page: '1' })).toHaveLength(1)
    expect(await listIds({ search: '' })).toHaveLength(3)
  })

  it.each([
    ['page', '0', 'page must be between 1 and 10000000'],
    ['limit', '101', 'limit must be between 1 and 100'],
    ['sort', 'status', 'sort must be one of createdAt, amount, with - before it for descending'],
    ['from', 'yesterday', 'from must be a date such as 2026-11-21'],
    ['from', '0000-01-01', 'from must be a date such as 2026-11-21'],
    ['to', '2026-02-29', 'to must be a date such as 2026-11-21'],
    ['search', 'x'.repeat(201), 'search may have at most 200 characters'],
    ['minAmount', '-1', 'minAmount must be an amount such as 99.50'],
    ['maxAmount', 'much', 'maxAmount must be an amount such as 99.50'],
    ['facilitator', 'x'.repeat(201), 'facilitator may have at most 200 characters'],
    ['facilitator', '\0', 'facilitator has a character that cannot be stored'],
    ['status', '\0', 'status has a character that cannot be stored'],
  ])('refuses %s=%s', async (path, value, message) => {
    const response = await test.request(list, { token, query: { [path]: value } })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_input', errors: [{ path, message }] } })
  })
})

describe('the payment facilitators', () => {
  const { facilitators } = routes.transactions

  it('need a session with page 4', async () => {
    expect((await test.request(facilitators)).status).toBe(401)
    const other = await test.signIn([1, 2, 3, 5, 6, 7, 8, 9])
    expect((await test.request(facilitators, { token: other.token })).status).toBe(403)
  })

  it('are an empty list without transactions', async () => {
    expect((await test.request(facilitators, { token })).body).toEqual([])
  })

  it('are listed once each, in alphabetical order regardless of case and accents, and find their transactions', async () => {
    const names = ['Éclair Pay', 'zapper', 'PayFast', 'Yoco', 'Pay "1"; --', '😀']
    for (const name of names) await buildSome(3, { payment_facilitator: name })
    await buildSome(1, { payment_facilitator: '' })
    const response = await test.request(facilitators, { token })
    expect(response).toMatchObject({ status: 200 })
    expect(response.body).toEqual(['😀', 'Éclair Pay', 'Pay "1"; --', 'PayFast', 'Yoco', 'zapper'])
    for (const facilitator of response.body) expect(await listIds({ facilitator })).toHaveLength(3)
    const withoutApi = await test.app.inject({
      url: '/transactions/facilitators',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(withoutApi.json()).toEqual(response.body)
  })

  it('are at most 200', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => String(index).padStart(3, '0'))
    for (const payment_facilitator of rows) await buildSome(1, { payment_facilitator })
    expect((await test.request(facilitators, { token })).body).toEqual(rows.slice(0, 200))
  })
})
