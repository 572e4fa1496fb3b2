import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createKeyText } from '#server/http/api-key.ts'
import { createOpenApiDocument } from '#server/http/openapi.ts'
import { buildBooking, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ SECRET_KEY: 'a key of some length' })

const body = {
  name: 'Door hardware',
  auth_page: ['6'],
  viewOnlyPages: [] as string[],
  locations: null as string[] | null,
  expiresOn: null as string | null,
}
const seen = (version: number) => ({ 'if-match': `"${version}"` })

async function create(token: string, overrides: Partial<typeof body> = {}, headers: Record<string, string> = {}) {
  return test.request(routes.apiKeys.create, { token, body: { ...body, ...overrides }, headers })
}

async function list(token: string, query: Record<string, string> = {}) {
  const response = await test.request(routes.apiKeys.list, { token, query })
  expect(response.status, response.text).toBe(200)
  return response.body as { _id: string; name: string; state: string; lastUsedAt: string | null; version: number }[]
}

const countBookings = (token: string) => test.request(routes.bookings.list, { token, query: { limit: '1' } })

describe('a new key', () => {
  it('is shown once, stored as a hash, and has access to its pages only', async () => {
    const { token, _id: staffId } = await test.signIn()
    const pages = { auth_page: ['6', '8'], viewOnlyPages: ['8'] }
    const { status, body: made, text } = await create(token, pages, { 'idempotency-key': 'one' })
    expect(status, text).toBe(201)
    expect(made).toMatchObject({
      name: 'Door hardware',
      auth_page: ['6', '8'],
      viewOnlyPages: ['8'],
      state: 'live',
      expiresOn: null,
      lastUsedAt: null,
      createdBy: { _id: staffId },
      prefix: made.key.slice(0, 13),
    })
    expect(made.key).toMatch(/^podkey_[0-9a-f]{56}$/)
    const rows = await Promise.all(
      (['api_keys', 'audit', 'idempotency_keys', 'jobs'] as const).map((table) =>
        test.db.selectFrom(table).selectAll().execute(),
      ),
    )
    const kept = JSON.stringify(rows)
    expect(kept).toContain('Door hardware')
    expect(kept).not.toContain(made.key.slice(13))
    expect(kept).not.toContain('key_hash":"\\\\x')
    expect((await test.request(routes.apiKeys.list, { token })).text).not.toContain(made.key)
    expect((await countBookings(made.key)).status).toBe(200)
    expect((await test.request(routes.pods.get, { token: made.key, params: { id: staffId } })).status).toBe(404)
    expect((await test.request(routes.transactions.list, { token: made.key })).body.code).toBe('page_required')
    expect((await test.request(routes.staff.list, { token: made.key })).status).toBe(200)
  })

  it('gets no more access than its creator has, and can never edit staff', async () => {
    const { token } = await test.signIn([PAGE.staff, PAGE.bookings], { view_only_pages: [PAGE.bookings] })
    const refused = async (auth_page: string[], viewOnlyPages: string[] = []) => {
      const response = await create(token, { auth_page, viewOnlyPages })
      return [response.status, response.body.errors?.[0].path, response.body.message]
    }
    const only = 'You can only grant pages that you hold yourself, and not'
    expect(await refused(['3'])).toEqual([403, 'auth_page', `${only} Pods.`])
    expect(await refused(['6'])).toEqual([403, 'auth_page', `${only} Booking (edit).`])
    expect(await refused(['8'])).toEqual([400, 'auth_page', 'A key may look at Assign Role, not change it'])
    expect(await refused(['6'], ['3'])).toEqual([400, 'viewOnlyPages', 'Pages to look at must be among auth_page'])
    expect(await refused([])).toEqual([400, 'auth_page', 'Choose at least one page'])
    expect((await create(token, { auth_page: ['6'], viewOnlyPages: ['6'] })).status).toBe(201)
    const row = { pages: [8] as PageCode[], view_only_pages: [] }
    await expect(test.issueKey([8], row)).rejects.toThrow('api_keys_only_look_at_staff')
  })

  it('sees only the records of its locations when it is limited to some', async () => {
    const { token } = await test.signIn()
    const [one, other] = [await buildBooking(test.db), await buildBooking(test.db)]
    const locations = [one.location_id]
    const { key, _id, ...made } = (await create(token, { locations })).body
    expect(made.locations).toEqual(locations)
    const listed = await countBookings(key)
    expect(listed.body.map(({ _id }: { _id: string }) => _id)).toEqual([one.id])
    const look = (id: string) => test.request(routes.bookingActions.get, { token: key, params: { id } })
    expect([(await look(one.id)).status, (await look(other.id)).status]).toEqual([200, 404])
    const update = { token, params: { id: _id }, headers: seen(1), body: { locations: null } }
    expect((await test.request(routes.apiKeys.update, update)).body.locations).toBeNull()
    expect((await look(other.id)).status).toBe(200)
    const refused = await create(token, { locations: [_id] })
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'locations'])
  })

  it('requires an expiry date that has not passed, or null for never', async () => {
    const { token } = await test.signIn()
    const refuse = async (overrides: object) => {
      const sent = { ...body, ...overrides }
      return (await test.request(routes.apiKeys.create, { token, body: sent })).body.errors
    }
    expect(await refuse({ expiresOn: '2026-11-20' })).toEqual([{ path: 'expiresOn', message: 'This day has passed' }])
    expect(await refuse({ expiresOn: undefined })).toMatchObject([{ path: 'expiresOn' }])
    expect(await refuse({ expiresOn: '' })).toMatchObject([{ path: 'expiresOn' }])
    expect((await create(token, { expiresOn: '2026-11-21' })).body.expiresOn).toBe('2026-11-21')
  })

  it('requires a recent confirmation of the password', async () => {
    const { token } = await test.signIn()
    await test.db
      .updateTable('sessions')
      .set({ confirmed_at: new Date('2026-11-21T08:00:00Z') })
      .execute()
    expect((await create(token)).body.code).toBe('confirmation_required')
  })
})

describe('a key that is not valid', () => {
  it('gets the same 401 whether it is unknown, misspelt, expired or revoked', async () => {
    const { token } = await test.signIn()
    const expiring = (await create(token, { expiresOn: '2026-11-21' })).body
    const revoked = (await create(token)).body
    // The last day counts in Johannesburg, where it ends at 22:00 UTC.
    test.clock.set('2026-11-21T21:59:00.000Z')
    expect((await countBookings(expiring.key)).status).toBe(200)
    test.clock.set('2026-11-21T22:00:00.000Z')
    expect((await countBookings(revoked.key)).status).toBe(200)
    await test.db.deleteFrom('sessions').execute()
    const other = await test.signIn()
    const params = { id: revoked._id }
    expect((await test.request(routes.apiKeys.revoke, { ...other, params, headers: seen(1) })).status).toBe(200)
    await test.issueKey([PAGE.bookings])
    const misspelt = revoked.key.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
    const answers = await Promise.all(
      [expiring.key, revoked.key, createKeyText(), misspelt, `${revoked.key}0`].map(async (key) => {
        const { status, body, headers } = await countBookings(key)
        const { requestId: _, ...said } = body
        return JSON.stringify([status, said, headers['x-auth-pages']])
      }),
    )
    expect(new Set(answers)).toEqual(new Set(['[401,{"message":"Please sign in.","code":"not_signed_in"},null]']))
  })
})

describe('the list of keys', () => {
  it('is searched, filtered and paged', async () => {
    const { token } = await test.signIn()
    const live = (await create(token, { name: 'Customers’ app' })).body
    const expired = await test.issueKey([PAGE.pods], { name: 'Old report', expires_on: '2026-11-20' })
    const revoked = await test.issueKey([PAGE.pods], { name: 'Lost door', revoked_at: test.clock.now() })
    expect((await list(token)).map(({ state }) => state).sort()).toEqual(['expired', 'live', 'revoked'])
    for (const [state, id] of [
      ['live', live._id],
      ['expired', expired._id],
      ['revoked', revoked._id],
    ]) {
      expect((await list(token, { state })).map(({ _id }) => _id)).toEqual([id])
    }
    for (const search of ['customers', live.prefix, live._id]) {
      expect((await list(token, { search })).map(({ _id }) => _id)).toEqual([live._id])
    }
    const page = await test.request(routes.apiKeys.list, { token, query: { page: '2', limit: '2', sort: 'name' } })
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.body.map(({ name }: { name: string }) => name)).toEqual(['Old report'])
    for (let more = 0; more < 8; more++) await test.issueKey([PAGE.pods])
    const first = await test.request(routes.apiKeys.list, { token })
    expect([first.body.length, first.headers['x-total-count']]).toEqual([10, '11'])
  })

  it('shows when, to the minute, and from where a key was last used, without adding to the history', async () => {
    const { token } = await test.signIn()
    const [other, key] = [await test.issueKey([PAGE.bookings]), await test.issueKey([PAGE.bookings])]
    await countBookings(key.token)
    const ofOther = (await list(token)).find(({ _id }: { _id: string }) => _id === other._id)
    expect(ofOther).toMatchObject({ lastUsedAt: null, lastUsedAddress: null })
    await test.db.deleteFrom('api_keys').where('id', '=', other._id).execute()
    expect((await list(token))[0]).toMatchObject({
      lastUsedAt: '2026-11-21T09:00:00.000Z',
      lastUsedAddress: '127.0.0.1',
      version: 1,
    })
    test.clock.set('2026-11-21T09:00:30.000Z')
    await countBookings(key.token)
    expect((await list(token))[0]?.lastUsedAt).toBe('2026-11-21T09:00:00.000Z')
    test.clock.set('2026-11-21T09:01:00.000Z')
    await countBookings(key.token)
    expect((await list(token))[0]).toMatchObject({ lastUsedAt: '2026-11-21T09:01:00.000Z', version: 1 })
    expect(await test.db.selectFrom('audit').selectAll().execute()).toEqual([])
  })
})

describe('an existing key', () => {
  it('has its changed pages from the next request on, and a history that cannot be undone', async () => {
    const { token } = await test.signIn()
    const { _id, key } = (await create(token)).body
    const change = { name: 'Reports', auth_page: ['4', '6'], viewOnlyPages: ['4', '6'], expiresOn: '2027-01-31' }
    const call = { token, params: { id: _id }, headers: seen(1), body: change }
    expect((await test.request(routes.apiKeys.update, call)).body).toMatchObject({ ...change, version: 2 })
    expect((await test.request(routes.transactions.list, { token: key })).status).toBe(200)
    expect((await test.request(routes.apiKeys.update, call)).body.code).toBe('record_changed')
    expect((await test.request(routes.apiKeys.revoke, { ...call, headers: seen(2) })).body).toEqual({
      message: 'API key revoked',
    })
    const again = await test.request(routes.apiKeys.revoke, { ...call, headers: seen(3) })
    expect([again.status, again.body.message]).toEqual([409, 'This key has been revoked.'])
    const history = await test.request(routes.audit.history, { token, query: { entity: 'api-key', id: _id } })
    expect(history.body.map(({ action }: { action: string }) => action)).toEqual(['revoke', 'edit', 'create'])
    expect(history.body[1]).toMatchObject({ label: 'Reports', before: { pages: [6], expires_on: null } })
    // Changes of access ask for the password, so they cannot be undone.
    expect(history.headers).not.toHaveProperty('x-undo-id')
    const undo = await test.request(routes.audit.undo, { token, params: { id: history.body[1]._id } })
    expect(undo.body.code).toBe('cannot_undo')
  })

  it('can be changed only by staff with all its pages, and revoked by anyone who can edit staff', async () => {
    const few = await test.signIn([PAGE.staff, PAGE.bookings])
    const key = await test.issueKey([PAGE.pods, PAGE.bookings])
    const params = { id: key._id }
    const change = (change: object, id = key._id) =>
      test.request(routes.apiKeys.update, { ...few, params: { id }, headers: seen(1), body: change })
    expect((await change({ expiresOn: null })).body.code).toBe('page_not_held')
    expect((await change({ auth_page: ['6'] })).body.code).toBe('page_not_held')
    const { _id: own } = await test.issueKey([PAGE.bookings])
    expect((await change({ auth_page: ['3', '6'] }, own)).body.code).toBe('page_not_held')
    expect((await change({ auth_page: ['6', '8'] }, own)).body.message).toBe(
      'A key may look at Assign Role, not change it',
    )
    const looking = await test.signIn([PAGE.staff], { view_only_pages: [PAGE.staff] })
    const revoke = (token: string) => test.request(routes.apiKeys.revoke, { token, params, headers: seen(1) })
    expect((await revoke(looking.token)).body.code).toBe('view_only')
    expect((await revoke(few.token)).status).toBe(200)
  })

  it('keeps working when its creator is blocked or deleted', async () => {
    const maker = await test.signIn()
    const { token } = await test.signIn()
    const { key } = (await create(maker.token)).body
    await test.request(routes.staff.block, { token, params: { id: maker._id } })
    expect((await countBookings(key)).status).toBe(200)
    await test.request(routes.staff.delete, { token, params: { id: maker._id } })
    expect((await countBookings(key)).status).toBe(200)
    expect(await list(token)).toMatchObject([{ createdBy: { _id: maker._id } }])
  })
})

describe('requests made with a key', () => {
  it('are recorded under the key’s name, and the activity can be filtered by key', async () => {
    const { token } = await test.signIn()
    const booking = await buildBooking(test.db)
    const key = await test.issueKey([PAGE.bookings], { name: 'Door hardware' })
    const params = { id: booking.id }
    const note = { note: 'Light is broken', version: 1 }
    expect((await test.request(routes.bookingActions.note, { token: key.token, params, body: note })).status).toBe(200)
    const actor = { kind: 'api-key', _id: key._id, name: 'Door hardware' }
    const changes = await test.request(routes.audit.list, { token, query: { actor: key._id } })
    expect(changes.body).toMatchObject([{ actor, entity: 'booking', action: 'edit', address: '127.0.0.1' }])
    const file = await test.request(routes.audit.export, { token, query: { actor: key._id } })
    expect(file.text).toContain('Door hardware')
    const undo = await test.request(routes.audit.undo, { token, params: { id: changes.body[0]._id } })
    expect(undo.status).toBe(200)
  })

  it('are carried out once per idempotency key, which is separate for each sender', async () => {
    const key = await test.issueKey([PAGE.features])
    const { token } = await test.signIn()
    const send = (token: string) =>
      test.request(routes.features.create, {
        token,
        body: { name: 'Wi-Fi', icon: 'wifi' },
        headers: { 'idempotency-key': 'one' },
      })
    const first = await send(key.token)
    expect(await send(key.token)).toMatchObject({ status: 201, text: first.text })
    expect((await send(token)).headers).not.toHaveProperty('idempotency-replayed')
    expect(await test.db.selectFrom('features').select('id').execute()).toHaveLength(2)
  })

  it('learn from a 403 which pages they need', async () => {
    const { _id: id, token } = await test.issueKey([PAGE.bookings, PAGE.pods], { view_only_pages: [PAGE.bookings] })
    const read = await test.request(routes.locations.upcomingBookings, { token, params: { id } })
    expect(read.body).toMatchObject({
      code: 'page_required',
      message: 'This takes an API key with one of these pages: Location (7).',
    })
    const body = { reason: 'x', version: 1 }
    const edit = await test.request(routes.bookingActions.cancel, { token, params: { id }, body })
    expect(edit.body).toMatchObject({
      code: 'view_only',
      message:
        'This takes an API key that may edit one of these pages, not only view it: Corporate Booking (9), Booking (6).',
    })
  })

  it('book for customers only, and the booking counts as made by the customer', async () => {
    const [pod, user, key] = [
      await buildPod(test.db),
      await buildUser(test.db),
      await test.issueKey([PAGE.corporateBooking]),
    ]
    const book = (who: object) =>
      test.request(routes.bookings.createFor, {
        token: key.token,
        body: {
          podId: pod.id,
          bookingPurpose: 'meeting',
          bookingDate: '2026-11-23',
          startTime: '2026-11-23T09:00:00.000Z',
          endTime: '2026-11-23T10:00:00.000Z',
          for: who,
        },
      })
    for (const who of [{ kind: 'me' }, { kind: 'company', companyId: pod.id }]) {
      const refused = await book(who)
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ path: 'for', message: 'An API key books for customers' }],
      ])
    }
    const made = await book({ kind: 'customer', userId: user.id })
    expect(made.status, made.text).toBe(201)
    const { _id } = made.body.booking
    const row = await test.db.selectFrom('bookings').selectAll().where('id', '=', _id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ user_id: user.id, staff_id: null, made_by_staff_id: null })
    const audit = await test.db.selectFrom('audit').select(['actor_kind', 'actor_id']).execute()
    expect(audit).toEqual([{ actor_kind: 'api-key', actor_id: key._id }])
    // Page 9 alone shows only one's own bookings, and a key has none.
    const look = { params: { id: _id } }
    expect((await test.request(routes.bookingActions.get, { token: key.token, ...look })).body).toMatchObject({
      code: 'page_required',
      message: 'An API key needs Booking, also for bookings that it made itself.',
    })
    const both = await test.issueKey([PAGE.corporateBooking, PAGE.bookings])
    expect((await test.request(routes.bookingActions.get, { token: both.token, ...look })).status).toBe(200)
  })

  it('check in customers and close pods without naming a staff member', async () => {
    const running = { start_time: new Date('2026-11-21T10:30:00Z'), end_time: new Date('2026-11-21T12:00:00Z') }
    const { id, pod_id } = await buildBooking(test.db, { ...running, status: 'Processing' })
    const key = await test.issueKey([PAGE.bookings, PAGE.pods])
    const checkIn = { token: key.token, params: { id }, body: { method: 'door', version: 1 } }
    const byHand = { ...checkIn, body: { method: 'staff', version: 1 } }
    expect((await test.request(routes.bookingActions.checkIn, byHand)).body.errors).toEqual([
      { path: 'method', message: 'An API key checks in by code or door' },
    ])
    const { body: booking, text } = await test.request(routes.bookingActions.checkIn, checkIn)
    expect(booking, text).toMatchObject({ checkedInMethod: 'door', checkedInBy: null })
    const closing = { podIds: [pod_id], starts: '2026-11-23T09:00:00.000Z', reason: 'Broken lock', decisions: [] }
    const closed = await test.request(routes.closures.create, { token: key.token, body: closing })
    expect(closed.status, closed.text).toBe(201)
    expect(await test.db.selectFrom('closures').select('created_by').execute()).toEqual([{ created_by: null }])
  })
})

describe('too many requests with one key', () => {
  const limited = useTestApp({ API_KEY_REQUESTS: '3' })

  it('get a 429 that says when to retry, while other keys and staff are not limited', async () => {
    const [key, other] = [await limited.issueKey([PAGE.features]), await limited.issueKey([PAGE.features])]
    const person = await limited.signIn()
    const send = (token: string) => limited.request(routes.features.list, { token })
    for (let count = 0; count < 3; count++) expect((await send(key.token)).status).toBe(200)
    const refused = await send(key.token)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect(refused.body.message).toMatch(/^An API key may send 3 requests a minute\. Try again in \d+ s\.$/)
    expect((await send(other.token)).status).toBe(200)
    for (let count = 0; count < 5; count++) expect((await send(person.token)).status).toBe(200)
  })
})

it('describes in the OpenAPI document which endpoints accept an API key', () => {
  const document = createOpenApiDocument('Podkeeper') as any // oxlint-disable-line typescript/no-explicit-any -- a document of many shapes
  expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(document.paths['/api/arrivals'].get.security).toEqual([{ session: [] }, { apiKey: [] }])
  expect(document.paths['/api/account'].get.security).toEqual([{ session: [] }])
  expect(document.paths['/api/user/login'].post.security).toEqual([])
})
