import { describe, expect, it } from 'vitest'
import { HOUR } from '#contract/durations.ts'
import { PAGE } from '#contract/pages.ts'
import { POD_DEFAULTS } from '#contract/pod-defaults.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildClosure, buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'

const test = useTestApp({ SECRET_KEY: 'a key for the tests of pods' })
const { list, get, create, update, block, unblock, delete: remove } = routes.pods

const signIn = async () => (await test.signIn([PAGE.pods])).token
const image = { public_id: 'a', url: 'https://pictures.example.com/a.jpg' }

/** Returns a body with all fields that the form requires (rules §5.2). */
async function buildBody(overrides: Record<string, unknown> = {}) {
  return {
    title: 'Boardroom',
    description: 'A quiet room',
    direction: 'https://maps.example.com/?q=1',
    location: (await buildLocation(test.db)).id,
    features: [(await buildFeature(test.db)).id],
    images: [image],
    booking_requirements: 'None',
    availability: 'Every day',
    cancellation_policy: 'Free',
    safety_and_property: 'Cameras',
    UserId: 'door-user',
    deviceId: 'door-device',
    serial: 'door-serial',
    password: 'door-password',
    email: 'host@example.com',
    rate: 2.5,
    ...overrides,
  }
}

async function createPod(token: string, overrides: Record<string, unknown> = {}) {
  const response = await test.request(create, { token, body: await buildBody(overrides) })
  expect(response.body).toMatchObject({ _id: expect.any(String) })
  expect(response.status).toBe(201)
  return response.body
}

const edit = (token: string, id: string, body: unknown) => test.request(update, { token, params: { id }, body })
const readRow = (id: string) =>
  test.db
    .selectFrom('pods')
    .select(['device_password', 'deleted_at', 'slug'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const toProblem = (response: { status: number; body: { message: string; errors: unknown } }) => ({
  status: response.status,
  message: response.body.message,
  errors: response.body.errors,
})
const refusal = (path: string, message: string) => ({ status: 400, message, errors: [{ path, message }] })

describe('POST product/create-pods', () => {
  it('creates a pod with the defaults, and returns the pod as the list does', async () => {
    const token = await signIn()
    const body = await buildBody()
    const response = await test.request(create, { token, body })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({
      ...body,
      slug: 'boardroom',
      location: { _id: body.location },
      features: [{ _id: body.features[0] }],
      password: '********',
      category: POD_DEFAULTS.category,
      timeSlot: '9am-5pm',
      tags: 'Cape Town, Meeting Room',
      productId: 'prod00qd',
      isAvailable: true,
      isBlocked: false,
      ratings: [],
      ratingCount: 0,
      totalRating: '0',
      capacity: null,
      createdAt: test.clock.now().toISOString(),
      updatedAt: test.clock.now().toISOString(),
    })
    expect((await test.request(list, { token })).body).toEqual([response.body])
  })

  it('accepts populated objects as ids and numbers as text, and ignores unknown and read-only fields', async () => {
    const token = await signIn()
    const location = await buildLocation(test.db)
    const feature = await buildFeature(test.db)
    const body = await buildBody({
      location: { _id: location.id, name: 'x' },
      features: [{ _id: feature.id, name: 'y' }, feature.id.toUpperCase()],
      rate: ' 3.25 ',
      timeSlot: '',
      tags: '',
      isBlocked: true,
      ratingCount: 99,
      _id: createId(),
      password_hash: 'x',
    })
    const response = await test.app.inject({
      method: 'POST',
      url: '/product/create-pods',
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({
      location: { _id: location.id },
      rate: 3.25,
      isBlocked: false,
      ratingCount: 0,
      timeSlot: '9am-5pm',
      tags: 'Cape Town, Meeting Room',
    })
    expect(response.json().features).toHaveLength(1)
  })

  it.each([[undefined], [null], [''], ['  ']])('uses the platform’s rate when the pod’s own is %j', async (rate) => {
    await test.db.updateTable('pricing').set({ rate: 4.75 }).execute()
    const token = await signIn()
    const pod = await createPod(token, { rate })
    expect(pod.rate).toBe(4.75)
    // The rate is the pod's own from then on, and an edit without one keeps it.
    await test.db.updateTable('pricing').set({ rate: 9 }).execute()
    expect((await edit(token, pod._id, { rate, title: 'Renamed' })).body).toMatchObject({
      title: 'Renamed',
      rate: 4.75,
    })
    expect((await createPod(token, { rate: 0 })).rate).toBe(0)
  })

  it('keeps all features and images in order, and drops duplicate features', async () => {
    const token = await signIn()
    const made = []
    for (let index = 0; index < 12; index++) made.push((await buildFeature(test.db)).id)
    const wanted = made.toReversed()
    const images = Array.from({ length: 12 }, (_, index) => ({
      public_id: `p${11 - index}`,
      url: `https://pictures.example.com/${index}.jpg`,
    }))
    const pod = await createPod(token, { features: [...wanted, ...made], images })
    expect(pod.features.map((feature: { _id: string }) => feature._id)).toEqual(wanted)
    expect(pod.images).toEqual(images)
  })

  it('encrypts the device password, and never returns or stores the plain text', async () => {
    const pod = await createPod(await signIn(), { password: 'open sesame' })
    expect(JSON.stringify(pod)).not.toContain('sesame')
    const { device_password } = await readRow(pod._id)
    expect(device_password).toMatch(/^v2:/)
    expect(Buffer.from(device_password.slice(3), 'base64').toString('latin1')).not.toContain('sesame')
    expect(test.context.secrets.open(device_password)).toBe('open sesame')
  })

  it('keeps long, right-to-left, emoji and HTML texts as they are', async () => {
    const token = await signIn()
    for (const title of ['x'.repeat(200), 'غرفة الاجتماعات', '🏠 Room', '<b>O\'Neil & "Sons"</b>', '=1+1', '会議室']) {
      const pod = await createPod(token, { title, description: title })
      expect(pod).toMatchObject({ title, description: title })
      expect(pod.slug).toMatch(/^[a-z0-9-]{1,80}$/)
    }
  })

  const required = {
    title: 'Title',
    description: 'Description',
    direction: 'Maps link',
    location: 'Location',
    booking_requirements: 'Booking requirements',
    availability: 'Availability',
    cancellation_policy: 'Cancellation policy',
    safety_and_property: 'Safety and property',
    UserId: 'User id',
    deviceId: 'Device id',
    serial: 'Device serial',
    password: 'Device password',
    email: 'Host email',
  }

  it('reports each required field that is missing or empty', async () => {
    const token = await signIn()
    const body = await buildBody()
    for (const [path, label] of Object.entries(required)) {
      for (const value of [undefined, '', null]) {
        const response = await test.request(create, { token, body: { ...body, [path]: value } })
        expect(toProblem(response)).toEqual(refusal(path, `${label} is required`))
      }
    }
    for (const path of ['features', 'images']) {
      for (const value of [undefined, []]) {
        const response = await test.request(create, { token, body: { ...body, [path]: value } })
        expect(toProblem(response)).toEqual(refusal(path, `At least one ${path.slice(0, -1)} is required`))
      }
    }
    const unseen = await test.request(create, { token, body: { ...body, title: '\u200b\u2060 ' } })
    expect(toProblem(unseen)).toEqual(refusal('title', 'Title is required'))
    expect((await test.request(create, { token, body: {} })).body.errors).toHaveLength(15)
    expect((await test.request(create, { token })).body.message).toBe('A JSON body is required')
  })

  it('refuses more than 100 features or 30 images', async () => {
    const token = await signIn()
    for (const [path, value, message] of [
      ['features', Array.from({ length: 101 }, createId), 'At most 100 features'],
      ['images', Array.from({ length: 31 }, () => ({ url: '/front.png' })), 'At most 30 images'],
    ] as const) {
      const response = await test.request(create, { token, body: await buildBody({ [path]: value }) })
      expect(toProblem(response)).toEqual(refusal(path, message))
    }
  })

  it.each([
    ['title', 'x'.repeat(201), 'Title may have at most 200 characters'],
    ['password', '********', 'Device password is required'],
    ['password', 'a\0b', 'password has a character that cannot be stored'],
    ['email', 'nobody', 'Host email must be an email address'],
    ['rate', 'free', 'Rate per minute must be a number'],
    ['rate', -1, 'Rate per minute cannot be negative'],
    ['isAvailable', 'yes', 'isAvailable must be true or false'],
    ['capacity', 0, 'Seats must be at least 1'],
    ['capacity', '51', 'Seats must be at most 50'],
    ['capacity', 2.5, 'Seats must be a whole number'],
    ['capacity', 'many', 'Seats must be a number'],
    ['capacity', true, 'Seats must be a number'],
  ])('refuses %s %j', async (path, value, message) => {
    const response = await test.request(create, { token: await signIn(), body: await buildBody({ [path]: value }) })
    expect(toProblem(response)).toEqual(refusal(path, message))
  })

  it('refuses an image without a proper url', async () => {
    const token = await signIn()
    for (const url of ['javascript:alert(1)', 'a.jpg', 'data:image/png;base64,AA', 'ftp://example.com/a.jpg']) {
      const response = await test.request(create, { token, body: await buildBody({ images: [image, { url }] }) })
      expect(toProblem(response)).toEqual(refusal('images.1.url', 'The url of an image begins with / or http(s)://'))
    }
  })

  it('refuses an unknown, deleted or blocked location', async () => {
    const token = await signIn()
    const gone = await buildLocation(test.db, { deleted_at: new Date() })
    const blocked = await buildLocation(test.db, { is_blocked: true })
    for (const location of [createId(), 'nowhere', gone.id]) {
      const response = await test.request(create, { token, body: await buildBody({ location }) })
      expect(toProblem(response)).toEqual(refusal('location', 'This location does not exist. Choose another.'))
    }
    const response = await test.request(create, { token, body: await buildBody({ location: blocked.id }) })
    expect(toProblem(response)).toEqual(refusal('location', 'This location is blocked. Choose another.'))
  })

  it('refuses an unknown or blocked feature, and creates no pod', async () => {
    const token = await signIn()
    const known = (await buildFeature(test.db)).id
    const blocked = await buildFeature(test.db, { name: 'Sauna', is_blocked: true })
    const unknown = refusal('features', 'One of these features does not exist any more. Choose again.')
    const { id: deleted } = await buildFeature(test.db, { deleted_at: new Date() })
    for (const feature of [createId(), 'none', deleted]) {
      const response = await test.request(create, { token, body: await buildBody({ features: [known, feature] }) })
      expect(toProblem(response)).toEqual(unknown)
    }
    const response = await test.request(create, { token, body: await buildBody({ features: [known, blocked.id] }) })
    expect(toProblem(response)).toEqual(refusal('features', 'The feature Sauna is blocked. Choose another.'))
    expect((await test.request(list, { token })).body).toEqual([])
  })
})

describe('the slug of a pod', () => {
  it('is made from the title, with a number when the title repeats, even after a deletion', async () => {
    const token = await signIn()
    const first = await createPod(token)
    await createPod(token)
    await test.request(remove, { token, params: { id: first._id } })
    await createPod(token, { title: 'Boardroom 3' })
    const slugs = [(await createPod(token, { title: 'BOARDROOM!' })).slug, (await createPod(token)).slug]
    expect(slugs).toEqual(['boardroom-4', 'boardroom-5'])
  })

  it('is unique among 50 pods of one title that are created at once', async () => {
    const token = await signIn()
    const body = await buildBody({ title: '会議室' })
    const responses = await Promise.all(Array.from({ length: 50 }, () => test.request(create, { token, body })))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201))
    const numbered = Array.from({ length: 50 }, (_, index) => (index === 0 ? 'pod' : `pod-${index + 1}`))
    expect(new Set(responses.map(({ body }) => body.slug))).toEqual(new Set(numbered))
  })

  it('stays the same when the title changes', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    expect((await edit(token, pod._id, { title: 'Renamed' })).body).toMatchObject({
      title: 'Renamed',
      slug: 'boardroom',
    })
  })
})

describe('the images of a pod', () => {
  const url = `/uploads/${'0a'.repeat(16)}.webp`
  const store = (overrides: { discarded_at?: Date } = {}) =>
    test.db
      .insertInto('images')
      .values({
        id: 'stored',
        url,
        thumbnail_url: '/uploads/t.webp',
        placeholder: 'data:,',
        width: 2,
        height: 1,
        ...overrides,
      })
      .execute()

  it('include their thumbnail when stored here, however the client spells the url', async () => {
    const token = await signIn()
    await store()
    const whole = { public_id: 'stored', url, thumbnail: '/uploads/t.webp', placeholder: 'data:,', width: 2, height: 1 }
    const sent = [
      { public_id: 'stored', url },
      { url },
      { public_id: 'stored', url: `https://portal.example.com${url}` },
    ]
    expect((await createPod(token, { images: sent })).images).toEqual([whole, whole, whole])
  })

  const key = '0a'.repeat(16)
  const spellings = [
    `http://localhost:4000${url}`,
    `HTTPS://Portal.example.com:8443${url}`,
    `https://portal.example.com/api${url}`,
    `https://portal.example.com/admin${url}?v=2#top`,
    `//portal.example.com${url}`,
    `/api${url}`,
    url.slice(1),
    `api${url}?width=400`,
    `${url}#main`,
    `${url}/`,
    `/uploads/%30a${key.slice(2)}.webp`,
    encodeURIComponent(`http://localhost:4000${url}`),
    encodeURIComponent(encodeURIComponent(url)),
    `/uploads/${key}-thumbnail.webp`,
    `http://localhost:4000/uploads/${key}-thumbnail.webp?v=1`,
    `/uploads/${key}`,
    `${key}.webp`,
    key,
    key.toUpperCase(),
    'stored',
    '/uploads/stored',
    'https://portal.example.com/uploads/stored.webp',
  ]

  it('are recognised as stored here in any spelling of url or public_id, on create and on edit', async () => {
    const token = await signIn()
    await store()
    const sent = spellings.flatMap((spelling) => [
      { url: spelling },
      { url: 'https://pictures.example.com/b.jpg', public_id: spelling },
    ])
    const kept = sent.map(() => ({ public_id: 'stored', url }))
    const pod = await createPod(token, { images: sent.slice(0, 20) })
    expect(pod.images).toMatchObject(kept.slice(0, 20))
    for (let start = 0; start < sent.length; start += 20) {
      const images = sent.slice(start, start + 20)
      expect((await edit(token, pod._id, { images })).body.images).toMatchObject(kept.slice(0, images.length))
    }
  })

  it('stay external when their url only resembles one of ours', async () => {
    const token = await signIn()
    await store()
    const images = [
      { public_id: 'x', url: `https://elsewhere.example.com/uploads/${'1b'.repeat(16)}.webp` },
      { public_id: 'uploads/mine', url: 'https://elsewhere.example.com/uploads/a.webp' },
      { public_id: 'y', url: `https://elsewhere.example.com/a.jpg?of=${encodeURIComponent(url)}` },
    ]
    expect((await createPod(token, { images })).images).toEqual(images)
  })

  it('are refused when no longer stored, unless the pod already has them', async () => {
    const token = await signIn()
    const missing = refusal('images.1', 'This image is no longer stored. Upload it again.')
    const images = [image, { public_id: 'stored', url }]
    expect(toProblem(await test.request(create, { token, body: await buildBody({ images }) }))).toEqual(missing)
    await store({ discarded_at: new Date() })
    expect(toProblem(await test.request(create, { token, body: await buildBody({ images }) }))).toEqual(missing)
    await test.db.updateTable('images').set({ discarded_at: null }).execute()
    const pod = await createPod(token, { images })
    await test.db.deleteFrom('images').execute()
    expect((await edit(token, pod._id, { images })).body.images).toEqual(images)
    const spelled = [image, { public_id: 'stored', url: `/api${url}?v=1` }]
    expect((await edit(token, pod._id, { images: spelled })).body.images).toEqual(images)
  })
})

describe('PUT product/edit-pods', () => {
  it('changes the fields that are sent and keeps the others', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    test.clock.set('2026-11-21T09:30:00.000Z')
    const other = await buildLocation(test.db)
    const response = await edit(token, pod._id, {
      title: 'New',
      rate: '7',
      UserId: 'new-user',
      location: { _id: other.id },
    })
    expect(response.status).toBe(200)
    const changed = {
      ...pod,
      title: 'New',
      rate: 7,
      UserId: 'new-user',
      location: { ...pod.location, _id: other.id, name: other.name },
      updatedAt: '2026-11-21T09:30:00.000Z',
      version: 2,
    }
    expect(response.body).toEqual(changed)
    expect((await test.request(get, { token, params: { id: pod._id } })).body).toEqual(changed)
  })

  it('keeps the number of seats until another valid value is sent', async () => {
    const token = await signIn()
    const pod = await createPod(token, { capacity: ' 8 ' })
    expect(pod.capacity).toBe(8)
    // An edit by a client that does not know the field keeps it.
    expect((await edit(token, pod._id, { title: 'New' })).body.capacity).toBe(8)
    for (const [sent, kept] of [
      [50, 50],
      ['1', 1],
      [null, null],
      [12, 12],
      ['', null],
    ]) {
      expect((await edit(token, pod._id, { capacity: sent })).body.capacity).toBe(kept)
    }
    expect((await edit(token, pod._id, { capacity: 51 })).status).toBe(400)
    for (const capacity of [0, 51]) {
      const write = test.db.updateTable('pods').set({ capacity }).where('id', '=', pod._id).execute()
      await expect(write).rejects.toThrow('pods_capacity_check')
    }
  })

  it('accepts a complete pod as it was returned, and changes nothing', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    const { device_password } = await readRow(pod._id)
    expect((await edit(token, pod._id, pod)).body).toEqual(pod)
    expect((await readRow(pod._id)).device_password).toBe(device_password)
    expect((await edit(token, pod._id, {})).body).toEqual(pod)
  })

  it('keeps the device password when the mask or an empty text is sent, and encrypts a new one', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    for (const password of ['********', '']) {
      await edit(token, pod._id, { password })
      expect(test.context.secrets.open((await readRow(pod._id)).device_password)).toBe('door-password')
    }
    const response = await edit(token, pod._id, { password: 'changed' })
    expect(response.text).not.toContain('changed')
    const { device_password } = await readRow(pod._id)
    expect(device_password).toMatch(/^v2:/)
    expect(test.context.secrets.open(device_password)).toBe('changed')
  })

  it('replaces features and images, in their order', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    const added = await buildFeature(test.db)
    const features = [added.id, pod.features[0]._id]
    const images = [{ public_id: 'b', url: '/pictures/b.jpg' }, image]
    const response = await edit(token, pod._id, { features, images })
    expect(response.body.features.map((feature: { _id: string }) => feature._id)).toEqual(features)
    // One that is deleted stays with the pod, hidden, until it is restored.
    const setDeleted = (deleted_at: Date | null) =>
      test.db.updateTable('features').set({ deleted_at }).where('id', '=', added.id).execute()
    await setDeleted(new Date())
    const shorter = await edit(token, pod._id, { features: features.slice(1) })
    expect(shorter.body.features).toMatchObject([{ _id: features[1] }])
    await setDeleted(null)
    const { body: restored } = await test.request(routes.pods.get, { token, params: { id: pod._id } })
    expect(new Set(restored.features.map((feature: { _id: string }) => feature._id))).toEqual(new Set(features))
    expect(response.body.images).toEqual(images)
  })

  it('keeps a location and a feature that were blocked since, but refuses other blocked ones', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    await test.db.updateTable('locations').set({ is_blocked: true }).execute()
    await test.db.updateTable('features').set({ is_blocked: true }).execute()
    const kept = await edit(token, pod._id, {
      location: pod.location._id,
      features: [pod.features[0]._id],
      title: 'Kept',
    })
    expect(kept.body).toMatchObject({ title: 'Kept', location: { isBlocked: true }, features: [{ isBlocked: true }] })

    const location = (await buildLocation(test.db, { is_blocked: true })).id
    expect(toProblem(await edit(token, pod._id, { location }))).toEqual(
      refusal('location', 'This location is blocked. Choose another.'),
    )
    const feature = await buildFeature(test.db, { name: 'Sauna', is_blocked: true })
    expect(toProblem(await edit(token, pod._id, { features: [feature.id], title: 'Not kept' }))).toEqual(
      refusal('features', 'The feature Sauna is blocked. Choose another.'),
    )
    expect((await test.request(get, { token, params: { id: pod._id } })).body.title).toBe('Kept')
  })

  it.each([
    ['title', '', 'Title is required'],
    ['features', [], 'At least one feature is required'],
    ['images', [], 'At least one image is required'],
    ['rate', -0.5, 'Rate per minute cannot be negative'],
    ['location', null, 'Location is required'],
  ])('refuses %s %j', async (path, value, message) => {
    const token = await signIn()
    const pod = await createPod(token)
    expect(toProblem(await edit(token, pod._id, { [path]: value }))).toEqual(refusal(path, message))
  })

  it('runs concurrent edits of one pod one after the other', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    const made = []
    for (let index = 0; index < 8; index++) made.push((await buildFeature(test.db)).id)
    const responses = await Promise.all(made.map((id) => edit(token, pod._id, { features: [id], title: id })))
    expect(responses.map(({ status }) => status)).toEqual(made.map(() => 200))
    const { body } = await test.request(get, { token, params: { id: pod._id } })
    expect(body.features).toMatchObject([{ _id: body.title }])
  })
})

describe('edit, block, unblock and delete', () => {
  it('block and unblock a pod, and accept a second block and an empty JSON body', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    const params = { id: pod._id }
    const requests = [
      { route: block, body: { message: 'Pod blocked successfully', upcomingBookings: 0 }, isBlocked: true },
      { route: block, body: { message: 'Pod blocked successfully', upcomingBookings: 0 }, isBlocked: true },
      { route: unblock, body: { message: 'Pod unblocked successfully' }, isBlocked: false },
    ]
    for (const { route, body, isBlocked } of requests) {
      const response = await test.request(route, { token, params, headers: { 'content-type': 'application/json' } })
      expect([response.status, response.body]).toEqual([200, body])
      expect((await test.request(get, { token, params })).body.isBlocked).toBe(isBlocked)
    }
  })

  it('hide a deleted pod, and keep its bookings and their slots', async () => {
    const token = await signIn()
    const pod = await createPod(token)
    const params = { id: pod._id }
    const booking = await buildBooking(test.db, { pod_id: pod._id })
    const response = await test.request(remove, { token, params })
    expect([response.status, response.body]).toEqual([200, { message: 'Pod deleted successfully' }])

    expect((await test.request(list, { token })).body).toEqual([])
    for (const route of [get, update, block, unblock, remove]) {
      const later = await test.request(route, { token, params, ...(route === update ? { body: { title: 'x' } } : {}) })
      expect([later.status, later.body.message]).toEqual([404, 'Pod not found'])
    }
    expect((await readRow(pod._id)).deleted_at).toEqual(test.clock.now())
    const { slots } = await test.db
      .selectFrom('booking_slots')
      .select(({ fn }) => fn.countAll<number>().as('slots'))
      .where('booking_id', '=', booking.id)
      .executeTakeFirstOrThrow()
    expect(slots).toBe(4)
  })

  it.each([update, block, unblock, remove])('return 404 from $path for unknown and malformed ids', async (route) => {
    const token = await signIn()
    for (const id of [createId(), 'none', '1']) {
      const response = await test.request(route, { token, params: { id }, ...(route === update ? { body: {} } : {}) })
      expect(response.status).toBe(404)
      expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
    }
  })
})

describe('a pod and its location', () => {
  it('allow only the pod’s creation or the location’s deletion when both are concurrent', async () => {
    const { token } = await test.signIn([PAGE.pods, PAGE.locations])
    for (let round = 0; round < 5; round++) {
      const body = await buildBody()
      const [created, deleted] = await Promise.all([
        test.request(create, { token, body }),
        test.request(routes.locations.delete, { token, params: { id: body.location } }),
      ])
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([created.status, deleted.status])
    }
  })

  it('appear in the list with the location’s current name', async () => {
    const token = await signIn()
    const pod = await buildPod(test.db)
    await test.db.updateTable('locations').set({ name: 'Renamed' }).where('id', '=', pod.location_id).execute()
    expect((await test.request(list, { token })).body[0].location.name).toBe('Renamed')
  })
})

describe('a pod that is moved to another location', () => {
  const DAY = '2026-11-21'
  const at = (time: string) => new Date(`${DAY}T${time}:00.000Z`)
  const wire = (time: string) => at(time).toISOString()

  async function buildMove() {
    const { token } = await test.signIn()
    const there = await buildLocation(test.db)
    const pod = await buildPod(test.db)
    const go = () => edit(token, pod.id, { location: there.id })
    return { token, pod, there, go }
  }

  const undo = (token: string, id: unknown) => test.request(routes.audit.undo, { token, params: { id: String(id) } })
  const listLocations = async () =>
    new Map((await test.db.selectFrom('bookings').select(['id', 'location_id']).execute()).map((row) => [row.id, row]))

  it('takes its bookings that are not over along, and back when that is undone', async () => {
    const { token, pod, there, go } = await buildMove()
    const build = (from: string, to: string, more = {}) =>
      buildBooking(test.db, { pod_id: pod.id, start_time: at(from), end_time: at(to), ...more })
    const over = await build('09:00', '11:00', { status: 'Completed' })
    const going = await build('11:00', '12:00')
    const cancelled = await build('14:00', '15:00', { status: 'Cancelled' })
    const elsewhere = await buildBooking(test.db, { start_time: at('14:00') })
    const moved = await go()
    expect(moved.headers['x-undo-id']).toBe(moved.headers['x-change-id'])
    const after = await listLocations()
    for (const { id } of [going, cancelled]) expect(after.get(id)?.location_id).toBe(there.id)
    expect(after.get(over.id)?.location_id).toBe(pod.location_id)
    expect(after.get(elsewhere.id)?.location_id).toBe(elsewhere.location_id)
    const narrowed = await test.signIn([PAGE.bookings], { location_ids: [there.id] })
    const arrivals = await test.request(routes.bookingActions.arrivals, { token: narrowed.token })
    expect(arrivals.body.arrivals).toMatchObject([{ _id: going.id }])
    const history = await test.request(routes.audit.history, { token, query: { entity: 'booking', id: going.id } })
    expect(history.body).toMatchObject([{ action: 'edit', after: { location_id: there.id }, version: 2 }])
    expect((await undo(token, history.body[0]._id)).body.message).toBe('This cannot be undone.')
    expect((await undo(token, moved.headers['x-undo-id'])).status).toBe(200)
    for (const { id } of [over, going, cancelled])
      expect((await listLocations()).get(id)?.location_id).toBe(pod.location_id)
  })

  it('takes a running booking to a location that was closed before', async () => {
    const { pod, there, go } = await buildMove()
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('10:00'), end_time: at('12:00') })
    await buildClosure(test.db, { location_id: there.id, starts: at('09:00'), ends: at('10:30') })
    expect((await go()).status).toBe(200)
  })

  it('does not take bookings to a location that is closed then, nor back to one', async () => {
    const { token, pod, there, go } = await buildMove()
    const build = (from: string, to: string, more = {}) =>
      buildBooking(test.db, { pod_id: pod.id, start_time: at(from), end_time: at(to), ...more })
    const booking = await build('15:00', '16:00')
    await build('15:00', '16:00', { status: 'Cancelled' })
    for (const [from, to] of [
      ['14:00', '14:30'],
      ['17:00', '18:00'],
    ] as const)
      await build(from, to)
    const closed = { starts: at('14:30'), ends: at('17:00') }
    const closure = await buildClosure(test.db, { location_id: there.id, ...closed })
    const message = '1 booking of this pod is at a time when that location is closed. Move or cancel them first.'
    expect(await go()).toMatchObject({
      status: 409,
      body: { code: 'closure_undecided', message, errors: [{ path: 'location', message }] },
    })
    expect((await listLocations()).get(booking.id)?.location_id).toBe(pod.location_id)
    await test.db.deleteFrom('closures').where('id', '=', closure.id).execute()
    const moved = await go()
    expect(moved.status).toBe(200)
    await buildClosure(test.db, { location_id: pod.location_id, ...closed })
    expect((await undo(token, moved.headers['x-undo-id'])).body.code).toBe('closure_undecided')
  })

  it.each([
    ['only if nothing has changed since', 'nothing', 200],
    ['not if the booking has changed since', 'booking', 409],
    ['not if the closure has changed since', 'closure', 409],
  ] as const)('takes bookings back that were left in a closure, %s', async (_, changed, status) => {
    const { token, pod, there, go } = await buildMove()
    const time = { start_time: at('15:00'), end_time: at('16:00') }
    const created_at = new Date(test.clock.now().getTime() - HOUR)
    const { id } = await buildBooking(test.db, { pod_id: pod.id, created_at, ...time })
    const closed = { starts: wire('14:30'), ends: wire('17:00'), reason: 'Leak' }
    const decisions = [{ bookingId: id, action: 'leave' }]
    const body = { locationId: pod.location_id, ...closed, decisions }
    const { _id } = (await test.request(routes.closures.create, { token, body })).body
    test.clock.set(new Date(test.clock.now().getTime() + HOUR / 2))
    const moved = await go()
    const request = { token, headers: { 'if-match': '*' } }
    const later = { podId: pod.id, bookingDate: DAY, startTime: wire('15:15'), endTime: wire('16:15'), version: 2 }
    const longer = { ...closed, ends: wire('18:00') }
    const changes = {
      nothing: go,
      booking: () => test.request(routes.bookingActions.move, { ...request, params: { id }, body: later }),
      closure: () => test.request(routes.closures.update, { ...request, params: { id: _id }, body: longer }),
    }
    expect((await changes[changed]()).status).toBe(200)
    expect((await undo(token, moved.headers['x-undo-id'])).status).toBe(status)
    expect((await listLocations()).get(id)?.location_id).toBe(status === 200 ? pod.location_id : there.id)
  })

  it('does not take bookings beyond the coming year to a location that a repeating closure closes then', async () => {
    const { pod, there, go } = await buildMove()
    const [starts, ends] = [at('14:00'), at('17:00')]
    await buildClosure(test.db, { location_id: there.id, starts, ends, rrule: 'FREQ=WEEKLY' })
    const start_time = new Date(starts.getTime() + 60 * 7 * 24 * HOUR)
    await buildBooking(test.db, { pod_id: pod.id, start_time, end_time: new Date(start_time.getTime() + HOUR) })
    expect((await go()).body.code).toBe('closure_undecided')
  })

  it('has at its location each booking that is made or moved while it moves', async () => {
    for (let round = 0; round < 5; round++) {
      const { token, pod, there, go } = await buildMove()
      const booking = await buildBooking(test.db, { start_time: at('14:00'), status: 'Confirmed' })
      const time = { podId: pod.id, bookingDate: DAY, startTime: wire('14:00'), endTime: wire('15:00') }
      const made = {
        ...time,
        startTime: wire('16:00'),
        endTime: wire('17:00'),
        bookingPurpose: 'work',
        for: { kind: 'me' },
      }
      const responses = await Promise.all([
        test.request(routes.bookings.createFor, { token, body: made }),
        go(),
        test.request(routes.bookingActions.move, { token, params: { id: booking.id }, body: { ...time, version: 1 } }),
      ])
      expect(responses.map(({ status }) => status)).toEqual([201, 200, 200])
      const rows = await test.db.selectFrom('bookings').select('location_id').where('pod_id', '=', pod.id).execute()
      expect(rows).toEqual([{ location_id: there.id }, { location_id: there.id }])
    }
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'is found by the new name when the location is renamed meanwhile',
    async () => {
      const { token, pod, there, go } = await buildMove()
      const { moved } = await test.db.transaction().execute(async (tx) => {
        await tx.updateTable('locations').set({ name: 'Harbour' }).where('id', '=', there.id).execute()
        const moved = go()
        await Promise.race([moved, untilSomeoneWaits(tx)])
        return { moved }
      })
      expect((await moved).status).toBe(200)
      const query = { search: 'harbour', page: '1' }
      expect((await test.request(routes.pods.list, { token, query })).body).toMatchObject([{ _id: pod.id }])
    },
  )

  it.each(['another location', 'its former location'])(
    'keeps bookings that come back to it from %s by an undo at its present location',
    async (from) => {
      const { token, pod, there, go } = await buildMove()
      const booking = await buildBooking(test.db, { pod_id: pod.id, start_time: at('14:00'), status: 'Confirmed' })
      const other = await buildPod(test.db, from === 'its former location' ? { location_id: pod.location_id } : {})
      const time = { podId: other.id, bookingDate: DAY, startTime: wire('14:00'), endTime: wire('15:00') }
      const params = { id: booking.id }
      const moved = await test.request(routes.bookingActions.move, { token, params, body: { ...time, version: 1 } })
      expect((await go()).status).toBe(200)
      expect((await undo(token, moved.headers['x-undo-id'])).status).toBe(200)
      const page = await test.request(routes.bookingActions.get, { token, params })
      expect(page.body).toMatchObject({ podId: pod.id, location: there.id })
    },
  )
})
