import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './testing/postgres-databases.ts'
import {
  buildServerProcess,
  killProcess,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './testing/server-process.ts'
import { withLog } from './tracing.ts'

const onPostgres = process.env.TEST_ENGINE === 'postgres'
const name = `podkeeper_test_tracing_${process.pid}`
const admin = { email: 'lerato@example.com', password: 'harbour lamp 2026 x' }
/** The ids of a trace and of its span, as a proxy that traces sends them. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const REQUEST_ID = 'request-of-the-test'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code: number }
}
type Export = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

const exports: Export[] = []
const collectorState = { isAway: false }
const collector = createServer((request, response) => {
  if (collectorState.isAway) return
  text(request)
    .then((body) => {
      exports.push(JSON.parse(body) as Export)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    .catch(() => response.destroy())
})
let folder: string
let server: ServerProcess
let start: () => ServerProcess

beforeAll(async () => {
  await buildServerProcess()
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'podkeeper-tracing-'))
  if (onPostgres) await createDatabase(name, inject('databaseTemplate'))
  else await cp(inject('databaseTemplate'), folder, { recursive: true })
  start = () =>
    startServerProcess({
      DATA_DIR: folder,
      ...(onPostgres && { DATABASE_URL: toDatabaseUrl(name) }),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      WEBHOOK_PRIVATE_ADDRESSES: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, // it listens on a port
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
  server = start()
  await waitUntilReady(server)
})
afterAll(async () => {
  await killProcess(server?.child)
  collector.closeAllConnections()
  collector.close()
  if (onPostgres) await dropDatabase(name)
  await rm(folder, { recursive: true, force: true })
})

const listSpans = () =>
  exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
const read = ({ attributes }: Span, key: string) => {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

it('traces requests whose client left before the response', async () => {
  // They wait for one another, as passwords take long to check.
  const signIns = Array.from({ length: 20 }, () =>
    fetch(`${server.url}/api${routes.auth.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'another one' }),
      signal: AbortSignal.timeout(200),
    }),
  )
  expect((await Promise.allSettled(signIns)).filter(({ status }) => status === 'rejected')).not.toEqual([])
  await expect
    .poll(() => listSpans().map((span) => read(span, 'http.response.status_code')), { timeout: 15_000 })
    .toContain(499)
})

it('traces a request through its queries and queued jobs, without personal or secret values', async () => {
  const send = async (path: string, body: object, headers: object = {}) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(response.ok, await response.clone().text()).toBe(true)
    return (await response.json()) as { token: string }
  }
  const { token } = await send(routes.auth.login.path, admin)
  const signedIn = { authorization: `Bearer ${token}` }
  const stream = await fetch(`${server.url}/api${routes.live.stream.path}`, {
    headers: { ...signedIn, accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  await stream.body?.cancel()
  // Nothing listens on this port, so the delivery fails.
  await send(routes.webhooks.create.path, { url: 'http://127.0.0.1:9/', events: ['feature.*'] }, signedIn)
  const traced = { ...signedIn, traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': REQUEST_ID }
  await send(routes.features.create.path, { name: 'Standing desk', icon: 'desk', order: -1 }, traced)
  await expect.poll(() => server.readOutput()).toContain('job failed')
  const line = server
    .readOutput()
    .split('\n')
    .find((text) => text.includes('job failed'))
  expect(JSON.parse(line ?? '')).toMatchObject({ job: 'webhook', reqId: REQUEST_ID })

  // The remaining spans are sent when the server stops.
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  const spans = listSpans()
  const request = spans.find(({ traceId, name }) => traceId === TRACE && name.startsWith('POST '))
  if (!request) throw new Error('No span of the request was sent')
  expect(request).toMatchObject({ name: 'POST /location/create-features', parentSpanId: CALLER })
  expect(read(request, 'podkeeper.request_id')).toBe(REQUEST_ID)
  expect(read(request, 'http.response.status_code')).toBe(201)
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  expect(queries.map((query) => read(query, 'db.query.text'))).toContainEqual(expect.stringContaining('insert into'))
  expect(spans.map((span) => span.name)).not.toContain('GET /live')
  const job = spans.find((span) => span.name === 'job webhook')
  expect(job && [read(job, 'podkeeper.request_id'), job.status.code]).toEqual([REQUEST_ID, 2])

  const sent = JSON.stringify(exports)
  expect(sent).toContain('"stringValue":"podkeeper"')
  expect(sent).toContain('deployment.environment.name')
  for (const value of [admin.email, admin.password, token, 'Standing desk']) expect(sent).not.toContain(value)
})

it('does not keep the server from stopping while the collector is away', async () => {
  collectorState.isAway = true
  server = start()
  await waitUntilReady(server)
  await fetch(`${server.url}/api/location/details`)
  const stoppedAt = Date.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  // The exporter alone would wait ten seconds.
  expect(Date.now() - stoppedAt).toBeLessThan(8_000)
})

it('says once that the collector takes no spans, and when it does again', () => {
  const refused = { code: ExportResultCode.FAILED, error: new Error('Not Found') }
  const results: ExportResult[] = [refused, refused, { code: ExportResultCode.SUCCESS }, refused]
  const lines: string[] = []
  const log = {
    warn: (_details: object, message: string) => lines.push(message.slice(0, 21)),
    info: (message: string) => lines.push(message),
  }
  const exporter = withLog(
    { export: (_spans, done) => done(results.shift() ?? refused), shutdown: async () => {} },
    log,
  )
  const done: ExportResult[] = []
  for (let batch = 0; batch < 4; batch++) exporter.export([], (result) => done.push(result))
  expect(done).toHaveLength(4)
  expect(lines).toEqual(['traces cannot be sent', 'traces are sent again', 'traces cannot be sent'])
})
