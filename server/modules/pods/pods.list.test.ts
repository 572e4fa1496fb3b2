import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list, get } = routes.pods

const signIn = async (pages: PageCode[] = [PAGE.pods]) => (await test.signIn(pages)).token
const listTitles = async (token: string, query: Record<string, string> = {}) =>
  (await test.request(list, { token, query })).body.map((pod: { title: string }) => pod.title)

/** Builds a pod with two features, not in the order of their creation, and two images, one of them stored here. */
async function buildWholePod() {
  const location = await buildLocation(test.db, { name: 'Harbour' })
  const pod = await buildPod(test.db, {
    title: 'Crow’s Nest',
    slug: 'crows-nest',
    location_id: location.id,
    rate: '2.5',
    capacity: 4,
    device_password: 'v0:door-secret',
  })
  const last = await buildFeature(test.db, { name: 'Whiteboard', icon: 'board', is_blocked: true })
  const first = await buildFeature(test.db, { name: 'Wi-Fi', icon: 'wifi' })
  await test.db
    .insertInto('pod_features')
    .values([
      { pod_id: pod.id, feature_id: last.id, position: 1 },
      { pod_id: pod.id, feature_id: first.id, position: 0 },
    ])
    .execute()
  await test.db.deleteFrom('pod_images').where('pod_id', '=', pod.id).execute()
  await test.db
    .insertInto('pod_images')
    .values([
      { pod_id: pod.id, position: 1, public_id: 'elsewhere', url: 'https://pictures.example.com/a.jpg' },
      { pod_id: pod.id, position: 0, public_id: 'ours', url: '/uploads/ours.webp' },
    ])
    .execute()
  const placeholder = 'data:image/webp;base64,AAAA'
  await test.db
    .insertInto('images')
    .values({
      id: 'ours',
      url: '/uploads/ours.webp',
      thumbnail_url: '/uploads/t.webp',
      placeholder,
      width: 9,
      height: 6,
    })
    .execute()
  const wire = {
    _id: pod.id,
    title: 'Crow’s Nest',
    slug: 'crows-nest',
    description: pod.description,
    direction: pod.direction,
    location: {
      _id: location.id,
      name: 'Harbour',
      Street: location.street,
      city: location.city,
      state: location.state,
      zip: location.zip,
      country_code: location.country_code,
      isBlocked: false,
    },
    features: [
      { _id: first.id, name: 'Wi-Fi', icon: 'wifi', isBlocked: false },
      { _id: last.id, name: 'Whiteboard', icon: 'board', isBlocked: true },
    ],
    category: pod.category,
    images: [
      {
        public_id: 'ours',
        url: '/uploads/ours.webp',
        thumbnail: '/uploads/t.webp',
        placeholder,
        width: 9,
        height: 6,
      },
      { public_id: 'elsewhere', url: 'https://pictures.example.com/a.jpg' },
    ],
    timeSlot: '9am-5pm',
    isAvailable: true,
    isBlocked: false,
    closure: null,
    tags: 'Cape Town, Meeting Room',
    ratings: [],
    ratingCount: 0,
    totalRating: '0',
    booking_requirements: pod.booking_requirements,
    availability: pod.availability,
    cancellation_policy: pod.cancellation_policy,
    safety_and_property: pod.safety_and_property,
    UserId: pod.pod_user_id,
    deviceId: pod.device_id,
    serial: pod.serial,
    password: '********',
    email: pod.email,
    rate: 2.5,
    capacity: 4,
    bufferMinutes: 0,
    productId: 'prod00qd',
    createdAt: pod.created_at.toISOString(),
    updatedAt: pod.updated_at.toISOString(),
    version: 1,
  }
  return { pod, wire }
}

const hiddenFields = { UserId: '', deviceId: '', serial: '', email: '', closure: null }

describe('GET product/getall', () => {
  it('returns a bare array with exactly the expected fields, with and without a page, with and without /api', async () => {
    const token = await signIn()
    const { wire } = await buildWholePod()
    const whole = await test.request(list, { token })
    expect(whole.status).toBe(200)
    expect(whole.body).toEqual([wire])
    const page = await test.request(list, { token, query: { page: '1', limit: '5' } })
    expect(page.body).toEqual([wire])
    expect(page.headers['x-total-count']).toBe('1')
    const bare = await test.app.inject({ url: '/product/getall', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual([wire])
    expect(whole.text + page.text).not.toContain('door-secret')
  })

  it.each([PAGE.bookings, PAGE.corporateBooking])(
    'hides the device, email and closure fields from page %d, unless there is access to Pods too',
    async (page) => {
      const token = await signIn([page])
      const { wire } = await buildWholePod()
      const hidden = { ...wire, ...hiddenFields }
      expect((await test.request(list, { token })).body).toEqual([hidden])
      expect((await test.request(list, { token, query: { page: '1' } })).body).toEqual([hidden])
      const both = await signIn([page, PAGE.pods])
      expect((await test.request(list, { token: both })).body).toEqual([wire])
    },
  )

  it('lists the newest pods first, returns list pages with a total, and sorts', async () => {
    const token = await signIn()
    for (const [index, title] of ['beta', 'Álpha', 'Zulu', 'alpaca'].entries()) {
      await buildPod(test.db, { title, rate: String(10 - index), created_at: new Date(Date.UTC(2026, 0, index + 1)) })
    }
    expect(await listTitles(token)).toEqual(['alpaca', 'Zulu', 'Álpha', 'beta'])
    const second = await test.request(list, { token, query: { page: '2', limit: '3' } })
    expect(second.headers['x-total-count']).toBe('4')
    expect(second.body).toMatchObject([{ title: 'beta' }])
    expect(await listTitles(token, { sort: 'title' })).toEqual(['alpaca', 'Álpha', 'beta', 'Zulu'])
    expect(await listTitles(token, { sort: '-title', limit: '2' })).toEqual(['Zulu', 'beta'])
    expect(await listTitles(token, { sort: 'rate', limit: '2' })).toEqual(['alpaca', 'Zulu'])
    expect(await listTitles(token, { sort: 'createdAt', limit: '1' })).toEqual(['beta'])
  })

  it('searches title, location and id, and treats wildcards as text', async () => {
    const token = await signIn()
    const location = await buildLocation(test.db, { name: 'Sea Point', city: 'Gqeberha' })
    const pod = await buildPod(test.db, { title: '100% quiet_room', location_id: location.id })
    await buildPod(test.db, { title: 'Other' })
    for (const search of ['QUIET', '100%', 't_r', 'sea p', 'gqeb', pod.id]) {
      expect(await listTitles(token, { search })).toEqual(['100% quiet_room'])
      expect(await listTitles(token, { search, page: '1' })).toEqual(['100% quiet_room'])
    }
    for (const search of ['%q', '_100', '\\', "'; drop table pods", createId()]) {
      expect(await listTitles(token, { search })).toEqual([])
    }
    expect(await listTitles(token, { search: '' })).toHaveLength(2)
  })

  it('filters by status and location; a malformed id finds nothing', async () => {
    const token = await signIn()
    const active = await buildPod(test.db, { title: 'active' })
    await buildPod(test.db, { title: 'blocked', is_blocked: true })
    expect(await listTitles(token, { status: 'active' })).toEqual(['active'])
    expect(await listTitles(token, { status: 'blocked' })).toEqual(['blocked'])
    expect(await listTitles(token, { location: active.location_id })).toEqual(['active'])
    expect(await listTitles(token, { location: createId(), page: '1' })).toEqual([])
    expect(await listTitles(token, { location: 'nowhere' })).toEqual([])
  })

  it('filters by a minimum number of seats', async () => {
    const token = await signIn()
    for (const capacity of [null, 2, 8, 12]) await buildPod(test.db, { title: `for ${capacity}`, capacity })
    expect(await listTitles(token, { minCapacity: '8', sort: 'title' })).toEqual(['for 12', 'for 8'])
    expect(await listTitles(token, { minCapacity: '1', search: 'for', page: '1' })).toHaveLength(3)
    expect(await listTitles(token, { search: '12 seats' })).toEqual(['for 12'])
    for (const minCapacity of ['0', '51', 'many', '']) {
      const response = await test.request(list, { token, query: { minCapacity } })
      expect(response.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'minCapacity' }] })
    }
  })

  it('hides deleted pods', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db, { deleted_at: new Date() })
    expect((await test.request(list, { token })).body).toEqual([])
    const page = await test.request(list, { token, query: { page: '1' } })
    expect([page.body, page.headers['x-total-count']]).toEqual([[], '0'])
    expect((await test.request(get, { token, params: { id: pod.id } })).status).toBe(404)
  })

  it('runs the same number of queries for many pods as for one', async () => {
    const token = await signIn()
    await buildWholePod()
    for (let index = 0; index < 9; index++) await buildPod(test.db)
    let taken = 0
    const count = () => {
      taken += 1
    }
    test.database.pool.on('acquire', count)
    expect((await test.request(list, { token, query: { page: '1' } })).body).toHaveLength(10)
    test.database.pool.off('acquire', count)
    expect(taken).toBe(3) // the session, the rows, the count
  })

  it.each([
    [{ limit: '101' }, 'limit'],
    [{ sort: 'password' }, 'sort'],
    [{ status: 'gone' }, 'status'],
    [{ search: 'a\0b' }, 'search'],
  ])('refuses %j', async (query, path) => {
    const response = await test.request(list, { token: await signIn(), query })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message: expect.stringContaining(path) }])
  })
})

describe('GET product/get-pod', () => {
  it('returns one pod as the list does', async () => {
    const { pod, wire } = await buildWholePod()
    const response = await test.request(get, { token: await signIn(), params: { id: pod.id } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual(wire)
  })

  it('is allowed with the bookings page, whose filter shows the chosen pod', async () => {
    const { pod, wire } = await buildWholePod()
    const response = await test.request(get, { token: await signIn([PAGE.bookings]), params: { id: pod.id } })
    expect(response.body).toEqual({ ...wire, ...hiddenFields })
  })

  it.each([createId(), 'none', '1'])('returns 404 for %s', async (id) => {
    const response = await test.request(get, { token: await signIn(), params: { id } })
    expect(response.status).toBe(404)
    expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
  })
})
