import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { type Route, routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildLocation,
  buildMail,
  buildPod,
  buildSeries,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { isNarrowed, narrow } from './within-locations.ts'

/** A person with some locations sees everything of theirs and nothing of the others (rules §37.3). */

const test = useTestApp()

/** Builds a location with one of everything; each of its texts contains the word. */
async function buildWorld(word: string) {
  const location = await buildLocation(test.db, { name: `${word} House`, city: word })
  const pod = await buildPod(test.db, { title: `${word} pod`, location_id: location.id })
  const user = await buildUser(test.db, { firstname: word, email: `${word}@example.com`.toLowerCase() })
  const company = await buildCompany(test.db, { name: `${word} Limited` })
  const at = (time: string) => ({ start_time: new Date(time), pod_id: pod.id, purpose: `${word} meeting` })
  const running = await buildBooking(test.db, {
    ...at('2026-11-21T10:30:00.000Z'),
    user_id: user.id,
    status: 'Processing',
  })
  const ofCompany = await buildBooking(test.db, { ...at('2026-11-23T12:00:00.000Z'), company_id: company.id })
  const inSeries = await buildSeries(test.db, { pod_id: pod.id, purpose: `${word} meeting` })
  const payment = await buildTransaction(test.db, {
    booking_id: running.id,
    checkout_id: `${word}-checkout`,
    payment_facilitator: `${word}Pay`,
    status: 'failed',
    created_at: new Date('2026-11-21T08:00:00.000Z'),
  })
  const closure = await buildClosure(test.db, { podId: pod.id, reason: `${word} painting` })
  const { token } = await test.signIn()
  await test.request(routes.pods.update, {
    token,
    params: { id: pod.id },
    body: { description: `${word} description` },
  })
  await test.request(routes.bookingActions.note, {
    token,
    params: { id: running.id },
    body: { note: `${word} note`, version: 1 },
  })
  return { location, pod, user, company, running, ofCompany, inSeries, payment, closure }
}
type World = Awaited<ReturnType<typeof buildWorld>>

let here: World
let there: World

beforeEach(async () => {
  here = await buildWorld('Karoo')
  there = await buildWorld('Zanzibar')
})

const signIn = (pages: readonly PageCode[] = pageCodes, locations = [here.location.id]) =>
  test.signIn(pages, { location_ids: locations, firstname: 'Sipho' })

const idsOf = (world: World) =>
  Object.entries(world).flatMap(([name, { id }]) => (name === 'inSeries' ? [id, world.inSeries.series_id ?? ''] : [id]))

function expectNothingOf(text: string, where: string): void {
  expect(text, where).not.toMatch(/zanzibar/i)
  for (const id of idsOf(there)) expect(text, `${where} ${id}`).not.toContain(id)
}

/** Returns the queries to request a list or file with, made from its filters and the ids of the location's records. */
function listQueries(query: z.core.$ZodType | undefined, world: World): Record<string, string>[] {
  const shape = query instanceof z.core.$ZodObject ? Object.keys(query._zod.def.shape) : []
  const values: Record<string, string[]> = {
    search: ['Zanzibar', 'Karoo', 'Zanzibra', there.running.id],
    q: ['Zanzibar', 'Karoo', there.running.id],
    location: [world.location.id],
    pod: [world.pod.id],
    pods: [world.pod.id],
    user: [world.user.id],
    company: [world.company.id],
    facilitator: ['ZanzibarPay'],
    when: ['upcoming', 'past', 'running', 'late'],
    state: ['now', 'upcoming', 'over'],
    sort: ['createdAt', '-createdAt', 'name', '-name', 'startTime', 'amount'],
    status: ['active', 'blocked', 'deleted', 'Pending', 'failed'],
    panel: ['pods', 'bookings', 'Transaction', 'location', 'userDetails'],
    limit: ['50'],
    from: ['2026-11-21'],
  }
  const asked = Object.entries(values).flatMap(([name, some]) =>
    shape.includes(name) ? some.map((value) => ({ [name]: value })) : [],
  )
  return [{}, ...asked, ...asked.map((one) => Object.assign({ page: '1' }, one))]
}

/** Queries for endpoints that need their own. */
const needed: Partial<Record<string, () => Record<string, string>[]>> = {
  'schedule.get': () => [{ date: '2026-11-23' }, { date: '2026-11-21' }, { date: '2026-11-23', pod: there.pod.id }],
  'hours.get': () => [{ location: there.location.id }, { pod: there.pod.id }],
  'audit.history': () =>
    (
      [
        ['pod', there.pod],
        ['location', there.location],
        ['booking', there.running],
        ['customer', there.user],
        ['company', there.company],
        ['closure', there.closure],
        ['transaction', there.payment],
      ] as const
    ).map(([entity, { id }]) => ({ entity, id })),
}

/** Endpoints that show nothing of a location, or not as text. */
const silent = new Set(['users.get', 'features.usage', 'hours.get', 'audit.history', 'dashboard.today'])

const readers = allEndpoints.filter(
  ({ endpoint: { method, locations, kind } }) => method === 'GET' && locations === 'narrowed' && kind !== 'events',
)

describe('reading with access to some locations', () => {
  it.each(readers)('shows only these locations: $name', async ({ name, endpoint }) => {
    const lone = typeof endpoint.access === 'string' ? [] : endpoint.access.map((page) => [page])
    const all = needed[name]?.() ?? [there, here].flatMap((world) => listQueries(endpoint.query, world))
    const queries = [...new Map(all.map((query) => [JSON.stringify(query), query])).values()]
    for (const pages of [pageCodes, ...lone]) {
      const { token, _id } = await signIn(pages)
      let shown = ''
      const isWhole = pages === pageCodes
      // With one page of the portal alone, filters are tried on the whole list and not on its first page too.
      for (const query of queries.filter((one) => isWhole || one.page === undefined || Object.keys(one).length === 1)) {
        const params = { userId: _id, id: there.user.id }
        const { text, status } = await test.request(endpoint, { token, params, query })
        const where = `${name} ${JSON.stringify(query)} with the pages ${pages.join(', ')}`
        expect(status, `${where} ${text}`).toBeLessThan(500)
        // The response must not even repeat the search text.
        expectNothingOf(text, where)
        shown += text
      }
      // The dashboard's panels belong to other pages.
      const isSilent = silent.has(name) || (name === 'dashboard.get' && pages.length === 1)
      expect(isSilent || shown.includes('Karoo'), `${name} shows nothing to ${pages.join()}: see buildWorld`).toBe(true)
    }
  })

  it('is tested on more than 20 endpoints', () => {
    expect(readers.length).toBeGreaterThan(20)
  })

  it('counts only records of these locations in lists, on the dashboard and for today', async () => {
    const { token, _id } = await signIn()
    const { token: everyone, _id: ofEveryone } = await test.signIn()
    const totals = async (asks: string, userId: string) => {
      const dashboard = await test.request(routes.dashboard.get, { token: asks, params: { userId } })
      const today = await test.request(routes.dashboard.today, { token: asks })
      const { totals: counted } = dashboard.body
      const { bookings, freePods, failedPayments, occupancy } = today.body
      const lists = [routes.bookings.list, routes.transactions.list, routes.users.list, routes.pods.list]
      const headers = await Promise.all(
        [...lists, routes.locations.list, routes.companies.list].map(
          async (route) => (await test.request(route, { token: asks, query: { page: '1' } })).headers['x-total-count'],
        ),
      )
      return { counted, bookings, freePods, failedPayments, podMinutes: occupancy.podMinutes, headers }
    }
    expect(await totals(token, _id)).toEqual({
      counted: { pods: 1, feature: 0, bookings: 3, Transaction: 1, location: 1, userDetails: 1 },
      bookings: { running: 1, arriving: 0, late: 1 },
      freePods: 0,
      failedPayments: 1,
      podMinutes: 60,
      headers: ['3', '1', '1', '1', '1', '1'],
    })
    expect(await totals(everyone, ofEveryone)).toMatchObject({
      counted: { pods: 2, bookings: 6, Transaction: 2, location: 2, userDetails: 2 },
      headers: ['6', '2', '2', '2', '2', '2'],
    })
  })

  it('covers several locations, and only a customer’s or company’s bookings and payments there', async () => {
    const third = await buildWorld('Limpopo')
    await buildTransaction(test.db, {
      status: 'completed',
      booking_id: (
        await buildBooking(test.db, {
          pod_id: there.pod.id,
          user_id: here.user.id,
          start_time: new Date('2026-11-24T09:00:00.000Z'),
        })
      ).id,
    })
    const start_time = new Date('2026-11-24T11:00:00.000Z')
    await buildBooking(test.db, { pod_id: there.pod.id, company_id: here.company.id, start_time })
    const { token } = await signIn(pageCodes, [here.location.id, third.location.id])
    const { body, headers } = await test.request(routes.bookings.list, {
      token,
      query: { page: '1', sort: '-startTime' },
    })
    expect(headers['x-total-count']).toBe('6')
    expect(new Set(body.map(({ locationName }: { locationName: string }) => locationName))).toEqual(
      new Set(['Karoo House', 'Limpopo House']),
    )
    const customer = await test.request(routes.users.customer, { token, params: { id: here.user.id } })
    expect(customer.body).toMatchObject({ bookings: { upcoming: 1, past: 0 }, paid: 0 })
    const { token: everyone } = await test.signIn()
    const countUpcoming = async (asks: string) => {
      const ask = async (route: Route, { id }: { id: string }): Promise<number> =>
        (await test.request(route, { token: asks, params: { id } })).body.upcomingBookings
      return {
        ofCustomer: await ask(routes.users.upcomingBookings, here.user),
        ofCompany: await ask(routes.companies.upcomingBookings, here.company),
      }
    }
    // The customer's booking here is running.
    expect(await countUpcoming(token)).toEqual({ ofCustomer: 0, ofCompany: 1 })
    expect(await countUpcoming(everyone)).toEqual({ ofCustomer: 1, ofCompany: 2 })
  })

  it('shows no downloads in the histories, as their filters may name what belongs to other locations', async () => {
    const { token: everyone } = await test.signIn()
    const { token } = await signIn()
    const search = 'Zanzibar'
    for (const [entity, file] of [
      ['pod', routes.pods.export],
      ['booking', routes.bookings.export],
      ['transaction', routes.transactions.export],
      ['customer', routes.users.export],
      ['company', routes.companies.export],
    ] as const) {
      await test.request(file, { token: everyone, query: { search } })
      const read = (asks: string) => test.request(routes.audit.history, { token: asks, query: { entity } })
      const isDownload = expect.objectContaining({
        action: 'export',
        after: expect.objectContaining({ filters: { search } }),
      })
      expect((await read(everyone)).body, entity).toContainEqual(isDownload)
      expectNothingOf((await read(token)).text, entity)
    }
  })

  it('offers only pods of these locations, and names no bookings elsewhere', async () => {
    const { token } = await signIn()
    const body = {
      podId: here.pod.id,
      bookingPurpose: 'meeting',
      for: { kind: 'me' },
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T09:00:00.000Z',
      endTime: '2026-11-23T10:00:00.000Z',
    }
    const taken = await test.request(routes.bookings.createFor, { token, body })
    expect([taken.status, taken.body.code]).toEqual([409, 'slot_taken'])
    expectNothingOf(taken.text, 'offered')
    const closed = { podIds: [here.pod.id, there.pod.id], starts: '2026-11-23T08:00:00.000Z', reason: 'x' }
    for (const route of [routes.closures.preview, routes.closures.export])
      expectNothingOf((await test.request(route, { token, body: closed })).text, 'hit')
    const ownPods = { ...closed, podIds: [here.pod.id] }
    expect((await test.request(routes.closures.export, { token, body: ownPods })).status).toBe(200)
  })
})

describe('changing with access to some locations', () => {
  it('is refused outside these locations', async () => {
    const { token } = await signIn()
    const ask = async (
      route: (typeof routes)['pods']['update'] | (typeof routes)['bookingActions']['move'],
      id: string,
      body: object,
    ) => (await test.request(route, { token, params: { id }, body })).status
    expect(await ask(routes.pods.update, here.pod.id, { location: there.location.id })).toBe(404)
    const times = {
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T15:00:00.000Z',
      endTime: '2026-11-23T16:00:00.000Z',
      version: 1,
    }
    expect(await ask(routes.bookingActions.move, here.ofCompany.id, { ...times, podId: there.pod.id })).toBe(404)
    expect(await ask(routes.bookingActions.move, here.ofCompany.id, { ...times, podId: here.pod.id })).toBe(200)
    const code = there.running.id.slice(-8)
    const checkIn = await test.request(routes.bookingActions.checkInByCode, { token, body: { code } })
    expect(checkIn.status).toBe(400)
  })

  it('requires all locations for a closure or series that includes other locations', async () => {
    const both = await buildClosure(test.db, { podId: here.pod.id, reason: 'Karoo both' })
    await test.db.insertInto('closure_pods').values({ closure_id: both.id, pod_id: there.pod.id }).execute()
    await test.db
      .updateTable('bookings')
      .set({ series_id: here.inSeries.series_id })
      .where('id', '=', there.ofCompany.id)
      .execute()
    const { token } = await signIn()
    const { body, text } = await test.request(routes.closures.list, { token, query: { page: '1' } })
    expect(body.map(({ pods }: { pods: object[] }) => pods.length)).toEqual([1, 1])
    const reachesOut = (closures: { _id: string; hasOtherPods?: true }[]) =>
      closures.filter(({ hasOtherPods }) => hasOtherPods).map(({ _id }) => _id)
    expect(reachesOut(body)).toEqual([both.id])
    const { token: everyone } = await test.signIn()
    expect(reachesOut((await test.request(routes.closures.list, { token: everyone })).body)).toEqual([])
    expectNothingOf(text, 'closures')
    const end = { token, params: { id: both.id }, headers: { 'if-match': '1' } }
    expect((await test.request(routes.closures.delete, end)).body.code).toBe('all_locations_required')
    const series = { token, params: { id: here.inSeries.series_id ?? '' } }
    const read = await test.request(routes.series.get, series)
    expect(read.body.bookings).toHaveLength(1)
    expect(read.body.hasOtherBookings).toBe(true)
    expectNothingOf(read.text, 'series')
    const whole = await test.request(routes.series.get, { ...series, token: everyone })
    expect(whole.body).not.toHaveProperty('hasOtherBookings')
    const cancel = { ...series, query: { scope: 'all' }, headers: { 'if-match': '1' } }
    expect((await test.request(routes.series.cancel, cancel)).body.code).toBe('all_locations_required')
  })

  it('shows a series of which only later bookings are in pods of these locations', async () => {
    await test.db
      .updateTable('bookings')
      .set({ series_id: there.inSeries.series_id })
      .where('id', '=', here.ofCompany.id)
      .execute()
    const { token } = await signIn()
    const series = { token, params: { id: there.inSeries.series_id ?? '' } }
    const read = await test.request(routes.series.get, series)
    expect(read.status).toBe(200)
    expect(read.body).toMatchObject({
      podId: here.pod.id,
      podTitle: 'Karoo pod',
      bookings: [{ _id: here.ofCompany.id }],
    })
    // The purpose of the whole series is that of its first booking.
    const { bookingPurpose: _purpose, ...told } = read.body
    expect(JSON.stringify(told)).not.toMatch(/zanzibar/i)
    const cancel = { ...series, query: { scope: 'all' }, headers: { 'if-match': '1' } }
    expect((await test.request(routes.series.cancel, cancel)).body.code).toBe('all_locations_required')
  })

  it('says who books for a customer who has only booked elsewhere', async () => {
    const { token } = await signIn()
    const body = {
      podId: here.pod.id,
      bookingPurpose: 'meeting',
      for: { kind: 'newCustomer', firstname: 'Z', email: there.user.email },
      bookingDate: '2026-11-25',
      startTime: '2026-11-25T09:00:00.000Z',
      endTime: '2026-11-25T10:00:00.000Z',
    }
    const refused = await test.request(routes.bookings.createFor, { token, body })
    expect([refused.status, refused.body.code]).toEqual([409, 'email_taken'])
    expect(refused.body.message).toContain('has to be booked by a colleague who has all locations')
    const { token: everyone } = await test.signIn()
    const known = await test.request(routes.bookings.createFor, { token: everyone, body })
    expect(known.body.message).toBe('A customer with this email address is there already. Choose them under Customer.')
  })

  it('lists the earlier bookings of a pod that has moved away, as many as are counted', async () => {
    const past = await buildBooking(test.db, {
      pod_id: here.pod.id,
      user_id: here.user.id,
      status: 'Completed',
      start_time: new Date('2026-11-10T09:00:00.000Z'),
    })
    const paid = await buildTransaction(test.db, { booking_id: past.id, status: 'completed' })
    const { token: everyone } = await test.signIn()
    const moved = { token: everyone, params: { id: here.pod.id }, body: { location: there.location.id } }
    expect((await test.request(routes.pods.update, moved)).status).toBe(200)
    const { token } = await signIn()
    const list = await test.request(routes.bookings.list, { token, query: { page: '1' } })
    expect(list.headers['x-total-count']).toBe(String(list.body.length))
    expect(list.body.map(({ _id, podTitle }: { _id: string; podTitle: string }) => [_id, podTitle])).toContainEqual([
      past.id,
      'Karoo pod',
    ])
    const page = await test.request(routes.bookingActions.get, { token, params: { id: past.id } })
    expect([page.status, page.body.podTitle]).toEqual([200, 'Karoo pod'])
    const payments = await test.request(routes.transactions.list, { token, query: { page: '1' } })
    expect(payments.body.data.map((one: { _id: string; podTitle: string }) => [one._id, one.podTitle])).toContainEqual([
      paid.id,
      'Karoo pod',
    ])
    const file = await test.request(routes.bookings.export, { token })
    expect(file.text).toMatch(new RegExp(`${past.id}.*Karoo pod`))
    const found = await test.request(routes.search.find, { token, query: { q: past.id } })
    expect(found.body.groups).toMatchObject([{ group: 'bookings', hits: [{ _id: past.id, title: 'Karoo pod' }] }, {}])
    // The pod itself is no longer theirs.
    expect((await test.request(routes.pods.get, { token, params: { id: here.pod.id } })).status).toBe(404)
    expect((await test.request(routes.pods.list, { token })).body).toEqual([])
  })

  it('names a booking by the pod that it has come to, in its history too', async () => {
    const { id } = await buildBooking(test.db, {
      pod_id: there.pod.id,
      user_id: here.user.id,
      start_time: new Date('2026-11-26T09:00:00.000Z'),
    })
    const { token: everyone } = await test.signIn()
    const noted = { token: everyone, params: { id }, body: { note: 'Brings a guest', version: 1 } }
    expect((await test.request(routes.bookingActions.note, noted)).status).toBe(200)
    const to = { podId: here.pod.id, bookingDate: '2026-11-26', version: 2 }
    const times = { startTime: '2026-11-26T09:00:00.000Z', endTime: '2026-11-26T10:00:00.000Z' }
    const move = { token: everyone, params: { id }, body: { ...to, ...times } }
    expect((await test.request(routes.bookingActions.move, move)).status).toBe(200)
    const { token } = await signIn()
    const { body, text } = await test.request(routes.audit.history, { token, query: { entity: 'booking', id } })
    expect(body.map(({ action, label }: { action: string; label: string }) => [action, label])).toEqual([
      ['move', 'Karoo pod on 2026-11-26'],
      ['edit', 'Karoo pod on 2026-11-26'],
    ])
    expect(text).not.toMatch(/zanzibar/i)
  })

  it('names no pod elsewhere in the messages of a booking that has come from there', async () => {
    const { id } = here.running
    const write = (subject: string, { location, pod }: World) =>
      buildMail(test.db, {
        kind: 'booked',
        subject,
        group_id: id,
        bookings: JSON.stringify([{ bookingId: id, podId: pod.id, locationId: location.id }]),
      })
    await write('Booked: Zanzibar pod', there)
    await write('Moved: Karoo pod', here)
    const subjectsFor = async (token: string) => {
      const { body } = await test.request(routes.bookingActions.get, { token, params: { id } })
      return body.messages.map(({ subject }: { subject: string }) => subject)
    }
    expect(await subjectsFor((await test.signIn()).token)).toEqual(['Moved: Karoo pod', 'Booked: Zanzibar pod'])
    expect(await subjectsFor((await signIn()).token)).toEqual(['Moved: Karoo pod', ''])
  })

  it('undoes and restores within these locations, but nothing that needs all locations', async () => {
    const { token: other } = await test.signIn()
    const { token } = await signIn()
    const undo = async (changeId: unknown) =>
      (await test.request(routes.audit.undo, { token, params: { id: String(changeId) } })).body
    const blocked = await test.request(routes.users.block, { token: other, params: { id: here.user.id } })
    expect((await undo(blocked.headers['x-undo-id'])).code).toBe('all_locations_required')
    const podBlocked = await test.request(routes.pods.block, { token: other, params: { id: here.pod.id } })
    expect((await undo(podBlocked.headers['x-undo-id'])).message).toMatch('is active again')
    // Undoing would move the pod back to a location that is not theirs.
    const moved = await test.request(routes.pods.update, {
      token: other,
      params: { id: there.pod.id },
      body: { location: here.location.id },
    })
    expect((await undo(moved.headers['x-undo-id'])).code).toBe('all_locations_required')
    const body = { entity: 'customer' }
    const restored = await test.request(routes.audit.restore, { token, params: { id: here.user.id }, body })
    expect(restored.body.code).toBe('all_locations_required')
    const { id } = await buildPod(test.db, { location_id: here.location.id, deleted_at: test.clock.now() })
    const own = { token, params: { id } }
    expect((await test.request(routes.audit.restore, { ...own, body: { entity: 'pod' } })).status).toBe(200)
    expect((await test.request(routes.pods.get, own)).status).toBe(200)
  })

  it('adds pods, and companies and customers with a booking, who are then visible', async () => {
    const { token } = await signIn()
    const company = await test.request(routes.companies.create, { token, body: { name: 'New Limited' } })
    expect((await test.request(routes.companies.get, { token, params: { id: company.body._id } })).status).toBe(200)
    const booked = await test.request(routes.bookings.createFor, {
      token,
      body: {
        podId: here.pod.id,
        bookingPurpose: 'meeting',
        for: { kind: 'newCustomer', firstname: 'Ayanda', email: 'ayanda@example.com' },
        bookingDate: '2026-11-25',
        startTime: '2026-11-25T09:00:00.000Z',
        endTime: '2026-11-25T10:00:00.000Z',
      },
    })
    expect(booked.status).toBe(201)
    const { body } = await test.request(routes.users.list, { token, query: { search: 'Ayanda', page: '1' } })
    expect(body).toHaveLength(1)
    // Named like another pod elsewhere: slugs are unique across all locations.
    const title = 'Zanzibar pod'
    await test.db.updateTable('pods').set({ slug: 'zanzibar-pod' }).where('id', '=', there.pod.id).execute()
    const pod = await test.request(routes.pods.create, {
      token,
      body: {
        title,
        description: 'd',
        direction: 'https://maps.example.com',
        location: here.location.id,
        features: [
          (
            await test.db
              .insertInto('features')
              .values({ id: here.pod.id, name: 'x', icon: '', position: 1 })
              .returning('id')
              .executeTakeFirstOrThrow()
          ).id,
        ],
        images: [{ public_id: 'a', url: 'https://images.example.com/a.jpg' }],
        booking_requirements: 'b',
        availability: 'a',
        cancellation_policy: 'c',
        safety_and_property: 's',
        UserId: 'u',
        deviceId: 'd',
        serial: 's',
        password: 'secret of the door',
        email: 'host@example.com',
        rate: 2,
      },
    })
    expect([pod.status, pod.body.slug]).toEqual([201, 'zanzibar-pod-2'])
  })
})

describe('access to some locations', () => {
  it('applies from the next request on, whose response names the locations', async () => {
    const { token, _id } = await test.signIn([PAGE.pods])
    const list = () => test.request(routes.pods.list, { token })
    const before = await list()
    expect(before.body).toHaveLength(2)
    expect(before.headers).not.toHaveProperty('x-auth-locations')
    await test.db
      .updateTable('staff')
      .set({ location_ids: [here.location.id] })
      .where('id', '=', _id)
      .execute()
    const after = await list()
    expect(after.body).toHaveLength(1)
    expect(after.headers['x-auth-locations']).toBe(here.location.id)
  })

  it('limits a live stream to records of these locations', async () => {
    const { token } = await signIn()
    const url = `http://127.0.0.1:${await test.listen()}`
    const live = await listenLive(url, token)
    const ofFewPages = await listenLive(url, (await signIn([PAGE.transactions])).token)
    const { token: other } = await test.signIn()
    const edit = (tab: string, record: object | null) =>
      test.request(routes.live.edit, { token: other, headers: { 'x-tab-id': tab }, body: { record } })
    for (const { pod } of [there, here]) {
      await test.request(routes.pods.block, { token: other, params: { id: pod.id } })
      await edit(pod.id, { entity: 'pod', id: pod.id })
    }
    // All pods may have changed; mails are for staff with all locations.
    test.context.live.publish([{ entity: 'mail' }, { entity: 'pod' }])
    await live.waitFor(() => {
      expect(live.list('changes').flat()).toContainEqual({ entity: 'pod' })
      expect(live.list('changes').flat()).toContainEqual(expect.objectContaining({ id: here.pod.id }))
      expect(live.list('editing')).toMatchObject([{ id: here.pod.id }])
    })
    await setTimeout(500)
    expectNothingOf(live.text(), 'live')
    expect(live.text()).not.toContain('mail')
    // Payments show the name of their pod.
    expect(ofFewPages.list('changes').flat()).toContainEqual({ entity: 'pod' })
    for (const told of ofFewPages.list('changes').flat()) expect(told).not.toHaveProperty('id')
    expect(ofFewPages.list('editing')).toEqual([])
    live.leave()
    ofFewPages.leave()
    for (const { pod } of [there, here]) await edit(pod.id, null)
  })

  it('tells a live stream what has been moved away, but not where to', async () => {
    const { token } = await signIn()
    const live = await listenLive(`http://127.0.0.1:${await test.listen()}`, token)
    const { token: other } = await test.signIn()
    const times = {
      bookingDate: '2026-11-25',
      startTime: '2026-11-25T12:00:00.000Z',
      endTime: '2026-11-25T13:00:00.000Z',
    }
    const move = (id: string, podId: string, version: number) =>
      test.request(routes.bookingActions.move, {
        token: other,
        params: { id },
        body: { ...times, podId, version },
      })
    expect((await move(here.ofCompany.id, there.pod.id, 1)).status).toBe(200)
    await live.waitFor(() => expect(live.text()).toContain(here.ofCompany.id))
    // What is elsewhere and moves there is not told.
    const third = await buildPod(test.db)
    expect((await move(here.ofCompany.id, third.id, 2)).status).toBe(200)
    await setTimeout(500)
    expect(live.text().split(here.ofCompany.id)).toHaveLength(2)
    expectNothingOf(live.text(), 'live')
    expect(live.text()).not.toContain(here.location.id)
    live.leave()
  })

  it('is updated in an open live stream, which announces the new locations', async () => {
    const { token, _id } = await signIn()
    const live = await listenLive(`http://127.0.0.1:${await test.listen()}`, token)
    await test.db
      .updateTable('staff')
      .set({ location_ids: [there.location.id] })
      .where('id', '=', _id)
      .execute()
    await test.context.live.checkSessions()
    await live.waitFor(() => expect(live.list('locations')).toEqual([[there.location.id]]))
    // Skip what was sent before: it may hold changes at the person's earlier location.
    const told = live.text().length
    const since = () => live.text().slice(told)
    const { token: other } = await test.signIn()
    for (const { pod } of [here, there]) await test.request(routes.pods.block, { token: other, params: { id: pod.id } })
    await live.waitFor(() => expect(since()).toContain(there.pod.id))
    expect(since()).not.toContain(here.pod.id)
    live.leave()
  })
})

describe('a handle', () => {
  it('tells whether it is narrowed, except in a transaction, which cannot tell', async () => {
    const { id } = await buildLocation(test.db)
    const narrowed = test.context.within([id])
    expect([test.db, narrowed.db, narrowed.shortReads].map(isNarrowed)).toEqual([false, true, true])
    expect(await narrowed.onReplica(async (db) => isNarrowed(db))).toBe(true)
    const inside = narrowed.db.transaction().execute(async (tx) => isNarrowed(tx))
    await expect(inside).rejects.toThrow('outside transactions')
  })
})

describe('a narrowed statement', () => {
  const one = ['a']
  it('is unchanged when it reads no table with locations, or locks rows by id', () => {
    for (const text of [
      'select 1',
      'select id from staff where id = $1',
      'select id from pods where id = $1 for update',
    ])
      expect(narrow(text, ['x'], one)).toEqual({ text, values: ['x'] })
  })

  it('is refused when it begins with an unknown keyword', () => {
    expect(() => narrow('copy pods to stdout', [], one)).toThrow('does not know such a statement')
  })

  it('may begin with common table expressions, even recursive ones', async () => {
    const { db } = test.context.within([here.location.id])
    const { rows } = await sql<{ n: number }>`
      with recursive found (n) as (select count(*) from pods union select n from found)
      select n from found`.execute(db)
    expect(rows).toEqual([{ n: 1 }])
  })
})
