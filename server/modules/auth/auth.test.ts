import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { createSession, lockSignIn } from './auth.repository.ts'

const test = useTestApp({ SESSION_HOURS: '2', LOGIN_ATTEMPTS: '4' })
const { login, verifyPage, signOut, changePassword, commonPasswords } = routes.auth

const signIn = (email: string, password: string, headers = {}) =>
  test.request(login, { body: { email, password }, headers })

describe('POST user/login', () => {
  it('returns a token, the pages as strings, and the user both nested and at top level', async () => {
    const staff = await buildStaff(test.db, { email: 'lerato@example.com', pages: [1, 3] })
    const response = await signIn('Lerato@Example.com ', TEST_PASSWORD)
    expect(response.status).toBe(200)
    const user = {
      _id: staff.id,
      firstname: staff.firstname,
      lastname: staff.lastname,
      email: 'lerato@example.com',
      phoneNumber: staff.phone_number,
      role: staff.role,
    }
    expect(response.body).toEqual({
      ...user,
      user,
      token: expect.any(String),
      auth_page: ['1', '3'],
      message: 'Signed in',
    })
    expect(response.body.token.length).toBeGreaterThanOrEqual(43)
  })

  it('stores a hash of the token and never the token itself', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    const { body } = await signIn('a@example.com', TEST_PASSWORD)
    const sessions = await test.db.selectFrom('sessions').select('token_hash').execute()
    expect(sessions).toHaveLength(1)
    expect(sessions[0]?.token_hash.toString('utf8')).not.toContain(body.token)
  })

  it('gives a wrong password and an unknown email address the same response', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    const wrong = await signIn('a@example.com', 'wrong password')
    const unknown = await signIn('nobody@example.com', 'wrong password')
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ message: 'Wrong email address or password.', code: 'invalid_credentials' })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
  })

  it('reveals that an account is blocked only after the right password', async () => {
    await buildStaff(test.db, { email: 'a@example.com', is_blocked: true })
    expect((await signIn('a@example.com', 'wrong password')).status).toBe(401)
    const blocked = await signIn('a@example.com', TEST_PASSWORD)
    expect(blocked.status).toBe(403)
    expect(blocked.body.code).toBe('account_blocked')
  })

  it('refuses a deleted account', async () => {
    await buildStaff(test.db, { email: 'a@example.com', deleted_at: new Date() })
    expect((await signIn('a@example.com', TEST_PASSWORD)).status).toBe(401)
  })

  it.each([
    [
      {},
      [
        ['email', 'Email Address is required'],
        ['password', 'Password is required'],
      ],
    ],
    [
      { email: ' ', password: '' },
      [
        ['email', 'Email Address is required'],
        ['password', 'Password is required'],
      ],
    ],
    [{ email: 'a@example.com', password: 5 }, [['password', 'Password must be text']]],
  ])('says which field is missing: %j', async (body, problems) => {
    const response = await test.request(login, { body })
    expect(response.status).toBe(400)
    expect(response.body.errors.map((error: { path: string; message: string }) => [error.path, error.message])).toEqual(
      problems,
    )
    expect(response.body.message).toBe(problems[0]?.[1])
  })

  it('refuses further attempts after too many, and says when to try again', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    for (let attempt = 0; attempt < 4; attempt++) expect((await signIn('a@example.com', 'wrong')).status).toBe(401)
    const refused = await signIn('a@example.com', TEST_PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({
      code: 'too_many_requests',
      message: 'Too many attempts to sign in. Try again in 15 minutes.',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect((await signIn('b@example.com', 'wrong')).status).toBe(401)
  })

  it('counts guesses that arrive together', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    const responses = await Promise.all(Array.from({ length: 12 }, () => signIn('a@example.com', 'wrong')))
    expect(responses.filter((response) => response.status === 401)).toHaveLength(4)
    expect(responses.filter((response) => response.status === 429)).toHaveLength(8)
  })

  it('forgets wrong passwords after a successful sign-in', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 3; attempt++) await signIn('a@example.com', 'wrong')
      expect((await signIn('a@example.com', TEST_PASSWORD)).status).toBe(200)
    }
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a sign-in during another transaction', () => {
  it.each([
    ['the password is being changed', { password_hash: 'another' }, 401, 'invalid_credentials'],
    ['the account is being blocked', { is_blocked: true }, 403, 'account_blocked'],
  ])('waits while %s, and then starts no session', async (_, columns, status, code) => {
    const { id, email } = await buildStaff(test.db)
    const { response } = await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('staff').set(columns).where('id', '=', id).execute()
      const response = signIn(email, TEST_PASSWORD)
      await untilSomeoneWaits(tx)
      return { response }
    })
    expect(await response).toMatchObject({ status, body: { code } })
    expect(await test.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a sign-in that another request waits for', () => {
  it.each([
    ['a block', routes.staff.block, {}],
    ['a deletion', routes.staff.delete, {}],
    ['a password that a colleague sets', routes.staff.update, { password: 'an entirely new one' }],
  ])('leaves no session after %s', async (_, route, body) => {
    const { token, _id } = await test.signIn()
    const { id } = await buildStaff(test.db)
    const { response } = await test.db.transaction().execute(async (tx) => {
      await lockSignIn(tx, id)
      const now = test.clock.now()
      await createSession(tx, {
        token_hash: Buffer.alloc(32),
        staff_id: id,
        expires_at: new Date('2040-01-01'),
        last_used_at: now,
        confirmed_at: now,
      })
      const response = test.request(route, { token, params: { id, userId: id }, body, headers: { 'if-match': '*' } })
      await untilSomeoneWaits(tx)
      return { response }
    })
    expect((await response).status).toBe(200)
    expect(await test.db.selectFrom('sessions').select('staff_id').execute()).toEqual([{ staff_id: _id }])
  })
})

describe('sessions', () => {
  it('end after their maximum of two hours', async () => {
    await buildStaff(test.db, { email: 'a@example.com' })
    const { body } = await signIn('a@example.com', TEST_PASSWORD)
    const request = () => test.request(verifyPage, { token: body.token, body: { id: body._id, auth_page: 1 } })
    test.clock.set('2026-11-21T10:59:59.000Z')
    expect((await request()).status).toBe(200)
    test.clock.set('2026-11-21T11:00:00.000Z')
    expect((await request()).status).toBe(401)
  })

  it('end at once when the account is blocked or deleted', async () => {
    for (const change of [{ is_blocked: true }, { deleted_at: new Date() }]) {
      const staff = await test.signIn()
      await test.db.updateTable('staff').set(change).where('id', '=', staff._id).execute()
      expect((await test.request(signOut, { token: staff.token })).status).toBe(401)
    }
  })

  it('return the current pages with every response', async () => {
    const staff = await test.signIn([1, 2])
    await test.db
      .updateTable('staff')
      .set({ pages: [2, 5] })
      .where('id', '=', staff._id)
      .execute()
    const response = await test.request(verifyPage, { token: staff.token, body: { id: staff._id, auth_page: '1' } })
    expect(response.headers['x-auth-pages']).toBe('2,5')
    expect(response.body.success).toBe(false)
  })

  it.each(['', 'Bearer', 'Bearer x', 'Basic abc', `Bearer ${'x'.repeat(43)}`])(
    'refuse the authorization header %j',
    async (authorization) => {
      const response = await test.request(signOut, { headers: { authorization } })
      expect(response.status).toBe(401)
      expect(response.body).toMatchObject({ message: 'Please sign in.', code: 'not_signed_in' })
    },
  )
})

describe('POST user/verify-page', () => {
  it.each([
    [3, true],
    ['3', true],
    [2, false],
    ['2', false],
    [0, false],
    ['three', false],
    [null, false],
  ])('for page %j returns %j', async (auth_page, success) => {
    const staff = await test.signIn([3])
    const response = await test.request(verifyPage, { token: staff.token, body: { id: staff._id, auth_page } })
    expect(response.status).toBe(200)
    expect(response.body.success).toBe(success)
  })

  it('knows the session’s own id in capitals, and in an object', async () => {
    const { _id, token } = await test.signIn([3])
    for (const id of [_id.toUpperCase(), { _id }]) {
      const response = await test.request(verifyPage, { token, body: { id, auth_page: 3 } })
      expect(response.body.success).toBe(true)
    }
  })

  it('permits no id other than the session’s own', async () => {
    const staff = await test.signIn([3])
    const other = await test.signIn([3])
    const response = await test.request(verifyPage, { token: staff.token, body: { id: other._id, auth_page: 3 } })
    expect(response.body.success).toBe(false)
  })
})

describe('POST user/logout', () => {
  it('ends the session on the server, and no other', async () => {
    const staff = await test.signIn()
    const other = await test.signIn()
    const response = await test.request(signOut, {
      token: staff.token,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.body).toEqual({ message: 'Signed out' })
    expect((await test.request(signOut, { token: staff.token })).status).toBe(401)
    expect((await test.request(signOut, { token: other.token })).status).toBe(200)
  })
})

describe('PUT user/change-password', () => {
  const NEW = 'an entirely new one'
  const change = (token: string, currentPassword: unknown, newPassword: unknown) =>
    test.request(changePassword, { token, body: { currentPassword, newPassword } })

  it('works without any page, and ends only the person’s other sessions', async () => {
    const me = await test.signIn([])
    const other = await test.signIn()
    const elsewhere = (await signIn(me.email, TEST_PASSWORD)).body.token
    const response = await change(me.token, TEST_PASSWORD, NEW)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      message: 'Password changed. You are signed out everywhere else.',
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const verify = (token: string) => test.request(verifyPage, { token, body: { id: me._id, auth_page: 1 } })
    expect((await verify(me.token)).status).toBe(200)
    expect((await verify(elsewhere)).status).toBe(401)
    expect((await verify(other.token)).status).toBe(200)
    expect((await signIn(me.email, TEST_PASSWORD)).status).toBe(401)
    expect((await signIn(me.email, NEW)).status).toBe(200)
    expect((await signIn(other.email, TEST_PASSWORD)).status).toBe(200)
  })

  it('gives the session a new token, so that one who has stolen the previous one is out half a minute later', async () => {
    const me = await test.signIn([])
    const { token } = (await change(me.token, TEST_PASSWORD, NEW)).body
    const read = async (as: string) => (await test.request(routes.account.get, { token: as })).status
    test.clock.set('2026-11-21T09:00:29.999Z')
    expect([await read(me.token), await read(token)]).toEqual([200, 200])
    test.clock.set('2026-11-21T09:00:30.000Z')
    expect([await read(me.token), await read(token)]).toEqual([401, 200])
  })

  it('accepts up to 200 characters exactly as typed, including spaces at both ends', async () => {
    const me = await test.signIn()
    const typed = `  Zwölf Züge ${'🚆'.repeat(180)} `
    expect((await change(me.token, TEST_PASSWORD, typed)).status).toBe(200)
    for (const other of [typed.trim(), typed.toLowerCase(), Array.from(typed).slice(0, 72).join('')])
      expect((await signIn(me.email, other)).status).toBe(401)
    expect((await signIn(me.email, typed)).status).toBe(200)
  })

  it('refuses and records a wrong current password, at its field, and changes nothing', async () => {
    const me = await test.signIn()
    const elsewhere = (await signIn(me.email, TEST_PASSWORD)).body.token
    const response = await change(me.token, 'not my password', NEW)
    const message = 'This is not your current password'
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({
      message,
      code: 'invalid_input',
      errors: [{ path: 'currentPassword', message }],
    })
    const failed = { entity_id: me._id, action: 'sign-in-failed', reason: 'Wrong password while signed in' }
    const rows = test.db.selectFrom('audit').select(['entity_id', 'action', 'reason'])
    expect(await rows.where('action', '!=', 'sign-in').execute()).toEqual([failed])
    expect((await signIn(me.email, TEST_PASSWORD)).status).toBe(200)
    expect((await test.request(signOut, { token: elsewhere })).status).toBe(200)
  })

  it('counts wrong current passwords together with failed sign-ins', async () => {
    const me = await test.signIn()
    for (let attempt = 0; attempt < 3; attempt++) expect((await change(me.token, 'wrong', NEW)).status).toBe(400)
    expect((await signIn(me.email, 'wrong')).status).toBe(401)
    const refused = await change(me.token, TEST_PASSWORD, NEW)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect((await signIn(me.email, TEST_PASSWORD)).status).toBe(429)
    // The session itself is still valid.
    expect((await test.request(signOut, { token: me.token })).status).toBe(200)
  })

  it('counts wrong current passwords that arrive at once, and forgets them after a right one', async () => {
    const me = await test.signIn()
    const responses = await Promise.all(Array.from({ length: 8 }, () => change(me.token, 'wrong', NEW)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      400, 400, 400, 400, 429, 429, 429, 429,
    ])
    const other = await test.signIn()
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 3; attempt++) await change(other.token, 'wrong', NEW)
      expect((await change(other.token, TEST_PASSWORD, TEST_PASSWORD)).status).toBe(400)
    }
  })

  it('accepts only one of two simultaneous requests with the same current password', async () => {
    const me = await test.signIn()
    const responses = await Promise.all([
      change(me.token, TEST_PASSWORD, NEW),
      change(me.token, TEST_PASSWORD, `${NEW} 2`),
    ])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it.each([
    ['currentPassword', '', NEW, 'Your current password is required'],
    ['currentPassword', undefined, NEW, 'Your current password is required'],
    ['newPassword', TEST_PASSWORD, undefined, 'Password is required'],
    ['newPassword', TEST_PASSWORD, '', 'Password is required'],
    ['newPassword', TEST_PASSWORD, 'ninechars', 'Password needs at least 10 characters'],
    ['newPassword', TEST_PASSWORD, 'x'.repeat(201), 'Password may have at most 200 characters'],
    [
      'newPassword',
      TEST_PASSWORD,
      'Password123',
      'Password is one of those that are guessed first, or nearly. Put several words together',
    ],
    [
      'newPassword',
      TEST_PASSWORD,
      'thandi@example.com',
      'Password must not be the email address, or little more than it',
    ],
    ['newPassword', TEST_PASSWORD, 'Podkeeper!', 'Password must not be the name Podkeeper, or little more than it'],
    ['newPassword', TEST_PASSWORD, TEST_PASSWORD, 'Password must be another than the present one'],
  ])(
    'refuses, at the field %s, the current password %j with the new password %j',
    async (path, currentPassword, newPassword, message) => {
      const me = await test.signIn([], { email: 'thandi@example.com' })
      const response = await change(me.token, currentPassword, newPassword)
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ message, errors: [{ path, message }] })
      expect((await signIn(me.email, TEST_PASSWORD)).status).toBe(200)
    },
  )
})

describe('GET user/common-passwords', () => {
  it('returns the most common passwords, in less than 30 kB compressed', async () => {
    const { token } = await test.signIn([])
    const response = await test.request(commonPasswords, { token })
    expect(response.body).toEqual(
      expect.arrayContaining(['password123', 'qwertyuiop', '1234567890', 'password', 'welcome']),
    )
    expect(gzipSync(response.text).length).toBeLessThan(30_000)
  })
})
