import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { sampleRequests, withoutSample } from '#server/testing/sample-requests.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { references } from './audit.repository.ts'

const test = useTestApp()

const listRows = () => test.db.selectFrom('audit').selectAll().orderBy('at').orderBy('id').execute()
const readHistory = async (token: string, entity: string, id?: string): Promise<Change[]> =>
  (await test.request(routes.audit.history, { token, query: { entity, limit: '100', ...(id ? { id } : {}) } })).body

/** A request for each endpoint that writes. */
const samples = sampleRequests(test)

const writing = allEndpoints.filter(({ name, endpoint }) => endpoint.method !== 'GET' && !(name in withoutSample))
/** A wrong password is recorded too, and the name of a passkey as an event. */
const recordedAgain = new Set(['auth.changePassword', 'passkeys.update'])
const editing = writing.filter(({ name, endpoint }) => endpoint.method === 'PUT' && !recordedAgain.has(name))
const exporting = allEndpoints.filter(({ endpoint }) => endpoint.kind === 'csv')

describe('the audit', () => {
  it.each(writing)('records a request that changes or exports data: $name', async ({ name, endpoint }) => {
    const { token, _id } = await test.signIn()
    const call = await samples[name]?.()
    expect(call, `how to call ${name}`).toBeDefined()
    const { headers, ...options } = call ?? {}
    const isPublic = endpoint.access === 'public'
    const response = await test.request(endpoint, {
      ...options,
      ...(isPublic ? {} : { token }),
      headers: { 'x-request-id': 'request-of-test', ...headers },
    })
    expect(response.status, response.text).toBeLessThan(300)
    const rows = await listRows()
    // Blocking and unblocking a pod or location changes its closure too, what is undone is a change as well, and a
    // booking that is given to somebody else is cancelled.
    expect(rows).toHaveLength(/^(pods|locations)\.(un)?block$|^audit\.undo$|^bookings\.rebook$/.test(name) ? 2 : 1)
    const row = rows.find(({ id }) => id === response.headers['x-change-id'])
    expect(row).toMatchObject({ actor_kind: 'staff', request_id: 'request-of-test', address: '127.0.0.1' })
    expect(row?.actor_id).toBe(isPublic ? row?.entity_id : _id)
    expect(JSON.stringify(rows)).not.toMatch(/argon2|secret of the door|sound/)
  })

  it.each(exporting)('records a request that changes or exports data: $name', async ({ endpoint }) => {
    const { token } = await test.signIn()
    const { pod_id } = await buildBooking(test.db)
    const body = endpoint.method === 'POST' ? { podIds: [pod_id] } : undefined
    const response = await test.request(endpoint, {
      token,
      query: { sort: endpoint.path.endsWith('activity') ? 'at' : '' },
      body,
    })
    const asked = response.status === 200 ? response : await test.request(endpoint, { token, body })
    expect(asked.status).toBe(200)
    const [row] = await listRows()
    const lines = (parse(asked.text, { bom: true }) as unknown[]).length - 1
    const filters = expect.any(Object)
    expect(row).toMatchObject({
      action: 'export',
      after: { file: expect.stringMatching(/\.csv$/), filters, rows: lines },
    })
  })

  it('records the filters of a file, and shows the names of the records that it was filtered by', async () => {
    const { token } = await test.signIn()
    const query = { search: 'Nest', status: 'blocked', sort: '-title' }
    expect((await test.request(routes.pods.export, { token, query })).status).toBe(200)
    expect(await listRows()).toMatchObject([{ after: { file: 'Pods.csv', filters: query, rows: 0 } }])
    const location = await buildLocation(test.db, { name: 'Harbour' })
    await test.request(routes.pods.export, { token, query: { location: location.id } })
    const pods = [await buildPod(test.db, { title: 'Nest' }), await buildPod(test.db, { title: 'Cabin' })]
    await test.request(routes.closures.export, { token, body: { podIds: pods.map(({ id }) => id) } })
    // All files are of the same moment, so that any may be listed first.
    const changes: Change[] = (await test.request(routes.audit.list, { token })).body
    const names = changes.map((change) => change.names)
    expect(names).toContainEqual({ [location.id]: 'Harbour' })
    expect(names).toContainEqual(Object.fromEntries(pods.map(({ id, title }) => [id, title])))
  })

  it('records a failed sign-in with the email address that was entered', async () => {
    const staff = await buildStaff(test.db)
    const { login } = routes.auth
    expect((await test.request(login, { body: { email: staff.email, password: 'wrong' } })).status).toBe(401)
    expect((await test.request(login, { body: { email: 'no@example.com', password: 'wrong' } })).status).toBe(401)
    expect(await listRows()).toMatchObject([
      { action: 'sign-in-failed', entity_id: staff.id, label: staff.email },
      { action: 'sign-in-failed', entity_id: null, label: 'no@example.com' },
    ])
  })

  it('records a failed sign-in without what was entered when that is no address, as it may be the password', async () => {
    for (const email of ['harbour lamp 2026 x', 'harbour@lamp', 'thandi'])
      expect((await test.request(routes.auth.login, { body: { email, password: 'wrong' } })).status).toBe(401)
    const failed = { action: 'sign-in-failed', entity_id: null, label: 'Not an email address' }
    expect(await listRows()).toMatchObject([failed, failed, failed])
  })

  it('records nothing when a request is refused or changes nothing', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db, { is_blocked: true })
    const params = { id: pod.id }
    expect((await test.request(routes.pods.block, { token, params })).status).toBe(200)
    expect((await test.request(routes.pods.update, { token, params, body: { rate: -1 } })).status).toBe(400)
    expect(await listRows()).toEqual([])
  })
})

describe('an edit that is sent again', () => {
  it.each(editing)('leaves no row in the history, and no new version: $name', async ({ name, endpoint }) => {
    const { token } = await test.signIn()
    const { body, ...sample } = (await samples[name]?.()) ?? {}
    const send = (version: number) => {
      const versioned = typeof body === 'object' && body !== null && 'version' in body ? { ...body, version } : body
      return test.request(endpoint, { token, ...sample, body: versioned, headers: { 'if-match': '*' } })
    }
    const first = await send(1)
    expect(first.status, first.text).toBeLessThan(300)
    const rows = await listRows()
    const again = await send(2)
    expect(await listRows()).toEqual(rows)
    const { headers } = again.status < 300 ? again : first
    expect(headers.etag).toBe(first.headers.etag)
  })
})

describe('rows of the audit', () => {
  it.each([
    'update audit set reason = null',
    'delete from audit',
    'truncate audit cascade',
    'update audit_earlier set reason = null',
    'delete from audit_earlier',
    'truncate audit_default',
    'insert into audit_earlier select * from audit on conflict (id) do update set reason = null',
    'merge into audit using staff on true when matched then delete',
  ])('cannot be changed or removed, even with SQL: %s', async (statement) => {
    await test.request(routes.features.create, {
      token: (await test.signIn()).token,
      body: { name: 'Wi-Fi', icon: 'wifi' },
    })
    await expect(sql.raw(statement).execute(test.db)).rejects.toThrow('never changed or removed')
    expect(await listRows()).toHaveLength(1)
  })
})

describe('the history of a record', () => {
  it('shows who made each change, newest first, with old and new values and names for ids', async () => {
    const { token, _id } = await test.signIn()
    const [from, to] = [
      await buildLocation(test.db, { name: 'Harbour' }),
      await buildLocation(test.db, { name: 'Nest' }),
    ]
    const pod = await buildPod(test.db, { title: 'Signal Hill', location_id: from.id })
    const params = { id: pod.id }
    await test.request(routes.pods.update, { token, params, body: { location: to.id, password: 'new door secret' } })
    await test.request(routes.pods.update, { token, params, body: { title: 'Lion’s Head' } })
    expect(await readHistory(token, 'pod', pod.id)).toMatchObject([
      {
        action: 'edit',
        actor: { kind: 'staff', _id, name: expect.stringContaining('Thandi') },
        label: 'Lion’s Head',
        version: 3,
        before: { title: 'Signal Hill' },
        after: { title: 'Lion’s Head' },
      },
      {
        before: { location_id: from.id, device_password: '********' },
        after: { location_id: to.id, device_password: '********' },
        names: { [from.id]: 'Harbour', [to.id]: 'Nest' },
      },
    ])
  })

  it('knows every column of a record that refers to another', async () => {
    // The history hides the first two; transactions have none, as other systems write them.
    const unnamed = new Set(['series_id', 'created_by', 'booking_id'])
    const { rows } = await sql<{ record: string; name: string }>`
      select conrelid::regclass::text as record, attname as name
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where contype = 'f' and exists (select from information_schema.columns
               where table_schema = current_schema() and table_name = conrelid::regclass::text and column_name = 'version')`.execute(
      test.db,
    )
    const unknown = rows.filter(({ name }) => !references.includes(name) && !unnamed.has(name))
    expect(unknown, 'the history shows their ids: add them to `references` in audit.repository.ts').toEqual([])
  })

  it('names whoever made a booking for a customer and checked the customer in', async () => {
    const maker = await test.signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
    const body = {
      podId: (await buildPod(test.db)).id,
      bookingPurpose: 'work',
      bookingDate: '2026-11-21',
      startTime: '2026-11-21T11:00:00.000Z',
      endTime: '2026-11-21T12:00:00.000Z',
      for: { kind: 'customer', userId: (await buildUser(test.db)).id },
    }
    const { booking } = (await test.request(routes.bookings.createFor, { token: maker.token, body })).body
    const other = await test.signIn(undefined, { firstname: 'Sipho', lastname: 'Zulu' })
    const checkIn = { token: other.token, params: { id: booking._id }, body: { method: 'staff', version: 1 } }
    expect((await test.request(routes.bookingActions.checkIn, checkIn)).status).toBe(200)
    const [checkedIn, created] = await readHistory(maker.token, 'booking', booking._id)
    expect(created?.names).toMatchObject({ [maker._id]: 'Thandi Nkosi' })
    expect(checkedIn?.names).toMatchObject({ [other._id]: 'Sipho Zulu' })
  })

  it('can be read only with the page of the record', async () => {
    const { token } = await test.signIn([PAGE.features])
    const query = { entity: 'pod', id: (await buildPod(test.db)).id }
    expect((await test.request(routes.audit.history, { token, query })).status).toBe(403)
    expect((await test.request(routes.audit.history, { token, query: { entity: 'feature' } })).status).toBe(200)
    expect((await test.request(routes.audit.history, { token, query: { entity: 'rocket' } })).status).toBe(400)
  })

  it('does not say from which address it was changed, as the activity does', async () => {
    const { token } = await test.signIn()
    const { id } = await buildLocation(test.db)
    await test.request(routes.locations.update, { token, params: { id }, body: { name: 'Harbour' } })
    expect(await readHistory(token, 'location', id)).toMatchObject([{ address: null }])
    const activity = await test.request(routes.audit.list, { token, query: { entity: 'location' } })
    expect(activity.body).toMatchObject([{ address: '127.0.0.1' }])
  })

  it('can be read of the bookings that somebody with Corporate Booking alone has made', async () => {
    const me = await test.signIn([PAGE.corporateBooking])
    const [own, other] = [await buildBooking(test.db, { staff_id: me._id }), await buildBooking(test.db)]
    const read = async (record: { id?: string }) => {
      const query = { entity: 'booking', ...record }
      return (await test.request(routes.audit.history, { token: me.token, query })).status
    }
    expect(await read({ id: own.id })).toBe(200)
    expect(await read({ id: other.id })).toBe(403)
    expect(await read({ id: '019c7b37-b4ca-7000-b57f-6806abb20bfc' })).toBe(404)
    expect(await read({ id: 'no-id' })).toBe(404)
    expect(await read({})).toBe(403)
    const { token } = await test.signIn([PAGE.pods])
    const query = { entity: 'booking', id: own.id }
    expect((await test.request(routes.audit.history, { token, query })).status).toBe(403)
  })
})

describe('the activity', () => {
  it('can be filtered by person, kind of record, action and dates, and returns the total', async () => {
    // Ten minutes before midnight in Johannesburg, and midnight.
    test.clock.set('2026-11-21T21:50:00.000Z')
    const [one, other] = [await test.signIn(), await test.signIn()]
    const feature = await buildFeature(test.db)
    await test.request(routes.features.block, { token: one.token, params: { id: feature.id } })
    test.clock.set('2026-11-21T22:00:00.000Z')
    await test.request(routes.features.unblock, { token: other.token, params: { id: feature.id } })
    await test.request(routes.pricing.setRate, { token: other.token, body: { rate: 3 } })
    const list = async (query: Record<string, string>) => {
      const response = await test.request(routes.audit.list, { token: one.token, query: { page: '1', ...query } })
      expect(response.status, response.text).toBe(200)
      return [response.headers['x-total-count'], response.body.map(({ action }: Change) => action)]
    }
    expect(await list({})).toEqual(['3', ['edit', 'unblock', 'block']])
    expect(await list({ actor: one._id })).toEqual(['1', ['block']])
    expect(await list({ actor: other._id })).toEqual(['2', ['edit', 'unblock']])
    expect(await list({ actor: other._id, entity: 'feature' })).toEqual(['1', ['unblock']])
    expect(await list({ actor: other._id, action: 'edit' })).toEqual(['1', ['edit']])
    expect(await list({ actor: other._id, entity: 'feature', to: '2026-11-21' })).toEqual(['0', []])
    expect(await list({ entity: 'settings' })).toEqual(['1', ['edit']])
    expect(await list({ action: 'unblock' })).toEqual(['1', ['unblock']])
    expect(await list({ to: '2026-11-21' })).toEqual(['1', ['block']])
    expect(await list({ from: '2026-11-22', limit: '1', sort: 'at' })).toEqual(['2', ['unblock']])
  })

  it('names a booking by its pod and date, in the file too', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db, { title: 'Aurora' })
    const { id, booking_date } = await buildBooking(test.db, { pod_id: pod.id })
    const noted = { token, params: { id }, body: { note: 'Brings a guest', version: 1 } }
    expect((await test.request(routes.bookingActions.note, noted)).status).toBe(200)
    const { body } = await test.request(routes.audit.list, { token, query: { page: '1' } })
    expect(body).toMatchObject([{ entity: 'booking', label: `Aurora on ${booking_date}` }])
    const file = await test.request(routes.audit.export, { token })
    expect(file.text).toContain(`Aurora on ${booking_date}`)
  })

  it('says in the file too who changed what, from where and why', async () => {
    const { token } = await test.signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
    const { id } = await buildBooking(test.db)
    const body = { reason: 'Customer asked', version: 1 }
    expect((await test.request(routes.bookingActions.cancel, { token, params: { id }, body })).status).toBe(200)
    const file = await test.request(routes.audit.export, { token })
    const rows: Record<string, string>[] = parse(file.text, { bom: true, columns: true })
    expect(rows).toMatchObject([
      {
        'Date (UTC)': '2026-11-21 09:00:00',
        By: 'Thandi Nkosi',
        Address: '127.0.0.1',
        Action: 'cancel',
        Kind: 'booking',
        'Record Id': id,
        Before: expect.stringContaining('"status": "Pending"'),
        After: expect.stringContaining('"status": "Cancelled"'),
        Reason: 'Customer asked',
      },
    ])
  })
})

describe('the version of a record', () => {
  it('makes an outdated edit fail with the current record in the response', async () => {
    const { token } = await test.signIn()
    const location = await buildLocation(test.db, { name: 'Harbour' })
    const params = { id: location.id }
    const edit = (body: unknown, headers: Record<string, string> = {}) =>
      test.request(routes.locations.update, { token, params, body, headers })
    expect((await edit({ name: 'Mine' }, { 'if-match': '"1"' })).body).toMatchObject({ name: 'Mine', version: 2 })
    const stale = await edit({ name: 'Theirs' }, { 'if-match': '"1"' })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'record_changed', current: { name: 'Mine', version: 2 } })
    expect((await edit({ city: 'Durban' })).body).toMatchObject({ name: 'Mine', city: 'Durban', version: 3 })
    expect((await edit({ city: 'Paarl' }, { 'if-match': 'soon' })).status).toBe(400)
    // Compressing proxies make weak ETags of strong ones.
    expect((await edit({ city: 'Paarl' }, { 'if-match': 'W/"1"' })).status).toBe(409)
    expect((await edit({ city: 'Paarl' }, { 'if-match': 'W/"3"' })).status).toBe(200)
  })

  it('increases when only the images of a pod change', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    const images = [{ public_id: 'b', url: 'https://images.example.com/b.jpg' }]
    const response = await test.request(routes.pods.update, { token, params: { id: pod.id }, body: { images } })
    expect(response.status).toBe(200)
    const [change] = await readHistory(token, 'pod', pod.id)
    expect(change).toMatchObject({ version: 2, after: { images } })
    expect((await test.request(routes.pods.get, { token, params: { id: pod.id } })).body.version).toBe(2)
  })
})
