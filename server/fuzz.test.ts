import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { inTime } from '#server/in-time.ts'
import { emptyDatabase } from '#server/testing/empty-database.ts'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
  TEST_PASSWORD,
} from '#server/testing/factories.ts'
import { connectRaw, type RawResponse } from '#server/testing/raw-client.ts'
import { type Hints, hostileText, type JsonSchema, toArbitrary, toJsonText } from '#server/testing/schema-arbitrary.ts'
import { useTestApp } from '#server/testing/test-app.ts'

/**
 * Sends random requests made from the description of the API. Each gets a response in time and never a 500, errors are
 * JSON with a reason, and the security headers are always there. FUZZ_RUNS sets the number of requests, FUZZ_SEED
 * repeats a run. `npm run test:long` also sends three passes of 20,000, and checks the memory after each.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 3_000)
const MALFORMED_RUNS = Math.ceil(RUNS / 9)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const SLOW_MS = 2_000
const HANGING_MS = 30_000
const LONG_RUNS = Number(process.env.FUZZ_RUNS ?? 20_000)
const PASSES = 3

const test = useTestApp({ LOGIN_ATTEMPTS: '100000', CORS_ORIGINS: 'https://app.example.com' }, { poolSize: 4 })

type Operation = {
  name: string
  method: Route['method']
  path: string
  query: { name: string; required: boolean; schema: JsonSchema }[]
  body: JsonSchema | undefined
  isMultipart: boolean
  needsVersion: boolean
}

type Document = {
  paths: Record<string, Record<string, DescribedOperation>>
}
type DescribedOperation = {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

async function readOperations(): Promise<Operation[]> {
  const document = (await test.app.inject('/api/openapi.json')).json<Document>()
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => ({
      name: operationId,
      method: method.toUpperCase() as Route['method'], // the document is made from the contract
      path,
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body: requestBody?.content['application/json']?.schema,
      isMultipart: requestBody?.content['multipart/form-data'] !== undefined,
      needsVersion: parameters.some(({ name, required }) => name.toLowerCase() === 'if-match' && required),
    })),
  )
}

const kinds = ['feature', 'location', 'pod', 'booking', 'user', 'staff', 'company'] as const
type Kind = (typeof kinds)[number]

const build: Record<Kind, () => Promise<{ id: string }>> = {
  // Placed after the existing features, however requests have reordered them.
  feature: async () => {
    const { last } = await test.db
      .selectFrom('features')
      .select((row) => row.fn.max('position').as('last'))
      .executeTakeFirstOrThrow()
    return buildFeature(test.db, { position: (last ?? 0) + 1 })
  },
  location: () => buildLocation(test.db),
  pod: () => buildPod(test.db),
  booking: () => buildBooking(test.db),
  user: () => buildUser(test.db),
  company: () => buildCompany(test.db),
  staff: () => buildStaff(test.db, { pages: [9] }),
}

/** Returns the kind of record that a path names. */
function toKind({ name, path }: Operation): Kind {
  if (path.includes('{podId}')) return 'pod'
  const [domain = ''] = name.split('.')
  if (domain === 'companies') return 'company'
  return kinds.find((kind) => domain.startsWith(kind)) ?? 'user'
}

/** An id in a request: the nth record of its kind at the time of sending, or a text that names none. */
type Id = { kind: Kind; nth: number } | string

const anId = (kind: Kind): fc.Arbitrary<Id> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.nat(3).map((nth) => ({ kind, nth })) },
    { weight: 1, arbitrary: fc.constantFrom(createId(), 'none', '', '%', '%00', '%c0', '..', 'x'.repeat(300)) },
    { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))) },
  )

const reference = (kind: Kind) => fc.nat(3).map((nth) => `@${kind}.${nth}`)

const hints: Hints = {
  email: fc.oneof(
    fc.constant('@email'),
    fc.nat(1e9).map((n) => `a${n}@example.com`),
  ),
  password: fc.constantFrom(TEST_PASSWORD, 'another good password'),
  location: reference('location'),
  features: fc.array(reference('feature'), { minLength: 1, maxLength: 2 }),
  pod: reference('pod'),
  user: reference('user'),
  id: reference('feature'),
  rate: fc.nat(100),
  discount: fc.nat(100),
  latitude: fc.integer({ min: -90, max: 90 }),
  longitude: fc.integer({ min: -180, max: 180 }),
  auth_page: fc.subarray(['1', '2', 3, 9]),
  url: fc.constant('https://example.com/a.jpg'),
  booking_date: fc.constant('2026-12-01'),
  startTime: fc.integer({ min: 6, max: 12 }).map((hour) => `2026-12-01T${String(hour).padStart(2, '0')}:00:00.000Z`),
  endTime: fc.integer({ min: 12, max: 13 }).map((hour) => `2026-12-01T${hour}:00:00.000Z`),
  bookingDate: fc.constant('2026-12-01'),
  podId: reference('pod'),
  podIds: fc.array(reference('pod'), { minLength: 1, maxLength: 2 }),
  // Left out, because every closure here names pods instead.
  locationId: fc.constant(undefined),
  repeats: fc.constantFrom(null, { weekdays: ['MO'], until: '2026-12-20' }),
  percent: fc.nat(100),
  hoursBefore: fc.nat(48),
  fee: fc.nat(50),
  noShowMinutes: fc.constantFrom(null, 15),
  refund: fc.constant(undefined),
  shownRefund: fc.constant('0'),
  price: fc.constant(undefined),
  newPrice: fc.constant(undefined),
  from: fc.constant('2026-12-01'),
  to: fc.constant('2026-12-31'),
  minAmount: fc.constant('1'),
  maxAmount: fc.constant('99.50'),
  year: fc.constant(2027),
  decisions: fc.constant([]),
  userId: reference('user'),
  companyId: reference('company'),
  code: reference('booking'),
  date: fc.constant('2026-12-01'),
  until: fc.constant('2026-12-20'),
  starts: fc.integer({ min: 1, max: 9 }).map((day) => `2027-01-0${day}T06:00:00.000Z`),
  ends: fc.integer({ min: 10, max: 19 }).map((day) => `2027-01-${day}T06:00:00.000Z`),
  version: fc.integer({ min: 1, max: 2 }),
}

type Fuzzed = {
  name: string
  method: string
  /** Contains `{id}`. */
  path: string
  id: Id
  query: [string, unknown][]
  /** Sent as JSON, or as raw text. */
  body: { json: unknown } | { text: string } | undefined
  headers: Record<string, string>
  isSignedIn: boolean
}

function toArbitraryRequest(operation: Operation): fc.Arbitrary<Fuzzed> {
  const queryModel = Object.fromEntries(
    operation.query.map(({ name, schema }) => [name, toArbitrary(schema, hints, name)]),
  )
  const requiredKeys = operation.query.filter(({ required }) => required).map(({ name }) => name)
  const jsonBody = operation.body
    ? toArbitrary(operation.body, hints).map((json) => ({ json }))
    : fc.constant(undefined)
  return fc.record({
    name: fc.constant(operation.name),
    method: fc.constant(operation.method),
    path: fc.constant(operation.path),
    id: anId(toKind(operation)),
    query: fc.record(queryModel, { requiredKeys }).map((query) => Object.entries(query)),
    body: operation.isMultipart ? fc.constantFrom(...uploads) : jsonBody,
    headers: fc.constant({
      'content-type': operation.isMultipart ? 'multipart/form-data; boundary=b' : 'application/json',
      ...(operation.needsVersion && { 'if-match': '*' }),
    }),
    isSignedIn: fc.constant(true),
  })
}

const uploads: ({ text: string } | undefined)[] = []

/** Makes a request malformed in some way. */
function twist(request: Fuzzed): fc.Arbitrary<Fuzzed> {
  const but = (change: Partial<Fuzzed>): Fuzzed => ({ ...request, ...change })
  const withHeaders = (headers: Record<string, string>) => but({ headers: { ...request.headers, ...headers } })
  const withBody = (text: string) => but({ body: { text } })
  return fc.oneof(
    fc.constant(but({ isSignedIn: false })),
    fc
      .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH')
      .map((method) => but({ method })),
    fc
      .constantFrom('text/plain', 'application/json, text/html', 'multipart/form-data', ';', 'application/xml', 'x', '')
      .map((type) => withHeaders({ 'content-type': type })),
    fc.constantFrom('gzip', 'br', 'identity', 'x').map((encoding) => withHeaders({ 'content-encoding': encoding })),
    fc
      .constantFrom(
        '{"a":',
        '{]',
        'null',
        '[]',
        '"x"',
        '5',
        '\uFEFF{}',
        '{"__proto__":{"a":1}}',
        '{"constructor":1}',
        '@lists',
      )
      .map((text) => withBody(text)),
    fc.constantFrom('@lists', '@objects', '@huge').map((name) => withBody(toJsonText(name))),
    fc.constantFrom('something', '100-continue', '200-ok').map((expect) => withHeaders({ expect })),
    fc
      .tuple(fc.constantFrom('search', 'page', 'limit', 'sort', '__proto__', 'q', 'a[b]'), hostileText)
      .map((entry) => but({ query: [...request.query, entry, entry] })),
    fc
      .constantFrom(
        '/%c0',
        '/api/%',
        '/api//',
        '//',
        '/.',
        '/api/docs/../x',
        '/uploads/%00',
        '/uploads/x',
        '/api/nowhere',
        '*',
      )
      .map((path) => but({ path })),
    fc
      .constantFrom<Record<string, string>>(
        { origin: 'https://evil.example.com', 'access-control-request-method': 'X' },
        { origin: 'null' },
        { authorization: 'Bearer ' },
        { authorization: `Bearer ${'x'.repeat(3000)}` },
        { accept: '\u00ff' },
        { 'accept-encoding': 'gzip;q=x, *;q=0' },
        { 'accept-version': '2' },
        { 'x-forwarded-for': '\u00ff, 1.2.3.4' },
        { 'x-request-id': '__proto__' },
        { cookie: '=' },
        { range: 'bytes=9-1' },
        { 'if-none-match': '*' },
        { upgrade: 'websocket', connection: 'upgrade' },
        { host: '%' },
      )
      .map(withHeaders),
  )
}

/** Endpoints that succeed only with a secret, or with the id of a record of a kind that is not built here. */
const outOfReach = new Set([
  'auth.changePassword',
  'auth.requestPasswordLink',
  'auth.readPasswordLink',
  'auth.usePasswordLink',
  'auth.signInWithCode',
  'auth.signInWithPasskey',
  'secondFactors.confirm',
  'secondFactors.createRecoveryCodes',
  'secondFactors.delete',
  'passkeys.create',
  'passkeys.update',
  'passkeys.delete',
  'staff.resetSecondFactor',
  'account.endSession',
  'audit.undo',
  'closures.update',
  'closures.delete',
  'deliveries.replay',
  'failedJobs.retry',
  'failedJobs.retrySeveral',
  'failedJobs.dismiss',
  'mails.get',
  'mails.retry',
  'series.get',
  'series.update',
  'series.cancel',
  'series.previewUpdate',
  'webhooks.update',
  'webhooks.delete',
])

/** Endpoints after which the token is invalid, at once or soon. */
const endsToken = new Set(['auth.signOut', 'account.confirm'])

const toMegabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`

/** Returns the live memory of this process in bytes, which includes the server, after collecting garbage. */
async function readHeapBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void // what the flag adds
  // Streams and timers that have ended are released in a later turn.
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate()
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Returns the response. Fails when it hangs, or when it is late and so are two repetitions: on a busy machine anything is
 * late at times, but a slow request is late each time.
 */
async function expectInTime<T>(send: () => Promise<T>): Promise<T> {
  const timeOnce = async () => {
    const started = performance.now()
    const response = await inTime(send(), HANGING_MS)
    return { response, ms: performance.now() - started }
  }
  const { response, ...first } = await timeOnce()
  let { ms } = first
  for (let repetition = 0; repetition < 2 && ms > SLOW_MS; repetition += 1) ({ ms } = await timeOnce())
  expect(ms).toBeLessThan(SLOW_MS)
  return response
}

describe('the server under random input', () => {
  let operations: Operation[]
  beforeAll(async () => {
    const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    const part = '--b\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n'
    for (const content of [image.toString('latin1'), 'none', '\0'])
      uploads.push({ text: `${part}${content}\r\n--b--\r\n` })
    uploads.push({ text: part }, { text: '' }, undefined)
    operations = await readOperations()
    process.stdout.write(`fuzz: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}\n`)
  })

  /**
   * Returns the share of well-formed requests that succeeded, and the share of reachable endpoints that did at least
   * once.
   */
  async function sendCalls(runs: number, seed: number): Promise<{ done: number; reached: number }> {
    const ids = new Map<Kind, string[]>()
    for (const kind of kinds) {
      const records = []
      for (let nth = 0; nth < 4; nth += 1) records.push((await build[kind]()).id)
      ids.set(kind, records)
    }
    await buildTransaction(test.db)
    let staff = await test.signIn()
    const port = await test.listen()
    let client = await connectRaw(port)
    const seen = { requests: 0, done: 0, names: new Set<string>() }

    const idOf = (id: Id) => (typeof id === 'string' ? id : (ids.get(id.kind)?.[id.nth] ?? ''))
    const resolve = (text: string) =>
      text
        .replace(/@(\w+)\.(\d)/g, (whole, kind, nth) => ids.get(kind as Kind)?.[Number(nth)] ?? whole) // a kind, or not found
        .replaceAll('@email', staff.email)

    const sendOnce = async (fuzzed: Fuzzed) => {
      if (client.isClosed()) client = await connectRaw(port)
      client.send(toRequest(fuzzed, idOf, resolve, staff))
      const response = await client.read({ withoutBody: fuzzed.method === 'HEAD' })
      if (!response) throw new Error('closed without an answer')
      if (response.headers.connection === 'close') client.close()
      return response
    }

    const request = fc.constantFrom(...operations).chain(toArbitraryRequest)
    const property = fc.asyncProperty(
      fc.oneof(
        { weight: 3, arbitrary: request.map((plain) => ({ fuzzed: plain, isPlain: true })) },
        {
          weight: 1,
          arbitrary: request.chain(twist).map((twisted) => ({ fuzzed: twisted, isPlain: false })),
        },
      ),
      async ({ fuzzed, isPlain }) => {
        const response = await expectInTime(() => sendOnce(fuzzed))
        expectSound(response, fuzzed.method === 'HEAD')
        const isDone = response.status < 300
        if (isPlain) {
          seen.requests += 1
          if (isDone) {
            seen.done += 1
            seen.names.add(fuzzed.name)
          }
        }
        if (!isDone) return
        // Replaces what the request has ended, for the next one.
        if (endsToken.has(fuzzed.name)) staff = await test.signIn()
        if (fuzzed.method === 'DELETE' && typeof fuzzed.id !== 'string') {
          const { kind, nth } = fuzzed.id
          ids.get(kind)?.splice(nth, 1, (await build[kind]()).id)
        }
      },
    )
    try {
      await fc.assert(property, { numRuns: runs, seed })
    } finally {
      client.close()
    }
    const inReach = operations.filter(({ name }) => !outOfReach.has(name))
    const reached = inReach.filter(({ name }) => seen.names.has(name)).length / inReach.length
    return { done: seen.done / seen.requests, reached }
  }

  it(
    'responds to random requests in time, without a 500, and with a reason for each error',
    async () => {
      const { done, reached } = await sendCalls(RUNS, SEED)
      // Requests that are all rejected early would prove nothing.
      expect(done).toBeGreaterThan(0.4)
      expect(reached).toBeGreaterThan(0.7)
    },
    Math.max(60_000, RUNS * 200),
  )

  it.runIf(process.env.TEST_LONG)(
    'uses less than a tenth more memory after each of three passes',
    async () => {
      // A first pass, because what is loaded and compiled once stays in memory.
      await sendCalls(LONG_RUNS / 10, SEED)
      const before = await readHeapBytes()
      for (let pass = 1; pass <= PASSES; pass += 1) {
        await emptyDatabase(test.db)
        await sendCalls(LONG_RUNS, SEED + pass)
        const after = await readHeapBytes()
        process.stdout.write(`fuzz: pass ${pass}, ${toMegabytes(before)} → ${toMegabytes(after)}\n`)
        expect(after / before).toBeLessThan(1.1)
      }
    },
    Math.max(60_000, PASSES * LONG_RUNS * 200),
  )

  it(
    'handles malformed HTTP without a 500, and stays healthy',
    async () => {
      const port = await test.listen()
      const line = fc.oneof(
        fc.constantFrom(
          'GET / HTTP/1.1',
          'GET /healthz HTTP/1.1',
          'POST /api/user/login HTTP/1.1',
          'GET / HTTP/9.9',
          'GET /',
        ),
        fc.constantFrom(
          'Host: x',
          'host:',
          'Host x',
          ' folded',
          'Content-Length: -1',
          'Content-Length: 5',
          'Content-Length: 1, 2',
        ),
        fc.constantFrom(
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: gzip',
          'Connection: keep-alive, close',
          'Expect: x',
        ),
        fc.constantFrom(
          '{}',
          'zz',
          '5',
          '0',
          '',
          '',
          '\0',
          ':',
          'X-Y: \u00ff',
          `X: ${'y'.repeat(20_000)}`,
          'Upgrade: h2c',
        ),
        fc.string({ unit: 'binary-ascii', maxLength: 30 }),
      )
      const bytes = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\r\n')}\r\n\r\n`)
      await fc.assert(
        fc.asyncProperty(bytes, async (text) => {
          const response = await expectInTime(async () => {
            const client = await connectRaw(port)
            client.send(Buffer.from(text, 'latin1'))
            // Tells a parser that waits for more that there is no more.
            client.end()
            return client.read().finally(client.close)
          })
          if (response) expectSound(response, false)
        }),
        { numRuns: MALFORMED_RUNS, seed: SEED },
      )
      expect((await test.app.inject('/healthz')).statusCode).toBe(200)
    },
    Math.max(60_000, RUNS * 200),
  )
})

function toRequest(
  { method, path, id, query, body, headers, isSignedIn }: Fuzzed,
  idOf: (id: Id) => string,
  resolve: (text: string) => string,
  staff: { _id: string; token: string },
): Buffer {
  const encode = (value: unknown) => {
    const text = typeof value === 'string' ? value : toJsonText(value)
    return encodeURIComponent(resolve(text).replace(/\p{Surrogate}/gu, ''))
  }
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const url = `${path.replace('{userId}', staff._id).replace(/\{\w+\}/, idOf(id))}${search && `?${search}`}`
  const payload = body === undefined ? '' : 'json' in body ? resolve(toJsonText(body.json)) : body.text
  const bytes = Buffer.from(payload, body && 'json' in body ? 'utf8' : 'latin1')
  const all: Record<string, string> = {
    host: 'x',
    ...(isSignedIn ? { authorization: `Bearer ${staff.token}` } : {}),
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(bytes.length) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

function expectSound({ status, headers, body }: RawResponse, isHead: boolean): void {
  expect(status).toBeLessThan(500)
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-request-id']).toMatch(/\S/)
  if (status < 400 || isHead) return
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(JSON.parse(body)).toMatchObject({ message: expect.stringMatching(/\S/), code: expect.any(String) })
  // What zod says where neither the schema nor the server has words of its own.
  expect(body).not.toMatch(/"(Invalid (input|discriminator|option)|Too (big|small)|Unrecognized key)/)
}
