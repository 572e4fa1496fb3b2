import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { createId } from '#server/ids.ts'
import { ADDRESS, buildBooking, buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list, get, create, update, block, unblock, delete: remove } = routes.locations

const signIn = async () => (await test.signIn([PAGE.locations])).token
const listNames = async (token: string, query?: Record<string, string>) =>
  (await test.request(list, { token, ...(query ? { query } : {}) })).body.data.map(({ name }: { name: string }) => name)

const body = {
  name: 'Waterfront',
  Street: '19 Dock Road',
  city: 'Cape Town',
  state: 'Western Cape',
  zip: '0081',
  country_code: 'ZA',
}

describe('locations that do not exist or are deleted', () => {
  it.each([get, update, block, unblock, remove])('return 404 from $path', async (route) => {
    const token = await signIn()
    const deleted = await buildLocation(test.db, { deleted_at: new Date() })
    for (const id of [createId(), 'none', deleted.id]) {
      const bodies = route === update ? [{}, { name: 'x' }] : [undefined]
      for (const body of bodies) {
        const response = await test.request(route, { token, params: { id }, body })
        expect(response.status).toBe(404)
        expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
      }
    }
  })
})

describe('GET location/details', () => {
  it('returns locations in a data field, newest first, each with its number of pods', async () => {
    const token = await signIn()
    const old = await buildLocation(test.db, { name: 'Old', created_at: new Date('2026-01-01') })
    await buildLocation(test.db, { name: 'New', is_blocked: true })
    await buildLocation(test.db, { name: 'Gone', deleted_at: new Date() })
    await buildPod(test.db, { location_id: old.id })
    await buildPod(test.db, { location_id: old.id, is_blocked: true })
    await buildPod(test.db, { location_id: old.id, deleted_at: new Date() })
    const response = await test.request(list, { token })
    expect(response.status).toBe(200)
    expect(Object.keys(response.body)).toEqual(['data'])
    expect(response.body.data).toMatchObject([
      { name: 'New', isBlocked: true, podCount: 0 },
      { name: 'Old', podCount: 2 },
    ])
    expect(response.body.data[1]).toEqual({
      _id: old.id,
      name: 'Old',
      ...ADDRESS,
      isBlocked: false,
      closure: null,
      version: 1,
      podCount: 2,
    })
    const bare = await test.app.inject({ url: '/location/details', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual(response.body)
  })

  it.each([PAGE.pods, PAGE.bookings])('is allowed with page %i alone', async (page) => {
    const { token } = await test.signIn([page])
    expect((await test.request(list, { token })).body).toEqual({ data: [] })
  })

  it('returns a list page with the total of matching locations', async () => {
    const token = await signIn()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await buildLocation(test.db, { name })
    await buildLocation(test.db, { name: 'elsewhere', city: 'Durban' })
    const query = { page: '2', limit: '6', sort: 'name', search: 'cape town' }
    const response = await test.request(list, { token, query })
    expect(response.headers['x-total-count']).toBe('8')
    expect(response.body.data).toMatchObject([
      { name: 'g', podCount: 0 },
      { name: 'h', podCount: 0 },
    ])
  })

  it('searches every part of the address, sorts, and filters by status', async () => {
    const token = await signIn()
    await buildLocation(test.db, { name: 'Äther', city: 'Zürich', zip: '8001', country_code: 'CH' })
    await buildLocation(test.db, { name: 'Beach', city: 'Durban', zip: '4001', is_blocked: true })
    for (const search of ['äTH', 'zür', 'CH', '8001']) expect(await listNames(token, { search })).toContain('Äther')
    expect(await listNames(token, { search: 'dock' })).toHaveLength(2)
    expect(await listNames(token, { search: 'Durban\nWestern' })).toEqual(['Beach'])
    expect(await listNames(token, { sort: 'name' })).toEqual(['Äther', 'Beach'])
    expect(await listNames(token, { sort: '-city', page: '1' })).toEqual(['Äther', 'Beach'])
    expect(await listNames(token, { status: 'blocked' })).toEqual(['Beach'])
    expect(await listNames(token, { search: '%' })).toEqual([])
  })
})

describe('GET location/get-location', () => {
  it('returns the location without a wrapper or pod count', async () => {
    const { id, name } = await buildLocation(test.db)
    const response = await test.request(get, { token: await signIn(), params: { id } })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ _id: id, name, Street: '19 Dock Road', isBlocked: false })
    expect(response.body).not.toHaveProperty('podCount')
  })
})

describe('POST location/create', () => {
  it('returns the new location, with default coordinates when none are sent', async () => {
    const token = await signIn()
    const response = await test.request(create, { token, body })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      _id: expect.any(String),
      ...body,
      latitude: 15,
      longitude: 16,
      isBlocked: false,
      version: 1,
    })
    expect((await test.request(get, { token, params: { id: response.body._id } })).body).toEqual(response.body)
  })

  it('accepts coordinates as text and a postal code as a number, and ignores unknown and read-only fields', async () => {
    const sent = {
      ...body,
      latitude: '-33.9',
      longitude: ' 18.42 ',
      zip: 8001,
      isBlocked: true,
      _id: 'mine',
      colour: 1,
    }
    const response = await test.request(create, { token: await signIn(), body: sent })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ latitude: -33.9, longitude: 18.42, zip: '8001', isBlocked: false })
    expect(response.body._id).not.toBe('mine')
  })

  it.each(['name', 'Street', 'city', 'state', 'zip', 'country_code'])('requires %s', async (path) => {
    const token = await signIn()
    for (const value of [undefined, null, '', '   ']) {
      const response = await test.request(create, { token, body: { ...body, [path]: value } })
      expect(response.status).toBe(400)
      expect(response.body.errors).toEqual([{ path, message: `${path} is required` }])
    }
  })

  it.each([
    ['latitude', 'north', 'latitude must be a number'],
    ['latitude', 90.1, 'latitude must be at most 90'],
    ['longitude', '-181', 'longitude must be at least -180'],
    ['country_code', 'Narnia', 'country_code must be a country, such as ZA'],
    ['country_code', '+1', 'country_code must be a country, such as ZA'],
    ['name', 'x'.repeat(201), 'name may have at most 200 characters'],
    ['zip', '1'.repeat(21), 'zip may have at most 20 characters'],
  ])('refuses %s %s', async (path, value, message) => {
    const response = await test.request(create, { token: await signIn(), body: { ...body, [path]: value } })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, errors: [{ path, message }] })
  })

  it.each(['za', 'South Africa', '+27', 'RSA'])('stores the country %s as its code', async (country_code) => {
    const response = await test.request(create, { token: await signIn(), body: { ...body, country_code } })
    expect([response.status, response.body.country_code]).toEqual([201, 'ZA'])
  })

  it('reports every missing field', async () => {
    const response = await test.request(create, { token: await signIn(), body: {} })
    expect(response.body.errors.map((error: { path: string }) => error.path)).toEqual(Object.keys(body))
  })

  it('refuses an empty body, and says that a JSON body is required', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await test.request(create, { token: await signIn(), body: '', headers })
    expect(response.status).toBe(400)
    expect(response.body.message).toBe('A JSON body is required')
  })

  it.each(['x'.repeat(200), '🏙️ Towers', 'برج خليفة', `O'Brien "&" <i>Sons</i> \\ %`])(
    'keeps the name %s unchanged',
    async (name) => {
      const token = await signIn()
      expect((await test.request(create, { token, body: { ...body, name } })).body.name).toBe(name)
      expect(await listNames(token)).toEqual([name])
    },
  )
})

describe('PUT location/edit-location', () => {
  it('changes the fields that are sent, including isBlocked, and keeps the others', async () => {
    const token = await signIn()
    const { id } = await buildLocation(test.db, { name: 'Waterfront' })
    const params = { id }
    const first = await test.request(update, { token, params, body: { Street: '1 Long Street', isBlocked: true } })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ _id: id, name: 'Waterfront', Street: '1 Long Street', isBlocked: true })
    const second = await test.request(update, { token, params, body: { zip: 1234, latitude: '1.5' } })
    expect(second.body).toEqual({ ...first.body, zip: '1234', latitude: 1.5, version: 3 })
    expect((await test.request(update, { token, params, body: { unknown: true } })).body).toEqual(second.body)
    const third = await test.request(update, { token, params, body: { country_code: 'Namibia' } })
    expect(third.body).toEqual({ ...second.body, country_code: 'NA', version: 4 })
  })

  it.each([
    [{ name: '' }, 'name', 'name is required'],
    [{ city: null }, 'city', 'city is required'],
    [{ country_code: 'ZZ' }, 'country_code', 'country_code must be a country, such as ZA'],
    [{ isBlocked: 'maybe' }, 'isBlocked', 'isBlocked must be true or false'],
    [{ longitude: 999 }, 'longitude', 'longitude must be at most 180'],
  ])('refuses %j', async (body, path, message) => {
    const { id } = await buildLocation(test.db)
    const response = await test.request(update, { token: await signIn(), params: { id }, body })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message }])
  })
})

describe('PUT location/block-Location and unblock-Location', () => {
  it('block and unblock a location, and accept an empty JSON body', async () => {
    const token = await signIn()
    const params = { id: (await buildLocation(test.db, { name: 'Here' })).id }
    const headers = { 'content-type': 'application/json' }
    const blocked = await test.request(block, { token, params, headers, body: '' })
    expect(blocked.status).toBe(200)
    expect(blocked.body).toEqual({ message: 'Location blocked successfully', upcomingBookings: 0 })
    expect(await listNames(token, { status: 'blocked' })).toEqual(['Here'])
    expect((await test.request(unblock, { token, params })).body).toEqual({
      message: 'Location unblocked successfully',
    })
    expect(await listNames(token, { status: 'active' })).toEqual(['Here'])
  })
})

describe('DELETE location/delete-Location', () => {
  it.each([
    [1, 'This location has 1 pod. Move or delete it first.'],
    [3, 'This location has 3 pods. Move or delete them first.'],
  ])('is refused for a location with pods (%i), and says how many', async (pods, message) => {
    const token = await signIn()
    const { id } = await buildLocation(test.db)
    for (let pod = 0; pod < pods; pod++) await buildPod(test.db, { location_id: id, is_blocked: pod === 0 })
    const response = await test.request(remove, { token, params: { id } })
    expect(response.status).toBe(409)
    expect(response.body).toMatchObject({ code: 'location_has_pods', message })
    expect(await listNames(token)).toHaveLength(1)
  })

  it('hides the location, and returns 404 the second time', async () => {
    const token = await signIn()
    const params = { id: (await buildLocation(test.db)).id }
    const response = await test.request(remove, { token, params })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'Location deleted successfully' })
    expect(await listNames(token)).toEqual([])
    expect((await test.request(remove, { token, params })).status).toBe(404)
  })

  it('keeps the location on the bookings of its deleted pods', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const booking = await buildBooking(test.db, { pod_id: pod.id })
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', pod.id).execute()
    expect((await test.request(remove, { token, params: { id: pod.location_id } })).status).toBe(200)
    const kept = await test.db
      .selectFrom('bookings')
      .innerJoin('locations', 'locations.id', 'bookings.location_id')
      .select('locations.name')
      .where('bookings.id', '=', booking.id)
      .execute()
    expect(kept).toHaveLength(1)
  })

  it('waits for a pod that is being created, and is then refused', async () => {
    const token = await signIn()
    const { id } = await buildLocation(test.db)
    const pods = new EventEmitter()
    const deletion = once(pods, 'created').then(() => test.request(remove, { token, params: { id } }))
    await inTransaction(test.db, async (tx) => {
      await buildPod(tx, { location_id: id })
      // From here on the deletion waits for this transaction to end; nobody else can see the pod yet.
      pods.emit('created')
      await setTimeout(200)
    })
    expect((await deletion).body).toMatchObject({ code: 'location_has_pods' })
  })
  it('never succeeds together with the concurrent creation of a pod', async () => {
    const { token } = await test.signIn()
    const features = [(await buildFeature(test.db)).id]
    const text = 'As agreed'
    const pod = {
      title: 'Boardroom',
      description: text,
      direction: 'https://maps.example.com/?q=pod',
      images: [{ url: 'https://img.example.com/1.jpg' }],
      booking_requirements: text,
      availability: text,
      cancellation_policy: text,
      safety_and_property: text,
      UserId: 'door-1',
      deviceId: 'device-1',
      serial: 'serial-1',
      password: 'door-secret',
      email: 'host@example.com',
      rate: 2.5,
      features,
    }
    for (let round = 0; round < 8; round++) {
      const { id } = await buildLocation(test.db)
      const createPod = () => test.request(routes.pods.create, { token, body: { ...pod, location: id } })
      const deleteLocation = () => test.request(remove, { token, params: { id } })
      const requests = round % 2 === 0 ? [createPod, deleteLocation] : [deleteLocation, createPod]
      const statuses = await Promise.all(requests.map(async (request) => (await request()).status))
      const [created, deleted] = round % 2 === 0 ? statuses : statuses.toReversed()
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([created, deleted])
    }
  })
})
