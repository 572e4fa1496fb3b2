import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildCompany, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { createFor } = routes.bookings
const at = (mark: string) => `2026-11-23T${mark}:00.000Z`

const signIn = () => test.signIn([PAGE.corporateBooking])

async function book(
  token: string,
  podId: string,
  who: object,
  more: object = {},
  headers: Record<string, string> = {},
) {
  const times = { bookingDate: '2026-11-23', startTime: at('09:00'), endTime: at('10:00') }
  const body = { podId, bookingPurpose: 'meeting', ...times, for: who, ...more }
  return test.request(createFor, { token, body, headers })
}
const findRow = (id: string) =>
  test.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const countUsers = async () => (await test.db.selectFrom('users').select('id').execute()).length

describe('POST bookings', () => {
  it('accepts ids in capitals', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db)
    const response = await book(token, pod.id.toUpperCase(), { kind: 'customer', userId: user.id.toUpperCase() })
    expect(response.status, response.text).toBe(201)
    expect(response.body.booking).toMatchObject({ podId: pod.id, user: user.id })
  })

  it('books for oneself without a price and with a note', async () => {
    const { _id, token } = await signIn()
    const pod = await buildPod(test.db, { title: 'Quiet room' })
    const response = await book(token, pod.id, { kind: 'me' }, { note: ' Bring the projector ' })
    expect(response.status).toBe(201)
    expect(response.body.booking).toMatchObject({
      podTitle: 'Quiet room',
      status: 'Pending',
      timeSlotNumber: '5',
      user: _id,
      note: 'Bring the projector',
      price: null,
    })
    const taken = await book(token, pod.id, { kind: 'me' })
    expect([taken.status, taken.body.code]).toEqual([409, 'slot_taken'])
    expect(taken.body.free.times[0]).toEqual({ startTime: at('08:00'), endTime: at('09:00') })
  })

  it('books for a customer at the current price and policy, and records who made the booking', async () => {
    const { _id, token } = await signIn()
    await test.db.updateTable('pricing').set({ discount_minutes: 15 }).execute()
    const user = await buildUser(test.db, { firstname: 'Naledi', lastname: 'Dube' })
    const pod = await buildPod(test.db, { rate: '2.5' })
    const { body } = await book(token, pod.id, { kind: 'customer', userId: user.id })
    expect(body.booking).toMatchObject({ user: user.id, price: 112.5 })
    expect(await findRow(body.booking._id)).toMatchObject({
      user_id: user.id,
      staff_id: null,
      made_by_staff_id: _id,
      price: '112.50',
      rate: '2.5000',
      discount_minutes: 15,
      balance_due: '112.50',
      cancel_policy: { brackets: [{ hoursBefore: 2, percent: 100 }], fee: 0 },
    })
    const reader = await test.signIn([PAGE.bookings])
    const query = { user: user.id, limit: '5' }
    const list = await test.request(routes.bookings.list, { token: reader.token, query })
    expect(list.body).toMatchObject([{ _id: body.booking._id, username: 'Naledi Dube' }])
    const query2 = { entity: 'booking', id: body.booking._id }
    const history = await test.request(routes.audit.history, { token: reader.token, query: query2 })
    expect(history.body).toMatchObject([{ action: 'create', actor: { _id }, after: { user_id: user.id } }])
  })

  it('books nothing when the price is no longer the one that was shown', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db, { rate: '2.5' })
    const who = { kind: 'newCustomer', firstname: 'Zanele', mobile: '0825550101' }
    const refused = await book(token, pod.id, who, { price: 120 })
    expect([refused.status, refused.body.code]).toEqual([409, 'price_changed'])
    expect(await countUsers()).toBe(0)
    expect((await book(token, pod.id, who, { price: 150 })).body.booking).toMatchObject({ price: 150 })
    const later = { startTime: at('12:00'), endTime: at('13:00') }
    expect((await book(token, pod.id, { kind: 'me' }, { ...later, price: 120 })).status).toBe(201)
  })

  it('creates a new customer and the booking together, or neither', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const who = { kind: 'newCustomer', firstname: 'Zanele', lastname: 'Mokoena', email: 'Zanele@Mail.example' }
    const { body } = await book(token, pod.id, who)
    const [user] = await test.db.selectFrom('users').selectAll().execute()
    expect(user).toMatchObject({ id: body.booking.user, firstname: 'Zanele', email: 'zanele@mail.example', version: 1 })
    const taken = await book(token, pod.id, { ...who, email: 'other@mail.example' })
    expect(taken.status).toBe(409)
    expect(await countUsers()).toBe(1)
    // Several customers without an email address can have the same phone number.
    for (const [index, firstname] of ['Ann', 'Bea'].entries()) {
      const times = { startTime: at(`1${index + 1}:00`), endTime: at(`1${index + 2}:00`) }
      const made = await book(token, pod.id, { kind: 'newCustomer', firstname, mobile: '+27 82 555 0101' }, times)
      expect(made.status).toBe(201)
    }
    const customers = await test.request(routes.users.list, { token, query: { search: '082 555 0101', limit: '5' } })
    expect(customers.body).toHaveLength(2)
  })

  it('reports at the field that the email address already belongs to a customer', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db)
    const { status, body } = await book(token, pod.id, { kind: 'newCustomer', firstname: 'A', email: user.email })
    expect([status, body.code]).toEqual([409, 'email_taken'])
    expect(body.errors).toMatchObject([{ path: 'for.email' }])
    expect(await test.db.selectFrom('bookings').selectAll().execute()).toEqual([])
  })

  it('books for a company, which owes the price', async () => {
    const { _id, token } = await signIn()
    const pod = await buildPod(test.db, { rate: '2' })
    const company = await buildCompany(test.db)
    const { body } = await book(token, pod.id, { kind: 'company', companyId: company.id })
    expect(await findRow(body.booking._id)).toMatchObject({
      company_id: company.id,
      staff_id: _id,
      made_by_staff_id: null,
      price: '120.00',
      balance_due: '120.00',
    })
  })

  it('refuses blocked and unknown customers, deleted companies and unknown pods', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const blocked = await buildUser(test.db, { is_blocked: true })
    const gone = await buildUser(test.db, { deleted_at: new Date() })
    const company = await buildCompany(test.db, { deleted_at: new Date() })
    expect((await book(token, pod.id, { kind: 'customer', userId: blocked.id })).body.code).toBe('customer_blocked')
    for (const userId of [gone.id, createId(), 'none'])
      expect((await book(token, pod.id, { kind: 'customer', userId })).body.message).toBe('Customer not found')
    expect((await book(token, pod.id, { kind: 'company', companyId: company.id })).body.message).toBe(
      'Company not found',
    )
    for (const podId of [createId(), 'none'])
      expect((await book(token, podId, { kind: 'me' })).body.message).toBe('Pod not found')
  })

  it('says at its field that the customer or company can no longer be booked for', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const blocked = await buildUser(test.db, { is_blocked: true })
    const gone = await buildUser(test.db, { deleted_at: new Date() })
    const company = await buildCompany(test.db, { deleted_at: new Date() })
    const refused = async (who: object) => (await book(token, pod.id, who)).body.errors
    expect(await refused({ kind: 'customer', userId: blocked.id })).toEqual([
      { path: 'for.userId', message: 'This customer is blocked and cannot be booked for.' },
    ])
    expect(await refused({ kind: 'customer', userId: gone.id })).toEqual([
      { path: 'for.userId', message: 'This customer cannot be booked for any more. Choose another.' },
    ])
    expect(await refused({ kind: 'company', companyId: company.id })).toEqual([
      { path: 'for.companyId', message: 'This company cannot be booked for any more. Choose another.' },
    ])
  })

  it.each([
    [{}, 'for.kind'],
    [{ kind: 'friend' }, 'for.kind'],
    [{ kind: 'customer' }, 'for.userId'],
    [{ kind: 'newCustomer', email: 'a@b.co' }, 'for.firstname'],
    [{ kind: 'newCustomer', firstname: 'A' }, 'for.email'],
    [{ kind: 'newCustomer', firstname: 'A', email: 'nobody' }, 'for.email'],
  ])('refuses %j at its field', async (who, path) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const response = await book(token, pod.id, who)
    expect(response.status).toBe(400)
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path)
  })

  it('creates the booking and a new customer once per idempotency key', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const who = { kind: 'newCustomer', firstname: 'Zanele', mobile: '0825550101' }
    const first = await book(token, pod.id, who, {}, { 'idempotency-key': 'one' })
    const second = await book(token, pod.id, who, {}, { 'idempotency-key': 'one' })
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await countUsers()).toBe(1)
  })

  it('gives a time to one of two simultaneous requests, and alternatives to the other', async () => {
    const pod = await buildPod(test.db)
    const { token } = await signIn()
    const names = ['Ann', 'Bea']
    const responses = await Promise.all(
      names.map((firstname) => book(token, pod.id, { kind: 'newCustomer', firstname, mobile: '0825550101' })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const refused = responses.find(({ status }) => status === 409)
    expect(refused?.body.free.times).toHaveLength(3)
    expect(await countUsers()).toBe(1)
    await expect(buildBooking(test.db, { pod_id: pod.id })).rejects.toMatchObject({ code: '23505' })
  })
})
