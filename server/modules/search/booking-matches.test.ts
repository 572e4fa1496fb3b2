import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { BookingListQuery } from '#contract/bookings.ts'
import { TransactionListQuery } from '#contract/transactions.ts'
import { buildBooking, buildLocation, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { searchedBookings } from '../bookings/bookings.filter.ts'
import { listBookingBatches, listBookings } from '../bookings/bookings.repository.ts'
import { searchedTransactions } from '../transactions/transactions.filter.ts'
import { listTransactionBatches, listTransactions } from '../transactions/transactions.repository.ts'
import { findBookingMatches } from './booking-matches.ts'

const test = useTestApp()
const zone = 'Africa/Johannesburg'

async function collect<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

/** The lists of bookings and transactions under a search that more customers match than an array of them should hold. */
describe('a search that thousands of customers match', () => {
  beforeEach(async () => {
    await sql`
      insert into users (id, firstname, lastname, email, mobile, role, username)
      select gen_random_uuid(), 'Crowd', n::text, 'crowd' || n || '@example.com', '', 'user', 'crowd' || n
        from generate_series(1, 2001) as n`.execute(test.db)
  })

  it('is told from one that few match, and from an id', async () => {
    const find = (search: string) => findBookingMatches(test.db, search, searchedBookings)
    expect(await find('crowd')).toMatchObject({ hasManyUsers: true, isCommon: true, people: [] })
    const few = await find('CROWD200')
    expect(few).toMatchObject({ hasManyUsers: false, isCommon: false })
    expect(few?.people).toHaveLength(3) // 200, 2000 and 2001
    expect(await find('01a1fe00-0000-7000-8000-000000000000')).toMatchObject({ people: [], isCommon: false })
    expect(await find('')).toBeUndefined()
  })

  it('is told of one letter by the newest customers, where they leave no doubt', async () => {
    await sql`
      insert into users (id, firstname, lastname, email, mobile, role, username)
      select gen_random_uuid(), 'Quinn', n::text, 'quinn' || n || '@example.com', '', 'user', 'quinn' || n
        from generate_series(1, 2100) as n`.execute(test.db)
    const customer = await buildUser(test.db, { firstname: 'Xola', lastname: 'Q', email: 'xola@example.net' })
    const find = (search: string) => findBookingMatches(test.db, search, searchedBookings)
    expect(await find('q')).toMatchObject({ hasManyUsers: true, isCommon: true, people: [] })
    // A part of a payment's code may begin with any letter: that one does is taken for granted.
    const ofPayments = await findBookingMatches(test.db, 'q', searchedTransactions)
    expect(ofPayments).toMatchObject({ hasManyUsers: true, isCommon: true, hasOwnText: true, people: [] })
    expect(await find('x')).toMatchObject({ hasManyUsers: false, isCommon: false, people: [customer.id] })
    // What is not looked for beforehand is found all the same: by customer, and by its own text.
    const booked = await buildBooking(test.db, { user_id: customer.id })
    const meant = await buildBooking(test.db, { purpose: 'quiet work' })
    await buildBooking(test.db, { purpose: 'meeting' })
    const page = await listBookings(test.db, BookingListQuery.parse({ search: 'q', page: '1', limit: '10' }))
    expect([page.total, page.rows.map(({ _id }) => _id).sort()]).toEqual([2, [booked.id, meant.id].sort()])
    const paid = await buildTransaction(test.db, { booking_id: null, checkout_id: 'q-1' })
    const payments = await listTransactions(
      test.db,
      TransactionListQuery.parse({ search: 'q', page: '1', limit: '10' }),
      zone,
    )
    expect([payments.total, payments.rows.map(({ _id }) => _id)]).toEqual([1, [paid.id]])
  })

  it('finds by customer, pod, location and purpose all the same, in pages and whole', async () => {
    const person = await buildUser(test.db, { firstname: 'Crowd', lastname: 'Surfer', email: 'surfer@example.com' })
    const place = await buildLocation(test.db, { name: 'Crowd Street' })
    const bookings = [
      await buildBooking(test.db, { user_id: person.id }),
      await buildBooking(test.db, { pod_id: (await buildPod(test.db, { title: 'The Crowded House' })).id }),
      await buildBooking(test.db, { pod_id: (await buildPod(test.db, { location_id: place.id })).id }),
      await buildBooking(test.db, { purpose: 'crowd control' }),
    ]
    const other = await buildBooking(test.db)
    const payments = []
    for (const { id } of [...bookings, other]) payments.push(await buildTransaction(test.db, { booking_id: id }))
    // By its own texts too, and by these alone.
    for (const booking_id of [bookings[0]?.id ?? null, other.id, null]) {
      payments.unshift(await buildTransaction(test.db, { booking_id, checkout_id: `crowd-${payments.length}` }))
    }

    const found = bookings.map(({ id }) => id).sort()
    const page = await listBookings(test.db, BookingListQuery.parse({ search: 'crowd', page: '1', limit: '10' }))
    expect([page.total, page.rows.map(({ _id }) => _id).sort()]).toEqual([4, found])
    const whole = await collect(listBookingBatches(test.db, BookingListQuery.parse({ search: 'crowd' })))
    expect(whole.map(({ _id }) => _id).sort()).toEqual(found)

    // A payment is found by its booking's pod, location and person, and once.
    const paid = payments
      .slice(0, 6)
      .map(({ id }) => id)
      .sort()
    const query = TransactionListQuery.parse({ search: 'crowd', page: '1', limit: '10' })
    const list = await listTransactions(test.db, query, zone)
    expect([list.total, list.rows.map(({ _id }) => _id).sort()]).toEqual([6, paid])
    const all = await collect(listTransactionBatches(test.db, TransactionListQuery.parse({ search: 'crowd' }), zone))
    expect(all.map(({ _id }) => _id).sort()).toEqual(paid)
  })
})

/** A common word is answered in the order of the list, a rare one by the indexes of what it matches: both find the same. */
it('finds by a pod or a location that most bookings are of', async () => {
  const pod = await buildPod(test.db, { title: 'Everywhere' })
  const user = await buildUser(test.db)
  await sql`
    insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status)
    select gen_random_uuid(), ${pod.id}, ${pod.location_id}, ${user.id}, day::date, 'Board meeting',
           day, day + interval '1 hour', 5, 'Cancelled'
      from generate_series(timestamptz '2000-01-01Z', timestamptz '2028-01-01Z', interval '12 hours') as day`.execute(
    test.db,
  )
  await buildBooking(test.db)
  const total = 20_455
  for (const search of ['everywhere', 'board', 'MEETING board']) {
    const matches = await findBookingMatches(test.db, search, searchedBookings)
    expect(matches?.isCommon).toBe(true)
    const page = await listBookings(test.db, BookingListQuery.parse({ search, page: '2046', limit: '10' }))
    expect([page.total, page.rows.length]).toEqual([total, 5])
  }
})
