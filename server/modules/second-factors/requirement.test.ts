import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PAGE, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { getRequirement, setRequirement, get, create, confirm, delete: turnOff } = routes.secondFactors
let url: string

beforeAll(async () => {
  url = `http://127.0.0.1:${await test.listen()}`
})

/** Signs in somebody who has a second factor, and may therefore require one of everyone. */
async function signInBoss() {
  const boss = await test.signIn(pageCodes, { firstname: 'Thandi', lastname: 'Nkosi' })
  await buildSecondFactor(test.db, boss._id)
  return boss
}

const require = (token: string, isRequired = true, version = '*') =>
  test.request(setRequirement, { token, body: { isRequired }, headers: { 'if-match': version } })

const turnOn = () => test.db.updateTable('pricing').set({ second_factor_required: true }).execute()

const signIn = async (email: string) =>
  (await test.request(routes.auth.login, { body: { email, password: TEST_PASSWORD } })).body

describe('a second factor that is required of everyone', () => {
  it('is enforced from the next request until a second factor is set up', async () => {
    const boss = await signInBoss()
    const me = await test.signIn([PAGE.features])
    const call = () => test.request(routes.features.list, { token: me.token })
    expect((await call()).status).toBe(200)
    expect((await require(boss.token)).body).toMatchObject({
      isRequired: true,
      message: 'A second factor is required of everyone now',
    })
    expect(await call()).toMatchObject({ status: 403, body: { code: 'second_factor_setup_required' } })
    expect((await test.request(routes.features.list, { token: boss.token })).status).toBe(200)

    expect((await test.request(get, { token: me.token })).body).toMatchObject({ isSetUp: false, isRequired: true })
    const { key } = (await test.request(create, { token: me.token })).body
    expect((await call()).status).toBe(403)
    const code = toCode(key, test.clock.now())
    expect((await test.request(confirm, { token: me.token, body: { code } })).body.recoveryCodes).toHaveLength(10)
    expect((await call()).status).toBe(200)
  })

  it('lets staff sign in without one, but only to set one up, and says so', async () => {
    const { email } = await buildStaff(test.db, { pages: [PAGE.features] })
    expect(await signIn(email)).not.toHaveProperty('mustSetUpSecondFactor')
    await turnOn()
    const login = await signIn(email)
    expect(login).toMatchObject({
      mustSetUpSecondFactor: true,
      auth_page: ['2'],
      message: 'Signed in. Set up a second factor to go on: it is required here.',
    })
    const refused = await test.request(routes.features.list, { token: login.token })
    expect(refused.body.message).toMatch(/^A second factor is required here. Log in to the portal/)
    expect((await test.request(routes.auth.signOut, { token: login.token })).status).toBe(200)
    const other = await buildStaff(test.db)
    await buildSecondFactor(test.db, other.id)
    expect((await signIn(other.email)).code).toBe('second_factor_required')
  })

  it('can only be required by staff who have one themselves', async () => {
    const boss = await test.signIn()
    // A key that was never confirmed by a code does not count.
    await buildSecondFactor(test.db, boss._id, { confirmed_at: null })
    expect(await require(boss.token)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'Set one up yourself first, under Your account.' },
    })
    expect((await test.request(getRequirement, { token: boss.token })).body).toMatchObject({
      isRequired: false,
      isOwnSetUp: false,
    })
  })

  it('cannot be turned off by its owner, and has to be set up again after a reset', async () => {
    const boss = await signInBoss()
    const me = await test.signIn([PAGE.features])
    await buildSecondFactor(test.db, me._id)
    await require(boss.token)
    expect(await test.request(turnOff, { token: me.token })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await test.request(get, { token: me.token })).body.isSetUp).toBe(true)
    const params = { id: me._id }
    expect((await test.request(routes.staff.resetSecondFactor, { token: boss.token, params })).status).toBe(200)
    expect((await signIn(me.email)).mustSetUpSecondFactor).toBe(true)
    await require(boss.token, false)
    await buildSecondFactor(test.db, me._id)
  })

  it('cannot be both required and turned off by the same person at the same moment', async () => {
    const boss = await signInBoss()
    const [required, off] = await Promise.all([require(boss.token), test.request(turnOff, { token: boss.token })])
    expect([200, 409]).toContain(required.status)
    expect(off.status).toBe(required.status === 200 ? 409 : 200)
    const { isRequired, isOwnSetUp } = (await test.request(getRequirement, { token: boss.token })).body
    expect(isOwnSetUp).toBe(isRequired)
  })

  it('has its changes in the history, without undo, and refuses a change from an outdated version', async () => {
    const boss = await signInBoss()
    const { version } = (await test.request(getRequirement, { token: boss.token })).body
    const on = await require(boss.token, true, `"${version}"`)
    expect(on.body.version).toBe(version + 1)
    expect(on.headers['x-undo-id']).toBeUndefined()
    expect(await require(boss.token, false, `"${version}"`)).toMatchObject({
      status: 409,
      body: { code: 'record_changed', current: { isRequired: true, version: version + 1 } },
    })
    await require(boss.token, false)
    const query = { entity: 'policy' }
    const { body } = await test.request(routes.audit.history, { token: boss.token, query })
    expect(body).toMatchObject([
      { action: 'second-factor-rule', label: 'Signing in', after: { second_factor_required: false } },
      { action: 'second-factor-rule', before: { second_factor_required: false }, actor: { name: 'Thandi Nkosi' } },
    ])
    const params = { id: body[1]._id }
    expect((await test.request(routes.audit.undo, { token: boss.token, params })).body.code).toBe('cannot_undo')
  })

  it('shows how many active staff have one, and lets the staff list and export be filtered by it', async () => {
    const boss = await signInBoss()
    await buildSecondFactor(test.db, boss._id, { confirmed_at: null })
    const sipho = await buildStaff(test.db, { firstname: 'Sipho' })
    for (const gone of [{ is_blocked: true }, { deleted_at: test.clock.now() }]) {
      await buildSecondFactor(test.db, (await buildStaff(test.db, gone)).id)
    }
    expect((await test.request(getRequirement, { token: boss.token })).body).toMatchObject({
      staff: 2,
      staffWithSecondFactor: 1,
      isOwnSetUp: true,
    })
    const list = async (secondFactor: string) =>
      (await test.request(routes.staff.list, { token: boss.token, query: { secondFactor, status: 'active' } })).body
    expect(await list('yes')).toMatchObject([{ _id: boss._id, hasSecondFactor: true }])
    const without = await list('no')
    expect(without).toMatchObject([{ _id: sipho.id }])
    expect(without[0]).not.toHaveProperty('hasSecondFactor')
    const query = { secondFactor: 'no' }
    const file = (await test.request(routes.staff.export, { token: boss.token, query })).text
    expect(file).toContain(sipho.email)
    expect(file).not.toContain(boss.email)
    const bookings = await test.request(routes.staff.exportBookings, { token: boss.token, query })
    expect(bookings.status).toBe(200)
  })

  it('ends the live streams of staff who have none', async () => {
    const boss = await signInBoss()
    const me = await test.signIn([PAGE.features])
    const [theirs, mine] = [await listenLive(url, boss.token), await listenLive(url, me.token)]
    onTestFinished(theirs.leave)
    onTestFinished(mine.leave)
    await require(boss.token)
    await mine.waitFor(() => expect(mine.isEnded()).toBe(true))
    const isPolicy = expect.objectContaining({ entity: 'policy' })
    await theirs.waitFor(() => expect(theirs.list('changes').flat()).toContainEqual(isPolicy))
    expect(theirs.isEnded()).toBe(false)
  })
})
