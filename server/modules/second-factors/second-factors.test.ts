import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { type SignedInStaff, type TestResponse, useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ LOGIN_ATTEMPTS: '4', SECRET_KEY: 'the key of these tests' })
const { login, signInWithCode } = routes.auth
const { get, create, confirm, createRecoveryCodes, delete: turnOff } = routes.secondFactors

const CODE_SECONDS = 30
const later = (seconds: number) => test.clock.set(new Date(test.clock.now().getTime() + seconds * 1000))
const codeOf = (key: string) => toCode(key, test.clock.now())
const state = async (token: string) => (await test.request(get, { token })).body

const statusesOf = (responses: TestResponse[]) => responses.map(({ status }) => status).sort((a, b) => a - b)

const giveCode = (challenge: string, code: string, headers: Record<string, string> = {}) =>
  test.request(signInWithCode, { body: { challenge, code }, headers })

async function givePassword(email: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await test.request(login, { body: { email, password: TEST_PASSWORD }, headers })
  expect(response).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
  return response.body.challenge
}

async function setUp(me: SignedInStaff): Promise<{ key: string; recoveryCodes: string[] }> {
  const { key } = (await test.request(create, { token: me.token })).body
  const { body } = await test.request(confirm, { token: me.token, body: { code: codeOf(key) } })
  later(CODE_SECONDS)
  return { key, recoveryCodes: body.recoveryCodes }
}

/** Returns all rows that hold second factors, and all that might reveal them, as text. */
const readAll = async () =>
  JSON.stringify([
    await test.db.selectFrom('second_factors').selectAll().execute(),
    await test.db.selectFrom('recovery_codes').selectAll().execute(),
    await test.db.selectFrom('audit').selectAll().execute(),
    await test.db.selectFrom('mails').selectAll().execute(),
    await test.db.selectFrom('idempotency_keys').selectAll().execute(),
  ])

describe('setting up a second factor', () => {
  it('takes effect with the first code, gives ten recovery codes, and ends the other sessions', async () => {
    const me = await test.signIn([1])
    const other = (await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).body.token
    const offered = (await test.request(create, { token: me.token })).body
    expect(offered.uri).toBe(
      `otpauth://totp/Podkeeper:${encodeURIComponent(me.email)}?issuer=Podkeeper&secret=${offered.key}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(await state(me.token)).toEqual({
      isSetUp: false,
      since: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      isRequired: false,
    })
    // Until a code confirms it, the password alone signs in.
    expect((await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).status).toBe(200)

    const response = await test.request(confirm, { token: me.token, body: { code: codeOf(offered.key) } })
    expect(response.status).toBe(200)
    expect(new Set(response.body.recoveryCodes).size).toBe(10)
    for (const code of response.body.recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
    expect(await state(me.token)).toEqual({
      isSetUp: true,
      since: '2026-11-21T09:00:00.000Z',
      passkeys: 0,
      recoveryCodesLeft: 10,
      isRequired: false,
    })
    expect((await test.request(get, { token: other })).status).toBe(401)
    await givePassword(me.email)
    const mails = await test.db.selectFrom('mails').select(['kind', 'to_email']).execute()
    expect(mails).toEqual([{ kind: 'second-factor', to_email: me.email }])
  })

  it('refuses a wrong code at its field, and every code after four attempts', async () => {
    const me = await test.signIn([1])
    const { key } = (await test.request(create, { token: me.token })).body
    for (let attempt = 0; attempt < 4; attempt++) {
      const wrong = await test.request(confirm, { token: me.token, body: { code: '000000' } })
      expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
    }
    expect((await test.request(confirm, { token: me.token, body: { code: codeOf(key) } })).status).toBe(429)
  })

  it('refuses a key after 15 minutes', async () => {
    const me = await test.signIn([1])
    const { key } = (await test.request(create, { token: me.token })).body
    later(15 * 60)
    const late = await test.request(confirm, { token: me.token, body: { code: codeOf(key) } })
    expect(late).toMatchObject({ status: 409, body: { message: 'This key is too old, or was replaced. Start again.' } })
  })

  it('on another device keeps the current one working until the new one is confirmed', async () => {
    const me = await test.signIn([1])
    const { key } = await setUp(me)
    const offered = (await test.request(create, { token: me.token })).body
    expect((await giveCode(await givePassword(me.email), codeOf(offered.key))).status).toBe(401)
    expect((await giveCode(await givePassword(me.email), codeOf(key))).status).toBe(200)
    later(CODE_SECONDS)
    await test.request(confirm, { token: me.token, body: { code: codeOf(offered.key) } })
    later(CODE_SECONDS)
    expect((await giveCode(await givePassword(me.email), codeOf(key))).status).toBe(401)
    expect((await giveCode(await givePassword(me.email), codeOf(offered.key))).status).toBe(200)
  })

  it('stores neither the key nor recovery codes in plain text, not even in history, mails or stored responses', async () => {
    const me = await test.signIn([1])
    const { key, recoveryCodes } = await setUp(me)
    await test.request(createRecoveryCodes, { token: me.token, headers: { 'idempotency-key': 'again' } })
    const stored = await readAll()
    for (const secret of [key, ...recoveryCodes, recoveryCodes[0]?.replaceAll('-', '') ?? '']) {
      expect(stored).not.toContain(secret)
    }
    const { secret } = await test.db.selectFrom('second_factors').select('secret').executeTakeFirstOrThrow()
    expect(secret).toMatch(/^v2:/)
    expect(test.context.secrets.open(secret)).toBe(key)
  })

  it('can be reversed by turning it off, which is recorded in the history and mailed', async () => {
    const me = await test.signIn([1])
    await setUp(me)
    expect((await test.request(turnOff, { token: me.token })).status).toBe(200)
    expect(await state(me.token)).toEqual({
      isSetUp: false,
      since: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
      isRequired: false,
    })
    expect((await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).status).toBe(200)
    expect((await test.request(turnOff, { token: me.token })).status).toBe(409)
    expect((await test.request(createRecoveryCodes, { token: me.token })).status).toBe(409)
    const rows = await test.db.selectFrom('audit').select(['action', 'actor_id']).orderBy('at').execute()
    expect(rows.map(({ action }) => action)).toEqual(['second-factor', 'second-factor-off', 'sign-in'])
    expect(rows[1]?.actor_id).toBe(me._id)
    expect(await test.db.selectFrom('mails').select('kind').execute()).toHaveLength(2)
  })
})

describe('signing in with a second factor', () => {
  const build = async () => {
    const staff = await buildStaff(test.db, { pages: [2] })
    const { key } = await buildSecondFactor(test.db, staff.id)
    return { staff, key, email: staff.email }
  }

  it('returns a challenge, not a session, for the right password, and a session for the right code', async () => {
    const { staff, key, email } = await build()
    const response = await test.request(login, { body: { email, password: TEST_PASSWORD } })
    expect(Object.keys(response.body).sort()).toEqual(['challenge', 'code', 'message', 'requestId'])
    const { challenge } = response.body
    expect((await test.request(get, { token: challenge })).status).toBe(401)
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])
    expect(await test.db.selectFrom('audit').select('action').execute()).toEqual([])

    const signedIn = await giveCode(challenge, codeOf(key))
    expect(signedIn).toMatchObject({ status: 200, body: { _id: staff.id, auth_page: ['2'], message: 'Signed in' } })
    expect((await test.request(get, { token: signedIn.body.token })).status).toBe(200)
    expect(await test.db.selectFrom('audit').select(['action', 'actor_id']).execute()).toEqual([
      { action: 'sign-in', actor_id: staff.id },
    ])
    // A challenge works only once.
    later(CODE_SECONDS)
    expect(await giveCode(challenge, codeOf(key))).toMatchObject({ status: 410, body: { code: 'challenge_over' } })
  })

  it('does not reveal the second factor when the password is wrong', async () => {
    const { email } = await build()
    const response = await test.request(login, { body: { email, password: 'wrong' } })
    expect(response).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it.each([
    ['after five minutes', async () => later(5 * 60)],
    ['of someone who was blocked', () => test.db.updateTable('staff').set({ is_blocked: true }).execute()],
    ['of someone who was deleted', () => test.db.updateTable('staff').set({ deleted_at: test.clock.now() }).execute()],
  ])('refuses a challenge %s', async (_, happens) => {
    const { key, email } = await build()
    const challenge = await givePassword(email)
    await happens()
    expect((await giveCode(challenge, codeOf(key))).body.code).toBe('challenge_over')
  })

  it('refuses a challenge from another browser, or after a change of password', async () => {
    const me = await test.signIn([1])
    const { key } = await setUp(me)
    const mine = { 'user-agent': 'Firefox' }
    const challenge = await givePassword(me.email, mine)
    expect((await giveCode(challenge, codeOf(key), { 'user-agent': 'Chrome' })).status).toBe(410)
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'another sound password' }
    expect((await test.request(routes.auth.changePassword, { token: me.token, body })).status).toBe(200)
    expect((await giveCode(challenge, codeOf(key), mine)).status).toBe(410)
  })

  it.each([
    [-60, 401],
    [-30, 200],
    [30, 200],
    [60, 401],
  ])('with a code from a clock %i seconds off returns %i', async (seconds, status) => {
    const { key, email } = await build()
    const shown = toCode(key, new Date(test.clock.now().getTime() + seconds * 1000))
    expect((await giveCode(await givePassword(email), shown)).status).toBe(status)
  })

  it('accepts a code with a space, and only once, even in two requests at the same moment', async () => {
    const { key, email } = await build()
    const [first, second] = [await givePassword(email), await givePassword(email)]
    const code = codeOf(key)
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const both = await Promise.all([giveCode(first, spaced), giveCode(second, code)])
    expect(statusesOf(both)).toEqual([200, 401])
    // The previous code is refused too.
    const earlier = toCode(key, new Date(test.clock.now().getTime() - CODE_SECONDS * 1000))
    expect((await giveCode(await givePassword(email), earlier)).body.code).toBe('wrong_code')
    expect(await test.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
  })

  it('accepts a challenge only once, even with two valid codes at the same moment', async () => {
    const { key, email } = await build()
    const challenge = await givePassword(email)
    const next = toCode(key, new Date(test.clock.now().getTime() + CODE_SECONDS * 1000))
    const both = await Promise.all([giveCode(challenge, codeOf(key)), giveCode(challenge, next)])
    expect(statusesOf(both)).toEqual([200, 410])
  })

  it('refuses a wrong code at its field, records the attempt, and limits attempts despite right passwords', async () => {
    const { staff, key, email } = await build()
    for (let attempt = 0; attempt < 4; attempt++) {
      // Giving the right password before each code does not reset the limit.
      const wrong = await giveCode(await givePassword(email), '000000')
      expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_code', errors: [{ path: 'code' }] } })
    }
    const refused = await giveCode(await givePassword(email), codeOf(key))
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBeDefined()
    const rows = await test.db.selectFrom('audit').select(['action', 'entity_id', 'reason']).execute()
    expect(rows).toEqual(
      Array.from({ length: 4 }, () => ({ action: 'sign-in-failed', entity_id: staff.id, reason: 'Wrong code' })),
    )
  })

  it('stops wrong codes after fifty, from whatever networks they come', async () => {
    const { email, key } = await build()
    const challenge = await givePassword(email)
    const giveFrom = (remoteAddress: string, code: string) =>
      test.app.inject({ method: 'POST', url: '/api/sessions', remoteAddress, payload: { challenge, code } })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 51; attempt++) {
      statuses.push((await giveFrom(`198.51.100.${attempt}`, '000000')).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 401), 429])
    expect((await giveFrom('203.0.113.9', codeOf(key))).statusCode).toBe(429)
  })

  it('cannot be bypassed with a password link', async () => {
    const boss = await test.signIn()
    const { staff, key, email } = await build()
    const { link } = (
      await test.request(routes.staff.createPasswordLink, { token: boss.token, params: { id: staff.id } })
    ).body
    const body = { token: link.split('#')[1], newPassword: 'another sound password' }
    expect((await test.request(routes.auth.usePasswordLink, { body })).body.token).toBeUndefined()
    const response = await test.request(login, { body: { email, password: 'another sound password' } })
    expect(response.body.code).toBe('second_factor_required')
    expect((await giveCode(response.body.challenge, codeOf(key))).status).toBe(200)
  })

  it('refuses the code of an empty key', async () => {
    const { email } = await build()
    await test.db
      .updateTable('second_factors')
      .set({ secret: test.context.secrets.seal('') })
      .execute()
    expect((await giveCode(await givePassword(email), codeOf(''))).status).toBe(401)
  })
})

describe('a recovery code', () => {
  it('signs in once instead of a code, in any case and spacing, and reports how many are left', async () => {
    const me = await test.signIn([1])
    const { recoveryCodes } = await setUp(me)
    const [first = '', second = ''] = recoveryCodes
    const signedIn = await giveCode(await givePassword(me.email), ` ${first.toUpperCase().replaceAll('-', ' ')}`)
    expect(signedIn).toMatchObject({ status: 200, body: { message: 'Signed in with a recovery code. 9 left.' } })
    expect((await state(me.token)).recoveryCodesLeft).toBe(9)
    expect((await giveCode(await givePassword(me.email), first)).body.code).toBe('wrong_code')
    const [one, other] = [await givePassword(me.email), await givePassword(me.email)]
    const both = await Promise.all([giveCode(one, second), giveCode(other, second)])
    expect(statusesOf(both)).toEqual([200, 401])
    const mails = await test.db.selectFrom('mails').select('text').where('kind', '=', 'second-factor').execute()
    expect(mails.filter(({ text }) => text.includes('a recovery code'))).toHaveLength(2)
  })

  it('is refused for anybody else', async () => {
    const me = await test.signIn([1])
    const { recoveryCodes } = await setUp(me)
    const other = await buildStaff(test.db)
    await buildSecondFactor(test.db, other.id)
    expect((await giveCode(await givePassword(other.email), recoveryCodes[0] ?? '')).status).toBe(401)
    expect((await state(me.token)).recoveryCodesLeft).toBe(10)
  })

  it('stops working when new ones are created', async () => {
    const me = await test.signIn([1])
    const { recoveryCodes } = await setUp(me)
    const fresh = (await test.request(createRecoveryCodes, { token: me.token })).body.recoveryCodes
    expect(fresh).toHaveLength(10)
    expect((await giveCode(await givePassword(me.email), recoveryCodes[3] ?? '')).status).toBe(401)
    expect((await giveCode(await givePassword(me.email), fresh[3])).status).toBe(200)
  })
})

describe('a lost second factor', () => {
  const reset = (token: string, id: string) =>
    test.request(routes.staff.resetSecondFactor, { token, params: { id }, headers: { 'if-match': '*' } })

  it('can be reset by a colleague, which ends all sessions, is recorded in the history, and is mailed', async () => {
    const boss = await test.signIn()
    const me = await test.signIn([2])
    const { recoveryCodes } = await setUp(me)
    const challenge = await givePassword(me.email)
    expect((await reset(boss.token, me._id)).body.message).toBe('Second factor reset')
    expect((await test.request(get, { token: me.token })).status).toBe(401)
    expect((await giveCode(challenge, recoveryCodes[0] ?? '')).status).toBe(410)
    expect((await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).status).toBe(200)
    const row = test.db
      .selectFrom('audit')
      .select(['actor_id', 'entity_id'])
      .where('action', '=', 'second-factor-reset')
    expect(await row.execute()).toEqual([{ actor_id: boss._id, entity_id: me._id }])
    const mails = await test.db.selectFrom('mails').select(['to_email', 'text']).orderBy('id').execute()
    expect(mails.at(-1)).toMatchObject({
      to_email: me.email,
      text: expect.stringMatching(/removed your second factor[^]*If you did not expect this, change your password now/),
    })
    expect((await reset(boss.token, me._id)).status).toBe(409)
    expect(await test.db.selectFrom('recovery_codes').select('staff_id').execute()).toEqual([])
  })

  it('is only ever one’s own: whatever happens to it, those of colleagues stay as they are', async () => {
    const [colleague, boss] = [await test.signIn([1]), await test.signIn()]
    await setUp(colleague)
    await test.request(create, { token: colleague.token })
    const passkey = { id: createId(), staff_id: colleague._id, credential_id: 'theirs', public_key: Buffer.from('key') }
    const rest = { counter: 0, transports: [], name: 'Phone', created_at: test.clock.now() }
    await test.db
      .insertInto('passkeys')
      .values({ ...passkey, ...rest })
      .execute()
    const readTheirs = () =>
      Promise.all(
        (['second_factors', 'recovery_codes', 'passkeys', 'sessions'] as const).map(async (table) => {
          const rows = await test.db.selectFrom(table).selectAll().where('staff_id', '=', colleague._id).execute()
          return rows.map((row) => JSON.stringify(row)).toSorted()
        }),
      )
    const before = await readTheirs()
    const me = await test.signIn([2])
    expect(await state(me.token)).toMatchObject({ isSetUp: false, passkeys: 0, recoveryCodesLeft: 0 })
    expect((await test.request(confirm, { token: me.token, body: { code: '123456' } })).status).toBe(409)
    await setUp(me)
    await test.request(create, { token: me.token })
    await test.request(createRecoveryCodes, { token: me.token })
    expect((await test.request(turnOff, { token: me.token })).status).toBe(200)
    expect((await test.request(turnOff, { token: me.token })).status).toBe(409)
    await setUp(me)
    expect((await reset(boss.token, me._id)).status).toBe(200)
    expect((await reset(boss.token, me._id)).status).toBe(409)
    expect(await readTheirs()).toEqual(before)
  })

  it('cannot be reset by a colleague with fewer pages, nor by its owner', async () => {
    const [boss, lesser] = [await test.signIn(), await test.signIn([8])]
    await setUp(boss)
    expect((await reset(lesser.token, boss._id)).body.code).toBe('colleague_has_more')
    expect((await reset(boss.token, boss._id)).body.code).toBe('own_account')
    expect((await state(boss.token)).isSetUp).toBe(true)
  })
})
