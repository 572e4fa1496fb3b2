import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { searching } from '#server/db/lists/search.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { find } = routes.search

type Groups = { group: string; hits: { _id: string; title: string; detail: string }[] }[]

async function search(q: string, pages: readonly PageCode[] = pageCodes): Promise<Groups> {
  const { token } = await test.signIn(pages, {
    firstname: 'Nobody',
    lastname: 'Else',
    email: `${createId()}@staff.invalid`,
  })
  const response = await test.request(find, { token, query: { q } })
  expect(response.status).toBe(200)
  return response.body.groups
}
/** Returns the ids found, by group. */
async function findIds(q: string, pages?: readonly PageCode[]): Promise<Record<string, string[]>> {
  const groups = await search(q, pages)
  return Object.fromEntries(groups.map(({ group, hits }) => [group, hits.map(({ _id }) => _id)]))
}

async function buildOfEach() {
  const location = await buildLocation(test.db, { name: 'Harbour Mill', street: '1 Quay', city: 'Knysna', zip: '6571' })
  const pod = await buildPod(test.db, { location_id: location.id, title: 'Crow’s Nest' })
  const user = await buildUser(test.db, { firstname: 'Zanele', lastname: 'Mokoena', email: 'zanele@mail.example' })
  const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
  const transaction = await buildTransaction(test.db, { booking_id: booking.id, checkout_id: 'chk_9QX41' })
  return { location, pod, user, booking, transaction }
}

describe('GET search', () => {
  it('returns hits in groups, each with a title and a distinguishing detail, with and without /api', async () => {
    const { location, pod, user, booking, transaction } = await buildOfEach()
    const nest = [
      { group: 'pods', hits: [{ _id: pod.id, title: 'Crow’s Nest', detail: 'Harbour Mill, Knysna' }] },
      {
        group: 'bookings',
        hits: [
          {
            _id: booking.id,
            title: 'Crow’s Nest',
            detail: '2026-11-23, 9:00 AM - 10:00 AM, Zanele Mokoena, Harbour Mill',
          },
        ],
      },
      {
        group: 'transactions',
        hits: [{ _id: transaction.id, title: 'chk_9QX41', detail: 'R\u00A0150.00, completed' }],
      },
    ]
    expect(await search('nest')).toEqual(nest)
    expect((await search('harbour'))[1]).toEqual({
      group: 'locations',
      hits: [{ _id: location.id, title: 'Harbour Mill', detail: '1 Quay, Knysna' }],
    })
    expect(await search('chk_9qx')).toEqual([
      {
        group: 'transactions',
        hits: [{ _id: transaction.id, title: 'chk_9QX41', detail: 'R\u00A0150.00, completed' }],
      },
    ])
    const [users] = await search('mokoe')
    expect(users).toEqual({
      group: 'users',
      hits: [{ _id: user.id, title: 'Zanele Mokoena', detail: 'zanele@mail.example' }],
    })
    const { token } = await test.signIn()
    const bare = await test.app.inject({ url: '/search?q=nest&x=1', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual({ groups: nest })
  })

  it('returns each group only to staff with its page, and nothing without any of these pages', async () => {
    const { location, pod, user, booking, transaction } = await buildOfEach()
    const groups = [
      { group: 'pods', page: PAGE.pods, q: 'crow', id: pod.id },
      { group: 'locations', page: PAGE.locations, q: 'mill', id: location.id },
      { group: 'users', page: PAGE.users, q: 'zanele', id: user.id },
      { group: 'bookings', page: PAGE.bookings, q: 'zanele', id: booking.id },
      { group: 'transactions', page: PAGE.transactions, q: 'zanele', id: transaction.id },
    ]
    for (const { group, page, q, id } of groups) {
      expect(await findIds(q, [page])).toEqual({ [group]: [id] })
      expect(
        Object.keys(
          await findIds(
            q,
            pageCodes.filter((code) => code !== page),
          ),
        ),
      ).not.toContain(group)
    }
    expect(await search('zanele', [])).toEqual([])
    expect(await search('zanele', [PAGE.dashboard, PAGE.features, PAGE.staff, PAGE.corporateBooking])).toEqual([])
  })

  it('returns the bookings that someone with page 9 alone made, for themselves or a customer, and no others', async () => {
    const { pod, user } = await buildOfEach()
    const own = await test.signIn([PAGE.corporateBooking], { firstname: 'Lindiwe' })
    const forSelf = await buildBooking(test.db, {
      pod_id: pod.id,
      staff_id: own._id,
      start_time: new Date('2026-11-25T09:00:00Z'),
    })
    const forCustomer = await buildBooking(test.db, {
      pod_id: pod.id,
      user_id: user.id,
      made_by_staff_id: own._id,
      start_time: new Date('2026-11-24T09:00:00Z'),
    })
    const find9 = async (q: string) => (await test.request(find, { token: own.token, query: { q } })).body.groups
    const [bookings, ...others] = await find9('nest')
    expect(bookings.group).toBe('bookings')
    expect(bookings.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual([forSelf.id, forCustomer.id].sort())
    expect(others).toEqual([])
    expect(await find9('lindiwe')).toMatchObject([{ group: 'bookings', hits: [{ _id: forSelf.id }] }])
  })

  it('matches parts of words in any order and case, and email addresses', async () => {
    const { user, booking, transaction } = await buildOfEach()
    const person = { users: [user.id], bookings: [booking.id], transactions: [transaction.id] }
    for (const q of ['ZANELE', 'ane', 'moko zan', 'Zanele Mokoena', 'zanele@mail', '  mokoena  ']) {
      expect(await findIds(q)).toEqual(person)
    }
    expect(await findIds('zanele botha')).toEqual({})
    // Fewer than three letters match only at the start of a word.
    for (const q of ['za', 'm z', 'mo']) expect((await findIds(q)).users).toEqual([user.id])
    expect((await findIds('ne')).users).toBeUndefined() // Nest, not Zanele
  })

  it('finds records by their id, whole or in part', async () => {
    const { location, pod, user, booking, transaction } = await buildOfEach()
    expect(await findIds(location.id)).toEqual({ locations: [location.id] })
    expect(await findIds(pod.id.toUpperCase())).toEqual({ pods: [pod.id] })
    expect(await findIds(user.id)).toEqual({ users: [user.id] })
    // The id of a booking also finds its payments, as on their screen.
    expect(await findIds(booking.id)).toEqual({ bookings: [booking.id], transactions: [transaction.id] })
    expect(await findIds(transaction.id)).toEqual({ transactions: [transaction.id] })
    expect(await findIds(createId())).toEqual({})
    for (const [group, { id }] of Object.entries({
      pods: pod,
      users: user,
      bookings: booking,
      transactions: transaction,
    })) {
      for (const part of [id.slice(-8), id.slice(-12), `${id.slice(0, 6)}…${id.slice(-4)}`])
        expect((await findIds(part))[group]).toEqual([id])
      expect((await findIds(id.slice(0, 18)))[group]).toEqual([id])
    }
  })

  it('finds bookings of staff by the staff member’s name', async () => {
    const staff = await buildStaff(test.db, { firstname: 'Precious', lastname: 'Dube' })
    const booking = await buildBooking(test.db, { staff_id: staff.id })
    expect(await findIds('precious d')).toEqual({ bookings: [booking.id] })
  })

  it('names the company that a booking is for, rather than who booked', async () => {
    const company = await buildCompany(test.db, { name: 'Karoo Media' })
    const booking = await buildBooking(test.db, { company_id: company.id })
    const found = await search('karoo', [PAGE.bookings])
    expect(found).toMatchObject([{ group: 'bookings', hits: [{ _id: booking.id }] }])
    expect(found[0]?.hits[0]?.detail).toMatch(/^2026-11-23, 9:00 AM - 10:00 AM, Karoo Media, /)
  })

  it('matches as the lists do: phone numbers in any spelling, words without accents, and words with one typo', async () => {
    const user = await buildUser(test.db, { firstname: 'Zoë', lastname: 'Mokoena', mobile: '+27 72 555 0158' })
    const booking = await buildBooking(test.db, { user_id: user.id })
    for (const q of ['072 555 0158', '+27725550158', 'zoe', 'mokeona']) {
      expect([q, await findIds(q)]).toEqual([q, { users: [user.id], bookings: [booking.id] }])
      expect(await findIds(q, [PAGE.users])).toEqual({ users: [user.id] })
    }
    // A match as typed in any group keeps all groups from being searched for fuzzy matches.
    const pod = await buildPod(test.db, { title: 'Mokeona' })
    expect(await findIds('mokeona')).toEqual({ pods: [pod.id] })
  })

  it('finds pods by their number of seats', async () => {
    const pod = await buildPod(test.db, { capacity: 8 })
    await buildPod(test.db, { capacity: 6 })
    await buildPod(test.db)
    expect(await findIds('8 seats', [PAGE.pods])).toEqual({ pods: [pod.id] })
    await test.db.updateTable('pods').set({ capacity: 12 }).where('id', '=', pod.id).execute()
    expect(await findIds('8 seats', [PAGE.pods])).toEqual({})
    expect(await findIds('12 seats', [PAGE.pods])).toEqual({ pods: [pod.id] })
  })

  it('treats wildcards, markup and SQL as plain text', async () => {
    await buildOfEach()
    const pod = await buildPod(test.db, { title: '100% <b>quiet_room</b> 🏠 غرفة' })
    for (const q of ['100%', 't_r', '<b>', '🏠', 'غرفة']) expect(await findIds(q)).toEqual({ pods: [pod.id] })
    for (const q of ['%', '_']) expect((await findIds(q, [PAGE.pods])).pods).toEqual([pod.id])
    for (const q of ['\\', "' or 1=1 --", 'C%w']) expect(await findIds(q)).toEqual({})
  })

  it('returns at most five hits per group: titles that begin with the text first, bookings and transactions newest first', async () => {
    const location = await buildLocation(test.db)
    for (const title of ['Blue Room', 'Red Room', 'Roomy', 'Attic Room', 'Green Room', 'Grey Room']) {
      await buildPod(test.db, { title, location_id: location.id })
    }
    const titles = (await search('room', [PAGE.pods]))[0]?.hits.map(({ title }) => title)
    expect(titles).toEqual(['Roomy', 'Attic Room', 'Blue Room', 'Green Room', 'Grey Room'])

    const user = await buildUser(test.db, { firstname: 'Palesa' })
    const pod = await buildPod(test.db)
    const made = []
    for (let day = 1; day <= 7; day++) {
      const start_time = new Date(Date.UTC(2026, 11, day, 9))
      const created_at = new Date(Date.UTC(2026, 10, day))
      const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id, start_time, created_at })
      const payment = await buildTransaction(test.db, { booking_id: booking.id, created_at })
      made.unshift({ booking: booking.id, payment: payment.id })
    }
    const newest = made.slice(0, 5)
    expect(await findIds('palesa', [PAGE.bookings, PAGE.transactions])).toEqual({
      bookings: newest.map(({ booking }) => booking),
      transactions: newest.map(({ payment }) => payment),
    })
  })

  it('puts pods named by the words before those that only have as many seats', async () => {
    const { id: location_id } = await buildLocation(test.db, { name: 'Rosebank' })
    for (let nth = 10; nth < 16; nth++) await buildPod(test.db, { title: `Pod ${nth}`, capacity: 3, location_id })
    const pod = await buildPod(test.db, { title: 'pod 3', capacity: 8, location_id })
    for (const typed of ['pod 3', '3', 'rosebank 3']) {
      expect([typed, (await findIds(typed, [PAGE.pods])).pods?.[0]]).toEqual([typed, pod.id])
    }
  })

  it('leaves out deleted pods, users and locations, but still finds their bookings and transactions', async () => {
    const { location, pod, user, booking, transaction } = await buildOfEach()
    const gone = { deleted_at: new Date() }
    await test.db.updateTable('pods').set(gone).where('id', '=', pod.id).execute()
    await test.db.updateTable('users').set(gone).where('id', '=', user.id).execute()
    await test.db.updateTable('locations').set(gone).where('id', '=', location.id).execute()
    expect(await findIds('nest')).toEqual({ bookings: [booking.id], transactions: [transaction.id] })
    expect(await findIds('zanele')).toEqual({ bookings: [booking.id], transactions: [transaction.id] })
    expect(Object.keys(await findIds('harbour'))).toEqual(['bookings', 'transactions'])
    for (const { id } of [pod, user, location]) expect(await findIds(id)).toEqual({})
  })

  it.each([
    [{}, 'Type something to search for'],
    [{ q: '   ' }, 'Type something to search for'],
    [{ q: 'x'.repeat(201) }, 'A search may have at most 200 characters'],
    [{ q: 'a\0b' }, 'q has a character that cannot be stored'],
  ])('refuses %j', async (query, message) => {
    const { token } = await test.signIn()
    const response = await test.request(find, { token, query })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, errors: [{ path: 'q', message }] })
  })
})

describe('many searches at once', () => {
  it('let another request finish before most of them', async () => {
    await buildOfEach()
    const { token } = await test.signIn(pageCodes)
    await test.request(find, { token, query: { q: 'harbour' } })
    let answered = 0
    const searches = Array.from({ length: 40 }, async () => {
      const response = await test.request(find, { token, query: { q: 'harbour' } })
      answered += 1
      return response.status
    })
    const page = await test.request(routes.bookings.list, { token })
    expect(page.status).toBe(200)
    expect(answered).toBeLessThan(20)
    expect([searching.activeCount, searching.pendingCount > 0]).toEqual([2, true])
    expect(new Set(await Promise.all(searches))).toEqual(new Set([200]))
  })
})
