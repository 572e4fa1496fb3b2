import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildFeature, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list, create, update, block, unblock, delete: remove, reorder, usage } = routes.features
const { get: getPod } = routes.pods

const signIn = async () => (await test.signIn([PAGE.features])).token
const listNames = async (token: string, query?: Record<string, string>) =>
  (await test.request(list, { token, ...(query ? { query } : {}) })).body.map(
    (feature: { name: string }) => feature.name,
  )
const listOrders = async (token: string) =>
  (await test.request(list, { token })).body.map((feature: { order: number }) => feature.order)

describe('features that do not exist', () => {
  it.each([update, block, unblock, remove, usage])('return 404 from $path', async (route) => {
    const token = await signIn()
    await buildFeature(test.db)
    for (const id of [createId(), 'none', '1']) {
      const response = await test.request(route, { token, params: { id }, ...(route === update ? { body: {} } : {}) })
      expect(response.status).toBe(404)
      expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
    }
  })
})

describe('GET location/features', () => {
  it('returns a bare array in ascending order, with exactly the expected fields', async () => {
    const token = await signIn()
    const last = await buildFeature(test.db, { name: 'Whiteboard', icon: 'board', position: 9, is_blocked: true })
    const first = await buildFeature(test.db, { name: 'Wi-Fi', icon: 'wifi', position: 2 })
    const response = await test.request(list, { token })
    expect(response.status).toBe(200)
    expect(response.body).toEqual([
      { _id: first.id, name: 'Wi-Fi', icon: 'wifi', isBlocked: false, order: 2, version: 1 },
      { _id: last.id, name: 'Whiteboard', icon: 'board', isBlocked: true, order: 9, version: 1 },
    ])
    const bare = await test.app.inject({ url: '/location/features', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual(response.body)
  })

  it('is allowed with the pods page, for the pod form', async () => {
    const { token } = await test.signIn([PAGE.pods])
    expect((await test.request(list, { token })).status).toBe(200)
  })

  it('returns an empty array when there are no features', async () => {
    expect((await test.request(list, { token: await signIn() })).body).toEqual([])
  })

  it('returns a list page with the total', async () => {
    const token = await signIn()
    for (const position of [0, 1, 2]) await buildFeature(test.db, { name: `F${position}`, position })
    const response = await test.request(list, { token, query: { page: '2', limit: '2' } })
    expect(response.headers['x-total-count']).toBe('3')
    expect(response.body).toMatchObject([{ name: 'F2' }])
    expect(await listNames(token, { page: '1' })).toEqual(['F0', 'F1', 'F2'])
  })

  it('sorts by name and searches, ignoring case and accents, and treats wildcards as text', async () => {
    const token = await signIn()
    for (const name of ['zeta', 'Éclair', 'Echo', '100% cotton', 'under_score']) await buildFeature(test.db, { name })
    expect(await listNames(token, { sort: 'name' })).toEqual(['100% cotton', 'Echo', 'Éclair', 'under_score', 'zeta'])
    expect(await listNames(token, { sort: '-name', limit: '1' })).toEqual(['zeta'])
    expect(await listNames(token, { search: 'EC', sort: 'name' })).toEqual(['Echo', 'Éclair'])
    expect(await listNames(token, { search: 'éCl' })).toEqual(['Éclair'])
    expect(await listNames(token, { search: '%' })).toEqual(['100% cotton'])
    expect(await listNames(token, { search: '_' })).toEqual(['under_score'])
    expect(await listNames(token, { search: '\\' })).toEqual([])
  })

  it('filters by status', async () => {
    const token = await signIn()
    await buildFeature(test.db, { name: 'on' })
    await buildFeature(test.db, { name: 'off', is_blocked: true })
    expect(await listNames(token, { status: 'active' })).toEqual(['on'])
    expect(await listNames(token, { status: 'blocked', page: '1' })).toEqual(['off'])
  })

  it.each([
    [{ limit: '101' }, 'limit'],
    [{ page: '0' }, 'page'],
    [{ sort: 'icon' }, 'sort'],
    [{ status: 'gone' }, 'status'],
  ])('refuses %j', async (query, path) => {
    const response = await test.request(list, { token: await signIn(), query })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message: expect.stringContaining(path) }])
  })
})

describe('POST location/create-features', () => {
  it('appends a feature when the order is -1 or missing', async () => {
    const token = await signIn()
    const first = await test.request(create, { token, body: { name: 'Wi-Fi', icon: 'wifi', order: -1 } })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      _id: expect.any(String),
      name: 'Wi-Fi',
      icon: 'wifi',
      isBlocked: false,
      order: 0,
      version: 1,
    })
    await test.request(create, { token, body: { name: 'Desk', icon: 'desk', order: '-1', colour: 'red' } })
    await test.request(create, { token, body: { name: 'Lamp', icon: 'lamp' } })
    expect(await listNames(token)).toEqual(['Wi-Fi', 'Desk', 'Lamp'])
    expect(await listOrders(token)).toEqual([0, 1, 2])
  })

  it('inserts a feature at the given order, and moves later features only when the order is taken', async () => {
    const token = await signIn()
    const add = async (name: string, order: unknown) => {
      const response = await test.request(create, { token, body: { name, icon: 'x', order } })
      expect(response.status).toBe(201)
      return response.body.order
    }
    expect(await add('c', 0)).toBe(0)
    expect(await add('a', '0')).toBe(0)
    expect(await add('b', 1)).toBe(1)
    expect(await listNames(token)).toEqual(['a', 'b', 'c'])
    expect(await listOrders(token)).toEqual([0, 1, 2])
    // An order beyond the end is kept, and features move only when their order is taken.
    expect(await add('e', 7)).toBe(7)
    expect(await add('d', 5)).toBe(5)
    expect(await add('last', -1)).toBe(8)
    expect(await listNames(token)).toEqual(['a', 'b', 'c', 'd', 'e', 'last'])
    expect(await listOrders(token)).toEqual([0, 1, 2, 5, 7, 8])
  })

  it('gives each feature its own order when concurrent requests send the same order', async () => {
    const token = await signIn()
    const names = Array.from({ length: 8 }, (_, index) => `F${index}`)
    const responses = await Promise.all(
      names.map((name) => test.request(create, { token, body: { name, icon: 'x', order: 0 } })),
    )
    expect(responses.map((response) => response.status)).toEqual(names.map(() => 201))
    expect(await listOrders(token)).toEqual(names.map((_, index) => index))
  })

  it.each([
    [{ name: 'Wi-Fi', icon: 'x', order: 1.5 }, 'order', 'order must be a whole number'],
    [{ name: 'Wi-Fi', icon: 'x', order: 1e10 }, 'order', 'order must be at most 1000000'],
    [{ icon: 'wifi' }, 'name', 'Feature Name is required'],
    [{ name: '  ', icon: 'wifi' }, 'name', 'Feature Name is required'],
    [{ name: 'x'.repeat(201), icon: 'wifi' }, 'name', 'Feature Name may have at most 200 characters'],
    [{ name: 'Wi-Fi' }, 'icon', 'Icon Name is required'],
    [{ name: 'Wi-Fi', icon: '' }, 'icon', 'Icon Name is required'],
    [{ name: 'Wi-Fi', icon: 'x', order: 'first' }, 'order', 'order must be a number'],
  ])('refuses %j', async (body, path, message) => {
    const token = await signIn()
    const response = await test.request(create, { token, body })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, code: 'invalid_input', errors: [{ path, message }] })
    expect(await listNames(token)).toEqual([])
  })

  it.each(['x'.repeat(200), '🛋️ Sofa', 'واي فاي', `"quoted" 'n' <b>bold</b> \\ %`])(
    'keeps the name %s unchanged',
    async (name) => {
      const token = await signIn()
      expect((await test.request(create, { token, body: { name, icon: name.slice(0, 100) } })).body.name).toBe(name)
      expect(await listNames(token)).toEqual([name])
    },
  )

  it('gives each feature its own order when concurrent requests append features', async () => {
    const token = await signIn()
    const names = Array.from({ length: 12 }, (_, index) => `F${index}`)
    const responses = await Promise.all(names.map((name) => test.request(create, { token, body: { name, icon: 'x' } })))
    expect(responses.map((response) => response.status)).toEqual(names.map(() => 201))
    expect(await listOrders(token)).toEqual(names.map((_, index) => index))
  })
})

describe('PUT location/edit-feature', () => {
  it('changes the fields that are sent and keeps the others', async () => {
    const token = await signIn()
    const { id } = await buildFeature(test.db, { name: 'Wi-Fi', icon: 'wifi', position: 4 })
    const renamed = await test.request(update, {
      token,
      params: { id },
      body: { name: 'Internet', order: 99, _id: 'x' },
    })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ _id: id, name: 'Internet', icon: 'wifi', isBlocked: false, order: 4, version: 2 })
    const drawn = await test.request(update, { token, params: { id }, body: { icon: 'globe' } })
    expect(drawn.body).toMatchObject({ name: 'Internet', icon: 'globe' })
    expect((await test.request(update, { token, params: { id }, body: {} })).body).toEqual(drawn.body)
  })

  it.each([{ name: '' }, { name: null }, { icon: ' ' }])('refuses %j', async (body) => {
    const { id } = await buildFeature(test.db)
    const response = await test.request(update, { token: await signIn(), params: { id }, body })
    expect(response.status).toBe(400)
    expect(response.body.errors[0].path).toBe(Object.keys(body)[0])
  })
})

describe('PUT location/block-features and unblock-features', () => {
  it('also work at paths with the singular “feature”', async () => {
    const token = await signIn()
    const { id } = await buildFeature(test.db)
    const headers = { authorization: `Bearer ${token}` }
    const request = async (path: string) =>
      (await test.app.inject({ method: 'PUT', url: `${path}/${id}`, headers })).json()
    expect(await request('/location/block-feature')).toEqual({ message: 'Feature blocked successfully' })
    expect(await listNames(token, { status: 'blocked' })).toHaveLength(1)
    expect(await request('/api/location/unblock-feature')).toEqual({ message: 'Feature unblocked successfully' })
    expect(await listNames(token, { status: 'active' })).toHaveLength(1)
  })

  it('block and unblock a feature, and accept a repeated request and an empty JSON body', async () => {
    const token = await signIn()
    const { id } = await buildFeature(test.db)
    const headers = { 'content-type': 'application/json' }
    for (const [route, message, status] of [
      [block, 'Feature blocked successfully', 'blocked'],
      [block, 'Feature blocked successfully', 'blocked'],
      [unblock, 'Feature unblocked successfully', 'active'],
      [unblock, 'Feature unblocked successfully', 'active'],
    ] as const) {
      const response = await test.request(route, { token, params: { id }, headers, body: '' })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ message })
      expect(await listNames(token, { status })).toHaveLength(1)
    }
  })
})

describe('DELETE location/delete-feature and its usage', () => {
  it('counts the pods that have the feature, except deleted pods, and removes the feature from them', async () => {
    const token = await signIn()
    const feature = await buildFeature(test.db)
    const other = await buildFeature(test.db)
    const pods = [await buildPod(test.db), await buildPod(test.db), await buildPod(test.db, { deleted_at: new Date() })]
    const rows = pods.flatMap((pod) =>
      [feature, other].map(({ id }) => ({ pod_id: pod.id, feature_id: id, position: 0 })),
    )
    await test.db.insertInto('pod_features').values(rows).execute()

    const params = { id: feature.id }
    expect((await test.request(usage, { token, params })).body).toEqual({ pods: 2 })
    const response = await test.request(remove, { token, params })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'Feature deleted successfully' })
    const podOf = { token: (await test.signIn([PAGE.pods])).token, params: { id: pods[0]?.id ?? '' } }
    expect((await test.request(getPod, podOf)).body.features).toMatchObject([{ _id: other.id }])
    expect((await test.request(remove, { token, params })).status).toBe(404)
  })

  it('counts zero pods for a feature that no pod has', async () => {
    const { id } = await buildFeature(test.db)
    expect((await test.request(usage, { token: await signIn(), params: { id } })).body).toEqual({ pods: 0 })
  })
})

const buildThree = async () => {
  const a = await buildFeature(test.db, { name: 'a', position: 10 })
  const b = await buildFeature(test.db, { name: 'b', position: 20 })
  const c = await buildFeature(test.db, { name: 'c', position: 30 })
  return [a.id, b.id, c.id] as const
}

describe('POST location/update-features-order', () => {
  it('renumbers all features from 0 in the given order', async () => {
    const token = await signIn()
    const [a, b, c] = await buildThree()
    const body = [
      { id: a, order: '7' },
      { id: { _id: b }, order: 9 },
      { id: c.toUpperCase(), order: 3 },
    ]
    const response = await test.request(reorder, { token, body })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'Features reordered successfully' })
    expect(await listNames(token)).toEqual(['c', 'a', 'b'])
    expect(await listOrders(token)).toEqual([0, 1, 2])
  })

  it.each(['features', 'items', 'order'])('accepts the list in the field %s', async (field) => {
    const token = await signIn()
    const [a, b, c] = await buildThree()
    const items = [c, b, a].map((id, order) => ({ id, order }))
    expect((await test.request(reorder, { token, body: { [field]: items } })).status).toBe(200)
    expect(await listNames(token)).toEqual(['c', 'b', 'a'])
  })

  it('changes nothing unless the list has every feature exactly once', async () => {
    const token = await signIn()
    const [a, b, c] = await buildThree()
    for (const ids of [
      [b, a],
      [c, b, a, createId()],
      [c, b, createId()],
      [c, b, b],
      [c, b, a, a],
      [c, b, 'none'],
    ]) {
      const response = await test.request(reorder, { token, body: ids.map((id, order) => ({ id, order })) })
      expect(response.status).toBe(409)
      expect(response.body.code).toBe('order_outdated')
    }
    expect(await listNames(token)).toEqual(['a', 'b', 'c'])
    expect(await listOrders(token)).toEqual([10, 20, 30])
  })

  it.each([
    [[], '', 'At least one feature is required'],
    [{}, '', 'A list of { id, order } is required'],
    ['text', '', 'A list of { id, order } is required'],
    [[{ order: 1 }], '0.id', 'id is required'],
    [[{ id: 'a' }], '0.order', 'order must be a number'],
    [[{ id: 'a', order: -1 }], '0.order', 'order cannot be negative'],
    [[{ id: 'a', order: 1.5 }], '0.order', 'order must be a whole number'],
  ])('refuses %j', async (body, path, message) => {
    const response = await test.request(reorder, {
      token: await signIn(),
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message }])
  })

  it('ends in exactly one of the orders that concurrent requests send', async () => {
    const token = await signIn()
    const ids: string[] = []
    for (const name of 'abcdefgh') ids.push((await buildFeature(test.db, { name })).id)
    const orders = ids.map((_, start) => [...ids.slice(start), ...ids.slice(0, start)].toReversed())
    const responses = await Promise.all(
      orders.map((ids) => test.request(reorder, { token, body: ids.map((id, order) => ({ id, order })) })),
    )
    expect(responses.map(({ status }) => status)).toEqual(orders.map(() => 200))
    const { body } = await test.request(list, { token })
    expect(orders).toContainEqual(body.map(({ _id }: { _id: string }) => _id))
    expect(await listOrders(token)).toEqual(ids.map((_, index) => index))
  })

  it('keeps orders unique, and a new feature last, during concurrent reorders, a creation and a deletion', async () => {
    const token = await signIn()
    const ids = await buildThree()
    const orders = [ids, ids.toReversed(), [ids[1], ids[2], ids[0]]]
    const send = (ids: readonly string[]) =>
      test.request(reorder, { token, body: ids.map((id, order) => ({ id, order })) })
    const responses = await Promise.all([
      ...orders.map(send),
      test.request(create, { token, body: { name: 'new', icon: 'x' } }),
      test.request(remove, { token, params: { id: ids[0] } }),
      ...orders.map(send),
    ])
    for (const { status } of responses) expect([200, 201, 409]).toContain(status)
    const positions = await listOrders(token)
    expect(new Set(positions).size).toBe(positions.length)
    expect((await listNames(token)).at(-1)).toBe('new')
    expect(positions).toHaveLength(3)
  })
})

describe('GET exports/features', () => {
  it('returns Features.csv in the order and with the filters of the screen', async () => {
    const token = await signIn()
    const plain = await buildFeature(test.db, { name: 'Desk, "large"\nand new', position: 1 })
    const formula = await buildFeature(test.db, { name: '=1+1', position: 0, is_blocked: true })
    const response = await test.request(routes.features.export, { token })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="Features.csv"',
    })
    expect(parse(response.text, { bom: true, record_delimiter: '\r\n' })).toEqual([
      ['Id', 'Full Name', 'Status'],
      [formula.id, "'=1+1", 'Inactive'],
      [plain.id, 'Desk, "large"\nand new', 'Active'],
    ])
    const active = await test.request(routes.features.export, { token, query: { status: 'active', search: 'desk' } })
    expect(parse(active.text, { bom: true })).toHaveLength(2)
  })
})
