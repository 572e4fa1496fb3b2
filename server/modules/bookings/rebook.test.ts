import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const at = (mark: string) => new Date(`2026-11-23T${mark}:00.000Z`)
/** It is 11:00 there. */
const today = (mark: string) => new Date(`2026-11-21T${mark}:00.000Z`)

const send = (token: string, id: string, who: object, more: object = {}, headers: Record<string, string> = {}) =>
  test.request(routes.bookings.rebook, { token, params: { id }, body: { version: 1, for: who, ...more }, headers })

const listBookings = () => test.db.selectFrom('bookings').selectAll().orderBy('id').execute()
const countHeld = async (booking_id: string) =>
  (await test.db.selectFrom('booking_slots').select('slot_start').where('booking_id', '=', booking_id).execute()).length

async function buildCustomersBooking(fields: Parameters<typeof buildBooking>[1] = {}) {
  const pod = await buildPod(test.db, { rate: '2.5' })
  const former = await buildUser(test.db, { firstname: 'Sipho' })
  const times = { start_time: at('09:00'), end_time: at('10:00') }
  return buildBooking(test.db, { pod_id: pod.id, user_id: former.id, purpose: 'work', ...times, ...fields })
}

describe('booking the time of a booking for somebody else', () => {
  it('cancels that booking and holds its time for the other, with its purpose, but not its note', async () => {
    const { _id, token } = await test.signIn([PAGE.corporateBooking, PAGE.bookings])
    const booking = await buildCustomersBooking({ note: 'Needs a ramp' })
    const user = await buildUser(test.db, { firstname: 'Naledi' })
    const response = await send(token, booking.id, { kind: 'customer', userId: user.id }, { price: 150 })
    expect(response.status, response.text).toBe(201)
    expect(response.headers['x-undo-id']).toBeUndefined()
    const { _id: id } = response.body.booking
    expect(response.body.booking).toMatchObject({
      podId: booking.pod_id,
      user: user.id,
      startTime: at('09:00').toISOString(),
      endTime: at('10:00').toISOString(),
      bookingPurpose: 'work',
      note: '',
      status: 'Pending',
      price: 150,
    })
    const rows = new Map((await listBookings()).map((row) => [row.id, row]))
    expect(rows.get(booking.id)).toMatchObject({
      status: 'Cancelled',
      cancel_reason: 'Booked for somebody else',
      note: 'Needs a ramp',
    })
    expect(rows.get(id)).toMatchObject({ made_by_staff_id: _id })
    expect([await countHeld(booking.id), await countHeld(id)]).toEqual([0, 4])
    const changes = await test.db.selectFrom('audit').select(['entity_id', 'action', 'reason']).orderBy('at').execute()
    expect(changes.filter(({ entity_id }) => entity_id === booking.id || entity_id === id)).toEqual([
      { entity_id: booking.id, action: 'cancel', reason: 'Booked for somebody else' },
      { entity_id: id, action: 'create', reason: 'In place of a booking for somebody else' },
    ])
  })

  it('does so outside the opening hours too, where the booking is', async () => {
    const { token } = await test.signIn([PAGE.corporateBooking, PAGE.bookings])
    const booking = await buildCustomersBooking()
    const shut = { pod_id: booking.pod_id, weekday: 1, opens: null, closes: null }
    await test.db.insertInto('opening_hours').values(shut).execute()
    const company = await buildCompany(test.db)
    const response = await send(token, booking.id, { kind: 'company', companyId: company.id })
    expect(response.status, response.text).toBe(201)
  })

  it('does so once, however often it is sent', async () => {
    const { token } = await test.signIn([PAGE.corporateBooking, PAGE.bookings])
    const booking = await buildCustomersBooking()
    const who = { kind: 'newCustomer', firstname: 'Thandi', mobile: '083 555 0199' }
    const headers = { 'idempotency-key': createId() }
    const responses = [
      await send(token, booking.id, who, {}, headers),
      await send(token, booking.id, who, {}, headers),
      await send(token, booking.id, who),
    ]
    expect(responses.map(({ status, body }) => body.code ?? status)).toEqual([201, 201, 'record_changed'])
    expect(responses[1]?.body).toEqual(responses[0]?.body)
    expect(await listBookings()).toHaveLength(2)
    expect(await test.db.selectFrom('users').select('id').execute()).toHaveLength(2)
  })

  it('lets one of two colleagues do so who try at the same time', async () => {
    const { token } = await test.signIn([PAGE.corporateBooking, PAGE.bookings])
    const booking = await buildCustomersBooking()
    const users = [await buildUser(test.db), await buildUser(test.db)]
    const responses = await Promise.all(
      users.map(({ id }) => send(token, booking.id, { kind: 'customer', userId: id })),
    )
    expect(responses.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 409]))
    const active = (await listBookings()).filter(({ status }) => status !== 'Cancelled')
    expect(active).toHaveLength(1)
    expect(await countHeld(active[0]?.id ?? '')).toBe(4)
  })

  it('is refused, and changes nothing', async () => {
    const { token } = await test.signIn([PAGE.corporateBooking, PAGE.bookings])
    const other = await buildUser(test.db)
    const customer = { kind: 'customer', userId: other.id }
    const paid = await buildCustomersBooking()
    await buildTransaction(test.db, { booking_id: paid.id, status: 'completed', amount: '10' })
    const begun = await buildCustomersBooking({
      start_time: today('10:00'),
      end_time: today('13:00'),
      status: 'Processing',
    })
    const cancelled = await buildCustomersBooking({ status: 'Cancelled' })
    const booking = await buildCustomersBooking()
    const company = await buildCompany(test.db)
    // Made by a colleague.
    const ofCompany = await buildBooking(test.db, {
      company_id: company.id,
      start_time: at('09:00'),
      end_time: at('10:00'),
    })
    const blocked = await buildUser(test.db, { is_blocked: true })
    const closed = await buildLocation(test.db, { is_blocked: true })
    const inClosed = await buildCustomersBooking({ pod_id: (await buildPod(test.db, { location_id: closed.id })).id })
    const before = await listBookings()
    const cases: [string, object, object, number, string][] = [
      [paid.id, customer, {}, 409, 'booking_state'],
      [begun.id, customer, {}, 409, 'booking_state'],
      [cancelled.id, customer, {}, 409, 'booking_cancelled'],
      [booking.id, customer, { version: 7 }, 409, 'record_changed'],
      [booking.id, customer, { price: 1 }, 409, 'price_changed'],
      [booking.id, { kind: 'customer', userId: booking.user_id }, {}, 400, 'invalid_input'],
      [ofCompany.id, { kind: 'company', companyId: company.id }, {}, 400, 'invalid_input'],
      [booking.id, { kind: 'customer', userId: blocked.id }, {}, 409, 'customer_blocked'],
      [booking.id, { kind: 'company', companyId: createId() }, {}, 404, 'not_found'],
      [booking.id, { kind: 'newCustomer', firstname: 'Thandi' }, {}, 400, 'invalid_input'],
      [inClosed.id, customer, {}, 409, 'location_blocked'],
      [createId(), customer, {}, 404, 'not_found'],
    ]
    for (const [id, who, more, status, code] of cases) {
      const response = await send(token, id, who, more)
      expect([response.status, response.body.code], response.text).toEqual([status, code])
    }
    expect(await listBookings()).toEqual(before)
    expect(await test.db.selectFrom('audit').select('id').where('entity', '=', 'booking').execute()).toEqual([])
  })

  it('takes Corporate Booking, and Booking too unless the booking is one’s own', async () => {
    const booking = await buildCustomersBooking()
    const own = await test.signIn([PAGE.corporateBooking])
    const mine = await buildBooking(test.db, { staff_id: own._id, start_time: at('12:00'), end_time: at('13:00') })
    const who = { kind: 'customer', userId: (await buildUser(test.db)).id }
    const viewer = await test.signIn([PAGE.bookings])
    expect((await send(viewer.token, booking.id, who)).status).toBe(403)
    expect((await send(own.token, booking.id, who)).body.code).toBe('booking_of_another')
    expect((await send(own.token, mine.id, who)).status).toBe(201)
  })
})
