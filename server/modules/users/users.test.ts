import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildStaff, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list, get, block, unblock, delete: remove, export: exportUsers, exportBookings } = routes.users

const signIn = async () => (await test.signIn([PAGE.users])).token
const listNames = async (token: string, query?: Record<string, string>) =>
  (await test.request(list, { token, ...(query ? { query } : {}) })).body.map(
    (user: { firstname: string }) => user.firstname,
  )
const parseCsv = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' })

describe('an id that is not of an existing user', () => {
  it.each([get, block, unblock, remove])('makes $path return 404', async (route) => {
    const token = await signIn()
    await buildUser(test.db)
    const deleted = await buildUser(test.db, { deleted_at: new Date() })
    const formerStaff = await buildStaff(test.db, { deleted_at: new Date() })
    for (const id of [createId(), 'none', deleted.id, formerStaff.id]) {
      const response = await test.request(route, { token, params: { id } })
      expect(response.status).toBe(404)
      expect(response.body).toMatchObject({ code: 'not_found', message: expect.stringContaining('not found') })
    }
  })

  it.each([block, unblock, remove])('makes $path return 404 when it is of a staff member', async (route) => {
    const staff = await buildStaff(test.db)
    expect((await test.request(route, { token: await signIn(), params: { id: staff.id } })).status).toBe(404)
  })
})

describe('GET user/all-users', () => {
  it('returns a bare array, newest first, with exactly the fields of the contract', async () => {
    const token = await signIn()
    const user = await buildUser(test.db, { firstname: 'Anna', lastname: 'Dube', created_at: new Date('2026-01-01') })
    await buildUser(test.db, { firstname: 'Ben' })
    await buildUser(test.db, { firstname: 'Gone', deleted_at: new Date() })
    const response = await test.request(list, { token })
    expect(response.status).toBe(200)
    expect(response.body).toHaveLength(2)
    expect(response.body[1]).toEqual({
      _id: user.id,
      firstname: 'Anna',
      lastname: 'Dube',
      email: user.email,
      mobile: '+27 82 555 0101',
      phoneNumber: '+27 82 555 0101',
      role: 'user',
      isBlocked: false,
      username: user.username,
      version: 1,
    })
    const bare = await test.app.inject({ url: '/user/all-users', headers: { authorization: `Bearer ${token}` } })
    expect(bare.json()).toEqual(response.body)
  })

  it('is also open to staff with the page Booking', async () => {
    const { token } = await test.signIn([PAGE.bookings])
    expect((await test.request(list, { token })).body).toEqual([])
  })

  it('returns each row once beyond one batch, even when many were created at the same moment', async () => {
    const token = await signIn()
    // Some are microseconds apart, some simultaneous: a key cut to milliseconds would lose rows between two batches.
    const rows = Array.from({ length: 2300 }, (_, index) => ({
      id: createId(),
      firstname: `F${index}`,
      lastname: 'L',
      email: `many${index}@example.com`,
      mobile: '',
      role: 'user',
      username: `u${index}`,
      created_at: `2026-05-01T10:00:00.0000${String(index % 90).padStart(2, '0')}Z` as unknown as Date, // finer than a Date
    }))
    for (const part of [rows.slice(0, 1200), rows.slice(1200)]) {
      await test.db.insertInto('users').values(part).execute()
    }
    const { body } = await test.request(list, { token })
    expect(body).toHaveLength(2300)
    expect(new Set(body.map((user: { _id: string }) => user._id)).size).toBe(2300)
    expect((await listNames(token, { sort: 'name' })).length).toBe(2300)
    const file = await test.request(exportUsers, { token, query: { search: 'f1', sort: '-email' } })
    const found = rows.filter((row) => row.firstname.startsWith('F1')).length
    expect(parseCsv(file.text)).toHaveLength(found + 1)
  })

  it('pages, sorts, searches and filters', async () => {
    const token = await signIn()
    await buildUser(test.db, { firstname: 'Zoë', lastname: 'Adams', email: 'zoe@example.com', mobile: '' })
    await buildUser(test.db, { firstname: 'andile', lastname: 'Mokoena', email: 'am@example.com', is_blocked: true })
    await buildUser(test.db, { firstname: 'Éva', lastname: 'Smith', username: '100%eva' })
    expect(await listNames(token, { sort: 'name' })).toEqual(['andile', 'Éva', 'Zoë'])
    expect(await listNames(token, { sort: '-name', limit: '2' })).toEqual(['Zoë', 'Éva'])
    expect(await listNames(token, { sort: '-email', page: '1' })).toEqual(['Zoë', 'Éva', 'andile'])
    expect(await listNames(token, { search: 'ZOË AD' })).toEqual(['Zoë'])
    expect(await listNames(token, { search: 'am@EXAMPLE' })).toEqual(['andile'])
    expect(await listNames(token, { search: '%' })).toEqual(['Éva'])
    expect(await listNames(token, { search: 'adams zoe' })).toEqual(['Zoë']) // words in any order
    expect(await listNames(token, { search: 'adams xyz' })).toEqual([])
    expect(await listNames(token, { status: 'blocked' })).toEqual(['andile'])
    const page = await test.request(list, { token, query: { page: '2', limit: '1', status: 'active', sort: 'name' } })
    expect(page.headers['x-total-count']).toBe('2')
    expect(page.body).toMatchObject([{ firstname: 'Zoë' }])
  })
})

describe('GET user/get-user', () => {
  it('returns a customer', async () => {
    const { id, email } = await buildUser(test.db)
    const response = await test.request(get, { token: await signIn(), params: { id } })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ _id: id, email, isBlocked: false })
  })

  it('also returns a staff member, with the fields of a customer and no secrets', async () => {
    const staff = await buildStaff(test.db, { firstname: 'Thandi', lastname: 'Nkosi', is_blocked: true })
    const response = await test.request(get, { token: await signIn(), params: { id: staff.id } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      _id: staff.id,
      firstname: 'Thandi',
      lastname: 'Nkosi',
      email: staff.email,
      mobile: staff.phone_number,
      phoneNumber: staff.phone_number,
      role: 'Operations',
      isBlocked: true,
      username: 'Thandi Nkosi',
      version: 1,
    })
  })
})

describe('PUT user/block-user and unblock-user', () => {
  it('block and unblock, also with an empty JSON body', async () => {
    const token = await signIn()
    const params = { id: (await buildUser(test.db, { firstname: 'Anna' })).id }
    const headers = { 'content-type': 'application/json' }
    const blocked = await test.request(block, { token, params, headers, body: '' })
    expect(blocked.status).toBe(200)
    expect(blocked.body).toEqual({ message: 'User blocked successfully', upcomingBookings: 0 })
    expect(await listNames(token, { status: 'blocked' })).toEqual(['Anna'])
    expect((await test.request(unblock, { token, params })).body).toEqual({ message: 'User unblocked successfully' })
    expect(await listNames(token, { status: 'active' })).toEqual(['Anna'])
  })
})

describe('DELETE user', () => {
  it('hides the customer everywhere except in their bookings', async () => {
    const token = await signIn()
    const user = await buildUser(test.db)
    const booking = await buildBooking(test.db, { user_id: user.id })
    const response = await test.request(remove, { token, params: { id: user.id } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ message: 'User deleted successfully' })
    expect(await listNames(token)).toEqual([])
    expect((await test.request(list, { token, query: { page: '1' } })).headers['x-total-count']).toBe('0')
    expect(parseCsv((await test.request(exportUsers, { token })).text)).toHaveLength(1)
    const [, row] = parseCsv((await test.request(exportBookings, { token })).text)
    expect(row?.[0]).toBe(user.id)
    const kept = await test.db.selectFrom('bookings').select('user_id').where('id', '=', booking.id).execute()
    expect(kept).toEqual([{ user_id: user.id }])
    expect((await test.request(remove, { token, params: { id: user.id } })).status).toBe(404)
  })

  it('lists the customer among the deleted ones only for staff with User Details', async () => {
    await buildUser(test.db, { firstname: 'Naledi', deleted_at: new Date() })
    const query = { status: 'deleted' }
    expect(await listNames(await signIn(), query)).toEqual(['Naledi'])
    const { token } = await test.signIn([PAGE.bookings, PAGE.corporateBooking])
    expect((await test.request(list, { token, query })).body.code).toBe('page_required')
  })

  it('frees the email address for another user', async () => {
    const { id, email } = await buildUser(test.db)
    await test.request(remove, { token: await signIn(), params: { id } })
    await expect(buildUser(test.db, { email })).resolves.toMatchObject({ email })
  })
})

describe('customers without a name', () => {
  it('are called by their user name with their bookings and payments, in files, on the schedule and in the search', async () => {
    const { token } = await test.signIn()
    const user = await buildUser(test.db, { firstname: '', lastname: '', username: 'thandi.n' })
    const booking = await buildBooking(test.db, { user_id: user.id })
    await buildTransaction(test.db, { booking_id: booking.id })
    const [listed] = (await test.request(routes.bookings.list, { token })).body
    expect(listed).toMatchObject({ username: 'thandi.n', userDetails: { firstname: '', lastname: '' } })
    const { data } = (await test.request(routes.transactions.list, { token })).body
    expect(data[0].username).toBe('thandi.n')
    for (const file of [routes.bookings.export, routes.transactions.export]) {
      const [header = [], row = []] = parseCsv((await test.request(file, { token })).text)
      expect(row[header.indexOf('User Name')]).toBe('thandi.n')
    }
    const day = await test.request(routes.schedule.get, { token, query: { date: booking.booking_date } })
    expect(day.body.bookings.who).toEqual(['thandi.n'])
    const { groups } = (await test.request(routes.search.find, { token, query: { q: 'thandi' } })).body
    expect(groups[0].hits[0].title).toBe('thandi.n')
  })
})

describe('GET exports/users', () => {
  it('returns Users.csv with the users that the screen shows', async () => {
    const token = await signIn()
    const user = await buildUser(test.db, { firstname: '=HYPERLINK("x")', lastname: 'A, "B"\nC', mobile: '', role: '' })
    await buildUser(test.db, { firstname: 'Ben', is_blocked: true, created_at: new Date('2026-01-02') })
    await buildUser(test.db, {
      firstname: '',
      lastname: '',
      username: 'zd',
      email: '',
      created_at: new Date('2026-01-01'),
    })
    const response = await test.request(exportUsers, { token })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="Users.csv"',
    })
    const records = parseCsv(response.text)
    expect(records[0]).toEqual(['User Id', 'Email', 'Role', 'Full Name', 'Mobile', 'Status'])
    expect(records[1]).toEqual([user.id, user.email, 'N/A', `'=HYPERLINK("x") A, "B"\nC`, 'N/A', 'Active'])
    expect(records[2]?.slice(4)).toEqual(["'+27 82 555 0101", 'Inactive'])
    expect(records[3]?.slice(1, 4)).toEqual(['N/A', 'user', 'zd'])
    expect(parseCsv((await test.request(exportUsers, { token, query: { status: 'blocked' } })).text)).toHaveLength(2)
  })
})

describe('GET exports/user-bookings', () => {
  it('returns User_Bookings_Report.csv with the bookings of customers, newest first', async () => {
    const token = await signIn()
    const anna = await buildUser(test.db, { firstname: 'Anna' })
    const ben = await buildUser(test.db, { firstname: 'Ben', is_blocked: true })
    await buildBooking(test.db, {
      user_id: anna.id,
      start_time: new Date('2026-11-24T11:30:00.000Z'),
      end_time: new Date('2026-11-24T12:30:00.000Z'),
      purpose: '@work, "quietly"',
      status: 'Rated',
      created_at: new Date('2026-11-01'),
    })
    await buildBooking(test.db, { user_id: ben.id, purpose: '', created_at: new Date('2026-11-02') })
    await buildBooking(test.db, { staff_id: (await buildStaff(test.db)).id })
    const response = await test.request(exportBookings, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="User_Bookings_Report.csv"')
    expect(parseCsv(response.text)).toEqual([
      ['User Id', 'Booking Date', 'Booking Purpose', 'Start Time', 'End Time', 'Status'],
      [ben.id, '2026-11-23', 'N/A', '9:00 AM', '10:00 AM', 'Pending'],
      [anna.id, '2026-11-24', `'@work, "quietly"`, '11:30 AM', '12:30 PM', 'Rated'],
    ])
    const ofAnna = await test.request(exportBookings, { token, query: { search: 'anna', sort: 'name' } })
    expect(parseCsv(ofAnna.text).map(([id]) => id)).toEqual(['User Id', anna.id])
    const ofBlocked = await test.request(exportBookings, { token, query: { status: 'blocked' } })
    expect(parseCsv(ofBlocked.text).map(([id]) => id)).toEqual(['User Id', ben.id])
  })
})
