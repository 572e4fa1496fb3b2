import { beforeEach, describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import {
  ADDRESS,
  buildBooking,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
  NOTHING_HAPPENED,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list } = routes.bookings
const unknownId = '019a9c00-0000-7000-8000-00000000dead'

let token: string
beforeEach(async () => {
  token = (await test.signIn([6])).token
})

async function listIds(query?: Record<string, string>): Promise<string[]> {
  const response = await test.request(list, { token, ...(query ? { query } : {}) })
  expect(response.status).toBe(200)
  return response.body.map((booking: { _id: string }) => booking._id)
}

/** Builds bookings in order of creation. Their start times are in another order, so that only creation sorts them. */
async function buildSome(count: number, pod_id?: string): Promise<string[]> {
  const pod = pod_id ?? (await buildPod(test.db)).id
  const staff_id = (await buildStaff(test.db)).id
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const booking = await buildBooking(test.db, {
      pod_id: pod,
      staff_id,
      start_time: new Date(Date.parse('2026-11-23T09:00:00.000Z') + ((index * 7) % count) * 86_400_000),
      created_at: new Date(Date.parse('2026-11-01T00:00:00.000Z') + index * 1000),
    })
    ids.push(booking.id)
  }
  return ids
}

describe('the list of bookings', () => {
  it('needs a session with page 6', async () => {
    expect((await test.request(list)).status).toBe(401)
    const other = await test.signIn([1, 2, 3, 4, 5, 7, 8, 9])
    expect((await test.request(list, { token: other.token })).status).toBe(403)
  })

  it('returns each booking with its related records, paginated or not', async () => {
    const location = await buildLocation(test.db, { name: 'Sea Point', is_blocked: true })
    const pod = await buildPod(test.db, { location_id: location.id, title: 'Signal Hill' })
    const user = await buildUser(test.db, { firstname: 'Sipho', lastname: 'Khumalo', deleted_at: new Date() })
    const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id, purpose: '', status: 'Rated' })
    const response = await test.request(list, { token })
    expect(response.body).toEqual([
      {
        _id: booking.id,
        podId: pod.id,
        podTitle: 'Signal Hill',
        bookingDate: '2026-11-23',
        bookingPurpose: '',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        timeSlotNumber: '5',
        status: 'Rated',
        isBookingActive: false,
        createdAt: booking.created_at.toISOString(),
        location: location.id,
        user: user.id,
        ...NOTHING_HAPPENED,
        version: 1,
        locationName: 'Sea Point',
        locationDetails: {
          _id: location.id,
          name: 'Sea Point',
          ...ADDRESS,
          isBlocked: true,
        },
        username: 'Sipho Khumalo',
        customerId: user.id,
        balanceDue: 0,
        userDetails: { _id: user.id, firstname: 'Sipho', lastname: 'Khumalo', email: user.email },
        company: null,
      },
    ])
    const page = await test.request(list, { token, query: { page: '1' } })
    expect(page.body).toEqual(response.body)
  })

  it('is complete without page and limit, newest first, across several batches', async () => {
    const pod = await buildPod(test.db)
    const staff = await buildStaff(test.db)
    const first = Date.parse('2020-01-01T06:00:00.000Z')
    const rows = Array.from({ length: 2100 }, (_, index) => ({
      id: `019a9c00-0000-7000-8000-${String(index).padStart(12, '0')}`,
      pod_id: pod.id,
      location_id: pod.location_id,
      staff_id: staff.id,
      user_id: null,
      booking_date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
      purpose: 'work',
      start_time: new Date(first + index * 86_400_000),
      end_time: new Date(first + index * 86_400_000 + 900_000),
      slot_count: 2,
      status: 'Completed' as const,
      // Three bookings share each moment, so the id has to decide.
      created_at: new Date(first + Math.floor(index / 3) * 1000),
    }))
    await test.db.insertInto('bookings').values(rows).execute()
    expect(await listIds()).toEqual(rows.map(({ id }) => id).reverse())
  })

  it('is paginated, ten rows per list page by default, with the total in a header', async () => {
    const ids = (await buildSome(23)).reverse()
    const first = await test.request(list, { token, query: { page: '1' } })
    expect(first.headers['x-total-count']).toBe('23')
    expect(first.body.map((it: { _id: string }) => it._id)).toEqual(ids.slice(0, 10))
    expect(await listIds({ page: '3' })).toEqual(ids.slice(20))
    expect(await listIds({ limit: '5' })).toEqual(ids.slice(0, 5))
    expect(await listIds({ page: '2', limit: '5' })).toEqual(ids.slice(5, 10))
    const beyond = await test.request(list, { token, query: { page: '4' } })
    expect(beyond).toMatchObject({ status: 200, body: [] })
    expect(beyond.headers['x-total-count']).toBe('23')
  })

  it('can be sorted by creation or start', async () => {
    const ids = await buildSome(4)
    expect(await listIds({ sort: 'createdAt' })).toEqual(ids)
    const byStart = [0, 3, 2, 1].map((index) => ids[index])
    expect(await listIds({ sort: 'startTime' })).toEqual(byStart)
    expect(await listIds({ sort: '-startTime', page: '1', limit: '2' })).toEqual([...byStart].reverse().slice(0, 2))
  })

  it('applies its filters, singly and combined, paginated or not', async () => {
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db)
    const on = (date: string, more: Parameters<typeof buildBooking>[1]) =>
      buildBooking(test.db, { start_time: new Date(`${date}T23:00:00.000Z`), ...more })
    const a = (await on('2026-11-23', { pod_id: pod.id, user_id: user.id, status: 'Completed' })).id
    const b = (await on('2026-11-24', { pod_id: pod.id, status: 'Pending' })).id
    const c = await on('2026-11-25', { user_id: user.id, status: 'Cancelled' })
    await test.db.updateTable('bookings').set({ no_show_at: new Date() }).where('id', '=', a).execute()
    const expectIds = async (query: Record<string, string>, ids: string[]) => {
      expect((await listIds(query)).sort()).toEqual([...ids].sort())
      const page = await test.request(list, { token, query: { ...query, page: '1' } })
      expect(page.headers['x-total-count']).toBe(String(ids.length))
      expect(page.body).toHaveLength(ids.length)
    }
    await expectIds({ pod: pod.id }, [a, b])
    await expectIds({ location: pod.location_id }, [a, b])
    await expectIds({ location: pod.location_id.toUpperCase() }, [a, b])
    await expectIds({ user: user.id }, [a, c.id])
    await expectIds({ status: 'Cancelled' }, [c.id])
    await expectIds({ when: 'no-show' }, [a])
    await expectIds({ when: 'no-show', status: 'Rated' }, [])
    await test.db.updateTable('bookings').set({ balance_due: 150 }).where('id', '=', a).execute()
    await test.db.updateTable('bookings').set({ balance_due: -40 }).where('id', '=', c.id).execute()
    await expectIds({ balance: 'due' }, [a])
    await expectIds({ balance: 'refund' }, [c.id])
    await expectIds({ balance: 'refund', status: 'Pending' }, [])
    await expectIds({ from: '2026-11-24' }, [b, c.id])
    await expectIds({ to: '2026-11-24' }, [a, b])
    await expectIds({ from: '2026-11-24', to: '2026-11-24' }, [b])
    await expectIds({ user: user.id, pod: pod.id, status: 'Completed', from: '2026-11-23', to: '2026-11-23' }, [a])
    const staffId = (await test.db.selectFrom('bookings').select('staff_id').where('id', '=', b).executeTakeFirst())
      ?.staff_id
    await expectIds({ user: staffId ?? '' }, [b])
    for (const name of ['pod', 'location', 'user']) {
      await expectIds({ [name]: unknownId }, [])
      await expectIds({ [name]: 'no id' }, [])
    }
  })

  it('is paginated for one pod or one person, newest first, each with its own total', async () => {
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db)
    const ofPod = (await buildSome(13, pod.id)).reverse()
    const others = await buildSome(3)
    await test.db.updateTable('bookings').set({ user_id: user.id, staff_id: null }).where('id', 'in', others).execute()
    const page = await test.request(list, { token, query: { pod: pod.id, page: '2' } })
    expect(page.headers['x-total-count']).toBe('13')
    expect(page.body.map((it: { _id: string }) => it._id)).toEqual(ofPod.slice(10))
    const mine = await test.request(list, { token, query: { user: user.id, limit: '2' } })
    expect(mine.headers['x-total-count']).toBe('3')
    expect(mine.body.map((it: { _id: string }) => it._id)).toEqual([...others].reverse().slice(0, 2))
    expect(await listIds({ pod: pod.id, user: user.id, page: '1' })).toEqual([])
  })

  it('can be searched by pod, location, person, purpose and id, ignoring case and without wildcards', async () => {
    const location = await buildLocation(test.db, { name: 'Kloof 100%' })
    const pod = await buildPod(test.db, { title: 'Under_Score', location_id: location.id })
    const user = await buildUser(test.db, { firstname: 'Zoë', lastname: 'van Wyk', email: 'zoe@example.com' })
    const found = (await buildBooking(test.db, { pod_id: pod.id, user_id: user.id, purpose: 'Board "meeting"' })).id
    const other = await buildBooking(test.db)
    for (const search of [
      'under_',
      'UNDER_SCORE',
      '100%',
      'zoË VAN',
      'zoe@EXAMPLE',
      'board "m',
      found,
      found.slice(0, 30),
    ]) {
      expect([search, await listIds({ search })]).toEqual([search, [found]])
      expect([search, await listIds({ search, page: '1' })]).toEqual([search, [found]])
    }
    for (const search of ['Under%Score', 'U_der_Score', '100\\%', "' or 1=1 --", unknownId]) {
      expect([search, await listIds({ search })]).toEqual([search, []])
    }
    expect(await listIds({ search: 'thandi' })).toEqual([other.id])
    expect(await listIds({ search: '' })).toHaveLength(2)
  })

  it.each([
    ['page', '0', 'page must be between 1 and 10000000'],
    ['page', '-1', 'page must be between 1 and 10000000'],
    ['page', '99999999999', 'page must be between 1 and 10000000'],
    ['page', 'two', 'page must be a whole number'],
    ['page', '1.5', 'page must be a whole number'],
    ['limit', '101', 'limit must be between 1 and 100'],
    ['sort', 'username', 'sort must be one of createdAt, startTime, with - before it for descending'],
    ['status', 'pending', 'status must be one of Pending, Confirmed, Processing, Completed, Rated, Cancelled'],
    ['from', '2026-13-01', 'from must be a date such as 2026-11-21'],
    ['to', 'tomorrow', 'to must be a date such as 2026-11-21'],
    ['search', 'x'.repeat(201), 'search may have at most 200 characters'],
  ])('refuses %s=%s', async (path, value, message) => {
    const response = await test.request(list, { token, query: { [path]: value } })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_input', errors: [{ path, message }] } })
  })
})
