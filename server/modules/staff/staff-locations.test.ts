import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildLocation, buildStaff } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

const body = { firstname: 'Sipho', email: 'sipho@example.com', password: 'a sound long password', auth_page: [3, 6] }

async function update(token: string, id: string, edit: object) {
  return test.request(routes.staff.update, { token, params: { id }, body: edit })
}

describe('the locations of a staff member', () => {
  it('are all by default and with null, and stay as they are when an edit leaves them out', async () => {
    const { token } = await test.signIn()
    const [one, two] = [await buildLocation(test.db), await buildLocation(test.db)]
    const created = await test.request(routes.staff.create, { token, body })
    expect(created.body).not.toHaveProperty('locations')
    const { _id } = created.body
    const some = await update(token, _id, { locations: [two.id, one.id, one.id.toUpperCase()] })
    expect(some.body.locations).toEqual([one.id, two.id].toSorted())
    expect((await update(token, _id, { firstname: 'Lwazi' })).body.locations).toHaveLength(2)
    const login = { email: body.email, password: body.password }
    expect((await test.request(routes.auth.login, { body: login })).body.locations).toHaveLength(2)
    const history = await test.request(routes.audit.history, { token, query: { entity: 'staff', id: _id } })
    expect(history.body.map(({ action }: { action: string }) => action)).toContain('permissions')
    expect((await update(token, _id, { locations: null })).body).not.toHaveProperty('locations')
    const other = { ...body, email: 'other@example.com', locations: [one.id] }
    expect((await test.request(routes.staff.create, { token, body: other })).body.locations).toEqual([one.id])
  })

  it('are refused at their field when the list is empty or a location does not exist', async () => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db)
    const gone = await buildLocation(test.db, { deleted_at: new Date() })
    for (const locations of [[], ['x'], 'all', [createId()], [gone.id]]) {
      const { status, body } = await update(token, id, { locations })
      expect([status, body.errors?.[0].path.split('.')[0]]).toEqual([400, 'locations'])
    }
  })

  it('must be all for managing staff, and a manager cannot limit their own', async () => {
    const { token, _id } = await test.signIn()
    const { id: locationId } = await buildLocation(test.db)
    const own = await update(token, _id, { locations: [locationId] })
    expect([own.status, own.body.code]).toEqual([409, 'own_account'])
    const some = await test.signIn(undefined, { location_ids: [locationId] })
    const colleague = await buildStaff(test.db, { pages: [3] })
    for (const response of [
      await update(some.token, colleague.id, { locations: [locationId] }),
      await test.request(routes.staff.create, { token: some.token, body: { ...body, locations: null } }),
      await test.request(routes.staff.block, { token: some.token, params: { id: colleague.id } }),
    ]) {
      expect([response.status, response.body.code]).toEqual([403, 'all_locations_required'])
    }
    // Staff with some locations manage nobody, so they do not count as another manager.
    const self = await test.signIn()
    await test.request(routes.staff.block, { token, params: { id: self._id } })
    const last = await test.request(routes.staff.delete, { token: some.token, params: { id: _id } })
    expect(last.body.code).toBe('all_locations_required')
  })

  it('go back to all when the change is undone by someone who has all locations', async () => {
    const { token } = await test.signIn()
    const { id: locationId } = await buildLocation(test.db)
    const { id } = await buildStaff(test.db, { pages: [3] })
    const changed = await update(token, id, { locations: [locationId] })
    const undo = (token: string) =>
      test.request(routes.audit.undo, { token, params: { id: String(changed.headers['x-undo-id']) } })
    const some = await test.signIn(undefined, { location_ids: [locationId] })
    // To them, no change of a colleague exists.
    expect((await undo(some.token)).status).toBe(404)
    const undone = await undo(token)
    expect(undone.status, undone.text).toBe(200)
    const row = await test.db.selectFrom('staff').select('location_ids').where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.location_ids).toBeNull()
  })
})

describe('the list of staff', () => {
  it('can be filtered by a location, which those with all locations have too, and so can its file', async () => {
    const { token } = await test.signIn([8], { firstname: 'Me' })
    const names = async (query: object) => {
      const { body } = await test.request(routes.staff.list, { token, query: { sort: 'name', ...query } })
      return body.map(({ firstname }: { firstname: string }) => firstname)
    }
    const [rosebank, sandton] = [await buildLocation(test.db), await buildLocation(test.db)]
    await buildStaff(test.db, { firstname: 'Aya', pages: [7], location_ids: [rosebank.id, sandton.id] })
    await buildStaff(test.db, { firstname: 'Ben', pages: [7], location_ids: [sandton.id] })
    await buildStaff(test.db, { firstname: 'Cleo', pages: [3] })
    expect(await names({ location: rosebank.id })).toEqual(['Aya', 'Cleo', 'Me'])
    expect(await names({ location: sandton.id, access: '7' })).toEqual(['Aya', 'Ben'])
    const file = await test.request(routes.staff.export, { token, query: { location: rosebank.id } })
    expect(file.text).toContain('Aya')
    expect(file.text).not.toContain('Ben')
    expect(await names({ location: 'rosebank' })).toEqual([])
  })
})
