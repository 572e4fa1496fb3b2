import { connect } from 'node:net'
import { pino } from 'pino'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { liveEntities } from '#contract/audit-entities.ts'
import type { LiveChange } from '#contract/live.ts'
import { PAGE, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createApp } from '#server/app.ts'
import { createContext } from '#server/create-context.ts'
import { openDatabase } from '#server/db/client.ts'
import { findSession, toTokenHash } from '#server/http/session.ts'
import { createId } from '#server/ids.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildBooking, buildFeature, buildPod } from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createLive } from './live.ts'

const isPostgres = process.env.TEST_ENGINE === 'postgres'
const test = useTestApp({}, { isOwn: true })
let url: string

beforeAll(async () => {
  url = `http://127.0.0.1:${await test.listen()}`
})

async function listen(...options: Parameters<typeof test.signIn>) {
  const staff = await test.signIn(...options)
  const client = await listenLive(url, staff.token)
  onTestFinished(client.leave)
  return { ...staff, ...client }
}

const change = (entity: LiveChange['entity'], version = 2): LiveChange => ({ entity, id: createId(), version })

describe('the live stream', () => {
  it('is not cached, compressed or buffered, and starts at once', async () => {
    const { response } = await listen()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  it('is refused with a readable error when the request does not accept an event stream', async () => {
    const { token } = await test.signIn()
    const response = await test.request(routes.live.stream, { token })
    expect([response.status, response.body.code]).toEqual([400, 'invalid_input'])
  })

  it.each(pageCodes)('sends a person with page %i only the changes of records that the page may read', async (page) => {
    const may = {
      [PAGE.dashboard]: [],
      [PAGE.features]: ['feature'],
      [PAGE.pods]: ['pod', 'location', 'feature', 'closure'],
      [PAGE.transactions]: ['location', 'transaction', 'settings'],
      [PAGE.users]: ['customer'],
      [PAGE.bookings]: ['pod', 'location', 'customer', 'company', 'booking', 'closure'],
      [PAGE.locations]: ['location'],
      [PAGE.corporateBooking]: ['pod', 'customer', 'company', 'booking', 'closure', 'settings'],
      // Staff and API keys are given locations on this page.
      [PAGE.staff]: ['location', 'staff', 'role-preset', 'policy', 'mail', 'template', 'webhook', 'api-key', 'job'],
    }[page]
    const listener = await listen([page])
    const witness = await listen()
    const changes = liveEntities.map((entity) => change(entity))
    test.context.live.publish(changes)
    await witness.waitFor(() => expect(witness.list('changes').flat()).toEqual(changes))
    // Sent after the changes, so that these have arrived once it has.
    await test.db.updateTable('staff').set({ pages: [] }).where('id', '=', listener._id).execute()
    // Two checks at the same time send the new pages only once.
    await Promise.all([test.context.live.checkSessions(), test.context.live.checkSessions()])
    await listener.waitFor(() => expect(listener.list('pages')).toEqual([[]]))
    const expected = changes.filter(({ entity }) => may.some((one) => one === entity))
    const told = listener.list('changes').flat() as LiveChange[] // of this event alone
    expect(told.filter(({ id }) => id !== undefined)).toEqual(expected)
  })

  it('tells people whose screens show a record, but who may not read it, only of what kind it is', async () => {
    const listener = await listen([PAGE.dashboard])
    const changes = [change('booking'), change('booking'), change('api-key'), change('transaction')]
    test.context.live.publish(changes)
    await listener.waitFor(() =>
      expect(listener.list('changes')).toEqual([[{ entity: 'booking' }, { entity: 'transaction' }]]),
    )
  })

  it('sends simultaneous changes in one batch, and only the kind when more than 200 are of one kind', async () => {
    const listener = await listen()
    const [first, second] = [change('pod'), change('booking')]
    const many = Array.from({ length: 201 }, () => change('transaction'))
    for (const one of [first, second, ...many]) test.context.live.publish([one])
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[first, second, { entity: 'transaction' }]]))
  })

  it('sends the record, version and tab of each change, but no record or version when features are reordered', async () => {
    const listener = await listen()
    const pod = await buildPod(test.db)
    const features = [await buildFeature(test.db), await buildFeature(test.db)]
    const headers = { 'x-tab-id': 'tab-number-1' }
    const { token } = listener
    await test.request(routes.pods.block, { token, params: { id: pod.id }, headers })
    await test.request(routes.auth.verifyPage, { token, body: { id: listener._id, auth_page: '3' } })
    await test.request(routes.pods.export, { token })
    const created = await test.request(routes.features.create, {
      token,
      body: { name: 'Desk', icon: 'desk', order: -1 },
    })
    const order = [created.body._id, ...features.map(({ id }) => id)].map((id, order) => ({ id, order }))
    await test.request(routes.features.reorder, { token, body: order, headers })
    const expected = [
      { entity: 'closure', id: expect.any(String), version: 1, tab: 'tab-number-1' },
      { entity: 'pod', id: pod.id, version: 2, tab: 'tab-number-1' },
      { entity: 'feature', id: created.body._id, version: 1 },
      { entity: 'feature', tab: 'tab-number-1' },
    ]
    await listener.waitFor(() => expect(listener.list('changes').flat()).toEqual(expected))
  })

  it('sends a hint when the status scheduler changes bookings', async () => {
    await buildBooking(test.db)
    const listener = await listen([PAGE.bookings])
    test.clock.set('2026-11-23T07:00:00.000Z')
    const log = { info: () => undefined, error: () => undefined }
    onTestFinished(await startJobs(test.context, log, test.database.notifications))
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[{ entity: 'booking' }]]))
  })

  it('sends a hint when bookings are released that nobody came for', async () => {
    await buildBooking(test.db, { status: 'Processing', created_at: new Date('2026-11-20T07:00:00.000Z') })
    await test.db.updateTable('locations').set({ no_show_minutes: 15 }).execute()
    const listener = await listen([PAGE.bookings])
    test.clock.set('2026-11-23T07:20:00.000Z')
    const log = { info: () => undefined, error: () => undefined }
    onTestFinished(await startJobs(test.context, log, test.database.notifications))
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[{ entity: 'booking' }]]))
  })

  it('sends a hint when work is given up, and when staff have it tried again', async () => {
    const { token } = await test.signIn()
    const listener = await listen([PAGE.staff])
    const used = { run_at: test.clock.now(), tries: 10, max_tries: 10 }
    const [{ id } = { id: '' }] = await test.db
      .insertInto('jobs')
      .values({ kind: 'password link', key: 'a', payload: '{"email":"nobody@example.com"}', ...used })
      .returning('id')
      .execute()
    const log = { info: () => undefined, error: () => undefined }
    onTestFinished(await startJobs(test.context, log, test.database.notifications))
    await listener.waitFor(() => expect(listener.list('changes').flat()).toContainEqual({ entity: 'job' }))
    expect((await test.request(routes.failedJobs.retry, { token, params: { id } })).status).toBe(200)
    await listener.waitFor(() => expect(listener.list('changes').flat()).toContainEqual({ entity: 'job', id }))
  })

  it('ends when its session ends', async () => {
    const listener = await listen()
    await test.request(routes.auth.signOut, { token: listener.token })
    await test.context.live.checkSessions()
    await listener.waitFor(() => expect(listener.isEnded()).toBe(true))
  })

  it('ends within a minute after its session does, when nobody says so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const session = await findSession(test.context, toTokenHash((await test.signIn()).token))
    if (!session) throw new Error('Nobody is signed in')
    const live = createLive({
      notifications: {
        listen: async () => () => undefined,
        notify: async () => undefined,
        close: async () => undefined,
      },
      clock: test.clock,
      findSession: async () => undefined,
      listSeen: async () => new Set(),
    })
    onTestFinished(() => live.close())
    const stream = await live.open(session)
    const onEnd = vi.fn<() => void>()
    stream.resume().once('end', onEnd)
    await vi.advanceTimersByTimeAsync(60_000)
    await expect.poll(() => onEnd.mock.calls).toHaveLength(1)
  })

  it('ends at once when the account is blocked', async () => {
    const { token } = await test.signIn()
    const listener = await listen([PAGE.pods])
    await test.request(routes.staff.block, { token, params: { id: listener._id } })
    await listener.waitFor(() => expect(listener.isEnded()).toBe(true))
  })

  it('announces changed pages, and then sends only changes that the new pages may read', async () => {
    const listener = await listen([PAGE.pods])
    await test.db
      .updateTable('staff')
      .set({ pages: [PAGE.users], view_only_pages: [PAGE.users] })
      .where('id', '=', listener._id)
      .execute()
    await test.context.live.checkSessions()
    await listener.waitFor(() => expect(listener.list('pages')).toEqual([[PAGE.users]]))
    expect(listener.list('viewOnlyPages')).toEqual([[PAGE.users]])
    const customer = change('customer')
    test.context.live.publish([change('pod'), customer])
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[customer]]))
  })

  it('continues while the database cannot check the session', async () => {
    const listener = await listen()
    const failing = vi.spyOn(test.context.shortReads, 'selectFrom').mockImplementation(() => {
      throw new Error('away')
    })
    await test.context.live.checkSessions()
    failing.mockRestore()
    const pod = change('pod')
    test.context.live.publish([pod])
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[pod]]))
  })

  it('disconnects a listener that does not read, and continues for the others', async () => {
    const listener = await listen()
    const { token } = await test.signIn()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const ready = new Promise((resolve) => socket.once('data', resolve))
    socket.write(
      `GET /api/live HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    await ready
    socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    // More than network buffers hold. Few but large changes, as each one's notification is refused in turn.
    const big = Array.from({ length: 10 }, () => ({ ...change('booking'), id: 'x'.repeat(950_000) }))
    for (let part = 0; part < 3; part++) {
      test.context.live.publish(big)
      await listener.waitFor(() => expect(listener.list('changes')).toHaveLength(part + 1))
    }
    socket.resume()
    await closed
    expect(listener.isEnded()).toBe(false)
  }, 60_000)

  it('ends when its session opens 20 newer streams', async () => {
    const [other, first] = [await listen(), await listen()]
    for (let n = 0; n < 19; n++) onTestFinished((await listenLive(url, first.token)).leave)
    expect(first.isEnded()).toBe(false)
    onTestFinished((await listenLive(url, first.token)).leave)
    await first.waitFor(() => expect(first.isEnded()).toBe(true))
    expect(other.isEnded()).toBe(false)
  })

  it('is forgotten when its browser leaves', async () => {
    // Those of earlier tests may still be leaving.
    await expect.poll(() => test.context.live.countListeners()).toBe(0)
    const listener = await listen()
    expect(test.context.live.countListeners()).toBe(1)
    listener.leave()
    await expect.poll(() => test.context.live.countListeners()).toBe(0)
  })
})

describe('editors of a record', () => {
  const edit = async (staff: { token: string }, record: unknown, tab = 'tab-number-1') => {
    const headers = { 'x-tab-id': tab }
    return test.request(routes.live.edit, { token: staff.token, body: { record }, headers })
  }

  it('are shown to everyone who may see the record, until the form is closed', async () => {
    const thandi = await test.signIn([PAGE.pods], { firstname: 'Thandi' })
    const johan = await listen([PAGE.pods], { firstname: 'Johan' })
    const stranger = await listen([PAGE.users])
    const record = { entity: 'pod', id: createId() }
    expect((await edit(thandi, record)).body).toEqual({ editors: [] })
    const byThandi = { ...record, editors: [{ _id: thandi._id, name: 'Thandi' }] }
    await johan.waitFor(() => expect(johan.list('editing')).toEqual([byThandi]))
    expect((await edit(johan, record)).body).toEqual({ editors: byThandi.editors })
    await edit(johan, null)
    await edit(thandi, null)
    await johan.waitFor(() => expect(johan.list('editing').at(-1)).toEqual({ ...record, editors: [] }))
    expect(stranger.text()).not.toContain('editing')
  })

  it('are sent to a stream that starts later, where a person with two tabs appears once', async () => {
    const thandi = await test.signIn([PAGE.pods], { firstname: 'Thandi' })
    const record = { entity: 'pod', id: createId() }
    await edit(thandi, record, 'tab-number-1')
    await edit(thandi, record, 'tab-number-2')
    await edit(thandi, null, 'tab-number-1')
    const johan = await listen([PAGE.pods])
    await johan.waitFor(() =>
      expect(johan.list('editing')).toContainEqual({ ...record, editors: [{ _id: thandi._id, name: 'Thandi' }] }),
    )
    await edit(thandi, null, 'tab-number-2')
  })

  it('disappear 45 seconds after the last request of their tab', async () => {
    const thandi = await test.signIn([PAGE.pods])
    const johan = await listen([PAGE.pods])
    const record = { entity: 'pod', id: createId() }
    const at = (seconds: number) => test.clock.set(new Date(Date.parse('2026-11-21T09:00:00Z') + seconds * 1_000))
    await edit(thandi, record)
    at(30)
    await edit(thandi, record)
    at(74)
    test.context.live.expireEditors()
    expect((await edit(johan, record)).body.editors).toHaveLength(1)
    at(75)
    test.context.live.expireEditors()
    expect((await edit(johan, record)).body.editors).toHaveLength(0)
    await edit(johan, null)
  })

  it('disappear from the oldest form when a session has more than twenty, and listeners are notified', async () => {
    const thandi = await test.signIn([PAGE.pods])
    const johan = await listen([PAGE.pods])
    const oldest = { entity: 'pod', id: createId() }
    await edit(thandi, oldest)
    const tabs = Array.from({ length: 20 }, (_, index) => `tab-number-${index + 2}`)
    for (const tab of tabs) await edit(thandi, { entity: 'pod', id: createId() }, tab)
    await johan.waitFor(() => expect(johan.list('editing')).toContainEqual({ ...oldest, editors: [] }))
    for (const tab of tabs) await edit(thandi, null, tab)
  })

  it('are accepted only for records that the person may read', async () => {
    const { token } = await test.signIn([PAGE.users])
    const response = await edit({ token }, { entity: 'pod', id: createId() })
    expect([response.status, response.body.code]).toEqual([403, 'page_required'])
    expect((await edit({ token }, { entity: 'pot', id: 'x' })).status).toBe(400)
  })
})

describe.runIf(isPostgres)('two servers on one database', () => {
  async function startOther() {
    const database = await openDatabase({ databaseUrl: test.database.databaseUrl, dataDir: test.database.dataDir })
    const context = await createContext(test.context.config, database, test.clock)
    const app = await createApp({ context, logger: pino({ level: 'silent' }) })
    const otherUrl = await app.listen({ port: 0, host: '127.0.0.1' })
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= app.close().then(() => database.close()))
    onTestFinished(stop)
    return { url: otherUrl, context, stop }
  }

  it('send each other all changes, each exactly once', async () => {
    const other = await startOther()
    const listener = await listen()
    const there = await listenLive(other.url, listener.token)
    onTestFinished(there.leave)
    const changes = Array.from({ length: 200 }, () => change('booking'))
    test.context.live.publish(changes)
    await there.waitFor(() => expect(there.list('changes').flat()).toEqual(changes))
    await listener.waitFor(() => expect(listener.list('changes').flat()).toEqual(changes))
    const back = change('pod')
    other.context.live.publish([back])
    await listener.waitFor(() => expect(listener.list('changes').flat()).toEqual([...changes, back]))
    await there.waitFor(() => expect(there.list('changes').flat()).toEqual([...changes, back]))
  })

  it('tell each other who is editing', async () => {
    const other = await startOther()
    const thandi = await listen(undefined, { firstname: 'Thandi' })
    const johan = await test.signIn()
    const there = await listenLive(other.url, johan.token)
    onTestFinished(there.leave)
    const record = { entity: 'pod', id: createId() }
    await test.request(routes.live.edit, { token: thandi.token, body: { record } })
    const editors = [{ _id: thandi._id, name: 'Thandi' }]
    await there.waitFor(() => expect(there.list('editing')).toContainEqual({ ...record, editors }))
    await test.request(routes.live.edit, { token: thandi.token, body: { record: null } })
    await there.waitFor(() => expect(there.list('editing').at(-1)).toEqual({ ...record, editors: [] }))
  })

  it('tell listeners that changes may be missing after the database connection was lost', async () => {
    const listener = await listen()
    // Makes this the last query of the connection that listens, which is otherwise an empty one every 30 seconds.
    onTestFinished(await test.database.notifications.listen('another channel', () => undefined))
    await test.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    )
    await listener.waitFor(() => expect(listener.list('missed')).toEqual([{}]))
  })

  it('tell each other what was changed just before one stops, and by requests that it still finishes', async () => {
    const other = await startOther()
    const listener = await listen()
    const [before, meanwhile] = [change('pod'), change('booking')]
    other.context.live.publish([before])
    other.context.live.close()
    other.context.live.publish([meanwhile])
    await other.stop()
    await listener.waitFor(() => expect(listener.list('changes').flat()).toEqual([before, meanwhile]))
  })

  it('immediately end the streams of one that stops, and keep the streams of the other open', async () => {
    const other = await startOther()
    const listener = await listen()
    const there = await listenLive(other.url, listener.token)
    await other.stop()
    await there.waitFor(() => expect(there.isEnded()).toBe(true))
    const pod = change('pod')
    test.context.live.publish([pod])
    await listener.waitFor(() => expect(listener.list('changes')).toEqual([[pod]]))
  })
})
