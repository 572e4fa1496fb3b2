import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildFeature, buildPod } from '#server/testing/factories.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ PUBLIC_URL: 'https://pods.example.com', METRICS_TOKEN: 'a-token-of-the-tests' })

/** All endpoints but the event streams, which have a test of their own (live.test.ts). */
const calls = allEndpoints.filter(({ endpoint }) => endpoint.kind !== 'events')

const params = { id: createId(), podId: createId(), userId: createId() }

describe('every response', () => {
  it.each(calls)('must not be cached, and sets no cookie: $name', async ({ endpoint }) => {
    const { token } = await test.signIn()
    for (const headers of [{ authorization: `Bearer ${token}` }, {}]) {
      const response = await test.request(endpoint, { params, headers, ...(endpoint.body && { body: {} }) })
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-type': expect.stringMatching(/; charset=utf-8$/),
      })
      expect(response.headers).not.toHaveProperty('set-cookie')
      expect(response.headers).not.toHaveProperty('server')
      expect(response.headers).not.toHaveProperty('x-powered-by')
    }
  })

  it.each(['/', '/healthz', '/readyz', '/metrics', '/uploads/none.webp', '/api/docs', '/api/openapi.json', '/nowhere'])(
    'has the security headers for browsers: %s',
    async (url) => {
      const { headers } = await test.app.inject({ url, headers: { authorization: 'Bearer a-token-of-the-tests' } })
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      const policy = String(headers['content-security-policy'])
      for (const directive of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy.split(';')).toContain(directive)
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' 'wasm-unsafe-eval'")
      expect(headers).not.toHaveProperty('set-cookie')
    },
  )
})

describe('a request', () => {
  it.each(['TRACE', 'PATCH', 'PROPFIND'])(
    'with the method %s gets 404, and the response repeats nothing of the request',
    async (method) => {
      const response = await test.app.inject({
        // The type of the library has only the usual methods.
        method: method as 'GET',
        url: '/api/product/getall',
        headers: { authorization: 'Bearer a-secret-of-the-caller' },
      })
      expect(response.statusCode).toBe(404)
      expect(response.json().message).toBe(
        'No endpoint has this method and path. See /api/docs for those that there are.',
      )
      expect(response.body).not.toContain('a-secret-of-the-caller')
    },
  )

  it('with GET changes nothing except the record of downloads in the history', async () => {
    const { token } = await test.signIn()
    const reading = calls.filter(({ endpoint }) => endpoint.method === 'GET')
    expect(reading.length).toBeGreaterThan(50)
    for (const { endpoint } of reading) await test.request(endpoint, { token, params })
    expect(
      await test.db.selectFrom('audit').select(['action', 'entity']).where('action', '!=', 'export').execute(),
    ).toEqual([])
  })
})

it.each([
  ['/api/product/getall', 401, {}],
  ['/api/user/login', 401, { method: 'POST', payload: { email: 'nobody@example.com', password: 'wrong' } }],
  ['/api/nowhere', 404, {}],
] as const)('names the way to sign in with a 401 alone: %s', async (url, status, request) => {
  const { statusCode, headers } = await test.app.inject({ url, ...request })
  const expected = status === 401 ? 'Bearer' : undefined
  expect([statusCode, headers['www-authenticate']]).toEqual([status, expected])
})

describe('an API request from another website', () => {
  it('is refused without the Authorization header, even with the token in cookies', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    const send = (headers: Record<string, string>) =>
      test.request(routes.pods.block, {
        params: { id: pod.id },
        headers: { origin: 'https://evil.example', ...headers },
      })
    const withCookie = await send({ cookie: `token=${token}; session=${token}` })
    expect(withCookie.status).toBe(401)
    expect(withCookie.headers).not.toHaveProperty('access-control-allow-origin')
    const row = test.db.selectFrom('pods').select('is_blocked').where('id', '=', pod.id)
    expect(await row.executeTakeFirst()).toEqual({ is_blocked: false })
  })
})

it.each([
  ['page=1&page=2', 'page is given twice'],
  ['search=a&search=b', 'search is given twice'],
  ['status=active&status=blocked', 'status is given twice'],
])('refuses a parameter that is sent twice: %s', async (query, message) => {
  const { token } = await test.signIn()
  const response = await test.app.inject({
    url: `/api/product/getall?${query}`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.statusCode).toBe(400)
  expect(response.json().message).toBe(message)
})

it.each([
  [undefined, 'A JSON body is required'],
  [[], 'The body must be an object'],
  [{ method: 'door' }, 'version is required'],
  [{ method: 'door', version: '1' }, 'version must be a number'],
  [{ method: 'door', version: 1.5 }, 'version must be a whole number'],
  [{ method: 'door', version: -1e20 }, 'version must be at least -9007199254740991'],
  [{ method: 'door', version: 1e20 }, 'version may be at most 9007199254740991'],
  [{ method: 'bell', version: 1 }, 'method must be staff, code or door'],
])('says in plain words what is wrong with the body %j', async (body, message) => {
  const { token } = await test.signIn()
  const response = await test.request(routes.bookingActions.checkIn, { token, params, body })
  expect(response).toMatchObject({ status: 400, body: { message, code: 'invalid_input' } })
})

it.each([
  [{ firstname: ['A'], email: 'a@example.com' }, 'firstname', 'First name must be text'],
  [{ firstname: [], email: 'a@example.com' }, 'firstname', 'First name must be text'],
  [{ firstname: 'A', email: 'a@example.com', password: 1_234_567_890 }, 'password', 'Password must be text'],
  [{ firstname: 'A', email: 'a@example.com', password: null }, 'password', 'Password is required'],
  [{ firstname: 'A', email: 'a@example.com', password: [] }, 'password', 'Password must be text'],
  [{ firstname: 'A', email: 'a@example.com', locations: '' }, 'locations', 'locations must be a list of ids, or null'],
])('says one thing about a field, which fits what was sent: %j', async (body, path, message) => {
  const { token } = await test.signIn()
  const response = await test.request(routes.staff.create, { token, body })
  expect(response).toMatchObject({ status: 400, body: { message } })
  expect(response.body.errors).toEqual([{ path, message }])
})

it.each([
  [routes.series.create, { choices: [{ action: 'leave' }] }, 'choices.0.action', 'action must be skip or move'],
  [routes.pods.create, { images: [{ public_id: {} }] }, 'images.0.public_id', 'public_id must be text'],
  [routes.bookingActions.checkInByCode, { code: 123456 }, 'code', 'Code must be text'],
  [routes.bookingActions.checkInByCode, { code: null }, 'code', 'Code is required'],
  [routes.bookings.createFor, { podId: 5 }, 'podId', 'Pod must be an id'],
  [routes.bookings.createFor, { podId: {} }, 'podId', 'Pod must be an id'],
  [routes.bookings.createFor, { podId: null }, 'podId', 'Pod is required'],
  [
    routes.closures.create,
    { decisions: Array.from({ length: 5_001 }, () => ({ bookingId: '', action: 'leave' })) },
    'decisions',
    'decisions may have at most 5000 entries',
  ],
  [
    routes.passkeys.create,
    { credential: { response: { transports: ['x'.repeat(41)] } } },
    'credential.response.transports.0',
    'credential.response.transports.0 may have at most 40 characters',
  ],
  [routes.users.setNote, { note: 'x'.repeat(2_001) }, 'note', 'Note may have at most 2000 characters'],
  [routes.bookingActions.note, { note: 'x'.repeat(2_001) }, 'note', 'Note may have at most 2000 characters'],
  [routes.bookingActions.cancel, { reason: 'x'.repeat(501) }, 'reason', 'Reason may have at most 500 characters'],
  [routes.closures.create, { reason: 'x'.repeat(201) }, 'reason', 'Reason may have at most 200 characters'],
  [routes.companies.create, { phone: '1'.repeat(41) }, 'phone', 'Phone may have at most 40 characters'],
  [
    routes.pods.create,
    { description: 'x'.repeat(10_001) },
    'description',
    'Description may have at most 10000 characters',
  ],
])('says in plain words what is wrong with a value: %#', async (route, body, path, message) => {
  const { token } = await test.signIn()
  const { errors } = (await test.request(route, { token, params, body, headers: { 'if-match': '"1"' } })).body
  expect(errors).toContainEqual({ path, message })
})

it('ignores __proto__ and constructor in a body, and changes only the other fields', async () => {
  const { token } = await test.signIn()
  const { id } = await buildFeature(test.db)
  const response = await test.app.inject({
    method: 'PUT',
    url: `/api/location/edit-feature/${id}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: '{"name":"Quiet","__proto__":{"isBlocked":true,"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  })
  expect(response.statusCode).toBe(200)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  const row = test.db.selectFrom('features').select(['name', 'is_blocked']).where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ name: 'Quiet', is_blocked: false })
})
