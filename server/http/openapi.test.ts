import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { examples } from '#contract/examples.ts'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildFeature, buildPod } from '#server/testing/factories.ts'
import { allEndpoints, kindOf, soundRequests } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createOpenApiDocument } from './openapi.ts'
import { createSecurityHeaders } from './security-headers.ts'

const test = useTestApp()
const { soundRequest } = soundRequests(test)

type Parts = { query?: unknown; body?: unknown; response?: unknown }
type Operation = {
  description: string
  parameters: { name: string; example?: unknown }[]
  requestBody?: { required: boolean; content: Record<string, { example?: unknown }> }
  responses: Record<string, { headers: Record<string, unknown>; content: Record<string, { example?: unknown }> }>
}

type Sent = { properties: { type: { enum: string[] }; data: { properties: object } } }
type Document = {
  info: { description: string }
  components: { schemas: { Error: { properties: { code: { description: string } } } } }
  paths: Record<string, Record<string, Operation>>
  webhooks: { change: { post: { requestBody: { content: { 'application/json': { schema: Sent } } } } } }
}

const { info, components, paths, webhooks } = createOpenApiDocument('Podkeeper') as Document
const calls = Object.entries(examples).flatMap(([group, ofGroup]) =>
  Object.entries(ofGroup as Record<string, Parts>).map(([name, example]) => {
    const endpoint = (endpoints as Record<string, Record<string, Endpoint>>)[group]?.[name]
    if (!endpoint) throw new Error(`There is no ${group}.${name}`)
    return [`${group}.${name}`, endpoint, example] as const
  }),
)

describe('examples of the API', () => {
  it.each(calls)('match the schemas of %s, and are shown in the document', (_, endpoint, example) => {
    for (const part of ['query', 'body', 'response'] as const) {
      expect(z.safeParse(endpoint[part] ?? z.undefined(), example[part]).error?.issues ?? [], part).toEqual([])
    }
    // Parsing leaves out whatever the schema does not name.
    expect(example.response).toEqual(z.parse(endpoint.response, example.response))
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const operation = paths[path]?.[endpoint.method.toLowerCase()]
    const shown = (content: Record<string, { example?: unknown }> = {}) => Object.values(content)[0]?.example
    expect(shown(operation?.requestBody?.content)).toEqual(example.body)
    expect(shown(operation?.responses[String(endpoint.status ?? 200)]?.content)).toEqual(example.response)
    for (const [name, value] of Object.entries(example.query ?? {})) {
      const parameter = operation?.parameters.find((parameter) => parameter.name === name)
      expect(String(parameter?.example)).toEqual(value)
    }
  })

  it('are of endpoints that respond alike with and without /api', async () => {
    const { token } = await test.signIn()
    for (const [name, { method, path }] of calls) {
      const url = path.replace(/:\w+/g, '0193b0c4-7a13-7a58-9d0e-2f4b6c8e0a14')
      const headers = { authorization: `Bearer ${token}`, 'if-match': '"1"' }
      const answers = []
      for (const prefix of ['', '/api']) {
        const { statusCode, body } = await test.app.inject({ method, url: `${prefix}${url}`, headers })
        answers.push([statusCode, body.includes('"Not found."')])
      }
      expect(answers[0], name).toEqual(answers[1])
      expect(answers[0]?.[1], name).toBe(false)
    }
  })
})

const readOperation = ({ path, method }: Endpoint) =>
  paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]

describe('the headers of a response', () => {
  const listHeaders = (endpoint: Endpoint) =>
    Object.keys(readOperation(endpoint)?.responses[String(endpoint.status ?? 200)]?.headers ?? {})

  it('are documented: the total of each list page, and the version of each record', async () => {
    const staff = await test.signIn()
    const id = (await buildPod(test.db)).id
    const reading = allEndpoints.filter(({ endpoint: { method, kind } }) => method === 'GET' && kind === undefined)
    const answered: string[] = []
    for (const { name, endpoint } of reading) {
      const { status, headers } = await test.request(endpoint, {
        token: staff.token,
        params: { id, podId: id, userId: staff._id },
        query: { page: '1', entity: 'pod', pod: id, booking_date: '2026-11-23', date: '2026-11-23' },
      })
      if (status !== 200) continue
      answered.push(name)
      const documented = listHeaders(endpoint)
      expect(documented.includes('X-Total-Count'), name).toBe('x-total-count' in headers)
      expect(documented.includes('ETag'), name).toBe('etag' in headers)
    }
    expect(answered).toEqual(expect.arrayContaining(['bookings.list', 'pods.get', 'pods.list', 'transactions.list']))
  })

  it('are documented for changes, which take a version and a key', () => {
    const { setRate } = endpoints.pricing
    expect(listHeaders(setRate)).toEqual(
      expect.arrayContaining(['ETag', 'Idempotency-Replayed', 'X-Change-Id', 'X-Undo-Id', 'X-Undo-Scope']),
    )
    const parameters = readOperation(setRate)?.parameters.map(({ name }) => name)
    expect(parameters).toEqual(['Idempotency-Key', 'If-Match'])
  })
})

it('documents every header that is not of HTTP itself, and lets pages of other origins read it', async () => {
  const ofContent = ['content-type', 'content-length', 'transfer-encoding', 'cache-control', 'vary']
  const ofHttp = [...ofContent, 'connection', 'date', 'www-authenticate']
  const known = new Set([...ofHttp, ...Object.keys(createSecurityHeaders({ overHttps: true }))])
  const exposing = 'access-control-expose-headers'
  for (const one of allEndpoints.filter(({ endpoint: { kind } }) => kind !== 'events')) {
    const staff = await test.signIn()
    const request = await soundRequest(one.name, kindOf(one) ?? 'pod', staff._id)
    for (const token of [staff.token, undefined]) {
      const { status, headers } = await test.request(one.endpoint, { ...request, token })
      const responses = readOperation(one.endpoint)?.responses ?? {}
      const documented = Object.keys((responses[status] ?? responses['4XX'])?.headers ?? {})
      const sent = Object.keys(headers).filter((name) => name !== exposing && !known.has(name))
      const lower = documented.map((name) => name.toLowerCase())
      expect(lower, `${one.name} ${status}`).toEqual(expect.arrayContaining(sent))
      const readable = lower.filter((name) => !ofHttp.includes(name))
      expect(String(headers[exposing]).split(', '), one.name).toEqual(expect.arrayContaining(readable))
    }
  }
})

it('documents If-Match for exactly the PUTs and DELETEs that compare it', async () => {
  const compared: string[] = []
  const documented: string[] = []
  for (const one of allEndpoints.filter(({ endpoint: { method } }) => method === 'PUT' || method === 'DELETE')) {
    const staff = await test.signIn()
    const request = await soundRequest(one.name, kindOf(one) ?? 'pod', staff._id)
    const headers = { ...request.headers, 'if-match': '"999"' }
    const { body } = await test.request(one.endpoint, { ...request, token: staff.token, headers })
    if (body.code === 'record_changed') compared.push(one.name)
    if (readOperation(one.endpoint)?.parameters.some(({ name }) => name === 'If-Match')) documented.push(one.name)
  }
  expect(documented).toEqual(compared)
})

it('says of each list whether it is sent whole without a page', async () => {
  const { token } = await test.signIn()
  const isPage = (parameter: { name: string }) => parameter.name === 'page'
  const paged = allEndpoints.filter(({ endpoint }) => readOperation(endpoint)?.parameters.some(isPage))
  for (const { name, endpoint } of paged) {
    const { headers } = await test.request(endpoint, { token, query: { entity: 'pod' } })
    const { description } = readOperation(endpoint) ?? {}
    const toDo = `${name} has FIRST_PAGE in openapi-texts.ts exactly if it is paged without a page too`
    expect(description?.includes('the first page is sent'), toDo).toBe('x-total-count' in headers)
  }
})

it('gives the limits of a list page as numbers, and says which bodies may be left out and which prices set nothing', () => {
  const { parameters = [] } = readOperation(endpoints.closures.list) ?? {}
  expect(parameters).toContainEqual(
    expect.objectContaining({
      name: 'limit',
      schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100 }),
      example: 10,
    }),
  )
  const ofFile = readOperation(endpoints.pods.export)?.parameters.map(({ name }) => name)
  expect(ofFile).toEqual(['sort', 'search', 'status', 'location', 'closed', 'minCapacity', 'minBuffer', 'separator'])
  expect(readOperation(endpoints.users.block)?.requestBody?.required).toBe(false)
  const { requestBody } = readOperation(endpoints.bookings.createFor) ?? {}
  expect(requestBody?.required).toBe(true)
  expect(JSON.stringify(requestBody)).toContain('which this does not set: 409 price_changed')
  expect(JSON.stringify(readOperation(endpoints.pods.create)?.requestBody)).toContain('a multiple of 15, at most 120')
})

it('says which parts of the schedule’s bookings are no columns', async () => {
  const { token } = await test.signIn()
  const start_time = new Date('2026-11-24T09:00:00Z')
  const { pod_id } = await buildBooking(test.db, { start_time, end_time: new Date('2026-11-24T10:00:00Z') })
  const query = { date: '2026-11-24', pod: pod_id }
  const { bookings } = (await test.request(routes.schedule.get, { token, query })).body
  expect(bookings.pod).toHaveLength(1)
  const { properties = {} } = z.toJSONSchema(endpoints.schedule.get.response.shape.bookings)
  const described = properties as Record<string, { description?: string }>
  for (const [name, values] of Object.entries(bookings as Record<string, unknown[]>)) {
    const isNone = described[name]?.description?.startsWith('No column') ?? false
    expect(isNone, name).toBe(values.length !== bookings.pod.length)
  }
})

it('gives every code of an error with its status, and begins with what holds for all', () => {
  const { description } = components.schemas.Error.properties.code
  for (const [code, { status }] of Object.entries(errors)) expect(description).toContain(`- \`${code}\` (${status}): `)
  const subjects = [...info.description.matchAll(/^\*\*(\w+)/gm)].map(([, subject]) => subject)
  expect(subjects).toEqual(['Authentication', 'Errors', 'Retries', 'Versions', 'Lists', 'Files', 'Times', 'Values'])
})

describe('the body of a webhook', () => {
  it('is described as it is sent', async () => {
    const { token } = await test.signIn()
    const body = { url: 'https://example.com/hook', events: ['feature.*'] }
    await test.request(routes.webhooks.create, { token, body })
    const { id } = await buildFeature(test.db)
    await test.request(routes.features.block, { token, params: { id } })
    const [delivery] = (await test.request(routes.deliveries.list, { token })).body
    const sent = JSON.parse(delivery.body)
    const { properties } = webhooks.change.post.requestBody.content['application/json'].schema
    expect(Object.keys(sent).sort()).toEqual(Object.keys(properties).sort())
    expect(Object.keys(sent.data).sort()).toEqual(Object.keys(properties.data.properties).sort())
    expect(properties.type.enum).toContain(sent.type)
    expect(new Date(sent.timestamp)).toEqual(test.clock.now())
  })
})

describe('the body of an upload', () => {
  it('is described by the part that its endpoint reads', () => {
    const readParts = (path: string) => paths[path]?.post?.requestBody?.content['multipart/form-data']
    const file = { type: 'string', format: 'binary' }
    expect(readParts('/api/upload')).toMatchObject({ schema: { properties: { images: { items: file } } } })
    expect(readParts('/api/activity/import')).toMatchObject({ schema: { properties: { file }, required: ['file'] } })
  })
})
