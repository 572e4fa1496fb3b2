import { describe, expect, it } from 'vitest'
import type { Closure } from '#contract/closures.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

const signIn = async () => (await test.signIn([3, 6, 7, 8, 9], { firstname: 'Thandi', lastname: 'Nkosi' })).token

async function listClosures(token: string): Promise<Closure[]> {
  return (await test.request(routes.closures.list, { token, query: { page: '1' } })).body
}

const getPod = async (token: string, id: string) =>
  (await test.request(routes.pods.get, { token, params: { id } })).body

/** Closes until the next day, then until further notice. Returns how to undo the last change of the pod or location. */
async function removeEnd(scope: object) {
  const token = await signIn()
  const ends = '2026-11-24T12:00:00.000Z'
  const closed = await test.request(routes.closures.create, { token, body: { ...scope, reason: 'Leak', ends } })
  const params = { id: closed.body._id }
  const headers = { 'if-match': '*' }
  await test.request(routes.closures.update, { token, params, headers, body: { reason: 'Leak', ends: null } })
  const undo = async (entity: 'pod' | 'location', id: string, token: string) => {
    const { body: history } = await test.request(routes.audit.history, { token, query: { entity, id } })
    return test.request(routes.audit.undo, { token, params: { id: history[0]._id } })
  }
  return { ends, undo }
}

describe('the blocked state of a pod or location', () => {
  it('ends when its closure is undone, and returns with its reason when unblocking is undone', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const undo = async (response: { headers: Record<string, unknown> }) => {
      const undone = await test.request(routes.audit.undo, {
        token,
        params: { id: String(response.headers['x-undo-id']) },
      })
      expect(undone.status, undone.text).toBe(200)
    }
    const created = await test.request(routes.closures.create, { token, body: { podIds: [pod.id], reason: 'Leak' } })
    await undo(created)
    expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: false })
    expect((await listClosures(token)).map(({ state }) => state)).toEqual(['over'])
    await test.request(routes.closures.create, { token, body: { podIds: [pod.id], reason: 'Lock broken' } })
    test.clock.set(new Date(test.clock.now().getTime() + 60_000))
    const other = await buildPod(test.db)
    await test.request(routes.closures.create, { token, body: { podIds: [other.id], reason: 'Painting' } })
    for (const _ of ['once', 'again']) {
      await undo(await test.request(routes.pods.unblock, { token, params: { id: pod.id } }))
      expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: true, closure: { reason: 'Lock broken' } })
    }
  })

  it('returns with the reason that it had when it ended, not with that of its first block', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const params = { id: pod.id }
    const close = async (reason: string) =>
      (await test.request(routes.closures.create, { token, body: { podIds: [pod.id], reason } })).body
    const edit = (id: string, body: object) =>
      test.request(routes.closures.update, { token, params: { id }, headers: { 'if-match': '*' }, body })
    const returnsFor = async (reason: string, { status, headers }: TestResponse, undoId = headers['x-undo-id']) => {
      expect(status).toBe(200)
      expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: false })
      const undone = await test.request(routes.audit.undo, { token, params: { id: String(undoId) } })
      expect(undone.status, undone.text).toBe(200)
      expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: true, closure: { reason } })
    }
    const { _id: leak } = await close('Leak')
    await edit(leak, { reason: 'Mould' })
    await returnsFor('Mould', await test.request(routes.pods.unblock, { token, params }))
    const { _id: paint } = await close('Painting')
    const mould = (await listClosures(token)).find(({ reason, state }) => reason === 'Mould' && state === 'now')
    await test.request(routes.closures.delete, {
      token,
      params: { id: String(mould?._id) },
      headers: { 'if-match': '*' },
    })
    const ended = await edit(paint, { reason: 'Painted', ends: '2026-11-21T12:00:00.000Z' })
    const history = await test.request(routes.audit.history, { token, query: { entity: 'pod', id: pod.id } })
    await returnsFor('Painting', ended, history.body[0]._id)
  })

  it.each(['pod', 'location'] as const)(
    'gives a closure of a %s back the end that was removed, and takes it off again',
    async (of) => {
      const token = await signIn()
      const pod = await buildPod(test.db)
      const scope = of === 'pod' ? { podIds: [pod.id] } : { locationId: pod.location_id }
      const id = of === 'pod' ? pod.id : pod.location_id
      const { undo, ends } = await removeEnd(scope)
      for (const given of [ends, null, ends]) {
        expect((await undo(of, id, token)).status).toBe(200)
        const closures = await listClosures(token)
        expect(closures).toMatchObject([{ state: 'now', reason: 'Leak', ends: given, next: { ends: given } }])
      }
      const body = { bookingPurpose: 'work', bookingDate: '2026-11-24' }
      const book = (from: string, to: string) => {
        const times = { startTime: `2026-11-24T${from}:00.000Z`, endTime: `2026-11-24T${to}:00.000Z` }
        return test.request(routes.bookings.create, { token, params: { podId: pod.id }, body: { ...body, ...times } })
      }
      expect((await book('11:00', '12:00')).body.code).toBe('pod_closed')
      expect((await book('12:00', '13:00')).status).toBe(201)
    },
  )

  it('gives one pod of a closure back the end that was removed, and leaves the others blocked', async () => {
    const token = await signIn()
    const pods = [await buildPod(test.db), await buildPod(test.db)] as const
    const { undo, ends } = await removeEnd({ podIds: pods.map(({ id }) => id) })
    for (const [{ id }, { id: other }, isBlocked] of [
      [pods[0], pods[1], true],
      [pods[1], pods[0], false],
    ] as const) {
      expect((await undo('pod', id, token)).status).toBe(200)
      expect(await getPod(token, id)).toMatchObject({ isBlocked: false })
      expect(await getPod(token, other)).toMatchObject({ isBlocked })
      const closures = await listClosures(token)
      expect(closures.find(({ pods: [pod] }) => pod?._id === id)).toMatchObject({ reason: 'Leak', state: 'now', ends })
    }
    expect(await listClosures(token)).toHaveLength(2)
  })

  it('ends a closure whose removed end has passed since', async () => {
    const pod = await buildPod(test.db)
    const { undo } = await removeEnd({ podIds: [pod.id] })
    test.clock.set('2026-11-25T10:00:00.000Z')
    const token = await signIn()
    expect((await undo('pod', pod.id, token)).status).toBe(200)
    expect(await listClosures(token)).toMatchObject([{ state: 'over', endedAt: '2026-11-25T10:00:00.000Z' }])
  })

  it('returns with its reason for somebody who has only some of the locations of its pods', async () => {
    const [mine, other] = [await buildPod(test.db), await buildPod(test.db)]
    const body = { podIds: [mine.id, other.id], reason: 'Leak' }
    await test.request(routes.closures.create, { token: await signIn(), body })
    const { token } = await test.signIn([PAGE.pods], { location_ids: [mine.location_id] })
    const { headers } = await test.request(routes.pods.unblock, { token, params: { id: mine.id } })
    await test.request(routes.audit.undo, { token, params: { id: String(headers['x-undo-id']) } })
    expect(await getPod(token, mine.id)).toMatchObject({ isBlocked: true, closure: { reason: 'Leak' } })
  })

  it.each(['pod', 'location'] as const)('does not return over bookings made since a %s was unblocked', async (of) => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const left = await buildBooking(test.db, { pod_id: pod.id, created_at: new Date('2026-11-20T08:00:00.000Z') })
    const [endpoints, id] = of === 'pod' ? [routes.pods, pod.id] : [routes.locations, pod.location_id]
    const unblock = async () => {
      await test.request(endpoints.block, { token, params: { id } })
      const { headers } = await test.request(endpoints.unblock, { token, params: { id } })
      return () => test.request(routes.audit.undo, { token, params: { id: String(headers['x-undo-id']) } })
    }
    expect((await (await unblock())()).status).toBe(200)
    const undo = await unblock()
    test.clock.set(new Date(test.clock.now().getTime() + 60_000))
    const times = { startTime: '2026-11-24T09:00:00.000Z', endTime: '2026-11-24T10:00:00.000Z' }
    const body = { podId: pod.id, bookingDate: '2026-11-24', ...times, version: 1 }
    const moved = await test.request(routes.bookingActions.move, { token, params: { id: left.id }, body })
    expect(moved.status).toBe(200)
    expect(await undo()).toMatchObject({
      status: 409,
      body: {
        code: 'closure_undecided',
        message: '1 booking has been made or moved there since. Block it again, and decide about it.',
      },
    })
    const back = { id: String(moved.headers['x-undo-id']) }
    expect((await test.request(routes.audit.undo, { token, params: back })).status).toBe(200)
    await test.request(routes.bookings.cancel, { token, params: { id: left.id } })
    expect((await undo()).status).toBe(200)
  })

  it('offers no undo where only a part of the change could be reversed', async () => {
    const token = await signIn()
    const [one, two] = [await buildPod(test.db), await buildPod(test.db)]
    const both = await test.request(routes.closures.create, {
      token,
      body: { podIds: [one.id, two.id], reason: 'Leak' },
    })
    expect(both.headers).not.toHaveProperty('x-undo-id')
    const third = await buildPod(test.db)
    const { id: bookingId } = await buildBooking(test.db, { pod_id: third.id })
    const decisions = [{ bookingId, action: 'cancel' }]
    const body = { podIds: [third.id], reason: 'Leak', decisions }
    const cancelled = await test.request(routes.closures.create, { token, body })
    expect(cancelled.status).toBe(201)
    expect(cancelled.headers).not.toHaveProperty('x-undo-id')
  })

  it('offers no undo to those who lack the Locations page when they close a location', async () => {
    const close = async (pages: PageCode[], view_only_pages: PageCode[] = []) => {
      const { token } = await test.signIn(pages, { view_only_pages })
      const body = { locationId: (await buildLocation(test.db)).id, reason: 'Leak' }
      const { status, headers } = await test.request(routes.closures.create, { token, body })
      expect(status).toBe(201)
      return { token, undoId: headers['x-undo-id'] }
    }
    expect((await close([PAGE.pods])).undoId).toBeUndefined()
    expect((await close([PAGE.pods, PAGE.locations], [PAGE.locations])).undoId).toBeUndefined()
    const { token, undoId } = await close([PAGE.locations])
    expect((await test.request(routes.audit.undo, { token, params: { id: String(undoId) } })).status).toBe(200)
  })
})
