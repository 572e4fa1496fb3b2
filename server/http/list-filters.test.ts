import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { createId } from '#server/ids.ts'
import {
  buildApiKey,
  buildBooking,
  buildClosure,
  buildCompany,
  buildDelivery,
  buildFeature,
  buildLocation,
  buildMail,
  buildPod,
  buildRolePreset,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

/** An id that no record has. */
const nobody = createId()
const [BEFORE, AFTER] = ['2000-01-01', '2099-12-31']
const NO_SUCH_WORD = 'zzyzx'

/**
 * A value of each filter, by domain, that hides one of the records of `buildRecords` at least. A filter that the schema
 * accepts and no query reads would otherwise show everything, and nobody would notice.
 */
const hiding: Record<string, Record<string, string>> = {
  pods: {
    search: NO_SUCH_WORD,
    status: 'deleted',
    location: nobody,
    closed: 'now',
    minCapacity: '50',
    minBuffer: '60',
  },
  features: { search: NO_SUCH_WORD, status: 'deleted' },
  locations: { search: NO_SUCH_WORD, status: 'deleted' },
  users: { search: NO_SUCH_WORD, status: 'deleted' },
  companies: { search: NO_SUCH_WORD, status: 'deleted' },
  rolePresets: { search: NO_SUCH_WORD, status: 'deleted' },
  staff: {
    search: NO_SUCH_WORD,
    status: 'deleted',
    access: '1',
    level: 'view',
    location: nobody,
    secondFactor: 'yes',
  },
  bookings: {
    search: NO_SUCH_WORD,
    status: 'Cancelled',
    location: nobody,
    pod: nobody,
    user: nobody,
    company: nobody,
    from: AFTER,
    to: BEFORE,
    when: 'past',
    balance: 'refund',
  },
  bookingActions: { search: NO_SUCH_WORD, location: nobody },
  closures: { state: 'over', location: nobody, pod: nobody },
  transactions: {
    search: NO_SUCH_WORD,
    status: 'refunded',
    facilitator: 'another',
    from: AFTER,
    to: BEFORE,
    location: nobody,
    user: nobody,
    company: nobody,
    minAmount: '9999999',
    maxAmount: '0.01',
  },
  audit: { entity: 'template', action: 'archive', actor: nobody, from: AFTER, to: BEFORE, id: nobody },
  mails: { search: NO_SUCH_WORD, state: 'failed', kind: 'reminder' },
  apiKeys: { search: NO_SUCH_WORD, state: 'revoked' },
  deliveries: { state: 'failed', webhook: nobody },
  failedJobs: { search: NO_SUCH_WORD },
}

/** A record of every list; one booking is of today, as arrivals are. */
async function buildRecords() {
  const { db, clock } = test
  const now = clock.now()
  const location = await buildLocation(db)
  const pod = await buildPod(db)
  const user = await buildUser(db)
  const staff = await buildStaff(db, { pages: [2], location_ids: [location.id] })
  const today = new Date('2026-11-21T12:00:00.000Z')
  const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id, start_time: today })
  await buildBooking(db, { staff_id: staff.id })
  await buildFeature(db)
  await buildCompany(db)
  await buildRolePreset(db)
  await buildClosure(db)
  await buildTransaction(db, { booking_id: booking.id })
  await buildMail(db)
  await buildApiKey(db)
  await buildDelivery(db)
  const change = { id: createId(), at: now, actor_kind: 'system', action: 'edit', label: 'Aurora' } as const
  await db
    .insertInto('audit')
    .values({ ...change, entity: 'pod', entity_id: pod.id })
    .execute()
  const job = { kind: 'mail', key: 'mail', run_at: now, dead_at: now, last_error: 'No such address' }
  await db.insertInto('jobs').values(job).execute()
}

const ofEveryList = new Set(['page', 'limit', 'sort', 'separator'])

/** The names in the query of an endpoint. */
const listParameters = ({ query }: Endpoint) => (query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [])

const lists = allEndpoints.filter(
  ({ endpoint }) => endpoint.method === 'GET' && listParameters(endpoint).includes('limit'),
)

it.each(lists)('each filter of $name hides what does not match it', async ({ domain, name, endpoint }) => {
  await buildRecords()
  const { token } = await test.signIn()
  // A page has a total; files and arrivals have none.
  const page = endpoint.kind === 'csv' || domain === 'bookingActions' ? {} : { page: '1' }
  const required = name === 'audit.history' ? { entity: 'pod' } : {}
  const read = async (query: Record<string, string>) => {
    const response = await test.request(endpoint, { token, query: { ...page, ...required, ...query } })
    expect(response.status, response.text).toBe(200)
    return { text: response.text, total: Number(response.headers['x-total-count'] ?? response.text.length) }
  }
  const all = await read({})
  for (const filter of listParameters(endpoint).filter((parameter) => !ofEveryList.has(parameter))) {
    const value = hiding[domain]?.[filter]
    if (value === undefined)
      throw new Error(`${name} has a filter ${filter}: add to \`hiding\`, under ${domain}, a value that hides a record`)
    const shown = await read({ [filter]: value })
    const problem = `${name} accepts the filter ${filter}, but ${filter}=${value} hides nothing: is it in the query's SQL`
    expect(shown.text.length, `${problem} of the rows?`).toBeLessThan(all.text.length)
    expect(shown.total, `${problem} of the total?`).toBeLessThan(all.total)
  }
})
