import { describe, expect, it, onTestFinished } from 'vitest'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { type Route, routes, toInView } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildLocation, buildPod, buildStaff, buildUser, TEST_PASSWORD } from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { readStored } from '#server/testing/read-stored.ts'
import { allEndpoints, kindOf, soundRequests } from '#server/testing/sound-requests.ts'
import { type SignedInStaff, type TestResponse, useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { soundRequest } = soundRequests(test)
const { viewAs, pods, staff, audit, users, auth } = routes

const start = (token: string, id: string) => test.request(viewAs.start, { token, params: { id } })
const get = async (token: string) => (await test.request(viewAs.get, { token })).body.viewed
const listEnds = () =>
  test.db
    .selectFrom('audit')
    .select(['actor_id', 'entity_id', 'label', 'address', 'reason'])
    .where('action', '=', 'view-as-end')
    .execute()

/** Starts a view in the database, without a request, so that the history does not record it. */
async function see(viewer: SignedInStaff, colleague: string): Promise<void> {
  const viewed_until = new Date(test.clock.now().getTime() + 1_800_000)
  await test.db
    .updateTable('sessions')
    .set({ viewed_staff_id: colleague, viewed_until })
    .where('staff_id', '=', viewer._id)
    .execute()
}

/** Returns what to compare of a response. */
const toTold = ({ status, headers, body, text }: TestResponse) => ({
  status,
  pages: [headers['x-auth-pages'], headers['x-auth-view-only'], headers['x-auth-locations']],
  file: headers['content-disposition'],
  body: body?.requestId ? { ...body, requestId: '' } : (body ?? text),
})

describe('a request during a view', () => {
  it('is allowed for GET only, with the listed exceptions', () => {
    const name = (use: string, of: (route: Route) => boolean) =>
      allEndpoints
        .filter(({ endpoint }) => endpoint.access !== 'public' && toInView(endpoint) === use && of(endpoint))
        .map((one) => one.name)
    expect(name('read', ({ method }) => method !== 'GET')).toEqual([
      'auth.verifyPage',
      'bookingActions.previewMove',
      'closures.preview',
      'series.preview',
      'series.previewUpdate',
      'messages.preview',
    ])
    expect(name('refused', ({ method }) => method === 'GET')).toEqual([
      'account.get',
      'account.sessions',
      'secondFactors.get',
      'passkeys.list',
      'users.export',
      'users.exportBookings',
      'staff.export',
      'companies.export',
      'audit.export',
    ])
    expect(name('own', () => true)).toEqual(['auth.signOut', 'viewAs.get', 'viewAs.stop'])
  })

  type Turn = { pages: readonly PageCode[]; where: 'all' | 'here' | 'elsewhere' }

  /**
   * Lists combinations of pages (each one that gives access, all, and those that give none) and locations (all, the
   * record's, and another).
   */
  function listTurns({ access }: Route): Turn[] {
    const admitting = typeof access === 'string' ? [] : access
    const others = pageCodes.filter((page) => !admitting.includes(page))
    const held = [...admitting.map((page) => [page]), pageCodes, others]
    return held.flatMap((pages) => (['all', 'here', 'elsewhere'] as const).map((where) => ({ pages, where })))
  }

  /** Prepares the same request by a colleague and by a viewer of that colleague. */
  async function sendBoth({ name, domain, endpoint }: (typeof allEndpoints)[number], turn: Turn) {
    // The first page is view-only.
    const colleague = await test.signIn(turn.pages, { view_only_pages: turn.pages.slice(0, 1) })
    const request = await soundRequest(name, kindOf({ name, domain }) ?? 'pod', colleague._id)
    if (turn.where !== 'all') {
      const other = (await buildLocation(test.db)).id
      const ids = (await test.db.selectFrom('locations').select('id').execute()).map(({ id }) => id)
      const location_ids = turn.where === 'here' ? ids : [other]
      await test.db.updateTable('staff').set({ location_ids }).where('id', '=', colleague._id).execute()
    }
    const viewer = await test.signIn()
    await see(viewer, colleague._id)
    return {
      sendAsViewer: () => test.request(endpoint, { ...request, token: viewer.token }),
      sendAsColleague: () => test.request(endpoint, { ...request, token: colleague.token }),
    }
  }

  const withSession = allEndpoints.filter(({ endpoint }) => endpoint.access !== 'public')
  const ofUse = (use: string) => withSession.filter(({ endpoint }) => toInView(endpoint) === use)

  it.each(ofUse('refused'))(
    'to $name is refused even when the colleague has every page, and changes nothing',
    async (one) => {
      const { sendAsViewer } = await sendBoth(one, { pages: pageCodes, where: 'all' })
      const before = await readStored(test.db)
      const { status, body } = await sendAsViewer()
      expect([status, body.code]).toEqual([403, 'viewing_as'])
      expect(await readStored(test.db)).toEqual(before)
    },
  )

  it.each(ofUse('read'))('to $name gets the same response as the colleague', async (one) => {
    for (const turn of listTurns(one.endpoint)) {
      const { sendAsViewer, sendAsColleague } = await sendBoth(one, turn)
      const seen = toTold(await sendAsViewer())
      expect(seen, JSON.stringify(turn)).toEqual(toTold(await sendAsColleague()))
    }
  })
})

describe('a view', () => {
  it('gives a staff manager the colleague’s access without edits, names the colleague, and ends on request', async () => {
    const { id: location } = await buildLocation(test.db, { name: 'Rosebank' })
    const viewer = await test.signIn()
    const overrides = {
      firstname: 'Thandi',
      lastname: 'Nkosi',
      view_only_pages: [6 as const],
      location_ids: [location],
    }
    const colleague = await buildStaff(test.db, { pages: [3, 6], ...overrides })
    expect(await get(viewer.token)).toBeNull()
    const begun = await start(viewer.token, colleague.id)
    expect([begun.status, begun.body]).toEqual([200, { message: 'You see what Thandi sees' }])
    expect(await get(viewer.token)).toEqual({
      _id: colleague.id,
      firstname: 'Thandi',
      lastname: 'Nkosi',
      email: colleague.email,
      locationNames: ['Rosebank'],
      until: '2026-11-21T09:30:00.000Z',
    })
    const read = await test.request(pods.list, { token: viewer.token })
    expect(read.headers).toMatchObject({
      'x-auth-pages': '3,6',
      'x-auth-view-only': '6',
      'x-auth-locations': location,
      'x-auth-view-as': colleague.id,
    })
    const { id } = await buildPod(test.db)
    const edit = await test.request(pods.block, { token: viewer.token, params: { id } })
    expect([edit.status, edit.body.message]).toEqual([
      403,
      'This cannot be done while you see what a colleague sees. Stop that first.',
    ])
    // A second view cannot start before the first has ended.
    expect((await start(viewer.token, colleague.id)).body.code).toBe('viewing_as')
    const stopped = await test.request(viewAs.stop, { token: viewer.token })
    expect(stopped.body).toEqual({ message: 'You see your own portal' })
    const own = await test.request(pods.block, { token: viewer.token, params: { id } })
    expect(own.status).toBe(200)
    expect(own.headers).toMatchObject({ 'x-auth-pages': '1,2,3,4,5,6,7,8,9' })
    expect(own.headers).not.toHaveProperty('x-auth-view-as')
  })

  it('cannot show a colleague who holds more, is blocked or is deleted, nor oneself', async () => {
    const viewer = await test.signIn([3, 6, 8], { view_only_pages: [6] })
    const begin = async (overrides: Parameters<typeof buildStaff>[1]) => {
      const { id } = await buildStaff(test.db, overrides)
      const { status, body } = await start(viewer.token, id)
      return [status, body.code]
    }
    expect(await begin({ pages: [3, 5] })).toEqual([403, 'colleague_has_more'])
    expect(await begin({ pages: [6] })).toEqual([403, 'colleague_has_more'])
    expect(await begin({ pages: [6], view_only_pages: [6], is_blocked: true })).toEqual([409, 'conflict'])
    expect(await begin({ pages: [3], deleted_at: new Date() })).toEqual([404, 'not_found'])
    expect((await start(viewer.token, viewer._id)).body.code).toBe('own_account')
    expect(await get(viewer.token)).toBeNull()
    expect(await begin({ pages: [6], view_only_pages: [6] })).toEqual([200, undefined])
  })

  it('applies to one session of the viewer only', async () => {
    const viewer = await test.signIn()
    const { id } = await buildStaff(test.db, { pages: [3] })
    const login = await test.request(auth.login, { body: { email: viewer.email, password: TEST_PASSWORD } })
    await start(viewer.token, id)
    expect(await get(viewer.token)).toMatchObject({ _id: id })
    expect(await get(login.body.token)).toBeNull()
  })

  it('has its start, its end and every exported file in the history, under the viewer’s name', async () => {
    const viewer = await test.signIn(undefined, { firstname: 'Lindiwe', lastname: 'Dube' })
    const colleague = await buildStaff(test.db, { firstname: 'Thandi', lastname: 'Nkosi', pages: [3] })
    await start(viewer.token, colleague.id)
    expect((await test.request(pods.export, { token: viewer.token })).status).toBe(200)
    await test.request(viewAs.stop, { token: viewer.token })
    // Stopping again records nothing.
    await test.request(viewAs.stop, { token: viewer.token })
    const { body } = await test.request(audit.list, { token: viewer.token })
    const actor = { kind: 'staff', _id: viewer._id, name: 'Lindiwe Dube' }
    const of = { entity: 'staff', entityId: colleague.id, label: 'Thandi Nkosi', address: '127.0.0.1', actor }
    expect(body).toMatchObject([
      { action: 'view-as-end', ...of, reason: null },
      { action: 'export', entity: 'pod', actor, reason: 'Saw what Thandi Nkosi sees' },
      { action: 'view-as', ...of, after: { ends_at: '2026-11-21T09:30:00.000Z' } },
    ])
    expect(body).toHaveLength(3)
  })
})

describe('a view ends by itself', () => {
  const change = (id: string, columns: object) =>
    test.db.updateTable('staff').set(columns).where('id', '=', id).execute()

  type People = { viewer: SignedInStaff; colleague: SignedInStaff }
  const ends: [string, string, (people: People) => unknown, ((people: People) => unknown)?][] = [
    [
      'after 30 minutes',
      'The 30 minutes were over',
      () => test.clock.set('2026-11-21T09:30:00.000Z'),
      () => test.clock.set('2026-11-21T09:29:00.000Z'),
    ],
    [
      'when the colleague is blocked',
      'The colleague was blocked',
      ({ colleague }) => change(colleague._id, { is_blocked: true }),
      ({ colleague }) => change(colleague._id, { is_blocked: false }),
    ],
    [
      'when the colleague is deleted',
      'The colleague was deleted',
      ({ colleague }) => change(colleague._id, { deleted_at: new Date() }),
      ({ colleague }) => change(colleague._id, { deleted_at: null }),
    ],
    [
      'when the viewer may no longer change who may do what',
      'They do not manage staff any more',
      ({ viewer }) => change(viewer._id, { view_only_pages: [8] }),
      ({ viewer }) => change(viewer._id, { view_only_pages: [] }),
    ],
    [
      'when the viewer has some locations alone',
      'They do not manage staff any more',
      ({ viewer }) => change(viewer._id, { location_ids: [createId()] }),
      ({ viewer }) => change(viewer._id, { location_ids: null }),
    ],
    [
      'when the viewer loses a page of the colleague',
      'Thandi Nkosi has access to Pods, which you do not hold. Ask someone who holds all of their pages.',
      ({ viewer }) => change(viewer._id, { pages: [1, 8] }),
      ({ viewer }) => change(viewer._id, { pages: [...pageCodes] }),
    ],
    [
      'when the colleague is given more than the viewer holds',
      'Thandi Nkosi has access to User Details, which you do not hold. Ask someone who holds all of their pages.',
      async ({ viewer, colleague }) => {
        await change(viewer._id, { pages: [3, 8] })
        await change(colleague._id, { pages: [3, 5] })
      },
      ({ viewer }) => change(viewer._id, { pages: [...pageCodes] }),
    ],
  ]

  it.each(ends)(
    '%s, records the reason in the history, and does not resume',
    async (_name, reason, happen, takeBack) => {
      const viewer = await test.signIn()
      const colleague = await test.signIn([3], { firstname: 'Thandi', lastname: 'Nkosi' })
      await start(viewer.token, colleague._id)
      test.clock.set('2026-11-21T09:29:59.000Z')
      expect((await test.request(pods.list, { token: viewer.token })).headers['x-auth-view-as']).toBe(colleague._id)
      await happen({ viewer, colleague })
      const own = await test.request(routes.account.get, { token: viewer.token })
      expect([own.status, own.body._id]).toEqual([200, viewer._id])
      expect(own.headers).not.toHaveProperty('x-auth-view-as')
      const end = { actor_id: viewer._id, entity_id: colleague._id, address: '127.0.0.1', reason }
      expect(await listEnds()).toEqual([expect.objectContaining(end)])
      await takeBack?.({ viewer, colleague })
      expect(await get(viewer.token)).toBeNull()
      expect(await listEnds()).toHaveLength(1)
    },
  )

  it('when the viewer signs out, which leaves the colleague signed in', async () => {
    const viewer = await test.signIn()
    const colleague = await test.signIn([3])
    await start(viewer.token, colleague._id)
    expect((await test.request(auth.signOut, { token: viewer.token })).status).toBe(200)
    const out = test.db.selectFrom('audit').select(['actor_id', 'entity_id']).where('action', '=', 'sign-out')
    expect(await out.execute()).toEqual([{ actor_id: viewer._id, entity_id: viewer._id }])
    expect((await test.request(pods.list, { token: viewer.token })).status).toBe(401)
    expect((await test.request(pods.list, { token: colleague.token })).status).toBe(200)
  })

  it('when the viewer is blocked or deleted, which ends their session', async () => {
    const manager = await test.signIn()
    for (const route of [staff.block, staff.delete]) {
      const viewer = await test.signIn()
      await start(viewer.token, (await buildStaff(test.db, { pages: [3] })).id)
      await test.request(route, { token: manager.token, params: { id: viewer._id } })
      expect((await test.request(pods.list, { token: viewer.token })).status).toBe(401)
    }
  })
})

describe('the live stream', () => {
  it('ends when a view begins or ends, and sends only the colleague’s hints in between', async () => {
    const url = `http://127.0.0.1:${await test.listen()}`
    const viewer = await test.signIn()
    const editor = await test.signIn()
    const colleague = await buildStaff(test.db, { pages: [PAGE.pods] })
    const listen = async () => {
      const listener = await listenLive(url, viewer.token)
      onTestFinished(() => listener.leave())
      return listener
    }
    const before = await listen()
    await start(viewer.token, colleague.id)
    await before.waitFor(() => expect(before.isEnded()).toBe(true))
    const during = await listen()
    const [pod, user] = [await buildPod(test.db), await buildUser(test.db)]
    await test.request(users.block, { token: editor.token, params: { id: user.id } })
    await test.request(pods.block, { token: editor.token, params: { id: pod.id } })
    await during.waitFor(() => expect(during.text()).toContain(pod.id))
    expect(during.text()).not.toContain(user.id)
    // The editor takes pages from the viewer, which ends the view at once.
    const body = { auth_page: [8] }
    await test.request(staff.update, { token: editor.token, params: { id: viewer._id }, body })
    await during.waitFor(() => expect(during.isEnded()).toBe(true))
    const after = await listen()
    await test.request(staff.block, { token: editor.token, params: { id: colleague.id } })
    await after.waitFor(() => expect(after.text()).toContain(colleague.id))
  })
})
