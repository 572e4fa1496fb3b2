import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { listenLive } from '#server/testing/live-client.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ LOGIN_ATTEMPTS: '4' })
const { confirm } = routes.account

const sensitive = allEndpoints.filter(({ endpoint }) => endpoint.sensitive)

async function signIn(email: string): Promise<string> {
  return (await test.request(routes.auth.login, { body: { email, password: TEST_PASSWORD } })).body.token
}

describe('sensitive endpoints', () => {
  it('are exactly the listed ones, which change access or expose people or secrets', () => {
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
      'closures.export',
      'users.erase',
      'users.export',
      'users.exportBookings',
      'staff.create',
      'staff.update',
      'staff.unblock',
      'staff.createPasswordLink',
      'staff.resetSecondFactor',
      'staff.export',
      'companies.export',
      'audit.export',
      'webhooks.create',
      'webhooks.update',
      'apiKeys.create',
      'apiKeys.update',
    ])
  })

  it.each(sensitive)('require the password again after 15 minutes: $name', async ({ endpoint }) => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const call = (as = token) => test.request(endpoint, { token: as, params: { id: createId() }, body: {} })
    test.clock.set('2026-11-21T09:14:59.999Z')
    expect((await call()).status).not.toBe(403)
    test.clock.set('2026-11-21T09:15:00.000Z')
    expect(await call()).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', message: 'Enter your password again to do this.' },
    })
    // Other requests still work.
    expect((await test.request(routes.account.get, { token })).status).toBe(200)
    const confirmed = await test.request(confirm, { token, body: { password: TEST_PASSWORD } })
    expect(confirmed.status).toBe(200)
    expect((await call(confirmed.body.token)).status).not.toBe(403)
    test.clock.set('2026-11-21T09:30:00.000Z')
    expect((await call(confirmed.body.token)).body.code).toBe('confirmation_required')
  })
})

describe('POST sessions/confirmations', () => {
  it('confirms only the session that sent the request, and is recorded in the history', async () => {
    const staff = await buildStaff(test.db)
    const [here, there] = [await signIn(staff.email), await signIn(staff.email)]
    test.clock.set('2026-11-21T09:20:00.000Z')
    const { token } = (await test.request(confirm, { token: here, body: { password: TEST_PASSWORD } })).body
    expect((await test.request(routes.staff.export, { token })).status).toBe(200)
    expect((await test.request(routes.staff.export, { token: there })).status).toBe(403)
    const rows = await test.db.selectFrom('audit').select('actor_id').where('action', '=', 'confirm').execute()
    expect(rows).toEqual([{ actor_id: staff.id }])
  })

  it('reports a wrong password at its field, and limits and records attempts as sign-in does', async () => {
    const { id, email } = await buildStaff(test.db)
    const token = await signIn(email)
    const send = (password: string) => test.request(confirm, { token, body: { password } })
    for (let attempt = 0; attempt < 4; attempt++) {
      const response = await send('wrong')
      expect(response.status).toBe(400)
      expect(response.body.errors).toEqual([{ path: 'password', message: 'This is not your password' }])
    }
    expect((await send(TEST_PASSWORD)).status).toBe(429)
    expect((await test.request(routes.account.get, { token })).status).toBe(200)
    const rows = test.db.selectFrom('audit').select(['actor_id', 'entity_id', 'label', 'reason'])
    const reason = 'Wrong password while signed in'
    expect(await rows.where('action', '=', 'sign-in-failed').execute()).toEqual(
      Array.from({ length: 4 }, () => ({ actor_id: id, entity_id: id, label: email, reason })),
    )
  })
})

describe('a session’s new token', () => {
  const read = async (token: string) => (await test.request(routes.account.get, { token })).status
  const give = (token: string) => test.request(confirm, { token, body: { password: TEST_PASSWORD } })

  it('replaces the previous token, which is still accepted for 30 seconds', async () => {
    const { email } = await buildStaff(test.db)
    const [token, elsewhere] = [await signIn(email), await signIn(email)]
    const confirmed = (await give(token)).body
    expect(confirmed).toEqual({ message: 'Password confirmed', token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(confirmed.token).not.toBe(token)
    test.clock.set('2026-11-21T09:00:29.999Z')
    expect([await read(token), await read(confirmed.token)]).toEqual([200, 200])
    // It is still a single session in its owner's list.
    const sessions = (await test.request(routes.account.sessions, { token: confirmed.token })).body
    expect(sessions).toMatchObject([{ isThis: true }, { isThis: false }])
    test.clock.set('2026-11-21T09:00:30.000Z')
    expect([await read(token), await read(confirmed.token), await read(elsewhere)]).toEqual([401, 200, 200])
  })

  it('alone allows what is sensitive: whoever has the previous one gains nothing by the password', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    test.clock.set('2026-11-21T09:20:00.000Z')
    const renewed = (await give(token)).body.token
    const code = async (as: string) => (await test.request(routes.staff.export, { token: as })).body?.code
    expect([await code(token), await code(renewed)]).toEqual(['confirmation_required', undefined])
    expect(await read(token)).toBe(200)
  })

  it('ends together with the previous token at sign-out', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const renewed = (await give(token)).body.token
    expect((await test.request(routes.auth.signOut, { token })).status).toBe(200)
    expect([await read(token), await read(renewed)]).toEqual([401, 401])
  })

  it('works for two tabs that confirm at the same moment, within a single session', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const answers = await Promise.all([give(token), give(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const given = answers.flatMap(({ body }) => body.token ?? [])
    const taken = await Promise.all(given.map(read))
    expect(taken).toEqual(given.map(() => 200))
    expect(await test.db.selectFrom('sessions').select('token_hash').execute()).toHaveLength(1)
  })

  it('is refused once its owner is blocked, as is the previous token', async () => {
    const { id, email } = await buildStaff(test.db)
    const token = await signIn(email)
    const renewed = (await give(token)).body.token
    await test.db.updateTable('staff').set({ is_blocked: true }).where('id', '=', id).execute()
    expect([await read(token), await read(renewed)]).toEqual([401, 401])
  })

  it('keeps a live stream open that was opened with the previous token', async () => {
    const { email } = await buildStaff(test.db)
    const token = await signIn(email)
    const stream = await listenLive(`http://127.0.0.1:${await test.listen()}`, token)
    await give(token)
    test.clock.set('2026-11-21T09:05:00.000Z')
    await test.context.live.checkSessions()
    expect(test.context.live.countListeners()).toBe(1)
    expect(stream.isEnded()).toBe(false)
    stream.leave()
  })
})
