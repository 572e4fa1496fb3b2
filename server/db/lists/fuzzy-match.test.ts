import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

async function buildOfEach() {
  const location = await buildLocation(test.db, { name: 'Harbour Mill', city: 'Knysna' })
  const pod = await buildPod(test.db, { location_id: location.id, title: 'Observatory' })
  const user = await buildUser(test.db, { firstname: 'Zanele', lastname: 'Mokoena', email: 'zm@mail.example' })
  const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id, purpose: 'Interview' })
  const transaction = await buildTransaction(test.db, { booking_id: booking.id })
  const staff = await buildStaff(test.db, { firstname: 'Precious', lastname: 'Dube' })
  // An unrelated booking and payment
  await buildTransaction(test.db, { booking_id: (await buildBooking(test.db)).id })
  return { location, pod, user, booking, transaction, staff }
}

const lists = {
  bookings: routes.bookings.list,
  transactions: routes.transactions.list,
  users: routes.users.list,
  pods: routes.pods.list,
  locations: routes.locations.list,
  staff: routes.staff.list,
}

async function find(list: keyof typeof lists, search: string) {
  const { token } = await test.signIn()
  const response = await test.request(lists[list], { token, query: { search, page: '1' } })
  expect(response.status).toBe(200)
  const rows: { _id: string }[] = Array.isArray(response.body) ? response.body : response.body.data
  expect(response.headers['x-total-count']).toBe(String(rows.length))
  return { ids: rows.map(({ _id }) => _id), match: response.headers['x-search-match'] }
}

describe('a search with a typo', () => {
  it.each([
    ['a letter missing', 'Mokona'],
    ['a letter too many', 'Mokkoena'],
    ['a wrong letter', 'mokuena'],
    ['two letters swapped', 'MOKEONA'],
    ['two letters swapped in the middle', 'mookena'],
    ['the first letter wrong', 'Nokoena'],
    ['the last letter wrong', 'mokoeno'],
    ['a beginning of the word', 'mokeo'],
    ['another word that is right', 'zanele mokena'],
  ])('finds a person: %s', async (_, search) => {
    const { user, booking, transaction } = await buildOfEach()
    expect(await find('users', search)).toEqual({ ids: [user.id], match: 'alike' })
    expect(await find('bookings', search)).toEqual({ ids: [booking.id], match: 'alike' })
    expect(await find('transactions', search)).toEqual({ ids: [transaction.id], match: 'alike' })
  })

  it('finds pods, locations and staff', async () => {
    const { location, pod, booking, staff } = await buildOfEach()
    expect(await find('pods', 'observtory')).toEqual({ ids: [pod.id], match: 'alike' })
    expect(await find('pods', 'kynsna')).toEqual({ ids: [pod.id], match: 'alike' })
    expect(await find('locations', 'harbor')).toEqual({ ids: [location.id], match: 'alike' })
    expect(await find('staff', 'precoius')).toEqual({ ids: [staff.id], match: 'alike' })
    expect(await find('bookings', 'observatori')).toEqual({ ids: [booking.id], match: 'alike' })
  })

  it('returns no fuzzy matches when there is an exact match', async () => {
    const { user } = await buildOfEach()
    const exact = await buildUser(test.db, { firstname: 'Mokona' })
    expect(await find('users', 'mokona')).toEqual({ ids: [exact.id], match: undefined })
    expect(await find('users', 'mokoena')).toEqual({ ids: [user.id], match: undefined })
  })

  it('finds nothing with two typos, or with one in a short word, an email address or a number', async () => {
    await buildOfEach()
    for (const search of ['mkoona', 'zna', 'zm@mial', '12345']) {
      expect(await find('users', search)).toEqual({ ids: [], match: undefined })
      expect(await find('bookings', search)).toEqual({ ids: [], match: undefined })
    }
  })

  it('returns no fuzzy matches when only a filter hides the exact match', async () => {
    await buildUser(test.db, { firstname: 'Mokona' })
    await buildUser(test.db, { firstname: 'Mokoena', is_blocked: true })
    const { token } = await test.signIn()
    const response = await test.request(routes.users.list, {
      token,
      query: { search: 'mokona', status: 'blocked', page: '1' },
    })
    expect([response.body, response.headers['x-search-match']]).toEqual([[], undefined])
  })

  it('exports the same matches as the screen shows', async () => {
    const { booking, user } = await buildOfEach()
    const { token } = await test.signIn()
    const bookings = await test.request(routes.bookings.export, { token, query: { search: 'mokeona' } })
    expect(bookings.text.split('\r\n').slice(1, -1)).toEqual([expect.stringContaining(booking.id)])
    const users = await test.request(routes.users.export, { token, query: { search: 'mokeona' } })
    expect(users.text.split('\r\n').slice(1, -1)).toEqual([expect.stringContaining(user.id)])
  })
})
