import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildStaff, buildUser, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { lockStaff, updateStaff } from './staff.repository.ts'

const test = useTestApp()
const { list, create, update, block, unblock, delete: remove, export: exportStaff, exportBookings } = routes.staff

const listNames = async (token: string, query?: Record<string, string>) =>
  (await test.request(list, { token, ...(query ? { query } : {}) })).body.map(
    (one: { firstname: string }) => one.firstname,
  )
const parseCsv = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })
const signInWith = (email: string, password: string) => test.request(routes.auth.login, { body: { email, password } })

const COMMON = 'is one of those that are guessed first, or nearly. Put several words together'

const body = {
  firstname: 'Lerato',
  lastname: 'Molefe',
  email: 'Lerato@Example.com',
  phoneNumber: '+27 21 555 0199',
  password: 'a long enough password',
  role: 'Front desk',
  auth_page: ['3', 1, '3'],
}

describe('an id that is not of an existing staff member', () => {
  it.each([update, block, unblock, remove])('makes $path return 404', async (route) => {
    const { token } = await test.signIn()
    const deleted = await buildStaff(test.db, { deleted_at: new Date() })
    const customer = await buildUser(test.db)
    for (const id of [createId(), 'none', deleted.id, customer.id]) {
      const response = await test.request(route, { token, params: { id }, ...(route === update ? { body: {} } : {}) })
      expect(response.status).toBe(404)
      expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
    }
  })
})

describe('GET user/all-staff', () => {
  it('returns a bare array, newest first, with exactly the fields of the contract', async () => {
    const { token, _id } = await test.signIn()
    const staff = await buildStaff(test.db, {
      firstname: 'Sipho',
      pages: [1, 8],
      role: '',
      created_at: new Date('2026-01-01'),
    })
    await buildStaff(test.db, { deleted_at: new Date() })
    const response = await test.request(list, { token })
    expect(response.status).toBe(200)
    expect(response.body.map((one: { _id: string }) => one._id)).toEqual([_id, staff.id])
    expect(response.body[1]).toEqual({
      _id: staff.id,
      firstname: 'Sipho',
      lastname: staff.lastname,
      email: staff.email,
      phoneNumber: '+27 21 555 0100',
      mobile: '+27 21 555 0100',
      role: '',
      auth_page: ['1', '8'],
      isBlocked: false,
      version: 1,
    })
    expect(response.text).not.toContain('argon2')
    const bare = await test.app.inject({ url: '/user/all-staff', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual(response.body)
  })

  it('pages, sorts, searches and filters', async () => {
    const { token } = await test.signIn([8], { firstname: 'Me', email: 'me@example.com', created_at: new Date(0) })
    await buildStaff(test.db, { firstname: 'Zola', role: 'Cleaning', is_blocked: true, email: 'a@example.com' })
    await buildStaff(test.db, { firstname: 'Édith', lastname: '100%', email: 'z@example.com' })
    expect(await listNames(token, { sort: 'name' })).toEqual(['Édith', 'Me', 'Zola'])
    expect(await listNames(token, { sort: '-email', limit: '2' })).toEqual(['Édith', 'Me'])
    expect(await listNames(token, { search: 'CLEAN' })).toEqual(['Zola'])
    expect(await listNames(token, { search: 'édith 1' })).toEqual(['Édith'])
    expect(await listNames(token, { search: '%' })).toEqual(['Édith'])
    expect(await listNames(token, { status: 'blocked' })).toEqual(['Zola'])
    const page = await test.request(list, { token, query: { page: '2', limit: '2' } })
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.body).toMatchObject([{ firstname: 'Me' }])
  })
})

describe('POST user/register-staff', () => {
  it('adds a staff member who can sign in, and returns no password', async () => {
    const { token } = await test.signIn()
    const response = await test.request(create, { token, body: { ...body, isBlocked: true, _id: 'mine' } })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      _id: expect.any(String),
      firstname: 'Lerato',
      lastname: 'Molefe',
      email: 'lerato@example.com',
      phoneNumber: '+27 21 555 0199',
      mobile: '+27 21 555 0199',
      role: 'Front desk',
      auth_page: ['1', '3'],
      isBlocked: false,
      version: 1,
      message: 'Staff added successfully',
      isLinkMailed: false,
    })
    const stored = await test.db
      .selectFrom('staff')
      .select('password_hash')
      .where('id', '=', response.body._id)
      .executeTakeFirstOrThrow()
    expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const signedIn = await signInWith('lerato@example.com', body.password)
    expect(signedIn.body).toMatchObject({ _id: response.body._id, auth_page: ['1', '3'] })
  })

  it('needs only a first name and an email address', async () => {
    const { token } = await test.signIn()
    const { firstname, email } = body
    const response = await test.request(create, {
      token,
      body: { firstname, email, phoneNumber: 27215550100 },
    })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ lastname: '', role: '', phoneNumber: '27215550100', auth_page: [] })
  })

  it.each([
    ['firstname', undefined, 'First name is required'],
    ['firstname', ' ', 'First name is required'],
    ['firstname', 'x'.repeat(101), 'First name may have at most 100 characters'],
    ['email', undefined, 'Email is required'],
    ['email', 'not an address', 'Email must be an email address'],
    ['password', '', 'Password is required'],
    ['password', 'ninechars', 'Password needs at least 10 characters'],
    ['password', 'password123', `Password ${COMMON}`],
    ['password', 'Qwerty12345', `Password ${COMMON}`],
    ['password', 'Welcome2026!', `Password ${COMMON}`],
    ['password', 'lerato@example.com', 'Password must not be the email address, or little more than it'],
    ['password', 'Lerato-1234', 'Password must not be the email address, or little more than it'],
    ['password', 'podkeeper 1', 'Password must not be the name Podkeeper, or little more than it'],
    ['password', 'x'.repeat(201), 'Password may have at most 200 characters'],
    ['phoneNumber', {}, 'Phone number must be text'],
    ['role', 5, 'Role must be text'],
    ['auth_page', 'all', 'auth_page must be a list of page codes'],
    ['auth_page', ['10'], 'auth_page must hold page codes 1 to 9'],
    ['auth_page', ['Dashboard'], 'auth_page must hold page codes 1 to 9'],
  ])('refuses %s %j', async (path, value, message) => {
    const { token } = await test.signIn()
    const response = await test.request(create, { token, body: { ...body, [path]: value } })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ message, code: 'invalid_input', errors: [{ path, message }] })
    expect(await listNames(token)).toHaveLength(1)
  })

  it('refuses an email address that is in use, in any case, at its field', async () => {
    const { token } = await test.signIn()
    await buildStaff(test.db, { email: 'lerato@example.com', is_blocked: true })
    const response = await test.request(create, { token, body })
    const message = 'This email address is already in use.'
    expect(response.status).toBe(409)
    expect(response.body).toMatchObject({ code: 'email_taken', message, errors: [{ path: 'email', message }] })
  })

  it('accepts the email address of a deleted staff member and of a customer', async () => {
    const { token } = await test.signIn()
    await buildStaff(test.db, { email: 'lerato@example.com', deleted_at: new Date() })
    await buildUser(test.db, { email: 'lerato@example.com' })
    expect((await test.request(create, { token, body })).status).toBe(201)
  })

  it('adds only one of several staff with the same email address sent at once', async () => {
    const { token } = await test.signIn()
    const responses = await Promise.all(Array.from({ length: 5 }, () => test.request(create, { token, body })))
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  })

  it('grants only pages that the signed-in person holds', async () => {
    const { token } = await test.signIn([1, 8])
    const refused = await test.request(create, { token, body: { ...body, auth_page: [1, 3] } })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'page_not_held', errors: [{ path: 'auth_page' }] })
    expect((await test.request(create, { token, body: { ...body, auth_page: ['1', '8'] } })).status).toBe(201)
  })

  it.each(['x'.repeat(100), 'Zoë 🙂', 'ليلى', `"O'Neil" <b>\\`])('keeps the first name %s', async (firstname) => {
    const { token } = await test.signIn()
    expect((await test.request(create, { token, body: { ...body, firstname } })).body.firstname).toBe(firstname)
    expect(await listNames(token)).toContain(firstname)
  })
})

describe('PUT user/edit-staff', () => {
  it('changes only the given fields, and keeps the password when an empty one is sent', async () => {
    const { token } = await test.signIn()
    const staff = await buildStaff(test.db, { pages: [2] })
    const params = { id: staff.id }
    const response = await test.request(update, { token, params, body: { lastname: 'Moyo', password: '', unknown: 1 } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      _id: staff.id,
      firstname: staff.firstname,
      lastname: 'Moyo',
      email: staff.email,
      phoneNumber: staff.phone_number,
      mobile: staff.phone_number,
      role: staff.role,
      auth_page: ['2'],
      isBlocked: false,
      version: 2,
      message: 'Staff updated successfully',
    })
    const unchanged = await test.request(update, { token, params, body: {} })
    expect(unchanged.body).toEqual(response.body)
    expect((await signInWith(staff.email, TEST_PASSWORD)).status).toBe(200)
    const moved = await test.request(update, { token, params, body: { email: 'NEW@example.com', auth_page: [9, '2'] } })
    expect(moved.body).toMatchObject({ email: 'new@example.com', auth_page: ['2', '9'] })
  })

  it('ends the staff member’s sessions at once when it sets a new password', async () => {
    const { token } = await test.signIn()
    const other = await test.signIn()
    const params = { id: other._id }
    expect((await test.request(update, { token, params, body: { password: 'an entirely new one' } })).status).toBe(200)
    expect((await test.request(list, { token: other.token })).status).toBe(401)
    expect((await signInWith(other.email, TEST_PASSWORD)).status).toBe(401)
    expect((await signInWith(other.email, 'an entirely new one')).status).toBe(200)
  })

  it('keeps only the current session when staff change their own password', async () => {
    const me = await test.signIn()
    const elsewhere = (await signInWith(me.email, TEST_PASSWORD)).body.token
    const params = { id: me._id }
    expect(
      (await test.request(update, { token: me.token, params, body: { password: 'my very own new' } })).status,
    ).toBe(200)
    expect((await test.request(list, { token: me.token })).status).toBe(200)
    expect((await test.request(list, { token: elsewhere })).status).toBe(401)
  })

  it('applies changed pages from the next request, without a new sign-in', async () => {
    const { token } = await test.signIn()
    const other = await test.signIn([8])
    await test.request(update, { token, params: { id: other._id }, body: { auth_page: [2] } })
    expect((await test.request(list, { token: other.token })).status).toBe(403)
    expect((await test.request(routes.features.list, { token: other.token })).headers['x-auth-pages']).toBe('2')
  })

  it.each([
    [{ firstname: '' }, 'firstname', 'First name is required'],
    [{ email: 'x' }, 'email', 'Email must be an email address'],
    [{ password: 'short' }, 'password', 'Password needs at least 10 characters'],
    [{ password: 'iloveyou123' }, 'password', `Password ${COMMON}`],
    [{ password: 'the.colleague' }, 'password', 'Password must not be the email address, or little more than it'],
    [
      { password: 'quite another', email: 'quite.another@example.com' },
      'password',
      'Password must not be the email address, or little more than it',
    ],
    [{ auth_page: [0] }, 'auth_page', 'auth_page must hold page codes 1 to 9'],
  ])('refuses %j', async (body, path, message) => {
    const { token } = await test.signIn()
    const { id } = await buildStaff(test.db, { email: 'the.colleague@example.com' })
    const response = await test.request(update, { token, params: { id }, body })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message }])
  })

  it('refuses the email address of another staff member, and accepts an unchanged one', async () => {
    const { token } = await test.signIn()
    const staff = await buildStaff(test.db)
    const other = await buildStaff(test.db)
    const params = { id: staff.id }
    const response = await test.request(update, { token, params, body: { email: other.email.toUpperCase() } })
    expect(response.status).toBe(409)
    expect(response.body).toMatchObject({ code: 'email_taken', errors: [{ path: 'email' }] })
    expect((await test.request(update, { token, params, body: { email: staff.email } })).status).toBe(200)
  })

  it('grants a colleague only pages that the signed-in person holds', async () => {
    const { token } = await test.signIn([1, 3, 8])
    const { id } = await buildStaff(test.db, { pages: [3] })
    const params = { id }
    const refused = await test.request(update, { token, params, body: { auth_page: [3, 4, 5] } })
    expect(refused.status).toBe(403)
    const message = 'You can only grant pages that you hold yourself, and not Transactions and User Details.'
    expect(refused.body).toMatchObject({ code: 'page_not_held', message, errors: [{ path: 'auth_page', message }] })
    const granted = await test.request(update, { token, params, body: { auth_page: [1, 3] } })
    expect(granted.body.auth_page).toEqual(['1', '3'])
  })

  it('refuses staff who grant themselves a page that they do not hold', async () => {
    const me = await test.signIn([8])
    const response = await test.request(update, {
      token: me.token,
      params: { id: me._id },
      body: { auth_page: [4, 8] },
    })
    expect(response.body.code).toBe('page_not_held')
  })
})

describe('a colleague with pages that the signed-in person does not hold', () => {
  const takeOver = { email: 'mine@example.com', password: 'known to me alone' }
  const requests = [
    ['edited', update, takeOver],
    ['stripped of pages', update, { auth_page: [8] }],
    ['edited in nothing', update, {}],
    ['blocked', block, undefined],
    ['unblocked', unblock, undefined],
    ['deleted', remove, undefined],
  ] as const

  it.each(requests)('cannot be %s, and the error names the pages', async (_, route, body) => {
    const { token } = await test.signIn([1, 3, 8])
    const colleague = await buildStaff(test.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [3, 4, 6, 8] })
    const response = await test.request(route, { token, params: { id: colleague.id }, body })
    expect(response.status).toBe(403)
    expect(response.body).toMatchObject({
      code: 'colleague_has_more',
      message:
        'Sipho Zulu has access to Transactions and Booking, which you do not hold. Ask someone who holds all of their pages.',
    })
    const after = await test.db.selectFrom('staff').selectAll().where('id', '=', colleague.id).executeTakeFirstOrThrow()
    expect(after).toEqual(colleague)
    expect((await signInWith(colleague.email, TEST_PASSWORD)).status).toBe(200)
  })

  it.each(requests)('can be %s by a person who holds all of them', async (_, route, body) => {
    const { token } = await test.signIn([3, 4, 6, 8])
    const colleague = await buildStaff(test.db, { pages: [3, 4, 6, 8] })
    expect((await test.request(route, { token, params: { id: colleague.id }, body })).status).toBe(200)
  })

  it.each(requests)(
    'cannot be %s by a person who lost such a page while their request waited',
    async (_, route, body) => {
      const me = await test.signIn([3, 4, 8])
      const colleague = await buildStaff(test.db, { pages: [4] })
      const staff = new EventEmitter()
      const request = once(staff, 'locked').then(() =>
        test.request(route, { token: me.token, params: { id: colleague.id }, body }),
      )
      await inTransaction(test.db, async (tx) => {
        await lockStaff(tx)
        staff.emit('locked')
        await updateStaff(tx, me._id, { pages: [3, 8] })
      })
      expect((await request).body.code).toBe('colleague_has_more')
    },
  )
})

describe('one’s own account', () => {
  it('can be neither blocked nor deleted, and cannot lose page 8', async () => {
    const me = await test.signIn()
    await buildStaff(test.db)
    const params = { id: me._id }
    for (const response of [
      await test.request(block, { token: me.token, params }),
      await test.request(remove, { token: me.token, params }),
      await test.request(update, { token: me.token, params, body: { auth_page: [1, 2] } }),
    ]) {
      expect(response.status).toBe(409)
      expect(response.body.code).toBe('own_account')
    }
    expect((await test.request(list, { token: me.token })).body[1].auth_page).toHaveLength(9)
  })

  it('can be edited otherwise', async () => {
    const me = await test.signIn()
    const params = { id: me._id }
    const response = await test.request(update, { token: me.token, params, body: { role: 'Owner', auth_page: [8, 1] } })
    expect(response.body).toMatchObject({ role: 'Owner', auth_page: ['1', '8'] })
  })
})

describe('blocking and deleting', () => {
  it('end the sessions at once, and unblocking does not bring them back', async () => {
    const { token } = await test.signIn()
    const other = await test.signIn()
    const params = { id: other._id }
    const headers = { 'content-type': 'application/json' }
    const blocked = await test.request(block, { token, params, headers, body: '' })
    expect(blocked.status).toBe(200)
    expect(blocked.body).toEqual({ message: 'User blocked successfully' })
    expect((await test.request(list, { token: other.token })).status).toBe(401)
    expect((await signInWith(other.email, TEST_PASSWORD)).body.code).toBe('account_blocked')
    expect((await test.request(unblock, { token, params, body: {} })).body).toEqual({
      message: 'User unblocked successfully',
    })
    expect((await test.request(list, { token: other.token })).status).toBe(401)
    expect((await signInWith(other.email, TEST_PASSWORD)).status).toBe(200)
  })

  it('hide a deleted staff member everywhere except in the bookings they made', async () => {
    const { token } = await test.signIn([2, 8], { firstname: 'Me' })
    const other = await test.signIn([2, 8])
    const booking = await buildBooking(test.db, { staff_id: other._id })
    const response = await test.request(remove, { token, params: { id: other._id } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'User deleted successfully' })
    expect((await test.request(list, { token: other.token })).status).toBe(401)
    expect((await signInWith(other.email, TEST_PASSWORD)).body.code).toBe('invalid_credentials')
    expect(await listNames(token)).toEqual(['Me'])
    expect(parseCsv((await test.request(exportStaff, { token })).text)).toHaveLength(2)
    expect(parseCsv((await test.request(exportBookings, { token })).text)[1]?.[0]).toBe(other._id)
    const kept = await test.db.selectFrom('bookings').select('staff_id').where('id', '=', booking.id).execute()
    expect(kept).toEqual([{ staff_id: other._id }])
  })

  it.each(['block', 'delete', 'update'] as const)(
    'leave one person who manages staff when two remove each other at once (%s)',
    async (name) => {
      for (let round = 0; round < 5; round++) {
        await test.db.updateTable('staff').set({ is_blocked: true }).execute()
        const both = [await test.signIn(), await test.signIn()] as const
        const [first, second] = both
        const attack = (from: typeof first, on: typeof first) =>
          test.request(routes.staff[name], { token: from.token, params: { id: on._id }, body: { auth_page: [1] } })
        const responses = await Promise.all([attack(first, second), attack(second, first)])
        const won = responses.filter((response) => response.status === 200)
        const lost = responses.find((response) => response.status !== 200)
        expect(won).toHaveLength(1)
        // Refused under the lock, or before it by the access check when the first request was fast.
        expect(['last_staff_manager', 'not_signed_in', 'page_required']).toContain(lost?.body.code)
        const managers = await test.db
          .selectFrom('staff')
          .select(['pages', 'is_blocked'])
          .where('deleted_at', 'is', null)
          .where('is_blocked', '=', false)
          .execute()
        expect(managers.filter((one) => one.pages.includes(PAGE.staff))).toHaveLength(1)
      }
    },
  )

  it('leave one person who manages staff when two take back at once what had let the other manage them', async () => {
    const [first, second] = [await test.signIn(), await test.signIn()]
    for (let round = 0; round < 5; round++) {
      const granting = await test.signIn()
      const grant = async ({ _id }: typeof first) => {
        await test.db
          .updateTable('staff')
          .set({ pages: [1] })
          .where('id', '=', _id)
          .execute()
        const body = { auth_page: [1, 8] }
        const granted = await test.request(update, { token: granting.token, params: { id: _id }, body })
        return String(granted.headers['x-undo-id'])
      }
      const [ofFirst, ofSecond] = [await grant(first), await grant(second)]
      await test.db.updateTable('staff').set({ is_blocked: true }).where('id', '=', granting._id).execute()
      const undo = ({ token }: typeof first, id: string) => test.request(routes.audit.undo, { token, params: { id } })
      const responses = await Promise.all([undo(first, ofSecond), undo(second, ofFirst)])
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      const lost = responses.find(({ status }) => status !== 200)
      expect(['last_staff_manager', 'page_required']).toContain(lost?.body.code)
    }
  })

  // With the embedded engine's single connection, the access check itself waits, and finds the session ended.
  const atTheDoor = 'not_signed_in'
  it.each([
    ['another manager is left', true, 'not_signed_in'],
    ['nobody else is left', false, 'last_staff_manager'],
  ])('are refused to a person who was blocked while their request waited, when %s', async (_, isThird, onPostgres) => {
    const [rogue, target] = [await test.signIn(), await test.signIn()]
    if (isThird) await test.signIn()
    const staff = new EventEmitter()
    const request = once(staff, 'locked').then(() =>
      test.request(block, { token: rogue.token, params: { id: target._id } }),
    )
    await inTransaction(test.db, async (tx) => {
      await lockStaff(tx)
      staff.emit('locked')
      await setTimeout(200)
      await updateStaff(tx, rogue._id, { is_blocked: true })
    })
    expect((await request).body.code).toBe(test.database.engine === 'postgres' ? onPostgres : atTheDoor)
    const kept = await test.db.selectFrom('staff').select('is_blocked').where('id', '=', target._id).execute()
    expect(kept).toEqual([{ is_blocked: false }])
  })
})

describe('exports of staff', () => {
  it('include Staff.csv, with the staff that the screen shows and no passwords', async () => {
    const { token } = await test.signIn([8], { created_at: new Date(0) })
    const staff = await buildStaff(test.db, { firstname: '+Sum', role: '', phone_number: '', pages: [2, 7] })
    const response = await test.request(exportStaff, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="Staff.csv"')
    const records = parseCsv(response.text)
    expect(records[0]).toEqual([
      'User Id',
      'Email',
      'Role',
      'Full Name',
      'phoneNumber',
      'Status',
      'Pages',
      'Second Factor',
    ])
    expect(records[1]).toEqual([
      staff.id,
      staff.email,
      'N/A',
      `'+Sum ${staff.lastname}`,
      'N/A',
      'Active',
      'Features, Location',
      'No',
    ])
    expect(response.text).not.toContain('argon2')
    expect(parseCsv((await test.request(exportStaff, { token, query: { status: 'blocked' } })).text)).toHaveLength(1)
  })

  it('include User_Bookings_Report.csv, with the bookings that staff made', async () => {
    const me = await test.signIn([8], { firstname: 'Me' })
    await buildBooking(test.db, { user_id: (await buildUser(test.db)).id })
    await buildBooking(test.db, { staff_id: me._id, purpose: 'work' })
    const response = await test.request(exportBookings, { token: me.token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="User_Bookings_Report.csv"')
    expect(parseCsv(response.text)).toEqual([
      ['User Id', 'Booking Date', 'Booking Purpose', 'Start Time', 'End Time', 'Status'],
      [me._id, '2026-11-23', 'work', '9:00 AM', '10:00 AM', 'Pending'],
    ])
    const none = await test.request(exportBookings, { token: me.token, query: { search: 'nobody' } })
    expect(parseCsv(none.text)).toHaveLength(1)
  })
})
