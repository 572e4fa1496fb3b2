import { describe, expect, it } from 'vitest'
import { routes, takesKey } from '#contract/routes.ts'
import { createOpenApiDocument } from '#server/http/openapi.ts'
import { buildBooking, buildFeature, buildLocation, buildPod, buildSeries } from '#server/testing/factories.ts'
import { sampleRequests } from '#server/testing/sample-requests.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { deleteExpiredKeys } from './create-once.ts'

const test = useTestApp({ SECRET_KEY: 'a key of some length' }, { poolSize: 20 })
const { create } = routes.features

const body = { name: 'Wi-Fi', icon: 'wifi' }
const booking = {
  bookingPurpose: 'meeting',
  bookingDate: '2026-11-23',
  startTime: '2026-11-23T09:00:00.000Z',
  endTime: '2026-11-23T10:00:00.000Z',
}

const createFeature = (token: string, key: string, sent: object = body) =>
  test.request(create, { token, body: sent, headers: { 'idempotency-key': key } })
const listFeatures = () => test.db.selectFrom('features').select('name').execute()
const listKeys = () => test.db.selectFrom('idempotency_keys').selectAll().execute()

const idempotent = allEndpoints.filter(({ endpoint }) => endpoint.idempotent)

const samples = sampleRequests(test)

/** What must not be found where responses are stored for repeated requests, in plain text. */
const secrets = /argon2|secret of the door|sound|whsec|podkey_[0-9a-f]{8}|choose-password#|one \\"key/

/** Endpoints that take a key but do not create. `audit.test.ts` requires a sample of each endpoint that writes. */
const others = allEndpoints.filter(({ name, endpoint }) => takesKey(endpoint) && !endpoint.idempotent && samples[name])

describe('repeated changes with the same idempotency key', () => {
  it.each(others)('change nothing more and return the first response: $name', async ({ name, endpoint }) => {
    const { token } = await test.signIn()
    const { headers, ...call } = (await samples[name]?.()) ?? {}
    const send = () => test.request(endpoint, { ...call, token, headers: { ...headers, 'idempotency-key': 'key' } })
    const countChanges = async () => (await test.db.selectFrom('audit').select('action').execute()).length
    const first = await send()
    expect(first.status, first.text).toBeLessThan(300)
    const changes = await countChanges()
    expect(changes).toBeGreaterThan(0)
    const again = await send()
    expect(again).toMatchObject({ status: first.status, text: first.text })
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'x-change-id': first.headers['x-change-id'],
    })
    expect(again.headers['x-undo-id']).toBe(first.headers['x-undo-id'])
    expect(await countChanges()).toBe(changes)
    expect(JSON.stringify(await listKeys())).not.toMatch(secrets)
  })

  it('offer to undo the whole change of a series, as the first response does', async () => {
    const { token, _id: staff_id } = await test.signIn()
    const { series_id, pod_id } = await buildSeries(test.db, { staff_id })
    const [start_time, end_time] = [new Date('2026-11-30T09:00:00.000Z'), new Date('2026-11-30T10:00:00.000Z')]
    await buildBooking(test.db, { series_id, pod_id, staff_id, start_time, end_time })
    const call = { params: { id: series_id ?? '' }, query: { scope: 'all' } }
    const send = () =>
      test.request(routes.series.cancel, { ...call, token, headers: { 'if-match': '*', 'idempotency-key': 'key' } })
    for (const replayed of [undefined, 'true']) {
      const { status, headers } = await send()
      expect([status, headers['idempotency-replayed']]).toEqual([200, replayed])
      expect(headers['x-undo-id']).toBe(headers['x-change-id'])
      expect(headers['x-undo-scope']).toBe('request')
    }
  })

  it('offer to undo the one booking that a change of a series has moved, as the first response does', async () => {
    const { token, _id: staff_id } = await test.signIn()
    const { series_id } = await buildSeries(test.db, { staff_id })
    const { id: pod_id } = await buildPod(test.db)
    const [start_time, end_time] = [new Date('2026-11-30T09:00:00.000Z'), new Date('2026-11-30T10:00:00.000Z')]
    await buildBooking(test.db, { series_id, pod_id, staff_id, start_time, end_time })
    const call = { token, params: { id: series_id ?? '' }, query: { scope: 'all' }, body: { podId: pod_id } }
    const send = () =>
      test.request(routes.series.update, { ...call, headers: { 'if-match': '*', 'idempotency-key': 'key' } })
    for (const replayed of [undefined, 'true']) {
      const { status, headers } = await send()
      expect([status, headers['idempotency-replayed']]).toEqual([200, replayed])
      expect(headers['x-undo-id']).toBeDefined()
      expect(headers['x-undo-id']).toBe(headers['x-change-id'])
      expect(headers['x-undo-scope']).toBeUndefined()
    }
  })

  it('undo a deletion only once', async () => {
    const { token } = await test.signIn()
    const feature = await buildFeature(test.db)
    const { headers } = await test.request(routes.features.delete, { token, params: { id: feature.id } })
    const params = { id: String(headers['x-undo-id']) }
    const undo = () => test.request(routes.audit.undo, { token, params, headers: { 'idempotency-key': 'key' } })
    const first = await undo()
    expect(first.status, first.text).toBe(200)
    expect(await undo()).toMatchObject({ status: 200, text: first.text })
  })
})

describe('requests with an idempotency key', () => {
  it('are supported by every endpoint that creates a record, except image uploads', () => {
    const creating = allEndpoints.filter(({ endpoint }) => endpoint.status === 201 && endpoint.kind !== 'multipart')
    expect(idempotent).toEqual(creating)
  })

  it.each(idempotent)(
    'create nothing more and return the first response when repeated: $name',
    async ({ name, endpoint }) => {
      const { token } = await test.signIn()
      const call = await samples[name]?.()
      expect(call, `how to call ${name}`).toBeDefined()
      const send = () => test.request(endpoint, { ...call, token, headers: { 'idempotency-key': 'one "key", ~' } })
      const first = await send()
      expect(first.status, first.text).toBe(201)
      expect(first.headers).not.toHaveProperty('idempotency-replayed')
      const again = await send()
      expect(again).toMatchObject({ status: 201, text: first.text })
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'x-change-id': first.headers['x-change-id'],
        'content-type': first.headers['content-type'],
      })
      const changes = await test.db.selectFrom('audit').select('action').where('action', '<>', 'cancel').execute()
      expect(changes).toEqual([{ action: 'create' }])
      expect(JSON.stringify(await listKeys())).not.toMatch(secrets)
    },
  )

  it('store nothing of previews, which change nothing', async () => {
    const previews = allEndpoints.filter(({ endpoint }) => endpoint.path.endsWith('/preview'))
    expect(previews.filter(({ endpoint }) => takesKey(endpoint)).map(({ name }) => name)).toEqual([])
    const { token } = await test.signIn()
    const { pod_id } = await buildBooking(test.db)
    const times = { starts: booking.startTime, ends: booking.endTime }
    const preview = await test.request(routes.closures.preview, {
      token,
      body: { podIds: [pod_id], reason: 'Painting', ...times },
      headers: { 'idempotency-key': 'key' },
    })
    expect([preview.status, preview.body.bookings.length, await listKeys()]).toEqual([200, 1, []])
  })

  it('create one record and return one response when sent 200 times at once', async () => {
    const { token } = await test.signIn()
    const responses = await Promise.all(Array.from({ length: 200 }, () => createFeature(token, 'key')))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(201)
    expect(new Set(responses.map(({ headers }) => headers['x-change-id'])).size).toBe(1)
    expect(responses.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1)
    expect(await listFeatures()).toHaveLength(1)
  })

  it('return one booking when sent 200 times at once, and are never refused for a taken slot', async () => {
    const { token } = await test.signIn()
    const params = { podId: (await buildPod(test.db)).id }
    const headers = { 'idempotency-key': 'key' }
    const responses = await Promise.all(
      Array.from({ length: 200 }, () =>
        test.request(routes.bookings.create, { token, params, body: booking, headers }),
      ),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(201)
  })

  it('are refused when the key is used again with another body or path', async () => {
    const { token } = await test.signIn()
    expect((await createFeature(token, 'key')).status).toBe(201)
    const otherBody = await createFeature(token, 'key', { ...body, name: 'Screen' })
    expect(otherBody).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
    const [first, other] = [await buildPod(test.db), await buildPod(test.db)]
    const book = (podId: string) =>
      test.request(routes.bookings.create, {
        token,
        params: { podId },
        body: booking,
        headers: { 'idempotency-key': 'key of a booking' },
      })
    expect((await book(first.id)).status).toBe(201)
    expect(await book(other.id)).toMatchObject({ status: 422 })
    expect(await listFeatures()).toHaveLength(1)
    expect(await test.db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
  })

  it('are independent of another person’s requests with the same key', async () => {
    const [thandi, johan] = [await test.signIn(), await test.signIn()]
    const first = await createFeature(thandi.token, 'key')
    const createOther = () => createFeature(johan.token, 'key', { ...body, name: 'Screen' })
    const other = await createOther()
    expect(other.status).toBe(201)
    expect(other.body._id).not.toBe(first.body._id)
    expect((await createFeature(thandi.token, 'key')).text).toBe(first.text)
    expect((await createOther()).text).toBe(other.text)
  })

  it('are refused when repeated after the person has lost access', async () => {
    const { token, _id } = await test.signIn()
    await createFeature(token, 'key')
    await test.db
      .updateTable('staff')
      .set({ pages: [1] })
      .where('id', '=', _id)
      .execute()
    expect((await createFeature(token, 'key')).status).toBe(403)
  })

  it('create a new record after 24 hours, whether or not the expired key was deleted', async () => {
    const { token } = await test.signIn()
    const start = test.clock.now().getTime()
    const after = (ms: number) => test.clock.set(new Date(start + ms))
    const DAY = 24 * 3_600_000
    const first = await createFeature(token, 'key')
    const extend = () =>
      test.db
        .updateTable('sessions')
        .set({ expires_at: new Date(start + 9 * DAY) })
        .execute()
    await extend()
    after(DAY - 1)
    expect(await deleteExpiredKeys(test.db, test.clock.now())).toBe(0)
    expect((await createFeature(token, 'key')).text).toBe(first.text)
    after(DAY)
    const second = await createFeature(token, 'key', { ...body, name: 'Screen' })
    expect(second.status).toBe(201)
    expect(second.headers).not.toHaveProperty('idempotency-replayed')
    expect((await createFeature(token, 'key', { ...body, name: 'Screen' })).text).toBe(second.text)
    after(2 * DAY)
    expect(await deleteExpiredKeys(test.db, test.clock.now())).toBe(1)
    expect((await createFeature(token, 'key')).headers).not.toHaveProperty('idempotency-replayed')
    expect(await listFeatures()).toHaveLength(3)
  })

  it('run again when the first one was refused or failed', async () => {
    const { token } = await test.signIn()
    const location = await buildLocation(test.db, { is_blocked: true })
    const params = { podId: (await buildPod(test.db, { location_id: location.id })).id }
    const book = () =>
      test.request(routes.bookings.create, { token, params, body: booking, headers: { 'idempotency-key': 'key' } })
    expect(await book()).toMatchObject({ status: 409, body: { code: 'location_blocked' } })
    expect(await listKeys()).toEqual([])
    await test.request(routes.locations.unblock, { token, params: { id: location.id } })
    const booked = await book()
    expect(booked.status).toBe(201)
    expect(booked.headers).not.toHaveProperty('idempotency-replayed')
    const failing = watchStatements(({ text }) =>
      text.startsWith('insert into "features"') ? 'select 1/0' : undefined,
    )
    expect((await createFeature(token, 'key of a feature')).status).toBe(500)
    failing.stop()
    const created = await createFeature(token, 'key of a feature')
    expect(created.status).toBe(201)
    expect(created.headers).not.toHaveProperty('idempotency-replayed')
  })

  it('wait for the same request in progress, and run when the first one fails', async () => {
    const { token } = await test.signIn()
    // The first request fails late, on the unique index of email addresses, after the others have begun.
    const sent = { firstname: 'Lerato', email: 'lerato@example.com', password: 'a sound long password', auth_page: [1] }
    const { email } = await test.signIn()
    const add = (address: string) =>
      test.request(routes.staff.create, {
        token,
        body: { ...sent, email: address },
        headers: { 'idempotency-key': 'key' },
      })
    const responses = await Promise.all([add(email), add(sent.email), add(email), add(sent.email)])
    const created = responses.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    expect(created).toHaveLength(2)
    for (const { status } of responses) expect([201, 409, 422]).toContain(status)
  })

  it.each(['', 'x'.repeat(256), 'ключ', 'a\tb'])('are refused when the key is malformed: %j', async (key) => {
    const { token } = await test.signIn()
    const response = await createFeature(token, key)
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(response.body.message).toContain('Idempotency-Key')
    expect(await listFeatures()).toEqual([])
  })

  it('are refused with a message when the body is nested too deeply to be compared', async () => {
    const { token } = await test.signIn()
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const response = await test.request(routes.features.create, {
      token,
      headers: { 'idempotency-key': 'deep', 'content-type': 'application/json' },
      body: Buffer.from(`{"name":"Wi-Fi","icon":"wifi","more":${deep}}`),
    })
    // Node 26 writes JSON however deeply it is nested, so that nothing is in the way.
    const isWritten = Number.parseInt(process.versions.node, 10) >= 26
    const expected = isWritten ? [201, undefined, 1] : [400, 'This JSON is nested too deeply.', 0]
    expect([response.status, response.body.message, (await listFeatures()).length]).toEqual(expected)
  })

  it('are documented in the OpenAPI document for exactly the endpoints that accept a key', () => {
    const { paths } = createOpenApiDocument('Podkeeper') as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>
    }
    for (const { endpoint } of allEndpoints) {
      const operation = paths[`/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`]?.[endpoint.method.toLowerCase()]
      const names = operation?.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
      expect(names?.includes('Idempotency-Key'), endpoint.path).toBe(takesKey(endpoint))
    }
  })
})
