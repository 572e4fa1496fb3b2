import { describe, expect, it } from 'vitest'
import { DASHBOARD_ROWS } from '#contract/dashboard.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import {
  ADDRESS,
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
  NOTHING_HAPPENED,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { get } = routes.dashboard

const nothing = { pods: [], feature: [], bookings: [], Transaction: [], location: [], userDetails: [] }
const noTotals = { pods: 0, feature: 0, bookings: 0, Transaction: 0, location: 0, userDetails: 0 }

async function open(pages?: PageCode[], query: Record<string, string> = {}) {
  const staff = await test.signIn(pages)
  return test.request(get, { token: staff.token, params: { userId: staff._id }, query })
}

/** Builds one record of each kind, linked to each other. */
async function buildOfEach() {
  const location = await buildLocation(test.db, { name: 'Harbour' })
  const pod = await buildPod(test.db, { location_id: location.id, title: 'Nest' })
  const feature = await buildFeature(test.db, { name: 'Wi-Fi', icon: 'wifi', position: 3 })
  const user = await buildUser(test.db, { firstname: 'Johan', lastname: 'Botha' })
  const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
  const transaction = await buildTransaction(test.db, { booking_id: booking.id })
  return { location, pod, feature, user, booking, transaction }
}

describe('GET dashboard', () => {
  it('returns only the caller’s own dashboard: 403 for another id and 404 for a malformed one', async () => {
    const staff = await test.signIn()
    const other = await test.signIn()
    const response = await test.request(get, { token: staff.token, params: { userId: other._id } })
    expect([response.status, response.body.code]).toEqual([403, 'page_required'])
    expect((await test.request(get, { token: staff.token, params: { userId: 'me' } })).status).toBe(404)
    const capitals = { token: staff.token, params: { userId: staff._id.toUpperCase() } }
    expect((await test.request(get, capitals)).status).toBe(200)
  })

  it('returns six lists and their totals, with exactly the expected fields, with and without /api', async () => {
    const { location, pod, feature, user, booking, transaction } = await buildOfEach()
    const staff = await test.signIn()
    const response = await test.request(get, { token: staff.token, params: { userId: staff._id } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      data: {
        pods: [
          {
            _id: pod.id,
            title: 'Nest',
            isBlocked: false,
            images: [{ public_id: expect.any(String), url: expect.any(String) }],
            location: { _id: location.id, name: 'Harbour', city: location.city },
          },
        ],
        feature: [{ _id: feature.id, name: 'Wi-Fi', icon: 'wifi', isBlocked: false, order: 3, version: 1 }],
        bookings: [
          {
            _id: booking.id,
            podId: pod.id,
            podTitle: 'Nest',
            bookingDate: '2026-11-23',
            bookingPurpose: 'meeting',
            startTime: '2026-11-23T09:00:00.000Z',
            endTime: '2026-11-23T10:00:00.000Z',
            timeSlotNumber: '5',
            status: 'Pending',
            isBookingActive: true,
            createdAt: booking.created_at.toISOString(),
            location: location.id,
            user: user.id,
            ...NOTHING_HAPPENED,
            version: 1,
          },
        ],
        Transaction: [
          {
            _id: transaction.id,
            amount: 150,
            currency: 'ZAR',
            merchantId: transaction.merchant_id,
            checkoutId: transaction.checkout_id,
            paymentFacilitator: 'PayFast',
            status: 'completed',
            createdAt: transaction.created_at.toISOString(),
            bookingId: booking.id,
            podTitle: 'Nest',
            locationName: 'Harbour',
            username: 'Johan Botha',
            customerId: user.id,
            company: null,
            refundedAt: null,
          },
        ],
        location: [
          {
            _id: location.id,
            name: 'Harbour',
            ...ADDRESS,
            isBlocked: false,
            version: 1,
          },
        ],
        userDetails: [
          {
            _id: user.id,
            firstname: 'Johan',
            lastname: 'Botha',
            email: user.email,
            mobile: user.mobile,
            phoneNumber: user.mobile,
            role: user.role,
            isBlocked: false,
            username: user.username,
            version: 1,
          },
        ],
      },
      totals: { pods: 1, feature: 1, bookings: 1, Transaction: 1, location: 1, userDetails: 1 },
    })
    const headers = { authorization: `Bearer ${staff.token}` }
    const bare = await test.app.inject({ url: `/dashboard/${staff._id}`, headers })
    expect(bare.json()).toEqual(response.body)
  })

  it('returns empty lists and zero totals when there are no records', async () => {
    expect((await open()).body).toEqual({ data: nothing, totals: noTotals })
  })

  const panels = [
    ['pods', PAGE.pods],
    ['feature', PAGE.features],
    ['bookings', PAGE.bookings],
    ['Transaction', PAGE.transactions],
    ['location', PAGE.locations],
    ['userDetails', PAGE.users],
  ] as const

  it.each(panels)(
    'shows %s only with access to page %d, and no other panel when this one is requested',
    async (panel, page) => {
      await buildOfEach()
      const only = { data: { ...nothing, [panel]: [expect.anything()] }, totals: { ...noTotals, [panel]: 1 } }
      expect((await open([PAGE.dashboard, page])).body).toEqual(only)
      expect((await open(undefined, { panel })).body).toEqual(only)
      const others = panels.map(([, code]) => code).filter((code) => code !== page)
      expect((await open([PAGE.dashboard, ...others], { panel })).body).toEqual({ data: nothing, totals: noTotals })
    },
  )

  it('returns the newest 100 rows of each list with the full total', async () => {
    const location = await buildLocation(test.db)
    const rows = Array.from({ length: DASHBOARD_ROWS + 5 }, (_, index) => ({
      id: createId(),
      firstname: 'Customer',
      lastname: String(index),
      email: `customer${index}@example.com`,
      mobile: '',
      role: 'user',
      username: '',
      created_at: new Date(Date.UTC(2026, 0, 1, 0, index)),
    }))
    await test.db.insertInto('users').values(rows).execute()
    const pod = await buildPod(test.db, { location_id: location.id })
    const bookings = rows.map((user, index) => ({
      id: createId(),
      pod_id: pod.id,
      location_id: location.id,
      user_id: user.id,
      staff_id: null,
      booking_date: '2026-11-23',
      purpose: 'work',
      start_time: new Date(Date.UTC(2026, 10, 23 + index, 9)),
      end_time: new Date(Date.UTC(2026, 10, 23 + index, 10)),
      slot_count: 5,
      status: 'Pending' as const,
      created_at: user.created_at,
    }))
    await test.db.insertInto('bookings').values(bookings).execute()
    const { data, totals } = (await open()).body
    expect(totals).toMatchObject({ userDetails: 105, bookings: 105, pods: 1 })
    const newest = rows.toReversed().slice(0, DASHBOARD_ROWS)
    expect(data.userDetails.map((user: { _id: string }) => user._id)).toEqual(newest.map(({ id }) => id))
    expect(data.bookings.map((booking: { user: string }) => booking.user)).toEqual(newest.map(({ id }) => id))
  })

  it('omits deleted records, but keeps their names on bookings and transactions', async () => {
    const { pod, user } = await buildOfEach()
    const gone = { deleted_at: new Date() }
    await test.db.updateTable('pods').set(gone).where('id', '=', pod.id).execute()
    await test.db.updateTable('users').set(gone).where('id', '=', user.id).execute()
    const { data, totals } = (await open()).body
    expect([data.pods, data.userDetails, totals.pods, totals.userDetails]).toEqual([[], [], 0, 0])
    expect([data.bookings[0].podTitle, data.Transaction[0].username]).toEqual(['Nest', 'Johan Botha'])
  })

  it('runs one query per panel and one for the totals, however many rows there are', async () => {
    await buildOfEach()
    for (let round = 0; round < 3; round++) await buildTransaction(test.db)
    let taken = 0
    const count = () => {
      taken += 1
    }
    const staff = await test.signIn()
    test.database.pool.on('acquire', count)
    await test.request(get, { token: staff.token, params: { userId: staff._id } })
    expect(taken).toBe(8) // the session, one per panel, and the totals
    taken = 0
    await test.request(get, { token: staff.token, params: { userId: staff._id }, query: { panel: 'pods' } })
    expect(taken).toBe(3)
    test.database.pool.off('acquire', count)
  })

  it('refuses an unknown panel', async () => {
    const response = await open(undefined, { panel: 'staff' })
    expect([response.status, response.body.errors[0].path]).toEqual([400, 'panel'])
  })
})
