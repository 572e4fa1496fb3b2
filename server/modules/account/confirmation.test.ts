import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ LOGIN_ATTEMPTS: '4' })
const { confirm } = routes.account

const all = Object.entries(endpoints).flatMap(([domain, group]) =>
  Object.entries(group).map(([name, endpoint]) => ({ name: `${domain}.${name}`, endpoint: endpoint as Endpoint })),
)
const sensitive = all.filter(({ endpoint }) => endpoint.sensitive)

async function signIn(email: string): Promise<string> {
  return (await test.request(routes.auth.login, { body: { email, password: TEST_PASSWORD } })).body.token
}

describe('a sensitive call', () => {
  it('is one that changes access, or gives out people or secrets', () => {
    expect(sensitive.map(({ name }) => name)).toEqual([
      'account.endSession',
      'account.endOtherSessions',
      'secondFactors.create',
      'secondFactors.confirm',
      'secondFactors.createRecoveryCodes',
      'secondFactors.delete',
      'secondFactors.setRequirement',
      'passkeys.createOptions',
      'passkeys.create',
      'passkeys.delete',
      'users.export',
      'users.exportBookings',
      'staff.create',
      'staff.update',
      'staff.createPasswordLink',
      'staff.resetSecondFactor',
      'staff.export',
      'webhooks.create',
      'apiKeys.create',
      'apiKeys.update',
    ])
  })

  it.each(sensitive)('asks for the password again after 15 minutes: $name', async ({ endpoint }) => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const call = () => test.request(endpoint, { token, params: { id: createId() }, body: {} })
    test.clock.set('2026-11-21T09:14:59.999Z')
    expect((await call()).status).not.toBe(403)
    test.clock.set('2026-11-21T09:15:00.000Z')
    expect(await call()).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', message: 'Enter your password again to do this.' },
    })
    // Others go on.
    expect((await test.request(routes.account.get, { token })).status).toBe(200)
    expect((await test.request(confirm, { token, body: { password: TEST_PASSWORD } })).status).toBe(200)
    expect((await call()).status).not.toBe(403)
    test.clock.set('2026-11-21T09:30:00.000Z')
    expect((await call()).body.code).toBe('confirmation_required')
  })
})

describe('POST sessions/confirmations', () => {
  it('is about this session alone, and in the history', async () => {
    const staff = await buildStaff(test.db)
    const [here, there] = [await signIn(staff.email), await signIn(staff.email)]
    test.clock.set('2026-11-21T09:20:00.000Z')
    await test.request(confirm, { token: here, body: { password: TEST_PASSWORD } })
    expect((await test.request(routes.staff.export, { token: here })).status).toBe(200)
    expect((await test.request(routes.staff.export, { token: there })).status).toBe(403)
    const rows = await test.db.selectFrom('audit').select('actor_id').where('action', '=', 'confirm').execute()
    expect(rows).toEqual([{ actor_id: staff.id }])
  })

  it('says at its field that the password is wrong, and counts it as sign-in does', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const send = (password: string) => test.request(confirm, { token, body: { password } })
    for (let attempt = 0; attempt < 4; attempt++) {
      const response = await send('wrong')
      expect(response.status).toBe(400)
      expect(response.body.errors).toEqual([{ path: 'password', message: 'This is not your password' }])
    }
    expect((await send(TEST_PASSWORD)).status).toBe(429)
    expect((await test.request(routes.account.get, { token })).status).toBe(200)
  })
})
