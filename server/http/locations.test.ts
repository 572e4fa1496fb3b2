import { describe, expect, it } from 'vitest'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { isEdit, routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { readStored } from '#server/testing/read-stored.ts'
import type { SampleRequest } from '#server/testing/sample-requests.ts'
import { allEndpoints, kindOf, type NamedEndpoint, soundRequests } from '#server/testing/sound-requests.ts'
import { type SignedInStaff, type TestResponse, useTestApp } from '#server/testing/test-app.ts'

/**
 * Access by location, from the contract: every endpoint × each of its pages × {view, edit} × {a record of one's own
 * location, of another} (rules §37.2). server/db/within-locations.test.ts tests what lists and files contain.
 */

const test = useTestApp()
const { builders, buildDeleted, soundRequest } = soundRequests(test)

/** Requests that name records of locations, for endpoints whose usual request does not. */
const located: Partial<Record<string, () => Promise<SampleRequest>>> = {
  'audit.undo': async () => {
    const { token } = await test.signIn()
    const response = await test.request(routes.pods.block, { token, params: { id: (await buildPod(test.db)).id } })
    return { params: { id: String(response.headers['x-change-id']) } }
  },
  'audit.restore': async () => ({ params: { id: await buildDeleted('pod') }, body: { entity: 'pod' } }),
  'hours.get': async () => ({ query: { pod: await builders.pod() } }),
}

async function toRequest(one: NamedEndpoint, staffId: string): Promise<SampleRequest> {
  const request = await (located[one.name]?.() ?? soundRequest(one.name, kindOf(one) ?? 'pod', staffId))
  // Customers and companies belong to the locations where they have booked.
  const start_time = new Date('2030-01-07T09:00:00.000Z')
  for (const { id } of await test.db.selectFrom('users').select('id').execute()) {
    await buildBooking(test.db, { user_id: id, staff_id: null, start_time })
  }
  for (const { id } of await test.db.selectFrom('companies').select('id').execute()) {
    await buildBooking(test.db, { company_id: id, start_time })
  }
  return request
}

async function giveLocations({ _id }: SignedInStaff, location_ids: string[]): Promise<void> {
  await test.db.updateTable('staff').set({ location_ids }).where('id', '=', _id).execute()
}

const listLocationIds = async () => (await test.db.selectFrom('locations').select('id').execute()).map(({ id }) => id)

/** Endpoints whose path has an id of something other than a record of a location, and why. */
const otherIds: Partial<Record<string, string>> = {
  'dashboard.get': 'is one’s own',
  'account.endSession': 'is one’s own',
  'passkeys.update': 'is one’s own',
  'passkeys.delete': 'is one’s own',
  'users.get': 'is of colleagues too, whom everyone may see',
  'features.usage': 'counts pods of a feature, which has no location',
}

it('every endpoint with an id in its path declares which record it names, or needs all locations', () => {
  const unclear = allEndpoints.filter(({ name, endpoint: { path, locations } }) => {
    const isOf = typeof locations === 'object'
    if (isOf) return !path.includes('/:')
    return path.includes('/:') && locations !== 'all' && otherIds[name] === undefined
  })
  const toDo = 'set `locations` of the route to { of } or all, or say in `otherIds` whose id it is'
  expect(
    unclear.map(({ name }) => name),
    toDo,
  ).toEqual([])
})

it('no endpoint without a session depends on locations', () => {
  const open = allEndpoints.filter(({ endpoint: { access, locations } }) => access === 'public' && locations !== 'none')
  expect(open.map(({ name }) => name)).toEqual([])
})

const withSession = allEndpoints.filter(({ endpoint }) => endpoint.access !== 'public')

type Turn = { page: PageCode | undefined; isView: boolean }

function listTurns({ access }: NamedEndpoint['endpoint']): Turn[] {
  if (typeof access === 'string') return [{ page: undefined, isView: false }]
  return access.flatMap((page) => [
    { page, isView: false },
    { page, isView: true },
  ])
}

const signInFor = ({ page, isView }: Turn) =>
  test.signIn(page === undefined ? pageCodes : [page], { view_only_pages: isView && page !== undefined ? [page] : [] })

/** Edits that name a record of a location in their body or query, and none in their path. */
const namesInBody = new Set(['bookings.createFor', 'closures.create', 'hours.update', 'pods.create', 'series.create'])

/** Expects that the response succeeds, or fails only for a reason that has nothing to do with locations. */
function expectOpen({ status, body, text }: TestResponse, isViewed: boolean, where: string): void {
  const outcome = status < 300 ? 'done' : body.code
  // A page alone may not be enough for a booking that somebody else made, and a sample may lack what does not matter
  // here.
  const others = ['done', 'page_required', 'booking_of_another', 'invalid_input', 'record_changed']
  expect(isViewed ? ['view_only'] : others, `${where} ${text}`).toContain(outcome)
}

describe.each(withSession)('$name', (one) => {
  const { name, endpoint } = one
  const { locations } = endpoint

  it.runIf(locations === 'all')('returns 403 without access to all locations', async () => {
    for (const turn of listTurns(endpoint)) {
      const person = await signInFor(turn)
      const request = await toRequest(one, person._id)
      await giveLocations(person, [(await buildLocation(test.db)).id, ...(await listLocationIds())])
      const before = await readStored(test.db)
      const response = await test.request(endpoint, { ...request, token: person.token })
      const code = turn.isView && isEdit(endpoint) ? 'view_only' : 'all_locations_required'
      expect([response.status, response.body?.code], JSON.stringify(turn)).toEqual([403, code])
      expect(await readStored(test.db)).toEqual(before)
    }
  })

  it.runIf(typeof locations === 'object' || namesInBody.has(name))(
    'serves only records of one’s own locations, with each of its pages and levels',
    async () => {
      for (const turn of listTurns(endpoint)) {
        const where = JSON.stringify(turn)
        const person = await signInFor(turn)
        const request = await toRequest(one, person._id)
        const own = await listLocationIds()
        const mayNot = turn.isView && isEdit(endpoint)
        await giveLocations(person, [(await buildLocation(test.db)).id])
        const before = await readStored(test.db)
        const elsewhere = await test.request(endpoint, { ...request, token: person.token })
        const refused = mayNot ? [403, 'view_only'] : [404, 'not_found']
        expect([elsewhere.status, elsewhere.body?.code], `${where} elsewhere`).toEqual(refused)
        expect(await readStored(test.db), `${where} elsewhere`).toEqual(before)
        // The same response as for a record that does not exist.
        const params = Object.fromEntries(Object.keys(request.params ?? {}).map((param) => [param, createId()]))
        const unknown = await test.request(endpoint, { ...request, params, token: person.token })
        expect([unknown.status, unknown.body.message], where).toEqual([elsewhere.status, elsewhere.body.message])
        await giveLocations(person, own)
        const there = await test.request(endpoint, { ...request, token: person.token })
        expectOpen(there, mayNot, `${where} at their own location; is the path's record the one of pathKinds?`)
      }
    },
  )

  it.runIf(locations === 'none' || (locations === 'narrowed' && !namesInBody.has(name)))(
    'is open to staff with some locations, with each of its pages',
    async () => {
      for (const turn of listTurns(endpoint)) {
        const person = await signInFor(turn)
        const request = await toRequest(one, person._id)
        await giveLocations(person, await listLocationIds().then((ids) => (ids.length === 0 ? [createId()] : ids)))
        const response = await test.request(endpoint, { ...request, token: person.token })
        expect(response.status, JSON.stringify(turn)).not.toBe(404)
        expectOpen(response, turn.isView && isEdit(endpoint), JSON.stringify(turn))
      }
    },
  )
})
