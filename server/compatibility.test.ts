import { describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildPod, buildStaff } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

/** What clients other than the portal rely on, on every endpoint of the contract (rules §16.1). */

const CLIENT = 'https://app.example.com'
const STRANGER = 'https://evil.example.com'
const PREFIXES = ['', '/api']

const test = useTestApp({ CORS_ORIGINS: CLIENT })

const all: { name: string; route: Route }[] = Object.entries(routes).flatMap(([domain, group]) =>
  Object.entries(group).map(([name, route]) => ({ name: `${domain}.${name}`, route })),
)

const toUrl = (prefix: string, { path }: Route, id: string) => prefix + path.replace(/:\w+/g, id)

describe.each(all)('$name', ({ route }) => {
  // Common passwords and the passkey challenge are public and need no input, so no request for them fails.
  it.skipIf(route === routes.auth.commonPasswords || route === routes.auth.startPasskey)(
    'returns an error as JSON with a message and a code, with and without /api',
    async () => {
      for (const prefix of PREFIXES) {
        const response = await test.app.inject({ method: route.method, url: toUrl(prefix, route, createId()) })
        expect(response.statusCode).toBe(route.access === 'public' ? 400 : 401)
        expect(response.headers['content-type']).toMatch(/^application\/json/)
        expect(response.json()).toMatchObject({
          message: expect.stringMatching(/\S/),
          code: expect.stringMatching(/^\w+$/),
        })
      }
    },
  )

  it('treats an empty body with a JSON content type as no body, with and without /api', async () => {
    const statuses = new Set<number>()
    for (const prefix of PREFIXES) {
      const staff = await test.signIn()
      const response = await test.app.inject({
        method: route.method,
        url: toUrl(prefix, route, route.path.includes(':userId') ? staff._id : createId()),
        headers: { authorization: `Bearer ${staff.token}`, 'content-type': 'application/json' },
        payload: '',
      })
      statuses.add(response.statusCode)
      if (response.statusCode < 400) continue
      // The error may name a missing body, record or second factor, but it is not about the empty JSON.
      expect([400, 404, 409]).toContain(response.statusCode)
      expect(response.json()).toMatchObject({ message: expect.stringMatching(/\S/) })
      expect(response.json().code).not.toBe('invalid_json')
    }
    expect(statuses.size, 'the same answer on both paths').toBe(1)
  })

  it('allows cross-origin requests from CORS_ORIGINS only', async () => {
    const preflight = (origin: string) =>
      test.app.inject({
        method: 'OPTIONS',
        url: toUrl('/api', route, createId()),
        headers: {
          origin,
          'access-control-request-method': route.method,
          'access-control-request-headers': 'authorization, content-type',
        },
      })
    const admitted = await preflight(CLIENT)
    expect(admitted.statusCode).toBe(204)
    expect(admitted.headers['access-control-allow-origin']).toBe(CLIENT)
    expect(toList(admitted.headers['access-control-allow-methods'])).toContain(route.method.toLowerCase())
    expect(toList(admitted.headers['access-control-allow-headers'])).toEqual(['authorization', 'content-type'])
    expect((await preflight(STRANGER)).headers['access-control-allow-origin']).toBeUndefined()

    // The response itself has the headers too, even an error, or the page could not read the reason.
    const request = (origin: string) =>
      test.app.inject({ method: route.method, url: toUrl('/api', route, createId()), headers: { origin } })
    const response = await request(CLIENT)
    expect(response.headers['access-control-allow-origin']).toBe(CLIENT)
    expect(toList(response.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['x-total-count', 'x-request-id', 'content-disposition', ...exposedAccess]),
    )
    expect((await request(STRANGER)).headers['access-control-allow-origin']).toBeUndefined()
  })
})

const exposedAccess = ['x-auth-pages', 'x-auth-view-only', 'x-auth-locations', 'x-auth-view-as', 'x-auth-idle-until']

function toList(header: string | string[] | number | undefined): string[] {
  return String(header)
    .split(',')
    .map((word) => word.trim().toLowerCase())
}

describe('requests from other clients', () => {
  it('may contain page codes as numbers, strings or both', async () => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db)
    for (const auth_page of [
      [1, 9],
      ['1', '9'],
      [1, '9'],
    ]) {
      const response = await test.request(routes.staff.update, { token, params: { id }, body: { auth_page } })
      expect(response.body).toMatchObject({ auth_page: ['1', '9'] })
    }
  })

  it('may contain the slot count as number or string, pod and user as objects, and unknown fields', async () => {
    const { token, _id } = await test.signIn()
    const pod = await buildPod(test.db)
    const book = (hour: string, more: object) =>
      test.request(routes.bookings.create, {
        token,
        params: { podId: pod.id },
        body: {
          bookingPurpose: 'meeting',
          bookingDate: '2026-11-23',
          startTime: `2026-11-23T${hour}:00:00.000Z`,
          endTime: `2026-11-23T${hour}:30:00.000Z`,
          ...more,
        },
      })
    const responses = [
      await book('09', { timeSlotNumber: '3', status: 'Pending', isBookingActive: true }),
      await book('10', { timeSlotNumber: 3, status: 'Confirmed', isBookingActive: 'true' }),
      await book('11', { podId: { _id: pod.id, title: pod.title }, user: { _id: 'another' }, __v: 0, device: null }),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(201)
      expect(body.booking).toMatchObject({ podId: pod.id, user: _id, timeSlotNumber: '3', status: 'Pending' })
    }
  })

  it('may return a complete record from a list as an edit, which changes nothing', async () => {
    const { token, _id } = await test.signIn()
    await buildPod(test.db)
    const [location] = (await test.request(routes.locations.list, { token })).body.data
    const edited = await test.request(routes.locations.update, { token, params: { id: location._id }, body: location })
    expect(edited.status).toBe(200)
    expect((await test.request(routes.locations.list, { token })).body.data).toEqual([location])

    const [staff] = (await test.request(routes.staff.list, { token })).body
    expect((await test.request(routes.staff.update, { token, params: { id: _id }, body: staff })).status).toBe(200)
    expect((await test.request(routes.staff.list, { token })).body).toEqual([staff])
  })

  it('are refused when their body is not UTF-8, instead of being stored with other letters', async () => {
    const { token } = await test.signIn()
    const send = (payload: Buffer) =>
      test.app.inject({
        method: 'POST',
        url: '/api/location/create-features',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=iso-8859-1' },
        payload,
      })
    const text = '{"name":"Café","icon":"coffee"}'
    const refused = await send(Buffer.from(text, 'latin1'))
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'invalid_json', message: 'The request body is not UTF-8.' })
    // Whatever it calls itself, and with the mark that some systems put first.
    expect((await send(Buffer.from(`\uFEFF${text}`))).json()).toMatchObject({ name: 'Café' })
  })

  it('may have a JSON content type with a charset, in capitals, or of a format based on JSON', async () => {
    const { token } = await test.signIn()
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
      const response = await test.request(routes.pricing.setRate, {
        token,
        body: JSON.stringify({ rate: '2.5' }),
        headers: { 'content-type': type },
      })
      expect(response.body, type).toMatchObject({ rate: 2.5 })
    }
  })
})
