import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { getRate, getDiscount, setRate, setDiscount } = routes.pricing

const signIn = async () => (await test.signIn([PAGE.transactions])).token

describe('the rate', () => {
  it('is 0 until another rate is set', async () => {
    const response = await test.request(getRate, { token: await signIn() })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ rate: 0 })
  })

  it.each([
    [2.5, 2.5],
    ['2.50', 2.5],
    [' 12 ', 12],
    [0, 0],
    ['0.0001', 0.0001],
    [1_000_000, 1_000_000],
    ['0.1', 0.1],
  ])('accepts %j and stores the exact value', async (sent, rate) => {
    const token = await signIn()
    const response = await test.request(setRate, { token, body: { rate: sent, status: 'active' } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ rate, message: 'Rate updated successfully' })
    expect((await test.request(getRate, { token })).body).toEqual({ rate })
    const stored = await test.db.selectFrom('pricing').select(['rate', 'updated_at']).executeTakeFirstOrThrow()
    expect(Number(stored.rate)).toBe(rate)
    expect(stored.updated_at).toEqual(test.clock.now())
  })

  it.each([
    [undefined, 'Rate must be a number'],
    [null, 'Rate must be a number'],
    ['', 'Rate must be a number'],
    ['two', 'Rate must be a number'],
    ['1e3', 'Rate must be a number'],
    ['2,5', 'Rate must be a number'],
    [true, 'Rate must be a number'],
    [-0.01, 'Rate cannot be negative'],
    ['-1', 'Rate cannot be negative'],
    [1_000_001, 'Rate must be at most 1000000'],
    [0.00001, 'Rate may have at most 4 decimals'],
  ])('refuses %j and stays unchanged', async (rate, message) => {
    const token = await signIn()
    await test.request(setRate, { token, body: { rate: 3 } })
    const response = await test.request(setRate, { token, body: { rate } })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, code: 'invalid_input', errors: [{ path: 'rate', message }] })
    expect((await test.request(getRate, { token })).body).toEqual({ rate: 3 })
  })
})

describe('the version of the pricing', () => {
  it('is returned as an ETag, refuses an update from an older version, and is optional', async () => {
    const token = await signIn()
    const first = String((await test.request(getRate, { token })).headers.etag)
    expect(first).toMatch(/^"\d+"$/)
    const version = Number(first.slice(1, -1)) + 1
    const set = (rate: number, headers: Record<string, string> = {}) =>
      test.request(setRate, { token, body: { rate }, headers })
    expect((await set(2, { 'if-match': first })).headers.etag).toBe(`"${version}"`)
    const stale = await set(3, { 'if-match': first })
    expect(stale).toMatchObject({ status: 409, body: { code: 'record_changed', current: { rate: 2, version } } })
    expect((await set(4)).body).toEqual({ rate: 4, message: 'Rate updated successfully' })
  })
})

describe('the discount', () => {
  it('may be read with Corporate Booking, for the price in its form', async () => {
    const { token } = await test.signIn([PAGE.corporateBooking])
    expect((await test.request(getDiscount, { token })).body).toEqual({ discount: 0 })
  })

  it('accepts whole minutes, and leaves the rate unchanged', async () => {
    const token = await signIn()
    await test.request(setRate, { token, body: { rate: 3 } })
    expect((await test.request(getDiscount, { token })).body).toEqual({ discount: 0 })
    const response = await test.request(setDiscount, { token, body: { discount: '15' } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ discount: 15, message: 'Discount updated successfully' })
    expect((await test.request(getDiscount, { token })).body).toEqual({ discount: 15 })
    expect((await test.request(getRate, { token })).body).toEqual({ rate: 3 })
  })

  it.each([
    [undefined, 'Discount must be a number'],
    ['soon', 'Discount must be a number'],
    [-1, 'Discount cannot be negative'],
    [1.5, 'Discount must be a whole number'],
    ['7.25', 'Discount must be a whole number'],
  ])('refuses %j', async (discount, message) => {
    const response = await test.request(setDiscount, { token: await signIn(), body: { discount } })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, errors: [{ path: 'discount', message }] })
  })

  it('refuses an empty body, and says that a JSON body is required', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await test.request(setDiscount, { token: await signIn(), body: '', headers })
    expect(response.status).toBe(400)
    expect(response.body.message).toBe('A JSON body is required')
  })

  it('can be set and read without /api too', async () => {
    const headers = { authorization: `Bearer ${await signIn()}` }
    const payload = { discount: 5 }
    const set = await test.app.inject({ method: 'POST', url: '/transactions/ManageDiscount', payload, headers })
    expect(set.statusCode).toBe(200)
    expect((await test.app.inject({ url: '/transactions/getdiscount', headers })).json()).toEqual({ discount: 5 })
  })
})
