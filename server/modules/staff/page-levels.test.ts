import { describe, expect, it, onTestFinished } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildPod, buildStaff, buildUser, TEST_PASSWORD } from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { staff, bookings, bookingActions, pods, audit } = routes

const edit = (token: string, id: string, body: object) => test.request(staff.update, { token, params: { id }, body })
const findRow = (id: string) =>
  test.db.selectFrom('staff').select(['pages', 'view_only_pages']).where('id', '=', id).executeTakeFirstOrThrow()

describe('view-only pages', () => {
  it('are listed beside all pages, and a list of pages without them grants edit for all', async () => {
    const { token } = await test.signIn()
    const { id, email } = await buildStaff(test.db, { pages: [3] })
    const saved = await edit(token, id, { auth_page: [3, '6'], viewOnlyPages: ['6', 6] })
    expect(saved.body).toMatchObject({ auth_page: ['3', '6'], viewOnlyPages: ['6'] })
    const login = await test.request(routes.auth.login, { body: { email, password: TEST_PASSWORD } })
    expect(login.body).toMatchObject({ auth_page: ['3', '6'], viewOnlyPages: ['6'] })
    expect((await edit(token, id, { role: 'Support' })).body).toMatchObject({ viewOnlyPages: ['6'] })
    expect((await edit(token, id, { auth_page: [3, 6] })).body).not.toHaveProperty('viewOnlyPages')
    expect(await findRow(id)).toEqual({ pages: [3, 6], view_only_pages: [] })
  })

  it('can be granted to a new colleague', async () => {
    const { token } = await test.signIn()
    const body = { firstname: 'Jo', email: 'jo@example.com', auth_page: [1, 4], viewOnlyPages: [4] }
    const created = await test.request(staff.create, { token, body })
    expect(created.body).toMatchObject({ auth_page: ['1', '4'], viewOnlyPages: ['4'] })
  })

  it('must be among the granted pages', async () => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db, { pages: [3] })
    for (const body of [{ auth_page: [3], viewOnlyPages: [6] }, { viewOnlyPages: [6] }]) {
      const refused = await edit(token, id, body)
      expect(refused.status).toBe(400)
      const message = 'Pages to look at must be among auth_page'
      expect(refused.body.errors).toEqual([{ path: 'viewOnlyPages', message }])
    }
  })

  it('apply from the next request, whose headers list them, and reach a live stream, which still sends hints', async () => {
    const { token } = await test.signIn()
    const other = await test.signIn([3, 5])
    const listener = await listenLive(`http://127.0.0.1:${await test.listen()}`, other.token)
    onTestFinished(() => listener.leave())
    await edit(token, other._id, { auth_page: [3, 5], viewOnlyPages: [3] })
    const { id } = await buildPod(test.db)
    const refused = await test.request(pods.block, { token: other.token, params: { id } })
    expect([refused.status, refused.body.code]).toEqual([403, 'view_only'])
    expect(refused.headers).toMatchObject({ 'x-auth-pages': '3,5', 'x-auth-view-only': '3' })
    await listener.waitFor(() => expect(listener.list('viewOnlyPages')).toEqual([[3]]))
    await test.request(pods.block, { token, params: { id } })
    await listener.waitFor(() =>
      expect(listener.list('changes').flat()).toContainEqual({ entity: 'pod', id, version: 2 }),
    )
  })

  it('are marked in the export of staff', async () => {
    const { token } = await test.signIn([PAGE.staff])
    await buildStaff(test.db, { pages: [2, 7], view_only_pages: [7] })
    expect((await test.request(staff.export, { token })).text).toContain('"Features, Location (view)"')
  })
})

describe('the list of staff', () => {
  const names = async (query: object) => {
    const { token } = await test.signIn([PAGE.staff], { firstname: 'Me' })
    const { body } = await test.request(staff.list, { token, query: { sort: 'name', ...query } })
    return body.map(({ firstname }: { firstname: string }) => firstname)
  }

  it('can be filtered by page, by level of that page, and by level of any page', async () => {
    await buildStaff(test.db, { firstname: 'Aya', pages: [2, 7], view_only_pages: [7] })
    await buildStaff(test.db, { firstname: 'Ben', pages: [7] })
    await buildStaff(test.db, { firstname: 'Cleo', pages: [3], view_only_pages: [3] })
    await buildStaff(test.db, { firstname: 'Dan', pages: [] })
    expect(await names({ access: '7' })).toEqual(['Aya', 'Ben'])
    expect(await names({ access: '7', level: 'view' })).toEqual(['Aya'])
    expect(await names({ access: '7', level: 'edit' })).toEqual(['Ben'])
    expect(await names({ level: 'view' })).toEqual(['Aya', 'Cleo'])
    expect(await names({ level: 'edit' })).toEqual(expect.not.arrayContaining(['Cleo', 'Dan']))
  })
})

describe('a staff member with view-only pages', () => {
  it('can grant such a page as view-only, but not with edit', async () => {
    const { token } = await test.signIn([3, 4, 8], { view_only_pages: [4] })
    const { id } = await buildStaff(test.db, { pages: [3] })
    const refused = await edit(token, id, { auth_page: [3, 4, 5] })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      code: 'page_not_held',
      message: 'You can only grant pages that you hold yourself, and not Transactions (edit) and User Details.',
    })
    const granted = await edit(token, id, { auth_page: [3, 4], viewOnlyPages: [4] })
    expect(granted.body).toMatchObject({ auth_page: ['3', '4'], viewOnlyPages: ['4'] })
    // Without levels all pages can be edited, also one that the colleague could only view.
    expect((await edit(token, id, { auth_page: [3, 4] })).body.code).toBe('page_not_held')
    expect(await findRow(id)).toEqual({ pages: [3, 4], view_only_pages: [4] })
  })

  it('cannot change a colleague who may edit such a page', async () => {
    const { token } = await test.signIn([4, 8], { view_only_pages: [4] })
    const colleague = await buildStaff(test.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [4] })
    for (const route of [staff.update, staff.block, staff.delete]) {
      const refused = await test.request(route, { token, params: { id: colleague.id }, body: { auth_page: [] } })
      expect(refused.body).toMatchObject({
        code: 'colleague_has_more',
        message: expect.stringContaining('Sipho Zulu has access to Transactions (edit), which you do not hold.'),
      })
    }
  })

  it('cannot undo or restore access to more than they hold', async () => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db, { pages: [2, 8] })
    const changed = await edit(token, id, { auth_page: [2, 8], viewOnlyPages: [2] })
    const params = { id: String(changed.headers['x-undo-id']) }
    const viewer = await test.signIn([2, 8], { view_only_pages: [2] })
    expect((await test.request(audit.undo, { token: viewer.token, params })).body.code).toBe('page_not_held')
    const looking = await test.signIn([2, 8], { view_only_pages: [8] })
    expect((await test.request(audit.undo, { token: looking.token, params })).body.code).toBe('view_only')
    expect((await test.request(audit.undo, { token, params })).status).toBe(200)
    expect(await findRow(id)).toEqual({ pages: [2, 8], view_only_pages: [] })
    await test.request(staff.delete, { token, params: { id } })
    const deleted = { params: { id }, body: { entity: 'staff' } }
    expect((await test.request(audit.restore, { token: viewer.token, ...deleted })).body.code).toBe('page_not_held')
    expect((await test.request(audit.restore, { token: looking.token, ...deleted })).body.code).toBe('view_only')
  })

  it('cannot edit staff when page 8 is among them, and nobody can make their own page 8 view-only', async () => {
    const { token, _id } = await test.signIn()
    const own = await edit(token, _id, { auth_page: [1, 8], viewOnlyPages: [8] })
    expect(own.body.code).toBe('own_account')
    const viewer = await test.signIn([8], { view_only_pages: [8] })
    expect((await edit(viewer.token, _id, {})).body.code).toBe('view_only')
  })
})

describe('an endpoint open to several pages', () => {
  it('applies the rules of the page that may be edited, not of the view-only one', async () => {
    const me = await test.signIn([6, 9], { view_only_pages: [6] })
    const user = await buildUser(test.db)
    const theirs = await buildBooking(test.db, { user_id: user.id })
    const own = await buildBooking(test.db, { staff_id: me._id })
    const cancel = (id: string) => test.request(bookings.cancel, { token: me.token, params: { id } })
    expect((await cancel(theirs.id)).body.code).toBe('booking_of_another')
    expect((await cancel(own.id)).status).toBe(200)
  })

  it('allows the preview of a move, but not the move, with a view-only page', async () => {
    const { token } = await test.signIn([6], { view_only_pages: [6] })
    const booking = await buildBooking(test.db, { user_id: (await buildUser(test.db)).id })
    const params = { id: booking.id }
    const body = {
      podId: booking.pod_id,
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T12:00:00.000Z',
      endTime: '2026-11-23T13:00:00.000Z',
      version: 1,
    }
    expect((await test.request(bookingActions.previewMove, { token, params, body })).status).toBe(200)
    expect((await test.request(bookingActions.move, { token, params, body })).body.code).toBe('view_only')
    expect((await test.request(bookings.get, { token, params })).status).toBe(200)
  })
})
