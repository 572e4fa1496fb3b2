import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { type Route, routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
  TEST_PASSWORD,
} from '#server/testing/factories.ts'
import { sampleRequests } from '#server/testing/sample-requests.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'
import { deleteUnusedImages } from '../uploads/uploads.service.ts'

const test = useTestApp()
const { undo, restore } = routes.audit

type Case = {
  name: string
  build: () => Promise<{ id: string }>
  change: Route
  body?: unknown
  read: (token: string, id: string) => Promise<unknown>
}

const of = (list: Route, key?: string) => async (token: string, id: string) => {
  const { body } = await test.request(list, { token })
  const { version: _, updatedAt: _at, ...row } = (key ? body[key] : body).find((row: { _id: string }) => row._id === id)
  return row
}
const { features, locations, pods, users, staff, bookings, pricing } = routes
const blockable = [
  { kind: 'feature', build: () => buildFeature(test.db), calls: features, read: of(features.list) },
  { kind: 'location', build: () => buildLocation(test.db), calls: locations, read: of(locations.list, 'data') },
  { kind: 'pod', build: () => buildPod(test.db), calls: pods, read: of(pods.list) },
  { kind: 'customer', build: () => buildUser(test.db), calls: users, read: of(users.list) },
  { kind: 'staff member', build: () => buildStaff(test.db), calls: staff, read: of(staff.list) },
].flatMap(({ kind, build, calls, read }): Case[] => [
  { name: `a block of a ${kind}`, build, change: calls.block, read },
  { name: `the deletion of a ${kind}`, build, change: calls.delete, read },
])
const cases: Case[] = [
  ...blockable,
  {
    name: 'an edit of a pod with its images and location',
    build: () => buildPod(test.db),
    change: pods.update,
    body: async () => ({
      title: 'Other',
      location: (await buildLocation(test.db)).id,
      features: [(await buildFeature(test.db)).id],
      images: [{ public_id: 'b', url: 'https://images.example.com/b.jpg' }],
    }),
    read: of(pods.list),
  },
  {
    name: 'a change of permissions',
    build: () => buildStaff(test.db, { pages: [1, 2, 3] }),
    change: staff.update,
    body: async () => ({ auth_page: [8] }),
    read: of(staff.list),
  },
  {
    name: 'a cancellation',
    build: () => buildBooking(test.db, { status: 'Confirmed' }),
    change: bookings.cancel,
    read: of(bookings.list),
  },
]

/** The actions under which undos are recorded, where these differ from what they take back. */
const takenBackAs: Record<string, string> = { block: 'unblock', delete: 'restore', cancel: 'reinstate' }

const undoOf = (response: TestResponse, token: string) =>
  test.request(undo, { token, params: { id: String(response.headers['x-change-id']) } })

describe('undo', () => {
  it.each(cases)('reverses $name', async ({ build, change, body, read }) => {
    const { token } = await test.signIn()
    const { id } = await build()
    const before = await read(token, id)
    const sent = typeof body === 'function' ? await body() : undefined
    const changed = await test.request(change, { token, params: { id }, body: sent })
    expect(changed.status).toBe(200)
    const undone = await undoOf(changed, token)
    expect(undone.status, undone.text).toBe(200)
    expect(changed.headers['x-undo-id']).toBe(changed.headers['x-change-id'])
    expect(await read(token, id)).toEqual(before)
    const rows = await test.db
      .selectFrom('audit')
      .select(['action', 'undoes'])
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
    const action = String(rows[0]?.action)
    expect(rows).toEqual([
      { action, undoes: null },
      { action: takenBackAs[action] ?? action, undoes: changed.headers['x-change-id'] },
    ])
  })

  it('reverses a new order of features and a new rate', async () => {
    const { token } = await test.signIn()
    const ids = [(await buildFeature(test.db)).id, (await buildFeature(test.db)).id]
    const body = ids.map((id, index) => ({ id, order: 1 - index }))
    const read = async () =>
      (await test.request(features.list, { token })).body.map((feature: { _id: string }) => feature._id)
    const moved = await test.request(features.reorder, { token, body })
    expect(await read()).toEqual(ids.toReversed())
    expect((await undoOf(moved, token)).status).toBe(200)
    expect(await read()).toEqual(ids)
    await test.request(pricing.setRate, { token, body: { rate: 2 } })
    const priced = await test.request(pricing.setRate, { token, body: { rate: 3 } })
    const undone = await undoOf(priced, token)
    expect([undone.status, undone.body.message]).toEqual([200, 'The change to Rate and discount is undone'])
    expect((await test.request(pricing.getRate, { token })).body).toEqual({ rate: 2 })
  })

  it('refuses a change followed by another, a change already undone, a new password and a creation', async () => {
    const { token } = await test.signIn()
    const { id } = await buildLocation(test.db)
    const edit = (body: object) => test.request(locations.update, { token, params: { id }, body })
    const first = await edit({ name: 'One' })
    const second = await edit({ city: 'Two' })
    expect((await undoOf(first, token)).body.code).toBe('cannot_undo')
    expect((await undoOf(second, token)).status).toBe(200)
    expect((await undoOf(second, token)).status).toBe(409)
    const password = await test.request(staff.update, {
      token,
      params: { id: (await buildStaff(test.db)).id },
      body: { password: 'harbour lamp 2026 x' },
    })
    const created = await test.request(features.create, { token, body: { name: 'Wi-Fi', icon: 'wifi' } })
    for (const other of [password, created]) {
      expect(other.headers['x-undo-id']).toBeUndefined()
      expect((await undoOf(other, token)).status).toBe(409)
    }
    expect((await test.request(undo, { token, params: { id } })).status).toBe(404)
  })

  it('refuses to undo a deletion of a record that was restored, and deleted again, since', async () => {
    const { token } = await test.signIn()
    const params = { id: (await buildLocation(test.db)).id }
    const first = await test.request(locations.delete, { token, params })
    expect((await undoOf(first, token)).status).toBe(200)
    const second = await test.request(locations.delete, { token, params })
    expect((await undoOf(first, token)).body.code).toBe('cannot_undo')
    const undone = await undoOf(second, token)
    expect([undone.status, undone.body.message]).toEqual([200, expect.stringContaining('is restored')])
  })

  it('refuses to reinstate a booking whose slots have been taken meanwhile', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    const { id } = await buildBooking(test.db, { pod_id: pod.id })
    const cancelled = await test.request(bookings.cancel, { token, params: { id } })
    await buildBooking(test.db, { pod_id: pod.id })
    const refused = await undoOf(cancelled, token)
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    expect(await of(bookings.list)(token, id)).toMatchObject({ status: 'Cancelled' })
  })

  it('refuses a person who could not make the change themselves', async () => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db, { pages: [2, 8] })
    const changed = await test.request(staff.update, { token, params: { id }, body: { auth_page: [8] } })
    const colleague = await test.signIn([PAGE.staff])
    expect((await undoOf(changed, colleague.token)).body.code).toBe('page_not_held')
    const other = await test.signIn([PAGE.pods])
    expect((await undoOf(changed, other.token)).body.code).toBe('page_required')
  })

  it('refuses to undo a file, which changed nothing', async () => {
    const { token } = await test.signIn()
    for (const [entity, route] of [
      ['booking', routes.bookings.export],
      ['pod', routes.pods.export],
    ] as const) {
      expect((await test.request(route, { token })).status).toBe(200)
      const { id } = await test.db
        .selectFrom('audit')
        .select('id')
        .where('action', '=', 'export')
        .where('entity', '=', entity)
        .executeTakeFirstOrThrow()
      const refused = await test.request(undo, { token, params: { id } })
      expect([refused.status, refused.body.code], entity).toEqual([409, 'cannot_undo'])
    }
  })

  it('lets only those who may edit policies undo a change of a location’s policies', async () => {
    const { token } = await test.signIn()
    const { id } = await buildLocation(test.db)
    const ofLocation = { token, params: { id } }
    const edits: [Route, object][] = [
      [routes.messages.setReminder, { reminderHours: 24 }],
      [routes.bookingActions.setLocationPolicy, { noShowMinutes: 15 }],
    ]
    for (const [index, [route, body]] of edits.entries()) {
      const changed = await test.request(route, { ...ofLocation, body, headers: { 'if-match': `"${index * 2 + 1}"` } })
      expect(changed.status, changed.text).toBe(200)
      const clerk = await test.signIn([PAGE.locations], { location_ids: [id] })
      expect((await undoOf(changed, clerk.token)).body.code).toBe('page_required')
      const manager = await test.signIn([PAGE.staff], { location_ids: [id] })
      expect((await undoOf(changed, manager.token)).body.code).toBe('all_locations_required')
      expect((await undoOf(changed, (await test.signIn([PAGE.staff])).token)).status).toBe(200)
    }
  })

  it('needs the password again for what a colleague may do, as the change itself', async () => {
    const { token, _id } = await test.signIn()
    const { id } = await buildStaff(test.db, { pages: [1, 8] })
    const changed = await test.request(staff.update, { token, params: { id }, body: { auth_page: [1] } })
    const removed = await test.request(staff.delete, { token, params: { id } })
    const colleague = await buildStaff(test.db)
    const blocked = await test.request(staff.block, { token, params: { id: colleague.id } })
    const confirmed_at = new Date(test.clock.now().getTime() - 3_600_000)
    await test.db.updateTable('sessions').set({ confirmed_at }).where('staff_id', '=', _id).execute()
    expect((await undoOf(removed, token)).body.code).toBe('confirmation_required')
    const restored = await test.request(restore, { token, params: { id }, body: { entity: 'staff' } })
    expect(restored.body.code).toBe('confirmation_required')
    for (const done of [changed, blocked]) expect((await undoOf(done, token)).body.code).toBe('confirmation_required')
  })

  it('needs the password again for where data is sent, as the change itself', async () => {
    const { token, _id } = await test.signIn()
    const body = { url: 'https://example.com/hook', events: ['customer.*'] }
    const { _id: id } = (await test.request(routes.webhooks.create, { token, body })).body
    const change = (url: string, as: 'update' | 'delete' = 'update') =>
      test.request(routes.webhooks[as], { token, params: { id }, body: { url }, headers: { 'if-match': '*' } })
    const changed = await change('https://example.com/elsewhere')
    const removed = await change('', 'delete')
    const confirmed_at = new Date(test.clock.now().getTime() - 3_600_000)
    await test.db.updateTable('sessions').set({ confirmed_at }).where('staff_id', '=', _id).execute()
    for (const done of [changed, removed]) expect((await undoOf(done, token)).body.code).toBe('confirmation_required')
    const restored = await test.request(restore, { token, params: { id }, body: { entity: 'webhook' } })
    expect(restored.body.code).toBe('confirmation_required')
  })

  it('says that a password stays which was set by the same edit', async () => {
    const { token } = await test.signIn()
    const { id, title } = await buildPod(test.db)
    const body = { title: 'Aurora', password: 'another secret of the door' }
    const edited = await test.request(pods.update, { token, params: { id }, body })
    const undone = await undoOf(edited, token)
    const message = 'The change to Aurora is undone, except for the password: earlier ones are not kept'
    expect([undone.status, undone.body.message]).toEqual([200, message])
    const row = await test.db.selectFrom('pods').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect([row.title, row.device_password]).toEqual([title, 'v0:another secret of the door'])
  })

  it('of an unblock ends the colleague’s sessions, as a block does', async () => {
    const { token } = await test.signIn()
    const colleague = await test.signIn([PAGE.bookings])
    const params = { id: colleague._id }
    await test.request(staff.block, { token, params })
    const unblocked = await test.request(staff.unblock, { token, params })
    const password = { email: colleague.email, password: TEST_PASSWORD }
    const again = await test.request(routes.auth.login, { body: password })
    expect(again.status).toBe(200)
    expect((await undoOf(unblocked, token)).status).toBe(200)
    await test.request(staff.unblock, { token, params })
    expect((await test.request(bookings.list, { token: again.body.token })).status).toBe(401)
  })

  describe('of taking an image off a pod', () => {
    const DAY = 24 * 3_600_000
    const other = [{ public_id: 'b', url: 'https://images.example.com/b.jpg' }]

    /** Takes an image that is stored since long off a pod, and deletes those that are not used, some time after that. */
    async function takeOff(afterMs: number) {
      const { token } = await test.signIn()
      const pod = await buildPod(test.db)
      const name = '/uploads/0123456789abcdef0123456789abcdef'
      const image = { id: createId(), url: `${name}.webp`, thumbnail_url: `${name}-thumbnail.webp` }
      const created_at = new Date('2026-11-01T09:00:00.000Z')
      const more = { placeholder: 'data:', width: 4, height: 3, discarded_at: null, created_at }
      await test.db
        .insertInto('images')
        .values({ ...image, ...more })
        .execute()
      const edit = (images: object[]) => test.request(pods.update, { token, params: { id: pod.id }, body: { images } })
      expect((await edit([{ public_id: image.id, url: image.url }])).status).toBe(200)
      const replaced = await edit(other)
      test.clock.set(new Date(test.clock.now().getTime() + afterMs))
      const deleted = await deleteUnusedImages(test.context, new Date(test.clock.now().getTime() - DAY))
      const { token: later } = await test.signIn()
      return { pod, image, deleted, undone: await undoOf(replaced, later), token: later }
    }

    it('brings it back for a day, although no pod has had it meanwhile', async () => {
      const { pod, image, deleted, undone, token } = await takeOff(DAY)
      expect([deleted, undone.status]).toEqual([0, 200])
      expect(await of(pods.list)(token, pod.id)).toMatchObject({ images: [{ url: image.url }] })
    })

    it('is refused when an image that the pod had is no longer stored', async () => {
      const { pod, deleted, undone, token } = await takeOff(DAY + 1000)
      const message = 'An image that this pod had is no longer stored.'
      expect([deleted, undone.status, undone.body.code, undone.body.message]).toEqual([1, 409, 'cannot_undo', message])
      expect(await of(pods.list)(token, pod.id)).toMatchObject({ images: other })
    })
  })

  it('is refused, with the reason, when the location that the pod was at has been deleted', async () => {
    const { token } = await test.signIn()
    const [former, present] = [await buildLocation(test.db), await buildLocation(test.db)]
    const pod = await buildPod(test.db, { location_id: former.id })
    const moved = await test.request(pods.update, { token, params: { id: pod.id }, body: { location: present.id } })
    expect((await test.request(locations.delete, { token, params: { id: former.id } })).status).toBe(200)
    const message = 'The location of this pod has been deleted. Restore the location first.'
    expect((await undoOf(moved, token)).body).toMatchObject({ code: 'cannot_undo', message })
    expect(await of(pods.list)(token, pod.id)).toMatchObject({ location: { _id: present.id } })
  })

  it('of a rate or a policy does not depend on changes of the other, with which it shares a version', async () => {
    const { token } = await test.signIn()
    const priced = await test.request(pricing.setRate, { token, body: { rate: 3 } })
    const setPolicy = async (reason: string, fee?: number) => {
      const { body } = await test.request(routes.bookingActions.getPolicy, { token })
      const policy = { cancelReasons: [reason], ...(fee && { cancelPolicy: { ...body.cancelPolicy, fee } }) }
      const headers = { 'if-match': `"${body.version}"` }
      return test.request(routes.bookingActions.setPolicy, { token, body: policy, headers })
    }
    const illWithFee = await setPolicy('Ill', 20)
    await setPolicy('Late')
    // One of two fields is still as it was left.
    expect((await undoOf(illWithFee, token)).body.code).toBe('cannot_undo')
    const ill = await setPolicy('Ill')
    expect((await undoOf(priced, token)).status).toBe(200)
    const late = await setPolicy('Late')
    expect((await undoOf(ill, token)).body.code).toBe('cannot_undo')
    expect((await undoOf(late, token)).status).toBe(200)
    expect((await test.request(routes.bookingActions.getPolicy, { token })).body.cancelReasons).toEqual(['Ill'])
  })
})

/** What these end is no record of its own, or is over for good. */
const notRestored = new Set(['closures.delete', 'passkeys.delete', 'secondFactors.delete'])
const deleting = allEndpoints.filter(({ name }) => name.endsWith('.delete') && !notRestored.has(name))
const samples = sampleRequests(test)

describe('restore', () => {
  it.each(deleting)('brings back a record of every kind that can be deleted: $name', async ({ name, endpoint }) => {
    const { token } = await test.signIn()
    const deleted = await test.request(endpoint, { ...(await samples[name]?.()), token })
    const { entity, entity_id } = await test.db
      .selectFrom('audit')
      .select(['entity', 'entity_id'])
      .where('id', '=', String(deleted.headers['x-change-id']))
      .executeTakeFirstOrThrow()
    const query = { entity, id: String(entity_id) }
    const history = await test.request(routes.audit.history, { token, query })
    expect(history.body[0].isDeleted).toBe(true)
    const response = await test.request(restore, { token, params: { id: String(entity_id) }, body: { entity } })
    expect(response.status, response.text).toBe(200)
  })

  it('brings back features that are restored at once, each with a place of its own', async () => {
    const { token } = await test.signIn()
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await buildFeature(test.db)).id))
    for (const id of ids) await test.request(features.delete, { token, params: { id } })
    // As after deletions of what was first, with new orders between them.
    await test.db.updateTable('features').set({ position: 0 }).execute()
    const body = { entity: 'feature' }
    const restored = await Promise.all(ids.map((id) => test.request(restore, { token, params: { id }, body })))
    expect(restored.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const { body: listed } = await test.request(features.list, { token })
    expect(listed.map(({ _id }: { _id: string }) => _id).toSorted()).toEqual(ids.toSorted())
  })

  it('brings back a feature in its place, and on its pods too', async () => {
    const { token } = await test.signIn()
    const feature = await buildFeature(test.db)
    const pod = await buildPod(test.db)
    await test.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await buildFeature(test.db)
    await test.request(features.delete, { token, params: { id: feature.id } })
    const deleted = await test.request(features.list, { token, query: { status: 'deleted' } })
    expect(deleted.body).toMatchObject([{ _id: feature.id }])
    expect((await test.request(pods.get, { token, params: { id: pod.id } })).body.features).toEqual([])
    const params = { id: feature.id }
    const { token: without } = await test.signIn([PAGE.pods])
    const refused = await test.request(restore, { token: without, params, body: { entity: 'feature' } })
    expect([refused.status, refused.body.code]).toEqual([403, 'page_required'])
    expect((await test.request(restore, { token, params, body: { entity: 'feature' } })).status).toBe(200)
    expect((await test.request(pods.get, { token, params: { id: pod.id } })).body.features).toMatchObject([
      { _id: feature.id },
    ])
    expect((await test.request(features.list, { token })).body[0]._id).toBe(feature.id)
    expect((await test.request(restore, { token, params, body: { entity: 'feature' } })).status).toBe(409)
  })

  it('brings back a feature in a place that another has taken, which moves on', async () => {
    const { token } = await test.signIn()
    const [first, second] = [await buildFeature(test.db), await buildFeature(test.db)]
    const reorder = async (...ids: string[]) => {
      const body = ids.map((id, order) => ({ id, order }))
      expect((await test.request(features.reorder, { token, body })).status).toBe(200)
    }
    await reorder(first.id, second.id)
    await test.request(features.delete, { token, params: { id: first.id } })
    await reorder(second.id)
    const restored = await test.request(restore, { token, params: { id: first.id }, body: { entity: 'feature' } })
    expect(restored.status, restored.text).toBe(200)
    const list = (await test.request(features.list, { token })).body
    expect(list.map(({ _id }: { _id: string }) => _id)).toEqual([first.id, second.id])
  })

  it('is refused, with the reason, when the location is deleted or the email address is taken', async () => {
    const { token } = await test.signIn()
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id, deleted_at: new Date() })
    await test.request(locations.delete, { token, params: { id: location.id } })
    const refused = await test.request(restore, { token, params: { id: pod.id }, body: { entity: 'pod' } })
    expect(refused.body).toMatchObject({
      code: 'cannot_undo',
      message: expect.stringContaining('Restore the location'),
    })
    const gone = await buildStaff(test.db, { email: 'same@example.com', deleted_at: new Date() })
    await buildStaff(test.db, { email: 'same@example.com' })
    const taken = await test.request(restore, { token, params: { id: gone.id }, body: { entity: 'staff' } })
    expect(taken.body.code).toBe('email_taken')
  })
})

describe('the offer to undo a change', () => {
  const writes = allEndpoints.filter(
    ({ name, endpoint: { method, access } }) => method !== 'GET' && access !== 'public' && name in samples,
  )
  const requests = writes.flatMap(({ name, endpoint }) =>
    (typeof endpoint.access === 'string' ? [PAGE.dashboard] : endpoint.access).map((page) => ({
      name,
      endpoint,
      page,
    })),
  )

  it.each(requests)(
    'is made only to those who may undo it: $name with page $page',
    async ({ name, endpoint, page }) => {
      const { token } = await test.signIn([page])
      const { headers, ...call } = (await samples[name]?.()) ?? {}
      const send = () => test.request(endpoint, { ...call, token, headers: { ...headers, 'idempotency-key': 'key' } })
      const changed = await send()
      const undoId = changed.headers['x-undo-id']
      if (undoId === undefined) return
      expect((await send()).headers['x-undo-id'], 'when the request is repeated').toBe(undoId)
      const undone = await undoOf(changed, token)
      expect(undone.status, undone.text).not.toBe(403)
    },
  )

  it('is made for one’s own details to those who manage staff, and to nobody else', async () => {
    const change = async (page: PageCode) => {
      const { token } = await test.signIn([page])
      const call = { token, body: { firstname: 'Thandeka' }, headers: { 'if-match': '"1"' } }
      const { headers, status } = await test.request(routes.account.update, call)
      expect(status).toBe(200)
      return headers
    }
    expect(await change(PAGE.staff)).toHaveProperty('x-undo-id')
    expect(await change(PAGE.features)).not.toHaveProperty('x-undo-id')
  })
})
