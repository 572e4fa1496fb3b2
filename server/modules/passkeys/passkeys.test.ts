import { describe, expect, it } from 'vitest'
import { PAGE, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { buildPasskey, createAuthenticator } from '#server/testing/authenticator.ts'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { type SignedInStaff, type TestResponse, useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { systemActor } from '../audit/record-event.ts'
import { lockSignIn } from '../auth/auth.repository.ts'
import { resetFactors } from '../second-factors/second-factors.service.ts'
import { findStaff } from '../staff/staff.repository.ts'

const test = useTestApp({ LOGIN_ATTEMPTS: '4' })
const { login, signInWithCode, startPasskey, signInWithPasskey } = routes.auth
const { list, createOptions, create, update, delete: remove } = routes.passkeys
const { secondFactors, account } = routes

type Authenticator = ReturnType<typeof createAuthenticator>

const later = (seconds: number) => test.clock.set(new Date(test.clock.now().getTime() + seconds * 1000))
const statusesOf = (responses: TestResponse[]) => responses.map(({ status }) => status).sort((a, b) => a - b)
const offer = async (token: string) => (await test.request(createOptions, { token })).body
const start = async () => (await test.request(startPasskey)).body
const namesOf = async (token: string) =>
  (await test.request(list, { token })).body.map(({ name }: { name: string }) => name)
const findState = async (token: string) => (await test.request(secondFactors.get, { token })).body

const send = (challenge: string, credential: unknown, headers: Record<string, string> = {}) =>
  test.request(signInWithPasskey, { body: { challenge, credential }, headers })

async function add(me: Pick<SignedInStaff, 'token'>, name?: string) {
  const options = await offer(me.token)
  const authenticator = createAuthenticator()
  const body = { challenge: options.challenge, name, credential: authenticator.make(options) }
  const response = await test.request(create, { token: me.token, body })
  expect(response.status, response.text).toBe(200)
  return { authenticator, ...response.body }
}

/** Signs in with a passkey instead of the password. */
async function signIn(authenticator: Authenticator): Promise<TestResponse> {
  const options = await start()
  return send(options.challenge, authenticator.sign(options))
}

/** Signs in with the password of somebody who has a passkey, and returns the challenge. */
async function givePassword(email: string, headers: Record<string, string> = {}) {
  const response = await test.request(login, { body: { email, password: TEST_PASSWORD }, headers })
  expect(response).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
  return response.body
}

async function build(overrides: Parameters<typeof buildStaff>[1] = {}) {
  const staff = await buildStaff(test.db, { pages: [PAGE.features], ...overrides })
  return { staff, email: staff.email, ...(await buildPasskey(test.db, staff.id)) }
}

const failures = () =>
  test.db.selectFrom('audit').select(['entity_id', 'label', 'reason']).where('action', '=', 'sign-in-failed').execute()

describe('adding a passkey', () => {
  it('accepts a passkey made by the browser, and lists the passkey with its name and last use', async () => {
    const me = await test.signIn([])
    const options = await offer(me.token)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Podkeeper' },
      user: { name: me.email, id: Buffer.from(me._id).toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: 5 * 60_000,
      excludeCredentials: [],
    })
    const authenticator = createAuthenticator()
    const body = { challenge: options.challenge, name: ' Phone ', credential: authenticator.make(options) }
    const { body: added } = await test.request(create, { token: me.token, body })
    expect(added).toMatchObject({ name: 'Phone', createdAt: '2026-11-21T09:00:00.000Z', lastUsedAt: null })
    later(60)
    await signIn(authenticator)
    expect((await test.request(list, { token: me.token })).body).toEqual([
      {
        _id: added._id,
        name: 'Phone',
        createdAt: '2026-11-21T09:00:00.000Z',
        lastUsedAt: '2026-11-21T09:01:00.000Z',
      },
    ])
  })

  it('returns recovery codes and ends other sessions the first time, and is recorded and mailed every time', async () => {
    const me = await test.signIn([])
    const other = (await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).body.token
    const first = await add(me, 'Phone')
    expect(first.message).toBe('Passkey added. You are signed out everywhere else.')
    expect(new Set(first.recoveryCodes).size).toBe(10)
    expect((await test.request(account.get, { token: other })).status).toBe(401)
    const second = await add(me, 'Key of the safe')
    expect(second.message).toBe('Passkey added')
    expect(second).not.toHaveProperty('recoveryCodes')
    expect(await findState(me.token)).toMatchObject({ isSetUp: false, passkeys: 2, recoveryCodesLeft: 10 })
    const rows = await test.db
      .selectFrom('audit')
      .select(['actor_id', 'entity', 'entity_id', 'reason'])
      .where('action', '=', 'passkey-add')
      .orderBy('at')
      .execute()
    expect(rows).toEqual(
      ['Phone', 'Key of the safe'].map((reason) => ({ actor_id: me._id, entity: 'staff', entity_id: me._id, reason })),
    )
    const mails = await test.db.selectFrom('mails').select(['kind', 'to_email', 'text']).execute()
    expect(mails).toHaveLength(2)
    expect(mails[0]).toMatchObject({ kind: 'second-factor', to_email: me.email })
    expect(mails[0]?.text).toContain('A passkey was added to your account.')
  })

  it('names the passkey after the browser when no name is sent', async () => {
    const me = await test.signIn([])
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36' }
    const options = (await test.request(createOptions, { token: me.token, headers })).body
    const body = { challenge: options.challenge, name: '  ', credential: createAuthenticator().make(options) }
    expect((await test.request(create, { token: me.token, body, headers })).body.name).toBe('Chrome on Windows')
  })

  it('sends the existing passkeys to the browser, and refuses duplicates and more than twenty', async () => {
    const me = await test.signIn([])
    const { authenticator } = await add(me)
    const options = await offer(me.token)
    expect(options.excludeCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    const again = { challenge: options.challenge, credential: authenticator.make(options) }
    expect(await test.request(create, { token: me.token, body: again })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'This passkey was added already.' },
    })
    // Nobody else can add it either.
    const other = await test.signIn([])
    const theirs = await offer(other.token)
    const taken = { challenge: theirs.challenge, credential: authenticator.make(theirs) }
    expect((await test.request(create, { token: other.token, body: taken })).status).toBe(409)
    expect(await namesOf(other.token)).toEqual([])

    for (let count = 1; count < 20; count++) await buildPasskey(test.db, me._id)
    const last = await offer(me.token)
    const body = { challenge: last.challenge, credential: createAuthenticator().make(last) }
    expect((await test.request(create, { token: me.token, body })).body.message).toMatch(/^You have 20 passkeys/)
  })

  it.each([
    ['for another site', { origin: 'https://evil.example' }],
    ['without asking who it is', { isVerified: false }],
    ['that is a sign-in', { type: 'webauthn.get' }],
  ])('refuses a response %s', async (_, signing) => {
    const me = await test.signIn([])
    const options = await offer(me.token)
    const body = { challenge: options.challenge, credential: createAuthenticator().make(options, signing) }
    expect(await test.request(create, { token: me.token, body })).toMatchObject({
      status: 400,
      body: { message: 'This passkey could not be checked. Add it again.' },
    })
    expect(await namesOf(me.token)).toEqual([])
  })

  it('refuses a response to another challenge', async () => {
    const me = await test.signIn([])
    const [authenticator, options] = [createAuthenticator(), await offer(me.token)]
    const credential = authenticator.make({ ...options, challenge: (await start()).challenge })
    const other = { challenge: options.challenge, credential }
    expect((await test.request(create, { token: me.token, body: other })).status).toBe(400)
  })

  it('accepts a challenge once, within five minutes, from its owner only, and no sign-in challenge', async () => {
    const [me, other] = [await test.signIn([]), await test.signIn([])]
    const post = async (token: string, options: { challenge: string }, wanted = options) => {
      const made = createAuthenticator().make({ ...(await offer(me.token)), challenge: wanted.challenge })
      return test.request(create, { token, body: { challenge: wanted.challenge, credential: made } })
    }
    const mine = await offer(me.token)
    // `post` makes a new offer, which replaces this one.
    expect(await post(me.token, mine)).toMatchObject({ status: 410, body: { code: 'challenge_over' } })

    const [authenticator, options] = [createAuthenticator(), await offer(me.token)]
    const body = { challenge: options.challenge, credential: authenticator.make(options) }
    expect((await test.request(create, { token: other.token, body })).status).toBe(410)
    const headers = { 'user-agent': 'Another browser' }
    expect((await test.request(create, { token: me.token, body, headers })).status).toBe(410)
    const both = await Promise.all([
      test.request(create, { token: me.token, body }),
      test.request(create, { token: me.token, body }),
    ])
    expect(statusesOf(both)).toEqual([200, 410])

    const signing = await start()
    const misused = { challenge: signing.challenge, credential: createAuthenticator().make({ ...options, ...signing }) }
    expect((await test.request(create, { token: me.token, body: misused })).status).toBe(410)

    const late = await offer(me.token)
    later(5 * 60)
    const tooLate = { challenge: late.challenge, credential: createAuthenticator().make(late) }
    expect((await test.request(create, { token: me.token, body: tooLate })).status).toBe(410)
    expect(await namesOf(me.token)).toHaveLength(1)
  })

  it('exposes neither authenticator ids nor public keys in the list', async () => {
    const me = await test.signIn([])
    const { authenticator } = await add(me)
    const { text } = await test.request(list, { token: me.token })
    expect(text).not.toContain(authenticator.credentialId)
    expect(text).not.toContain(authenticator.publicKey.toString('base64url'))
  })
})

describe('the passkeys of a staff member', () => {
  it('can be renamed and removed, with both recorded in the history and the removal mailed', async () => {
    const me = await test.signIn([])
    const { _id: id, authenticator } = await add(me, 'Phone')
    const renamed = await test.request(update, { token: me.token, params: { id }, body: { name: 'Old phone' } })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Old phone', message: 'Passkey renamed' } })
    expect((await test.request(update, { token: me.token, params: { id }, body: { name: ' ' } })).status).toBe(400)
    later(1)
    expect((await test.request(remove, { token: me.token, params: { id } })).status).toBe(200)
    expect((await test.request(remove, { token: me.token, params: { id } })).status).toBe(404)
    // Removing the last passkey deletes the recovery codes, and the password alone is enough again.
    expect(await findState(me.token)).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
    expect((await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).status).toBe(200)
    expect((await signIn(authenticator)).body.code).toBe('wrong_passkey')
    const rows = await test.db
      .selectFrom('audit')
      .select(['action', 'reason'])
      .where('reason', 'like', '%hone')
      .orderBy('at')
      .execute()
    expect(rows).toEqual([
      { action: 'passkey-add', reason: 'Phone' },
      { action: 'passkey-rename', reason: 'Phone → Old phone' },
      { action: 'passkey-remove', reason: 'Old phone' },
    ])
    const mails = await test.db.selectFrom('mails').select('text').orderBy('id').execute()
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringContaining('A passkey was added'),
      expect.stringContaining('A passkey was removed'),
    ])
  })

  it('return 404 and stay unchanged for anybody else', async () => {
    const [me, boss] = [await test.signIn([]), await test.signIn(pageCodes)]
    const { _id: id } = await add(me, 'Phone')
    const body = { name: 'Mine now' }
    expect((await test.request(update, { token: boss.token, params: { id }, body })).status).toBe(404)
    expect((await test.request(remove, { token: boss.token, params: { id } })).status).toBe(404)
    expect(await namesOf(boss.token)).toEqual([])
    expect(await namesOf(me.token)).toEqual(['Phone'])
  })
})

describe('signing in with a passkey instead of the password', () => {
  it('needs no email address, and creates a normal session', async () => {
    const { staff, authenticator } = await build()
    const options = await start()
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 5 * 60_000,
      userVerification: 'required',
    })
    const response = await send(options.challenge, authenticator.sign(options))
    expect(response).toMatchObject({
      status: 200,
      body: { _id: staff.id, email: staff.email, auth_page: ['2'], message: 'Signed in' },
    })
    expect((await test.request(routes.features.list, { token: response.body.token })).status).toBe(200)
    expect(await test.db.selectFrom('audit').select(['action', 'actor_id']).execute()).toEqual([
      { action: 'sign-in', actor_id: staff.id },
    ])
  })

  it('sends a mail about a sign-in from a network or a device not used recently', async () => {
    const { staff, authenticator } = await build()
    expect((await signIn(authenticator)).status).toBe(200)
    expect(await test.db.selectFrom('mails').select('kind').execute()).toEqual([])
    const addresses = await test.db.selectFrom('sign_in_addresses').selectAll().execute()
    expect(addresses).toHaveLength(2)
    const [address_hash] = addresses.map((address) => address.address_hash)
    await test.db
      .updateTable('sign_in_addresses')
      .set({ address_hash: Buffer.from('elsewhere') })
      .where('address_hash', '=', address_hash ?? Buffer.alloc(0))
      .execute()
    expect((await signIn(authenticator)).status).toBe(200)
    const mails = await test.db.selectFrom('mails').select(['kind', 'to_email']).execute()
    expect(mails).toEqual([{ kind: 'new-sign-in', to_email: staff.email }])
  })

  it('requires no code of an authenticator app, as the device has verified the person', async () => {
    const { staff, authenticator } = await build()
    await buildSecondFactor(test.db, staff.id)
    expect((await signIn(authenticator)).status).toBe(200)
  })

  it('accepts a challenge only once, even after a failure or in concurrent requests', async () => {
    const { authenticator } = await build()
    const options = await start()
    const credential = authenticator.sign(options)
    const both = await Promise.all([send(options.challenge, credential), send(options.challenge, credential)])
    expect(statusesOf(both)).toEqual([200, 410])
    expect(await send(options.challenge, authenticator.sign(options))).toMatchObject({
      status: 410,
      body: { code: 'challenge_over', message: 'That took too long. Start again.' },
    })
    const next = await start()
    expect((await send(next.challenge, authenticator.sign(next, { isVerified: false }))).status).toBe(401)
    expect((await send(next.challenge, authenticator.sign(next))).status).toBe(410)
    expect(await test.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
  })

  it('accepts the later counter of two concurrent sign-ins', async () => {
    const { authenticator } = await build()
    const [one, other] = [await start(), await start()]
    const [first, second] = [authenticator.sign(one), authenticator.sign(other)]
    const both = await Promise.all([send(one.challenge, first), send(other.challenge, second)])
    // The first one succeeds too, unless the other, with the later counter, was faster.
    expect(both[1].status).toBe(200)
    const { counter } = await test.db.selectFrom('passkeys').select('counter').executeTakeFirstOrThrow()
    expect(counter).toBe(2)
  })

  it('refuses a challenge that is five minutes old, from another browser, or for adding a passkey', async () => {
    const { authenticator } = await build()
    const options = await start()
    const headers = { 'user-agent': 'Another browser' }
    expect((await send(options.challenge, authenticator.sign(options), headers)).status).toBe(410)
    later(5 * 60)
    expect((await send(options.challenge, authenticator.sign(options))).status).toBe(410)
    const me = await test.signIn([])
    const adding = await offer(me.token)
    const request = { challenge: adding.challenge, rpId: adding.rp.id }
    expect((await send(adding.challenge, authenticator.sign(request))).status).toBe(410)
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without asking who it is', { isVerified: false }],
    ['that does not say whose it is', { userHandle: undefined }],
    ['of a passkey that says it is somebody else’s', { userHandle: Buffer.from('somebody').toString('base64url') }],
    ['that is a new passkey', { type: 'webauthn.create' }],
  ])('refuses a signature %s', async (_, signing) => {
    const { staff, authenticator } = await build()
    const options = await start()
    // `sign` replaces an undefined handle by its default, so that a missing one has to be deleted here.
    const credential = authenticator.sign(options, signing)
    if ('userHandle' in signing && signing.userHandle === undefined) delete credential.response.userHandle
    expect(await send(options.challenge, credential)).toMatchObject({ status: 401, body: { code: 'wrong_passkey' } })
    expect(await failures()).toEqual([{ entity_id: staff.id, label: staff.email, reason: 'Wrong passkey' }])
  })

  it('refuses a signature for another site’s id, for another challenge, or by another key', async () => {
    const { authenticator } = await build()
    const { authenticator: other } = await build()
    const options = await start()
    const elsewhere = authenticator.sign({ ...options, rpId: 'evil.example' })
    expect((await send(options.challenge, elsewhere)).body.code).toBe('wrong_passkey')
    const next = await start()
    expect((await send(next.challenge, authenticator.sign(await start()))).body.code).toBe('wrong_passkey')
    const last = await start()
    const { response } = other.sign(last)
    expect((await send(last.challenge, { ...authenticator.sign(last), response })).body.code).toBe('wrong_passkey')
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  it('gives blocked, deleted and unknown accounts the same response, and records who tried', async () => {
    const blocked = await build({ is_blocked: true })
    const deleted = await build({ deleted_at: test.clock.now() })
    const answers = []
    for (const authenticator of [blocked.authenticator, deleted.authenticator, createAuthenticator()]) {
      const { status, body } = await signIn(authenticator)
      answers.push({ status, code: body.code, message: body.message, fields: Object.keys(body).sort() })
    }
    expect(answers[0]).toMatchObject({ status: 401, code: 'wrong_passkey', fields: ['code', 'message', 'requestId'] })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    const unknown = { entity_id: null, label: 'An unknown passkey', reason: 'Wrong passkey' }
    expect(await failures()).toEqual([
      { entity_id: blocked.staff.id, label: blocked.email, reason: 'The account is blocked' },
      unknown,
      unknown,
    ])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'waits while the account is being blocked, and is then refused',
    async () => {
      const { staff, authenticator } = await build()
      const { response } = await test.db.transaction().execute(async (tx) => {
        await tx.updateTable('staff').set({ is_blocked: true }).where('id', '=', staff.id).execute()
        const response = signIn(authenticator)
        await untilSomeoneWaits(tx)
        return { response }
      })
      expect(await response).toMatchObject({ status: 401, body: { code: 'wrong_passkey' } })
      expect(await failures()).toMatchObject([{ entity_id: staff.id, reason: 'The account is blocked' }])
    },
  )

  it('refuses a counter that went backwards, and records the reason in the history', async () => {
    const { staff, authenticator } = await build()
    expect((await signIn(authenticator)).status).toBe(200)
    for (const counter of [1, 0]) {
      const options = await start()
      expect((await send(options.challenge, authenticator.sign(options, { counter }))).body.code).toBe('wrong_passkey')
    }
    const reason = 'The counter of the passkey went back: it may have been copied'
    expect(await failures()).toEqual(
      Array.from({ length: 2 }, () => ({ entity_id: staff.id, label: staff.email, reason })),
    )
    expect((await signIn(authenticator)).status).toBe(200)
  })

  it('accepts authenticators without a signature counter', async () => {
    const { authenticator } = await build()
    for (let use = 0; use < 2; use++) {
      const options = await start()
      expect((await send(options.challenge, authenticator.sign(options, { counter: 0 }))).status).toBe(200)
    }
  })

  it('is refused after three failures from a network that has used up its attempts', async () => {
    const { authenticator } = await build()
    for (let attempt = 0; attempt < 100; attempt++)
      await test.context.loginLimit.count('127.0.0.1', `nobody${attempt}@example.com`, async () => false)
    for (let attempt = 0; attempt < 3; attempt++) {
      const options = await start()
      expect((await send(options.challenge, authenticator.sign(options, { isVerified: false }))).status).toBe(429)
    }
    expect((await signIn(authenticator)).status).toBe(429)
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  it('limits failed attempts with one passkey, as with passwords, without affecting another passkey', async () => {
    const { authenticator } = await build()
    const { authenticator: other } = await build()
    for (let attempt = 0; attempt < 4; attempt++) {
      const options = await start()
      expect((await send(options.challenge, authenticator.sign(options, { isVerified: false }))).status).toBe(401)
    }
    const refused = await signIn(authenticator)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await signIn(other)).status).toBe(200)
    expect(await failures()).toHaveLength(4)
  })

  it('can be started at most 300 times in a quarter of an hour from one network', async () => {
    const many = await Promise.all(Array.from({ length: 300 }, () => test.request(startPasskey)))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await test.request(startPasskey)).status).toBe(429)
  })
})

describe('a passkey after the password', () => {
  it('is requested by an error response without a session, and signs in once', async () => {
    const { staff, email, authenticator } = await build()
    const asked = await givePassword(email)
    expect(Object.keys(asked).sort()).toEqual(['challenge', 'code', 'message', 'passkey', 'requestId'])
    expect(asked.message).toContain('POST /api/sessions/passkeys')
    expect(asked.passkey).toEqual({
      isOnlyOne: true,
      options: {
        challenge: asked.challenge,
        rpId: 'localhost',
        timeout: 5 * 60_000,
        userVerification: 'preferred',
        allowCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
      },
    })
    expect((await test.request(account.get, { token: asked.challenge })).status).toBe(401)
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])

    // The password has identified the person, so neither user verification nor a user handle is needed.
    const credential = authenticator.sign(asked.passkey.options, { isVerified: false })
    delete credential.response.userHandle
    const both = await Promise.all([send(asked.challenge, credential), send(asked.challenge, credential)])
    expect(statusesOf(both)).toEqual([200, 410])
    const body = both.find(({ status }) => status === 200)?.body
    expect(body).toMatchObject({ _id: staff.id, message: 'Signed in' })
    expect((await test.request(account.get, { token: body.token })).status).toBe(200)
  })

  it('can be replaced by a code when the person also has an authenticator app', async () => {
    const { staff, email, authenticator } = await build()
    const { key } = await buildSecondFactor(test.db, staff.id)
    const first = await givePassword(email)
    expect(first.passkey.isOnlyOne).toBe(false)
    expect(first.message).toContain('Or send the code')
    expect((await send(first.challenge, authenticator.sign(first.passkey.options))).status).toBe(200)
    const { challenge } = await givePassword(email)
    const code = toCode(key, test.clock.now())
    expect((await test.request(signInWithCode, { body: { challenge, code } })).status).toBe(200)
  })

  it('can be replaced by a recovery code', async () => {
    const me = await test.signIn([])
    const { recoveryCodes } = await add(me)
    const { challenge } = await givePassword(me.email)
    const response = await test.request(signInWithCode, { body: { challenge, code: recoveryCodes[0] } })
    expect(response.body.message).toBe('Signed in with a recovery code. 9 left.')
    const made = await test.request(secondFactors.createRecoveryCodes, { token: me.token })
    expect(made.body.recoveryCodes).toHaveLength(10)
  })

  it('must be the person’s own, still exist and sign the right challenge, and failed attempts are counted', async () => {
    const { staff, email, authenticator, _id } = await build()
    const { authenticator: other, staff: colleague } = await build()
    await buildPasskey(test.db, staff.id)
    const asked = await givePassword(email)
    const wrong = async (credential: unknown) => {
      expect(await send(asked.challenge, credential)).toMatchObject({ status: 401, body: { code: 'wrong_passkey' } })
    }
    await wrong(other.sign(asked.passkey.options))
    other.belongTo(staff.id)
    await wrong(other.sign(asked.passkey.options))
    await wrong(authenticator.sign(await start()))
    await test.db.deleteFrom('passkeys').where('id', '=', _id).execute()
    await wrong(authenticator.sign(asked.passkey.options))
    expect((await failures()).map(({ entity_id, reason }) => [entity_id, reason])).toEqual(
      Array.from({ length: 4 }, () => [staff.id, 'Wrong passkey']),
    )
    const next = await givePassword(email)
    expect((await send(next.challenge, other.sign(next.passkey.options))).status).toBe(429)
    expect((await givePassword(colleague.email)).passkey.options.allowCredentials).toHaveLength(1)
  })

  it('leaves the challenge usable when the passkey is the wrong one', async () => {
    const { email, authenticator } = await build()
    const asked = await givePassword(email)
    expect((await send(asked.challenge, createAuthenticator().sign(asked.passkey.options))).status).toBe(401)
    expect((await send(asked.challenge, authenticator.sign(asked.passkey.options))).status).toBe(200)
  })

  it.each([
    ['after five minutes', async () => later(5 * 60)],
    ['of someone who was blocked', () => test.db.updateTable('staff').set({ is_blocked: true }).execute()],
    ['of someone who was deleted', () => test.db.updateTable('staff').set({ deleted_at: test.clock.now() }).execute()],
    ['once the sessions are ended', () => test.db.deleteFrom('sign_in_challenges').execute()],
  ])('is refused with a challenge %s', async (_, happens) => {
    const { email, authenticator } = await build()
    const { challenge, passkey } = await givePassword(email)
    await happens()
    expect((await send(challenge, authenticator.sign(passkey.options))).body.code).toBe('challenge_over')
  })
})

describe('a passkey as a second factor', () => {
  const requireIt = () => test.db.updateTable('pricing').set({ second_factor_required: true }).execute()

  it('fulfils the requirement of a second factor, and cannot be removed while it is the only one', async () => {
    await requireIt()
    const me = await test.signIn([PAGE.features])
    const call = () => test.request(routes.features.list, { token: me.token })
    expect((await call()).body.code).toBe('second_factor_setup_required')
    const { _id: id, authenticator } = await add(me)
    expect((await call()).status).toBe(200)
    expect((await signIn(authenticator)).body).not.toHaveProperty('mustSetUpSecondFactor')
    const kept = await test.request(remove, { token: me.token, params: { id } })
    expect(kept).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(kept.body.message).toBe(
      'A second factor is required of everyone here. Set up another before you remove this one.',
    )
    expect(await findState(me.token)).toMatchObject({ passkeys: 1, recoveryCodesLeft: 10 })
    await add(me)
    expect((await test.request(remove, { token: me.token, params: { id } })).status).toBe(200)
  })

  it('allows the authenticator app to be turned off while a second factor is required', async () => {
    await requireIt()
    const me = await test.signIn([])
    await buildSecondFactor(test.db, me._id)
    await buildPasskey(test.db, me._id)
    expect((await test.request(secondFactors.delete, { token: me.token })).status).toBe(200)
    expect(await findState(me.token)).toMatchObject({ isSetUp: false, passkeys: 1 })
    const mails = await test.db.selectFrom('mails').select('text').execute()
    expect(mails[0]?.text).toContain('Your authenticator app was removed')
  })

  it('remains when the last two are removed concurrently: only one removal succeeds', async () => {
    await requireIt()
    const me = await test.signIn([])
    const ids = [(await buildPasskey(test.db, me._id))._id, (await buildPasskey(test.db, me._id))._id]
    const both = await Promise.all(ids.map((id) => test.request(remove, { token: me.token, params: { id } })))
    expect(statusesOf(both)).toEqual([200, 409])
    expect(await namesOf(me.token)).toHaveLength(1)
  })

  it('counts in staff figures and filters, and lets its owner require a second factor of everyone', async () => {
    const boss = await test.signIn(pageCodes)
    const { staff } = await build()
    const { getRequirement, setRequirement } = secondFactors
    const count = async () => (await test.request(getRequirement, { token: boss.token })).body
    expect(await count()).toMatchObject({ staff: 2, staffWithSecondFactor: 1, isOwnSetUp: false })
    await buildPasskey(test.db, boss._id)
    await buildPasskey(test.db, boss._id)
    expect(await count()).toMatchObject({ staff: 2, staffWithSecondFactor: 2, isOwnSetUp: true })
    const query = { secondFactor: 'yes' }
    const rows = (await test.request(routes.staff.list, { token: boss.token, query })).body
    expect(rows.map(({ _id }: { _id: string }) => _id).sort()).toEqual([boss._id, staff.id].sort())
    expect(rows[0].hasSecondFactor).toBe(true)
    expect((await test.request(routes.staff.export, { token: boss.token, query })).text).toContain(staff.email)
    const headers = { 'if-match': '*' }
    const required = await test.request(setRequirement, { token: boss.token, body: { isRequired: true }, headers })
    expect(required.status).toBe(200)
  })

  it('no longer signs anybody in after a colleague has reset the second factor', async () => {
    const boss = await test.signIn(pageCodes)
    const me = await test.signIn([])
    const { authenticator } = await add(me)
    const asked = await givePassword(me.email)
    const { resetSecondFactor } = routes.staff
    const params = { id: me._id }
    expect((await test.request(resetSecondFactor, { token: boss.token, params })).status).toBe(200)
    expect((await signIn(authenticator)).body.code).toBe('wrong_passkey')
    expect((await send(asked.challenge, authenticator.sign(asked.passkey.options))).status).toBe(410)
    expect((await test.request(account.get, { token: me.token })).status).toBe(401)
    expect((await test.request(login, { body: { email: me.email, password: TEST_PASSWORD } })).status).toBe(200)
    expect(await test.db.selectFrom('recovery_codes').select('staff_id').execute()).toEqual([])
    expect((await test.request(resetSecondFactor, { token: boss.token, params })).status).toBe(409)
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'is not added by a request that a reset of the second factor overtakes',
    async () => {
      const me = await test.signIn([])
      await add(me)
      const options = await offer(me.token)
      const body = { challenge: options.challenge, credential: createAuthenticator().make(options) }
      const staff = await findStaff(test.db, me._id)
      if (!staff) throw new Error('There is no such staff member')
      const { response } = await test.db.transaction().execute(async (tx) => {
        await lockSignIn(tx, me._id)
        const response = test.request(create, { token: me.token, body })
        await untilSomeoneWaits(tx)
        await resetFactors(
          test.context,
          tx,
          systemActor(() => test.clock.now()),
          staff,
        )
        return { response }
      })
      expect(await response).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
      expect(await test.db.selectFrom('passkeys').select('id').execute()).toEqual([])
    },
  )
})
