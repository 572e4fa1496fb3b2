import { describe, expect, it } from 'vitest'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { testEngines } from '#server/db/test-databases.ts'
import { createId } from '#server/ids.ts'
import { buildLocation, buildRolePreset, buildStaff } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { rolePresets, staff, audit } = routes

const body = { name: 'Night shift', auth_page: [3, '6'], viewOnlyPages: [3] }
const create = (token: string, preset: object = body) => test.request(rolePresets.create, { token, body: preset })
const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })
const list = async (token: string, query = {}) => (await test.request(rolePresets.list, { token, query })).body

describe('presets', () => {
  it('store pages, levels and locations, are listed by name, and refuse an outdated edit', async () => {
    const { token } = await test.signIn()
    const { id: location } = await buildLocation(test.db)
    const night = await create(token, { ...body, locations: [location] })
    expect([night.status, night.body]).toEqual([
      201,
      {
        _id: expect.any(String),
        name: 'Night shift',
        auth_page: ['3', '6'],
        viewOnlyPages: ['3'],
        locations: [location],
        version: 1,
      },
    ])
    await create(token, { name: 'Bookkeeping', auth_page: [4] })
    expect(await list(token)).toMatchObject([
      { name: 'Bookkeeping', viewOnlyPages: [], locations: null },
      { name: 'Night shift' },
    ])
    expect(await list(token, { search: 'night' })).toHaveLength(1)
    const { _id: id } = night.body
    const edit = { name: 'Late shift', locations: null }
    const edited = await test.request(rolePresets.update, {
      token,
      params: { id },
      headers: ifMatch(1),
      body: edit,
    })
    expect(edited.body).toMatchObject({ ...edit, auth_page: ['3', '6'], viewOnlyPages: ['3'], version: 2 })
    const late = await test.request(rolePresets.update, { token, params: { id }, headers: ifMatch(1), body: edit })
    expect([late.body.code, late.body.current]).toEqual(['record_changed', edited.body])
  })

  it('can be changed or deleted without changing staff who were given one', async () => {
    const { token } = await test.signIn()
    const { _id: id } = (await create(token)).body
    const given = { firstname: 'Thandi', email: 'thandi@example.com', role: 'Night shift', auth_page: [3, 6] }
    const colleague = await test.request(staff.create, { token, body: given })
    const stored = () =>
      test.db.selectFrom('staff').selectAll().where('id', '=', colleague.body._id).executeTakeFirstOrThrow()
    const before = await stored()
    await test.request(rolePresets.update, {
      token,
      params: { id },
      headers: ifMatch(1),
      body: { name: 'Day', auth_page: [5] },
    })
    await test.request(rolePresets.delete, { token, params: { id }, headers: ifMatch(2) })
    expect(await stored()).toEqual(before)
  })

  it('need a unique name, valid pages and existing locations', async () => {
    const { token } = await test.signIn()
    await create(token)
    const again = await create(token, { ...body, name: 'NIGHT shift' })
    const message = 'There is a preset of this name already'
    expect([again.status, again.body.errors]).toEqual([409, [{ path: 'name', message }]])
    for (const [path, wrong] of [
      ['name', { name: ' ' }],
      ['auth_page', { auth_page: [] }],
      ['viewOnlyPages', { viewOnlyPages: [5] }],
      ['locations', { locations: [createId()] }],
    ] as const) {
      const refused = await create(token, { ...body, name: 'Other', ...wrong })
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, path])
    }
  })

  it('leave out locations that have been deleted since', async () => {
    const { token } = await test.signIn()
    const [here, gone] = [await buildLocation(test.db), await buildLocation(test.db)]
    await create(token, { ...body, locations: [here.id, gone.id] })
    await test.request(routes.locations.delete, { token, params: { id: gone.id } })
    expect(await list(token)).toMatchObject([{ locations: [here.id] }])
    await test.request(routes.locations.delete, { token, params: { id: here.id } })
    expect(await list(token)).toMatchObject([{ locations: [] }])
  })

  it('can be deleted and restored, and their edits undone, with each change in the history', async () => {
    const { token, _id } = await test.signIn()
    const { _id: id } = (await create(token)).body
    const undo = (response: { headers: Record<string, unknown> }) =>
      test.request(audit.undo, { token, params: { id: String(response.headers['x-undo-id']) } })
    const edit = { name: 'Day shift', auth_page: [5] }
    const edited = await test.request(rolePresets.update, { token, params: { id }, headers: ifMatch(1), body: edit })
    expect((await undo(edited)).status).toBe(200)
    expect(await list(token)).toMatchObject([{ name: 'Night shift', auth_page: ['3', '6'], viewOnlyPages: ['3'] }])
    const deleted = await test.request(rolePresets.delete, { token, params: { id }, headers: ifMatch(3) })
    expect(deleted.body).toEqual({ message: 'Preset deleted successfully' })
    expect([await list(token), (await list(token, { status: 'deleted' })).length]).toEqual([[], 1])
    const readHistory = () => test.request(audit.history, { token, query: { entity: 'role-preset', id } })
    expect((await readHistory()).body[0]).toMatchObject({ action: 'delete', isDeleted: true })
    expect((await undo(deleted)).body.message).toBe('Night shift is restored')
    expect(await list(token)).toHaveLength(1)
    const history = await readHistory()
    expect(history.body[0].isDeleted).toBe(false)
    expect(history.body.map(({ action }: { action: string }) => action)).toEqual([
      'restore',
      'delete',
      'edit',
      'edit',
      'create',
    ])
    expect(history.body[3]).toMatchObject({ label: 'Day shift', actor: { _id }, before: { pages: [3, 6] } })
  })

  it('cannot get a name back that another has taken, and say so', async () => {
    const { token } = await test.signIn()
    const { _id: id } = (await create(token)).body
    const request = { token, params: { id } }
    const undo = (response: { headers: Record<string, unknown> }) =>
      test.request(audit.undo, { token, params: { id: String(response.headers['x-undo-id']) } })
    const taken = { status: 409, body: { code: 'conflict', message: 'There is a preset of this name already' } }
    const renamed = await test.request(rolePresets.update, { ...request, headers: ifMatch(1), body: { name: 'Other' } })
    const { _id: otherId } = (await create(token)).body
    expect(await undo(renamed)).toMatchObject(taken)
    await test.request(rolePresets.update, {
      ...request,
      params: { id: otherId },
      headers: ifMatch(1),
      body: { name: 'A' },
    })
    expect((await undo(renamed)).status).toBe(200)
    const deleted = await test.request(rolePresets.delete, { ...request, headers: ifMatch(3) })
    expect((await create(token)).status).toBe(201)
    expect(await undo(deleted)).toMatchObject(taken)
    expect(await test.request(audit.restore, { ...request, body: { entity: 'role-preset' } })).toMatchObject(taken)
  })
})

describe('a staff member who holds fewer pages than a preset', () => {
  it('can neither create, edit, delete nor restore it, nor undo a change of it', async () => {
    const all = await test.signIn()
    const { token } = await test.signIn([3, 6, 8], { view_only_pages: [6] })
    const refused = await create(token, { name: 'More', auth_page: [5, 6] })
    expect(refused.body).toMatchObject({
      code: 'page_not_held',
      message: 'You can only grant pages that you hold yourself, and not User Details and Booking (edit).',
      errors: [{ path: 'auth_page' }],
    })
    expect((await create(token, { name: 'As much', auth_page: [3, 6], viewOnlyPages: [6] })).status).toBe(201)
    const { id } = await buildRolePreset(test.db, { name: 'Booking', pages: [3] })
    const change = (route: typeof rolePresets.update | typeof rolePresets.delete, as: string, version: number) =>
      test.request(route, { token: as, params: { id }, headers: ifMatch(version), body: { auth_page: [6] } })
    const widened = await change(rolePresets.update, token, 1)
    expect(widened.body.code).toBe('page_not_held')
    const changed = await change(rolePresets.update, all.token, 1)
    expect(changed.status).toBe(200)
    // The preset now has more pages than they hold, so they can neither narrow it nor undo the change.
    const narrowed = { token, params: { id }, headers: ifMatch(2), body: { auth_page: [3] } }
    expect((await test.request(rolePresets.update, narrowed)).body.code).toBe('page_not_held')
    expect((await change(rolePresets.delete, token, 2)).body.code).toBe('page_not_held')
    const undo = { token, params: { id: String(changed.headers['x-undo-id']) } }
    expect((await test.request(audit.undo, undo)).body.code).toBe('page_not_held')
    const deleted = await change(rolePresets.delete, all.token, 2)
    expect(deleted.status).toBe(200)
    const restore = { token, params: { id }, body: { entity: 'role-preset' } }
    expect((await test.request(audit.restore, restore)).body.code).toBe('page_not_held')
    expect((await test.request(audit.restore, { ...restore, token: all.token })).status).toBe(200)
  })

  it('sees it in the list, but cannot grant its pages to a colleague', async () => {
    await buildRolePreset(test.db, { name: 'Everything', pages: [...pageCodes] })
    const { token } = await test.signIn([3, 8])
    const [preset] = await list(token)
    expect(preset.auth_page).toHaveLength(9)
    const { id } = await buildStaff(test.db, { pages: [3] })
    const given = { token, params: { id }, body: { auth_page: preset.auth_page } }
    expect((await test.request(staff.update, given)).body.code).toBe('page_not_held')
  })
})

describe.each(testEngines)('a new platform on $engine', ({ create: createDatabase }) => {
  it('starts with four presets, none of them with page 8', async () => {
    const database = await createDatabase()
    await migrateToLatest(database.handle.db)
    const rows = await database.handle.db.selectFrom('role_presets').selectAll().orderBy('name').execute()
    await database.remove()
    const toPages = (pages: readonly PageCode[]) => pages.join('')
    expect(
      rows.map((row) => [row.name, toPages(row.pages), toPages(row.view_only_pages), row.location_ids, row.version]),
    ).toEqual([
      ['Finance', '1456', '56', null, 1],
      ['Front desk', '135679', '357', null, 1],
      ['Operations manager', '12345679', '4', null, 1],
      ['Viewer', '12345679', '12345679', null, 1],
    ])
  })
})
