import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { connectRaw } from '#server/testing/raw-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

/** What clients may do to a server: send bodies that nobody reads, bodies that never arrive, or no HTTP at all. */

const LIMITS = { requestMs: 1_000, uploadMs: 2_500 }
const test = useTestApp({}, { poolSize: 2, arrivalLimits: LIMITS })

const PROBE = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

async function connect() {
  const client = await connectRaw(await test.listen())
  onTestFinished(() => void client.close())
  return client
}

function toHead(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`
}

function toError(response: Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['read']>>) {
  if (!response) throw new Error('The connection was closed without an answer')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  const body = JSON.parse(response.body)
  expect(body).toMatchObject({ message: expect.stringMatching(/\S/), requestId: response.headers['x-request-id'] })
  return { status: response.status, code: body.code, message: body.message }
}

describe('a request that is refused before its body is read', () => {
  const bytes = Buffer.alloc(400_000, 'x')
  const json = { 'Content-Type': 'application/json' }

  it.each<[number, string, string, Record<string, string>]>([
    [415, 'POST', '/api/user/login', { 'Content-Type': 'application/json, text/html', 'Content-Encoding': 'gzip' }],
    [415, 'POST', '/api/user/login', { ...json, 'Content-Encoding': 'gzip' }],
    [415, 'POST', '/api/user/login', { ...json, 'Content-Encoding': 'br' }],
    [413, 'POST', '/api/user/login', { 'Content-Type': 'text/plain' }],
    [401, 'POST', '/api/location/create', json],
    [401, 'POST', '/api/upload', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    [401, 'GET', '/api/product/getall', {}],
    [413, 'POST', '/api/user/login', json],
    [400, 'POST', '/%c0', json],
    [404, 'GET', '/nowhere', {}],
    [417, 'POST', '/api/user/login', { ...json, Expect: 'something' }],
  ])('with %i to %s %s does not disturb the next request on its connection', async (status, method, path, headers) => {
    const client = await connect()
    client.send(toHead(method, path, { ...headers, 'Content-Length': bytes.length }), bytes, PROBE)
    expect(toError(await client.read()).status).toBe(status)
    // The next request succeeds, or the connection is closed.
    expect([200, undefined]).toContain((await client.read())?.status)
  })

  it('with 403, 404 or 413 does not disturb the next request, with or without Content-Length', async () => {
    const staff = await test.signIn([9])
    const { token } = await test.signIn()
    const signedIn = (bearer: string) => ({ ...json, Authorization: `Bearer ${bearer}` })
    const unknown = `/api/product/edit-pods/${createId()}`.replace(/.$/, 'x')
    const chunks = [bytes.length.toString(16), '\r\n', bytes, '\r\n0\r\n\r\n']
    const long = Buffer.alloc(3_000_000, ' ')
    const requests: [number, string, Record<string, string>, (string | Buffer)[], number?][] = [
      [403, '/api/location/create', signedIn(staff.token), [bytes], bytes.length],
      [403, '/api/location/create', { ...signedIn(staff.token), 'Transfer-Encoding': 'chunked' }, chunks],
      [404, unknown, signedIn(token), [bytes], bytes.length],
      [413, '/api/location/create', signedIn(token), [long], long.length],
    ]
    for (const [status, path, headers, body, length] of requests) {
      const client = await connect()
      const method = path === unknown ? 'PUT' : 'POST'
      const size = length === undefined ? {} : { 'Content-Length': length }
      client.send(toHead(method, path, { ...headers, ...size }), ...body, PROBE)
      expect(toError(await client.read()).status).toBe(status)
      // The next request succeeds, or the connection is closed.
      expect([200, undefined]).toContain((await client.read())?.status)
    }
  })

  it('gets its response although the rest of the body never arrives, and its connection is closed', async () => {
    const client = await connect()
    client.send(toHead('POST', '/api/location/create', { ...json, 'Content-Length': 400_000 }), 'x'.repeat(100))
    const response = await client.read()
    expect(toError(response).status).toBe(401)
    expect(response?.headers.connection).toBe('close')
    expect(await client.read()).toBeUndefined()
  })
})

it('refuses compressed bodies with 415', async () => {
  const { token } = await test.signIn()
  const payload = gzipSync(JSON.stringify({ rate: 2 }))
  const setRate = (encoding: string, body: Buffer | string) =>
    test.request(routes.pricing.setRate, {
      token,
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'no-such-thing']) {
    const response = await setRate(encoding, payload)
    expect([encoding, response.status, response.body.code]).toEqual([encoding, 415, 'unsupported_type'])
    expect(response.body.message).toContain('Content-Encoding')
  }
  expect((await setRate('identity', JSON.stringify({ rate: 2 }))).status).toBe(200)
})

describe('a request that arrives slowly', () => {
  it('gets 408 and its connection closed, and 200 of them do not occupy the database', async () => {
    const { token } = await test.signIn()
    const head = toHead('POST', '/api/location/create', {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Content-Length': 1000,
    })
    const clients = await Promise.all(Array.from({ length: 200 }, connect))
    for (const client of clients) client.send(head, '{')
    // The limit is for the whole request: a byte now and then does not extend it.
    const trickle = setInterval(() => {
      for (const client of clients) client.send(' ')
    }, 50)
    try {
      // The pool’s few connections stay free, so everyone else gets a response.
      expect((await test.request(routes.locations.list, { token })).status).toBe(200)
      for (const client of clients) {
        const response = await client.read()
        expect(toError(response)).toMatchObject({ status: 408, code: 'request_timeout' })
        expect(response?.headers.connection).toBe('close')
        expect(await client.read()).toBeUndefined()
      }
    } finally {
      clearInterval(trickle)
    }
    expect(test.context.databaseLoad().waiting).toBe(0)
    await expect.poll(countConnections).toBe(0)
  })

  it('gets 408 and its connection closed when its headers are incomplete', async () => {
    const client = await connect()
    client.send('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(toError(await client.read())).toMatchObject({ status: 408, code: 'request_timeout' })
    expect(await client.read()).toBeUndefined()
  })

  it('gets 408 only after a longer limit when it is an upload', async () => {
    const { token } = await test.signIn()
    const begun = performance.now()
    const client = await connect()
    const part = '--x\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n'
    client.send(
      toHead('POST', '/api/upload', {
        'Content-Type': 'multipart/form-data; boundary=x',
        Authorization: `Bearer ${token}`,
        'Content-Length': 100_000,
      }),
      part,
    )
    expect(toError(await client.read())).toMatchObject({ status: 408, code: 'request_timeout' })
    expect(performance.now() - begun).toBeGreaterThan(LIMITS.uploadMs - 50)
    expect(await client.read()).toBeUndefined()
    await expect.poll(countConnections).toBe(0)
  })

  it('succeeds when it arrives in time, however long the response takes', async () => {
    const { token } = await test.signIn()
    const client = await connect()
    const body = JSON.stringify({ rate: 3 })
    client.send(
      toHead('POST', '/api/transactions/ManageRates', {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Content-Length': body.length,
      }),
      body.slice(0, 4),
    )
    const pool = test.database.pool
    const lent = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    client.send(body.slice(4))
    setTimeout(() => {
      for (const connection of lent) connection.release()
    }, LIMITS.requestMs * 2)
    expect((await client.read())?.status).toBe(200)
  })
})

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    test.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

const unsound: [name: string, text: string, status: number, code: string][] = [
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_input'],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_input'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400, 'invalid_input'],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'invalid_input'],
  ['a method that no path has', 'PROPFIND /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'not_found'],
  ['headers of 40 kB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'invalid_input'],
  [
    'a broken chunk',
    'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
    'invalid_input',
  ],
  ['a malformed path', 'GET /%c0 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_input'],
  ['a malformed id', `GET /api/user/get-user/${'x'.repeat(300)} HTTP/1.1\r\nHost: x\r\n\r\n`, 404, 'not_found'],
  ['an expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: something\r\n\r\n', 417, 'expectation_failed'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400, 'invalid_input'],
]

describe('a malformed or unusual HTTP request', () => {
  it.each(unsound)('gets a JSON error: %s', async (_, text, status, code) => {
    const client = await connect()
    client.send(text)
    expect(toError(await client.read())).toMatchObject({ status, code })
  })

  it.each(['/api/user/login', '*'])('gets 204 for OPTIONS %s, although it is no preflight request', async (path) => {
    const client = await connect()
    client.send(toHead('OPTIONS', path, {}))
    expect((await client.read())?.status).toBe(204)
  })

  it('waits for the response to the request before it', async () => {
    const { token } = await test.signIn()
    const client = await connect()
    client.send(toHead('GET', '/api/transactions/getrate', { Authorization: `Bearer ${token}` }), 'nonsense\r\n\r\n')
    expect((await client.read())?.status).toBe(200)
    expect(toError(await client.read()).status).toBe(400)
    expect(await client.read()).toBeUndefined()
  })

  it('gets 400 when its body breaks off', async () => {
    const client = await connect()
    client.send(toHead('POST', '/api/user/login', { 'Content-Type': 'application/json', 'Content-Length': 100 }), '{')
    await once(test.app.server, 'request').catch(() => undefined)
    client.end()
    expect(toError(await client.read()).status).toBe(400)
    expect(await client.read()).toBeUndefined()
  })
})

it.each(['/healthz', '/%c0'])(
  'responds to an upgrade request at %s, and closes the connection so that the next request cannot hang',
  async (path) => {
    const client = await connect()
    const malformed = toHead('GET', `/${'x'.repeat(40_000)}`, {})
    client.send(toHead('GET', path, { Connection: 'Upgrade', Upgrade: 'websocket' }), malformed)
    expect(await client.read()).toMatchObject({ headers: { connection: 'close' } })
    expect(await client.read()).toBeUndefined()
  },
)
