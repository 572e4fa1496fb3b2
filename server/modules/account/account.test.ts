import { describe, expect, it } from 'vitest'
import { IDLE_HEADER } from '#contract/headers.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { jobKinds } from '#server/jobs/jobs.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ SESSION_IDLE_MINUTES: '30', TRUST_PROXY: '1' })
const { get, update, sessions, endSession, endOtherSessions } = routes.account

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

async function signInFrom(email: string, address: string, userAgent = CHROME): Promise<string> {
  const headers = { 'x-forwarded-for': address, 'user-agent': userAgent }
  const response = await test.request(routes.auth.login, { body: { email, password: TEST_PASSWORD }, headers })
  expect(response.status).toBe(200)
  return response.body.token
}

const statusOf = async (token: string, headers = {}) => (await test.request(get, { token, headers })).status

describe('a person’s own details', () => {
  it('can be edited without any page, name and phone number only, and the edit is in the history', async () => {
    const me = await test.signIn([], { role: 'Front desk', pages: [] })
    const body = {
      firstname: ' Lerato ',
      lastname: 'Molefe',
      phoneNumber: '082',
      role: 'Owner',
      email: 'x@y.z',
      auth_page: [8],
    }
    const headers = { 'if-match': '"1"' }
    const response = await test.request(update, { token: me.token, body, headers })
    expect(response.status).toBe(200)
    const changed = {
      _id: me._id,
      firstname: 'Lerato',
      lastname: 'Molefe',
      email: me.email,
      phoneNumber: '082',
      role: 'Front desk',
      version: 2,
    }
    expect(response.body).toEqual({ ...changed, message: 'Saved' })
    expect((await test.request(get, { token: me.token })).body).toEqual(changed)
    const rows = await test.db.selectFrom('audit').select(['action', 'actor_id', 'entity_id', 'after']).execute()
    const after = { firstname: 'Lerato', lastname: 'Molefe', phone_number: '082' }
    expect(rows).toEqual([{ action: 'edit', actor_id: me._id, entity_id: me._id, after }])
    const again = await test.request(update, { token: me.token, body, headers })
    expect(again).toMatchObject({ status: 409, body: { code: 'record_changed', current: { version: 2 } } })
    const empty = await test.request(update, { token: me.token, body: { firstname: '' }, headers: { 'if-match': '2' } })
    expect(empty.body.errors).toEqual([{ path: 'firstname', message: 'First name is required' }])
  })
})

describe('sessions', () => {
  it('are listed with device, address, country and last use, the current one first and marked, and no one else’s', async () => {
    const me = await test.signIn()
    await test.signIn()
    await signInFrom(me.email, '196.25.1.1')
    test.clock.set('2026-11-21T09:10:00.000Z')
    const token = await signInFrom(me.email, '198.51.100.7', 'curl/8.5.0')
    const response = await test.request(sessions, { token })
    expect(response.body).toMatchObject([
      { device: 'curl', address: '198.51.100.7', lastUsedAt: '2026-11-21T09:10:00.000Z', isThis: true },
      { isThis: false, createdAt: '2026-11-21T09:00:00.000Z' },
      { isThis: false },
    ])
    const chrome = { device: 'Chrome on Windows', address: '196.25.1.1', country: 'South Africa', isThis: false }
    expect(response.body).toContainEqual(expect.objectContaining(chrome))
    expect(response.body[0]).not.toHaveProperty('country')
    expect(response.text).not.toContain(token)
  })

  it('can be ended by their owner, singly or all but the current one, and the history records it', async () => {
    const me = await test.signIn()
    const other = await test.signIn()
    const [here, there, elsewhere] = [
      me.token,
      await signInFrom(me.email, '203.0.113.9'),
      await signInFrom(me.email, '198.51.100.7'),
    ]
    const listed: { _id: string; address: string }[] = (await test.request(sessions, { token: here })).body
    const id = listed.find(({ address }) => address === '203.0.113.9')?._id ?? ''
    // Nobody can end another person's session.
    for (const [token, of] of [
      [other.token, id],
      [here, createId()],
    ] as const) {
      expect((await test.request(endSession, { token, params: { id: of } })).status).toBe(404)
    }
    expect((await test.request(endSession, { token: here, params: { id } })).body).toEqual({ message: 'Session ended' })
    expect([await statusOf(here), await statusOf(there), await statusOf(elsewhere)]).toEqual([200, 401, 200])
    await test.request(endOtherSessions, { token: here })
    expect([await statusOf(here), await statusOf(elsewhere), await statusOf(other.token)]).toEqual([200, 401, 200])
    const rows = await test.db
      .selectFrom('audit')
      .select(['actor_id', 'reason'])
      .where('action', '=', 'sign-out')
      .execute()
    expect(rows.toSorted((a, b) => String(a.reason).localeCompare(String(b.reason)))).toEqual([
      { actor_id: me._id, reason: 'All other sessions' },
      { actor_id: me._id, reason: 'Chrome on Windows, 203.0.113.9' },
    ])
  })

  it('end 30 minutes after their last request, and are then deleted by the sweep', async () => {
    const { email } = await buildStaff(test.db)
    const [used, left] = [await signInFrom(email, '203.0.113.9'), await signInFrom(email, '198.51.100.7')]
    test.clock.set('2026-11-21T09:29:00.000Z')
    expect(await statusOf(used)).toBe(200)
    test.clock.set('2026-11-21T09:30:00.000Z')
    expect([await statusOf(used), await statusOf(left)]).toEqual([200, 401])
    expect((await test.request(sessions, { token: used })).body).toHaveLength(1)
    test.clock.set('2026-11-21T10:00:00.000Z')
    expect(await statusOf(used)).toBe(401)
    await jobKinds['expired sessions']?.run(test.context, { id: '', payload: {} } as never) // a sweep ignores it
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  it('are told with each response until when they last without use', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signInFrom(email, '203.0.113.9')
    const readEnd = async (headers: Record<string, string> = {}) =>
      (await test.request(sessions, { token, headers })).headers['x-auth-idle-until']
    expect(await readEnd()).toBe('2026-11-21T09:30:00.000Z')
    test.clock.set('2026-11-21T09:20:00.000Z')
    expect(await readEnd({ [IDLE_HEADER]: '1200' })).toBe('2026-11-21T09:30:00.000Z')
    expect(await readEnd({ [IDLE_HEADER]: '300' })).toBe('2026-11-21T09:45:00.000Z')
    // Used meanwhile in another tab.
    expect(await readEnd({ [IDLE_HEADER]: '1200' })).toBe('2026-11-21T09:45:00.000Z')
    expect(await readEnd()).toBe('2026-11-21T09:50:00.000Z')
  })

  it('are not kept alive by background requests of the portal, and an invalid idle header is ignored', async () => {
    const { email } = await test.signIn()
    const token = await signInFrom(email, '203.0.113.9')
    for (const minutes of [10, 20, 29]) {
      test.clock.set(`2026-11-21T09:${minutes}:00.000Z`)
      expect(await statusOf(token, { [IDLE_HEADER]: String(minutes * 60) })).toBe(200)
    }
    test.clock.set('2026-11-21T09:30:00.000Z')
    expect(await statusOf(token, { [IDLE_HEADER]: '1800' })).toBe(401)
    for (const nonsense of ['-1', 'x', '1e9', '9'.repeat(30)]) {
      const fresh = await signInFrom(email, '203.0.113.9')
      expect(await statusOf(fresh, { [IDLE_HEADER]: nonsense })).toBe(200)
    }
  })
})
