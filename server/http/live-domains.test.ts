import { isDeepStrictEqual } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeLive, type LiveEntity, listViewers, panelEntities } from '#contract/audit-entities.ts'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildSeries,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import type { SampleRequest } from '#server/testing/sample-requests.ts'
import { allEndpoints, kindOf, soundRequests } from '#server/testing/sound-requests.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

/**
 * A change is sent to open screens by its kind of record, whose `domains` (contract/audit-entities.ts) say which
 * responses contain it. Here every endpoint is read before and after each write, and after its undo: a response that is
 * another afterwards must be of one of these domains. The undo must bring back every response.
 */

const test = useTestApp()
const { samples } = soundRequests(test)

/** Reads whose screens need not be told, and why. */
const untold = {
  'hours.get': 'is compared when its form is saved',
  'pods.upcomingBookings': 'is counted when a question is asked',
  'locations.upcomingBookings': 'is counted when a question is asked',
  'staff.upcomingBookings': 'is counted when a question is asked',
  'features.usage': 'is counted when a question is asked',
  'closures.preview': 'is read anew when saving is refused: after every booking would be too often',
}

/** Reads that no other change concerns, and that no undo can change. */
const apart = new Set([
  'audit.list',
  'audit.history',
  'search.find',
  'account.get',
  'account.sessions',
  'passkeys.list',
  'secondFactors.get',
])

/** A view as a colleague, and signing out, change everything for that person; a new order must name every feature. */
const notCompared = new Set(['viewAs.start', 'viewAs.stop', 'auth.signOut', 'features.reorder'])
const writes = allEndpoints.filter(
  ({ name, endpoint }) => name in samples && endpoint.method !== 'GET' && !notCompared.has(name),
)
const previews = new Set(['bookingActions.previewMove', 'series.preview', 'series.previewUpdate'])
const reads = allEndpoints.filter(
  ({ name, endpoint: { method, kind, access } }) =>
    previews.has(name) || (method === 'GET' && kind === undefined && access !== 'public' && !apart.has(name)),
)

const date = '2026-11-24'
const from = (hour: string) => new Date(`${date}T${hour}:00:00.000Z`)

/** A record of each kind, all of which name each other where they can. */
async function buildRecords() {
  const { db } = test
  const feature = (await buildFeature(db)).id
  const location = (await buildLocation(db)).id
  const pod = (await buildPod(db, { location_id: location })).id
  await db.insertInto('pod_features').values({ pod_id: pod, feature_id: feature, position: 0 }).execute()
  const user = (await buildUser(db)).id
  const company = (await buildCompany(db)).id
  const staff = (await buildStaff(db)).id
  const booking = (await buildBooking(db, { pod_id: pod, user_id: user, start_time: from('08') })).id
  await buildBooking(db, { pod_id: pod, staff_id: staff, company_id: company, start_time: from('10') })
  const transaction = (await buildTransaction(db, { booking_id: booking })).id
  const times = { start_time: from('14'), end_time: from('15') }
  const series = (await buildSeries(db, { pod_id: pod, staff_id: staff, ...times })).series_id ?? ''
  const closure = (await buildClosure(db)).id
  return { feature, location, pod, user, company, staff, booking, transaction, series, closure }
}

type Records = Awaited<ReturnType<typeof buildRecords>>

const panels = Object.keys(panelEntities) as (keyof typeof panelEntities)[] // the keys of a constant

function toQuestions({ pod, booking, series }: Records, self: string): Partial<Record<string, SampleRequest[]>> {
  const times = { startTime: `${date}T09:00:00.000Z`, endTime: `${date}T10:30:00.000Z` }
  return {
    'dashboard.get': panels.map((panel) => ({ params: { userId: self }, query: { panel } })),
    'schedule.get': [{ query: { date } }],
    'hours.holidays': [{ query: { country: 'ZA', year: '2026' } }],
    'audit.history': [{ query: { entity: 'pod' } }],
    'bookings.availability': [{ params: { podId: pod }, query: { booking_date: date } }],
    'bookingActions.previewMove': [{ params: { id: booking }, body: { podId: pod, bookingDate: date, ...times } }],
    'series.preview': [{ body: { podId: pod, bookingDate: date, ...times, repeats: { until: date } } }],
    'series.previewUpdate': [{ params: { id: series }, query: { scope: 'all' }, body: times }],
  }
}

/** Reads everything, or what `isRead` says; returns the responses by the names of the endpoints. */
async function readAll(
  token: string,
  ids: Partial<Record<string, string>>,
  questions: ReturnType<typeof toQuestions>,
  isRead: (name: string) => boolean = () => true,
) {
  const responses = new Map<string, unknown[]>()
  for (const { name, domain, endpoint } of reads.filter((one) => isRead(one.name))) {
    const param = /:(\w+)/.exec(endpoint.path)?.[1]
    const id = ids[kindOf({ name, domain }) ?? '']
    const asked =
      questions[name] ?? (param === undefined ? [{}] : id === undefined ? [] : [{ params: { [param]: id } }])
    const found: unknown[] = []
    for (const question of asked) {
      const { status, body } = await test.request(endpoint, { token, ...question })
      found.push(status < 300 ? body : status)
    }
    responses.set(name, found)
  }
  return responses
}

/** Domains whose samples exclude each other: each of their writes has records of its own. */
const exclusive = new Set(['account', 'secondFactors', 'rolePresets'])
const groupOf = ({ domain, name }: (typeof writes)[number]) => (exclusive.has(domain) ? name : domain)
const groups = [...new Set(writes.map(groupOf))].map((group) => ({
  group,
  ofGroup: writes.filter((write) => groupOf(write) === group),
}))

it.each(groups)(
  'tell every screen that shows what they change, and an undo brings all of it back: $group',
  async ({ ofGroup }) => {
    const records = await buildRecords()
    const { _id: self, token } = await test.signIn()
    // All before the first write, as reading everything takes long: what follows one write precedes the next.
    const requests = []
    for (const write of ofGroup) requests.push({ ...write, sample: (await samples[write.name]?.()) ?? {} })
    const published = vi.spyOn(test.context.live, 'publish')
    onTestFinished(() => published.mockRestore())

    const questions = toQuestions(records, self)
    let before = await readAll(token, records, questions)
    for (const { name, domain, endpoint, sample } of requests) {
      const others = name.endsWith('.unblock')
        ? undefined
        : (records as Partial<Record<string, string>>)[kindOf({ name, domain }) ?? '']
      // If the record that others name refuses the change, as those to unblock would, the sample's own is changed.
      const own = Object.values(sample.params ?? {})[0]
      const options = { token, ...sample, headers: { 'if-match': '*', ...sample.headers } }
      const toParams = (value: string | undefined) =>
        value === undefined
          ? {}
          : { params: Object.fromEntries(Object.keys(sample.params ?? {}).map((param) => [param, value])) }
      published.mockClear()
      const first = await test.request(endpoint, { ...options, ...toParams(others ?? own) })
      const { status, headers, text } =
        first.status < 300 ? first : await test.request(endpoint, { ...options, ...toParams(own) })
      expect(status, `${name} ${text}`).toBeLessThan(300)

      const after = await readAll(token, records, questions)
      expectTold(name, before, after, published.mock.calls)

      const id = headers['x-undo-id']
      if (typeof id !== 'string') {
        before = after
        continue
      }
      published.mockClear()
      const scope = headers['x-undo-scope'] === 'request' ? { query: { scope: 'request' } } : {}
      const undone = await test.request(routes.audit.undo, { token, params: { id }, ...scope })
      // What the write left alone is read again after the next one.
      const isChanged = (read: string) => !isDeepStrictEqual(after.get(read), before.get(read))
      const again = new Map([...after, ...(await readAll(token, records, questions, isChanged))])
      expectTold(`the undo of ${name}`, after, again, published.mock.calls)
      expectUndone(name, undone, before, again)
      before = again
    }
  },
)

it('tells of changes in every list of what belongs to locations: none is compared while it is empty', async () => {
  const records = await buildRecords()
  const { _id: self, token } = await test.signIn()
  const isList = (read: string) =>
    reads.some(({ name, endpoint }) => name === read && read.endsWith('.list') && endpoint.locations === 'narrowed')
  const lists = await readAll(token, records, toQuestions(records, self), isList)
  for (const [name, rows] of lists)
    expect.soft(JSON.stringify(rows), `add a record for ${name} to buildRecords`).toMatch('_id')
})

type Responses = Awaited<ReturnType<typeof readAll>>

function expectTold(
  write: string,
  before: Responses,
  after: Responses,
  published: Parameters<typeof test.context.live.publish>[],
) {
  const told = published.flat(2).map(({ entity }) => entity)
  for (const { name: read, domain: shown, endpoint } of reads) {
    if (read in untold || isDeepStrictEqual(after.get(read), before.get(read))) continue
    const kinds = told.filter((entity) => describeLive(entity).domains.some((one) => one === shown))
    const { access } = endpoint
    const isTold = kinds.some((entity) =>
      typeof access === 'string' ? true : access.every((page) => listViewers(entity).includes(page)),
    )
    const problem = `${write}: ${read} is another now, and somebody who shows it is not told: is ${shown} among the domains of ${told.join()}?`
    expect.soft(isTold, problem).toBe(true)
    if (read === 'dashboard.get') expectPanelsTold(write, before.get(read), after.get(read), told)
  }
}

function expectPanelsTold(write: string, before: unknown[] = [], after: unknown[] = [], told: readonly LiveEntity[]) {
  for (const [index, panel] of panels.entries()) {
    if (isDeepStrictEqual(after[index], before[index])) continue
    const isTold = told.some((entity) => panelEntities[panel].includes(entity))
    expect.soft(isTold, `${write}: the panel ${panel} is another now, and is not refetched`).toBe(true)
  }
}

function expectUndone(write: string, { status, text }: TestResponse, before: Responses, again: Responses) {
  expect(status, `the undo of ${write} ${text}`).toBe(200)
  for (const { name: read } of reads) {
    if (read === 'closures.list') continue
    expect.soft(toLasting(again.get(read)), `${read} after the undo of ${write}`).toEqual(toLasting(before.get(read)))
  }
}

/** Fields that an undo sets anew: what counts changes, the numbers of features, and the closure of what is blocked. */
const anew = new Set(['version', 'updatedAt', 'order', 'closure', 'closures'])

function toLasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toLasting)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (anew.has(key) ? [] : [[key, toLasting(one)]])),
  )
}
