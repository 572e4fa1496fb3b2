import { describe, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import type { Closure } from '#contract/closures.ts'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import type { PublishedChange } from '../live/server-messages.ts'
import { followAllClosures } from './blocking.ts'

const test = useTestApp()
/** The wall clock in the business time zone. */
const NOW = '2026-11-21T11:00:00.000Z'
const at = (mark: string, date = '2026-11-23') => `${date}T${mark}:00.000Z`

const signIn = async () => (await test.signIn([3, 6, 7, 8, 9], { firstname: 'Thandi', lastname: 'Nkosi' })).token

async function listClosures(token: string): Promise<Closure[]> {
  return (await test.request(routes.closures.list, { token, query: { page: '1' } })).body
}

async function book(podId: string, pages: (3 | 9)[] = [9]) {
  const { token } = await test.signIn(pages)
  const body = { bookingPurpose: 'work', bookingDate: '2026-11-23', startTime: at('09:00'), endTime: at('10:00') }
  return test.request(routes.bookings.create, { token, params: { podId }, body })
}

const getPod = async (token: string, id: string) =>
  (await test.request(routes.pods.get, { token, params: { id } })).body

/** Returns action, reason and kind of actor of the record's changes, newest first. */
async function readHistory(token: string, entity: 'pod' | 'location', id: string) {
  const { body } = await test.request(routes.audit.history, { token, query: { entity, id } })
  return body.map(({ action, reason, actor }: { action: string; reason: string | null; actor: { kind: string } }) => [
    action,
    reason,
    actor.kind,
  ])
}

describe('the blocked state of a pod or location', () => {
  it('is set by the block endpoints as a closure until further notice, and bookings stay', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const location = await buildLocation(test.db)
    const { id } = await buildBooking(test.db, { pod_id: pod.id })
    for (const [domain, record, of] of [
      ['pods', pod, { pods: [{ _id: pod.id }], location: null }],
      ['locations', location, { pods: [], location: { _id: location.id } }],
    ] as const) {
      const params = { id: record.id }
      for (let time = 1; time <= 2; time++) {
        expect((await test.request(routes[domain].block, { token, params })).status).toBe(200)
      }
      const [closure, ...others] = (await listClosures(token)).filter(({ state }) => state === 'now')
      expect(others).toEqual([])
      expect(closure).toMatchObject({ ...of, reason: 'Blocked', starts: NOW, ends: null, createdBy: 'Thandi Nkosi' })
      for (let time = 1; time <= 2; time++) {
        expect((await test.request(routes[domain].unblock, { token, params })).status).toBe(200)
      }
      expect((await listClosures(token)).map(({ state }) => state)).not.toContain('now')
    }
    const booking = await test.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    expect(booking.status).toBe('Pending')
  })

  it('follows a closure without an end, and shows its reason and creator', async () => {
    const token = await signIn()
    const [one, two] = [await buildPod(test.db), await buildPod(test.db)]
    const { body: closure } = await test.request(routes.closures.create, {
      token,
      body: { podIds: [one.id, two.id], reason: 'Leak' },
    })
    expect(await getPod(token, one.id)).toMatchObject({
      isBlocked: true,
      closure: { _id: closure._id, reason: 'Leak', starts: NOW, createdBy: 'Thandi Nkosi' },
    })
    expect((await book(one.id)).body.code).toBe('pod_blocked')
    expect(await readHistory(token, 'pod', two.id)).toEqual([['block', 'Leak', 'staff']])
    const { body: blocked } = await test.request(routes.pods.list, { token, query: { status: 'blocked' } })
    expect(blocked).toHaveLength(2)

    const change = (body: object, version: number) =>
      test.request(routes.closures.update, {
        token,
        params: { id: closure._id },
        headers: { 'if-match': String(version) },
        body: { reason: 'Leak', ...body },
      })
    expect((await change({ ends: at('12:00') }, 1)).status).toBe(200)
    expect(await getPod(token, one.id)).toMatchObject({ isBlocked: false, closure: null })
    expect((await change({ ends: null }, 2)).status).toBe(200)
    expect(await getPod(token, one.id)).toMatchObject({ isBlocked: true })
    const params = { id: closure._id }
    expect((await test.request(routes.closures.delete, { token, params, headers: { 'if-match': '3' } })).status).toBe(
      200,
    )
    for (const { id } of [one, two]) expect(await getPod(token, id)).toMatchObject({ isBlocked: false })
  })

  it('includes the reason with access to Pods, but not with Booking alone', async () => {
    await buildPod(test.db, { is_blocked: true })
    await buildLocation(test.db, { is_blocked: true, name: 'Blocked' })
    for (const [page, reason] of [
      [6, undefined],
      [3, 'Blocked'],
    ] as const) {
      const { token } = await test.signIn([page])
      const [pod] = (await test.request(routes.pods.list, { token })).body
      expect(pod.closure?.reason).toBe(reason)
      const { data } = (await test.request(routes.locations.list, { token, query: { search: 'Blocked' } })).body
      expect(data[0].closure?.reason).toBe(reason)
    }
  })

  it('begins by itself when a later closure without an end begins', async () => {
    const token = await signIn()
    const location = await buildLocation(test.db)
    const body = { locationId: location.id, starts: at('06:00'), reason: 'Moving out' }
    expect((await test.request(routes.closures.create, { token, body })).status).toBe(201)
    const isBlocked = async () => {
      const { token: fresh } = await test.signIn([7])
      return (await test.request(routes.locations.get, { token: fresh, params: { id: location.id } })).body.isBlocked
    }
    expect(await followAllClosures(test.context)).toBe(0)
    expect(await isBlocked()).toBe(false)
    test.clock.set('2026-11-23T04:00:00.000Z')
    const hints: PublishedChange[] = []
    const live = { ...test.context.live, publish: (changes: readonly PublishedChange[]) => void hints.push(...changes) }
    expect(await followAllClosures({ ...test.context, live })).toBe(1)
    expect(hints.map(({ entity }) => entity).toSorted()).toEqual(['closure', 'location', 'pod'])
    expect(await isBlocked()).toBe(true)
    expect(await readHistory(await signIn(), 'location', location.id)).toEqual([['block', 'Moving out', 'system']])
    expect(await followAllClosures(test.context)).toBe(0)
  })

  it('ends for one pod of a closure without ending for its other pod', async () => {
    const token = await signIn()
    const [one, two] = [await buildPod(test.db), await buildPod(test.db)]
    await test.request(routes.closures.create, { token, body: { podIds: [one.id, two.id], reason: 'Leak' } })
    expect((await test.request(routes.pods.unblock, { token, params: { id: one.id } })).status).toBe(200)
    expect(await getPod(token, one.id)).toMatchObject({ isBlocked: false })
    expect(await getPod(token, two.id)).toMatchObject({ isBlocked: true })
    expect(await listClosures(token)).toMatchObject([{ state: 'now', pods: [{ _id: two.id }] }])
    expect((await book(one.id)).status).toBe(201)
  })

  it('can also be set by editing a location', async () => {
    const token = await signIn()
    const location = await buildLocation(test.db)
    const edit = (isBlocked: boolean) =>
      test.request(routes.locations.update, { token, params: { id: location.id }, body: { isBlocked } })
    expect((await edit(true)).body).toMatchObject({ isBlocked: true, version: 2 })
    expect(await listClosures(token)).toMatchObject([{ state: 'now', location: { _id: location.id }, ends: null }])
    expect((await edit(true)).body).toMatchObject({ isBlocked: true, version: 2 })
    expect((await edit(false)).body).toMatchObject({ isBlocked: false, version: 3 })
    expect(await listClosures(token)).toMatchObject([{ state: 'over' }])
  })

  it('is reported once per pod and location, with reasons only for staff who may see closures', async () => {
    const token = await signIn()
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id })
    for (const body of [
      { podIds: [pod.id], reason: 'Leak' },
      { podIds: [pod.id], reason: 'Lock broken' },
      { locationId: location.id, reason: 'Painting' },
    ]) {
      expect((await test.request(routes.closures.create, { token, body })).status).toBe(201)
    }
    const refused = await book(pod.id)
    expect(refused.body).toMatchObject({
      code: 'pod_blocked',
      message: 'This pod is blocked and cannot be booked. Choose another pod.',
    })
    expect(
      refused.body.reasons.map(({ code, closure }: { code: string; closure?: object }) => [code, closure]),
    ).toEqual([
      ['pod_blocked', undefined],
      ['location_blocked', undefined],
    ])
    const { reasons } = (await book(pod.id, [3, 9])).body
    expect(reasons.map(({ message }: { message: string }) => message)).toEqual([
      'Closed until further notice: Leak',
      'Closed until further notice: Painting',
    ])
  })

  it('remains when a deleted pod is restored, unless its closure has ended meanwhile', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    const { body: closure } = await test.request(routes.closures.create, {
      token,
      body: { podIds: [pod.id], reason: 'Leak' },
    })
    const params = { id: pod.id }
    const restore = () => test.request(routes.audit.restore, { token, params, body: { entity: 'pod' } })
    await test.request(routes.pods.delete, { token, params })
    await restore()
    expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: true })
    await test.request(routes.pods.delete, { token, params })
    const ended = await test.request(routes.closures.delete, {
      token,
      params: { id: closure._id },
      headers: { 'if-match': '1' },
    })
    expect(ended.status).toBe(200)
    await restore()
    expect(await getPod(token, pod.id)).toMatchObject({ isBlocked: false })
    const query = { entity: 'pod', id: pod.id }
    const changes = (await test.request(routes.audit.history, { token, query })).body.map(
      ({ action, version }: Change) => [action, version],
    )
    expect(changes.slice(0, 3)).toEqual([
      ['restore', 7],
      ['unblock', 6],
      ['delete', 5],
    ])
  })
})
