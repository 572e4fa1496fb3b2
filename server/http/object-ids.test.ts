import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { PAGE } from '#contract/pages.ts'
import { isEdit } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildClosure, buildLocation, buildSeries } from '#server/testing/factories.ts'
import { readStored } from '#server/testing/read-stored.ts'
import type { SampleRequest } from '#server/testing/sample-requests.ts'
import {
  allEndpoints,
  type BuiltKind,
  closing,
  day,
  deletable,
  kindOf,
  soundRequests,
} from '#server/testing/sound-requests.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

/**
 * Replaces every id that a request names, in its path, query or body, by the id of somebody else's record, of a deleted
 * one, of one of another kind, of none, and by a text that is no id. The endpoints that name ids come from the
 * contract: a new one fails here until the kind of record that it names is declared.
 */

const test = useTestApp()
const { builders, buildDeleted, samples, soundRequest } = soundRequests(test)
const kinds = Object.keys(builders) as BuiltKind[] // the keys of a constant

/** A third of the kinds, another one for each of three endpoints in a row; all of them in `npm run test:long`. */
const pickKinds = (nth: number) => (process.env.TEST_LONG ? kinds : kinds.filter((_, at) => at % 3 === nth % 3))
const withTriedKinds = <One extends object>(all: One[]) =>
  all.map((one, nth) => Object.assign({}, one, { triedKinds: pickKinds(nth) }))

/** Paths that may name more than one kind of record. */
const alsoOf: Partial<Record<string, readonly BuiltKind[]>> = { 'users.get': ['staff'] }

/** Endpoints, or fields of theirs, that accept a deleted record, and why. */
const takesDeleted: Partial<Record<string, string>> = {
  'audit.restore': 'is there for them',
  'closures.preview body.podIds': 'a closure that is edited may have them',
  'closures.preview body.locationId': 'a closure that is edited may have it',
  'closures.export body.podIds': 'a closure that is edited may have them',
  'closures.export body.locationId': 'a closure that is edited may have it',
  'users.customer': 'says that the customer is deleted',
  'users.erase': 'is there for them',
}

/** The statuses of endpoints that refuse such ids with others than 404. */
const refusals: Partial<Record<string, number[]>> = { 'dashboard.get': [403, 404], 'audit.restore': [404, 409] }

const malformed = ['none', '0', '%00', "' or 1=1 --", '../staff', `${createId()}0`, '00000000000000000000000000000000']

const withPath = withTriedKinds(allEndpoints.filter(({ endpoint }) => endpoint.path.includes('/:')))

describe('an id in the path', () => {
  it.each(withPath)('must be of an existing record of the right kind: $name', async (one) => {
    const { name, domain, endpoint, triedKinds } = one
    const kind = kindOf({ name, domain })
    if (!kind) throw new Error(`say in pathKinds which kind of record ${name} is of`)
    const { token, _id } = await test.signIn()
    const param = /:(\w+)/.exec(endpoint.path)?.[1] ?? ''
    const sound = await soundRequest(name, kind, _id)
    const others = new Map<string, string>()
    for (const other of triedKinds) {
      const isAdmitted = other === kind || alsoOf[name]?.includes(other)
      if (!isAdmitted) others.set(`of a ${other}`, await builders[other]())
    }
    if (kind in deletable && !takesDeleted[name])
      others.set('of what is deleted', await buildDeleted(kind as keyof typeof deletable))
    if (kind === 'session' || kind === 'passkey' || name === 'dashboard.get')
      others.set('of somebody else', await builders[kind]())
    const secrets = await readTexts([...others.values()])
    const before = await readStored(test.db)
    for (const [what, id] of [...others, ['unknown', createId()], ...malformed.map((text) => ['malformed', text])]) {
      const response = await test.request(endpoint, {
        ...sound,
        token,
        params: { ...sound.params, [param]: String(id) },
      })
      expectRefused(response, `${name}, ${what}: ${id}`, refusals[name] ?? [404], secrets)
    }
    expect(await readStored(test.db), `${name} changed something`).toEqual(before)
    // Only the id was wrong: the request with the right one succeeds, also in capitals, as some clients write ids.
    const inCapitals = Object.entries(sound.params ?? {}).map(([name, id]) => [name, id.toUpperCase()])
    const response = await test.request(endpoint, { ...sound, token, params: Object.fromEntries(inCapitals) })
    expect(response.status, response.text).toBeLessThan(300)
    const isChanged = !isDeepStrictEqual(await readStored(test.db), before)
    expect(isChanged || !isEdit(endpoint), `${name} changed nothing`).toBe(true)
  })
})

const ownAlone = allEndpoints.filter(
  (one) =>
    ['booking', 'series'].includes(kindOf(one) ?? '') &&
    one.endpoint.path.includes('/:') &&
    typeof one.endpoint.access !== 'string' &&
    one.endpoint.access.includes(PAGE.corporateBooking),
)

describe('a booking of a colleague', () => {
  it.each(ownAlone)('is out of reach with page 9 alone: $name', async ({ name, domain, endpoint }) => {
    const { token, _id } = await test.signIn([PAGE.corporateBooking])
    const sound = await soundRequest(name, kindOf({ name, domain }) ?? 'booking', _id)
    const secrets = await readTexts(Object.values(sound.params ?? {}))
    const before = await readStored(test.db)
    const response = await test.request(endpoint, { ...sound, token })
    expectRefused(response, name, [403, 404], secrets)
    expect(await readStored(test.db), `${name} changed something`).toEqual(before)
  })

  it('is tested with more than 12 endpoints', () => {
    expect(ownAlone.length).toBeGreaterThan(12)
  })
})

/** Fields that look like ids but are not ours: of the door system, products, images stored elsewhere and passkeys. */
const notOurs = /\.(UserId|deviceId|productId|images|public_id|credential\.(id|rawId))$/

const fieldKinds: Partial<Record<string, BuiltKind>> = {
  actor: 'staff',
  booking: 'booking',
  bookingId: 'booking',
  code: 'booking',
  company: 'company',
  companyId: 'company',
  features: 'feature',
  location: 'location',
  locationId: 'location',
  pod: 'pod',
  podId: 'pod',
  podIds: 'pod',
  pods: 'pod',
  user: 'user',
  userId: 'user',
}

/** The kind of record that a field called `id` names, by endpoint. */
const ownFieldKinds: Partial<Record<string, BuiltKind>> = {
  'features.reorder body[].id': 'feature',
  'audit.history query.id': 'pod',
  'live.edit body.record.id': 'pod',
  'auth.verifyPage body.id': 'staff',
  'failedJobs.retrySeveral body.ids': 'job',
  'failedJobs.dismiss body.ids': 'job',
}

type Schema = {
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  format?: string
}

/** Finds the ids in a schema, by name or because a whole record may stand for one: `body.for.userId`, `body.podIds`. */
function findIds(schema: Schema, path: string, found = new Set<string>()): Set<string> {
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) findIds(choice, path, found)
  if (schema.items) findIds(schema.items, `${path}[]`, found)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (name === '_id') found.add(path)
    else if (/(^|_)ids?$|Ids?$/.test(name) || fieldKinds[name] || inner.format === 'uuid') found.add(`${path}.${name}`)
    if (name !== '_id') findIds(inner, `${path}.${name}`, found)
  }
  return found
}

const toSchema = (schema: z.core.$ZodType | undefined) =>
  schema === undefined ? {} : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema) // Schema has the keys used here

/** Fields that have no effect here, because the schema is shared, and fields that are named like an id but are none. */
const unread: Partial<Record<string, string>> = {
  'auth.signInWithCode body.code': 'a code of an authenticator app, not of a booking',
  'secondFactors.confirm body.code': 'a code of an authenticator app, not of a booking',
}

const withFields = allEndpoints
  .flatMap(({ name, domain, endpoint }) => {
    const found = [...findIds(toSchema(endpoint.query), 'query'), ...findIds(toSchema(endpoint.body), 'body')]
    const fields = new Set(found.map((field) => field.replace(/\[\]$/, '')).filter((field) => !notOurs.test(field)))
    return [...fields].map((field) => ({ name, domain, endpoint, field, title: `${name} ${field}` }))
  })
  .filter(({ title }) => !unread[title])

function kindOfField({ field, title }: { field: string; title: string }): BuiltKind | undefined {
  return ownFieldKinds[title] ?? fieldKinds[field.replace(/^.*\./, '')]
}

/** Whether an unknown id finds nothing and gets a 200, as a filter does. */
const findsNothing = (endpoint: Endpoint, field: string) => endpoint.method === 'GET' && field.startsWith('query.')

describe('an id in the query or body', () => {
  it.each(withTriedKinds(withFields))(
    'must be of an existing record of the right kind: $title',
    async ({ name, domain, endpoint, field, title, triedKinds }) => {
      const kind = kindOfField({ field, title })
      if (!kind) throw new Error(`say in fieldKinds or ownFieldKinds which kind of record ${title} names`)
      const { token, _id } = await test.signIn()
      const sound = await soundRequest(name, kindOf({ name, domain }) ?? kind, _id)
      const others = new Map<string, string>()
      for (const other of triedKinds) if (other !== kind) others.set(`of a ${other}`, await builders[other]())
      const withId = await requestWith(title, field, sound)
      const isRead = findsNothing(endpoint, field)
      if (kind in deletable && !isRead && !takesDeleted[title])
        others.set('of what is deleted', await buildDeleted(kind as keyof typeof deletable))
      const secrets = await readTexts([...others.values()])
      const before = await readStored(test.db)
      for (const [what, id] of [...others, ['unknown', createId()], ...malformed.map((text) => ['malformed', text])]) {
        const response = await test.request(endpoint, { ...withId(String(id)), token })
        const where = `${title}, ${what}: ${id}`
        expectRefusedOrNothing(response, where, { says: saysSo[title], isRead, secrets })
      }
      const after = await readStored(test.db)
      // The history records that a file was made.
      if (endpoint.kind === 'csv') after.audit = before.audit
      expect(after, `${title} changed something`).toEqual(before)
    },
  )
})

/** The kinds of records that staff with some locations see only there. */
const ofLocations = new Set<BuiltKind | undefined>([
  'pod',
  'location',
  'booking',
  'series',
  'closure',
  'user',
  'company',
])

const withLocations = withFields
  .filter(({ endpoint }) => endpoint.locations !== 'all' && endpoint.locations !== 'none')
  .map((one) => Object.assign({}, one, { kind: kindOfField(one) }))
  .filter(({ kind }) => ofLocations.has(kind))

describe('an id of another location in the query or body', () => {
  it.each(withLocations)(
    'is treated like that of no record: $title',
    async ({ name, domain, endpoint, field, title, kind = 'pod' }) => {
      const { token, _id } = await test.signIn()
      const sound = await soundRequest(name, kindOf({ name, domain }) ?? kind, _id)
      const withId = await requestWith(title, field, sound)
      await bookForEach(new Date('2030-01-07T09:00:00.000Z'))
      await buildLocation(test.db)
      const own = await test.db.selectFrom('locations').select('id').execute()
      const elsewhere = await builders[kind]()
      await bookForEach(new Date('2030-02-07T09:00:00.000Z'))
      const location_ids = own.map(({ id }) => id)
      await test.db.updateTable('staff').set({ location_ids }).where('id', '=', _id).execute()
      const before = await readStored(test.db)
      const response = await test.request(endpoint, { ...withId(elsewhere), token })
      // A code is wrong in the same way as that of no booking.
      const refusal = title.endsWith('.code') ? 400 : 404
      const statuses = isEdit(endpoint) ? [refusal] : [200, 400, 403, 404, 409]
      expect(statuses, `${title} → ${response.status} ${response.text}`).toContain(response.status)
      const isRead = findsNothing(endpoint, field)
      expectRefusedOrNothing(response, title, { says: saysSo[title], isRead, secrets: [elsewhere] })
      const after = await readStored(test.db)
      if (endpoint.kind === 'csv') after.audit = before.audit
      expect(after, `${title} changed something`).toEqual(before)
    },
  )
})

/** Books, at a new location, for each customer and company without a booking: they belong to where they have booked. */
async function bookForEach(start_time: Date): Promise<void> {
  const without = async (table: 'users' | 'companies', owner: 'user_id' | 'company_id') => {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} as owner
       where not exists (select from bookings where ${sql.ref(owner)} = owner.id)`.execute(test.db)
    return rows
  }
  for (const { id } of await without('users', 'user_id'))
    await buildBooking(test.db, { user_id: id, staff_id: null, start_time })
  for (const { id } of await without('companies', 'company_id'))
    await buildBooking(test.db, { company_id: id, start_time })
}

/** Returns a function that makes the same request with another id in the field. */
async function requestWith(title: string, field: string, sound: SampleRequest): Promise<(id: string) => SampleRequest> {
  const around = await deeper[title]?.()
  if (around) return around
  const body = sound.body as Record<string, unknown> // of a sample
  const [where = '', name = '', inner = ''] = field.split('.')
  if (where === 'query') {
    // These take a pod or a location, but not both. A booking of a series needs a scope.
    const rest = /^(closures|hours)\./.test(title)
      ? {}
      : { ...sound.query, ...(name === 'booking' && { scope: 'following' }) }
    return (id) => ({ ...sound, query: { ...rest, [name]: id } })
  }
  if (name === 'for') {
    const kind = inner === 'companyId' ? 'company' : 'customer'
    return (id) => ({ ...sound, body: { ...body, for: { kind, [inner]: id } } })
  }
  const { podIds: _, locationId: __, ...rest } = body
  const base = title.startsWith('closures.') ? rest : body
  const isList = /(Ids|features)$/.test(name)
  return (id) => ({ ...sound, body: { ...base, [name]: isList ? [id] : id } })
}

/** Builds a booking at 09:00; returns its id and that of its pod. */
async function buildBooked() {
  const { id: bookingId, pod_id: podId } = await buildBooking(test.db)
  return { bookingId, podId }
}

/** Builds a series whose booking would run into another one if it were half an hour longer. */
async function buildConflict() {
  const { id: bookingId, pod_id, series_id } = await buildSeries(test.db)
  await buildBooking(test.db, { pod_id, start_time: new Date('2026-11-23T10:00:00.000Z') })
  const sound = { params: { id: series_id ?? '' }, query: { scope: 'all' }, headers: { 'if-match': '"1"' } }
  return { bookingId, sound, endTime: '2026-11-23T10:30:00.000Z' }
}

/** Requests for fields that are read only with others, or only when there is a conflict. */
const deeper: Partial<Record<string, () => Promise<(id: string) => SampleRequest>>> = {
  'features.reorder body[].id': async () => (id) => ({ body: [{ id, order: 0 }] }),
  'live.edit body.record.id': async () => (id) => ({ body: { record: { entity: 'pod', id } } }),
  'bookingActions.checkIn body.code': async () => {
    const start_time = new Date('2026-11-21T10:30:00.000Z')
    const { id } = await buildBooking(test.db, { start_time, status: 'Processing' })
    return (code) => ({ params: { id }, body: { method: 'code', code, version: 1 } })
  },
  'closures.create body.decisions[].bookingId': async () => {
    const { podId } = await buildBooked()
    return (bookingId) => ({ body: { ...closing, podIds: [podId], decisions: [{ bookingId, action: 'leave' }] } })
  },
  'closures.create body.decisions[].podId': async () => {
    const { podId, bookingId } = await buildBooked()
    return (id) => ({ body: { ...closing, podIds: [podId], decisions: [{ bookingId, action: 'move', podId: id }] } })
  },
  'closures.update body.decisions[].bookingId': async () => {
    const { podId } = await buildBooked()
    const { id } = await buildClosure(test.db, { podId })
    const body = { ...closing, podIds: [podId] }
    return (bookingId) => ({
      params: { id },
      headers: { 'if-match': '"1"' },
      body: { ...body, decisions: [{ bookingId, action: 'leave' }] },
    })
  },
  'closures.update body.decisions[].podId': async () => {
    const { podId, bookingId } = await buildBooked()
    const { id } = await buildClosure(test.db, { podId })
    const body = { ...closing, podIds: [podId] }
    return (other) => ({
      params: { id },
      headers: { 'if-match': '"1"' },
      body: { ...body, decisions: [{ bookingId, action: 'move', podId: other }] },
    })
  },
  'series.create body.choices[].podId': async () => {
    const sound = await samples['series.create']?.()
    const choice = { date: '2026-11-23', action: 'move', ...day }
    return (podId) => ({ body: { ...(sound?.body as object), choices: [{ ...choice, podId }] } }) // of a sample
  },
  'series.update body.choices[].bookingId': async () => {
    const { sound, endTime } = await buildConflict()
    return (bookingId) => ({ ...sound, body: { endTime, choices: [{ bookingId, action: 'skip' }] } })
  },
  'series.update body.prices[].bookingId': async () => {
    const { sound } = await buildConflict()
    return (bookingId) => ({ ...sound, body: { causedByUs: true, prices: [{ bookingId, newPrice: 150 }] } })
  },
  'series.update body.choices[].podId': async () => {
    const { sound, endTime, bookingId } = await buildConflict()
    return (podId) => ({ ...sound, body: { endTime, choices: [{ bookingId, action: 'move', podId }] } })
  },
}

/** Endpoints that respond 200 when there is no such record, and what their body then has. */
const saysSo: Partial<Record<string, object>> = {
  'auth.verifyPage body.id': { success: false },
  'bookingActions.previewMove body.podId': { reasons: [{ code: 'not_found' }] },
  'live.edit body.record.id': { editors: [] },
  'series.previewUpdate query.booking': { occurrences: [] },
}

/** Reads the texts of the records, which no error may repeat. */
async function readTexts(ids: string[]): Promise<string[]> {
  const texts = []
  for (const table of ['staff', 'users', 'pods', 'locations', 'features', 'companies', 'mails', 'webhooks'] as const) {
    const rows = await test.db.selectFrom(table).selectAll().where('id', 'in', ids).execute()
    texts.push(...rows.flatMap((row) => Object.values(row)))
  }
  return texts.filter((value): value is string => typeof value === 'string' && value.length > 9 && !ids.includes(value))
}

/** Words that reveal the database or the server's own files. */
const INNER_WORDS =
  /\b(select|insert|relation|constraint|column|syntax|uuid|kysely|postgres|pglite|node_modules)\b|\.ts:|\n\s+at /i

function expectRefused(response: TestResponse, where: string, statuses: number[], secrets: string[]): void {
  expect(statuses, `${where} → ${response.status} ${response.text}`).toContain(response.status)
  expect(response.headers['content-type'], where).toMatch(/^application\/json/)
  expect(response.body, where).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\S/) })
  expect(response.text, where).not.toMatch(INNER_WORDS)
  for (const secret of secrets) expect(response.text, where).not.toContain(secret)
}

function expectSays({ body }: TestResponse, where: string, says: object): void {
  expect(body, where).toMatchObject(says)
}

function expectNothingFound({ body, text }: TestResponse, where: string): void {
  const rows =
    body === undefined ? text.trim().split('\n').slice(1) : (body.data ?? body.bookings ?? body.arrivals ?? body)
  expect(rows, `${where} → ${text.slice(0, 300)}`).toHaveLength(0)
}

function expectRefusedOrNothing(
  response: TestResponse,
  where: string,
  { says, isRead, secrets }: { says: object | undefined; isRead: boolean; secrets: string[] },
): void {
  if (says && response.status === 200) expectSays(response, where, says)
  else if (isRead && response.status === 200) expectNothingFound(response, where)
  else expectRefused(response, where, [400, 403, 404, 409], secrets)
}
