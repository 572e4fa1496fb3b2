import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { customer: get, setNote, block } = routes.users

const open = async (id: string, pages?: PageCode[]) =>
  test.request(get, { token: (await test.signIn(pages)).token, params: { id } })

describe('GET customers/:id', () => {
  it('counts upcoming, past and cancelled bookings and no-shows, and sums completed transactions in ZAR', async () => {
    const user = await buildUser(test.db)
    const past = await buildBooking(test.db, { user_id: user.id, status: 'Completed', ...at('2026-11-20T09:00') })
    await buildBooking(test.db, { user_id: user.id, status: 'Cancelled', ...at('2030-01-05T09:00') })
    await buildBooking(test.db, { user_id: user.id, ...at('2030-01-06T09:00') })
    await buildBooking(test.db, { user_id: user.id, ...at('2030-01-07T09:00') })
    const missed = { user_id: user.id, status: 'Completed', no_show_at: new Date() } as const
    for (const day of [16, 17, 18]) await buildBooking(test.db, { ...missed, ...at(`2026-11-${day}T09:00`) })
    await buildTransaction(test.db, { booking_id: past.id, amount: '150.50', status: 'completed' })
    await buildTransaction(test.db, { booking_id: past.id, amount: '99.00', status: 'failed' })
    await buildTransaction(test.db, { booking_id: past.id, amount: '20.00', currency: 'USD' })
    const ofOther = await buildBooking(test.db, { user_id: (await buildUser(test.db)).id, ...at('2030-01-08T09:00') })
    await buildTransaction(test.db, { booking_id: ofOther.id, amount: '70.00', status: 'completed' })
    const { status, body } = await open(user.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      _id: user.id,
      note: '',
      isDeleted: false,
      blocked: null,
      bookings: { upcoming: 2, past: 4, cancelled: 1, noShows: 3 },
      paid: 150.5,
      paidBack: 0,
    })
  })

  it('sums what was paid back, by a refund or as the payment itself, as the booking’s page does', async () => {
    const user = await buildUser(test.db)
    const { id: booking_id } = await buildBooking(test.db, { user_id: user.id, ...at('2030-01-05T09:00') })
    const whole = await buildTransaction(test.db, { booking_id, amount: '150.50' })
    await buildTransaction(test.db, { booking_id, amount: '99.00' })
    await buildTransaction(test.db, { booking_id, amount: '20.25', status: 'refunded' })
    await buildTransaction(test.db, { booking_id, amount: '8.00', status: 'refunded', currency: 'USD' })
    await test.db.updateTable('transactions').set({ status: 'refunded' }).where('id', '=', whole.id).execute()
    expect((await open(user.id)).body).toMatchObject({ paid: 249.5, paidBack: 170.75 })
    const { token } = await test.signIn()
    const booking = await test.request(routes.bookingActions.get, { token, params: { id: booking_id } })
    expect(booking.body).toMatchObject({ paid: 249.5, refund: { refunded: 170.75 } })
  })

  it('returns bookings and the amount paid only to staff with their pages', async () => {
    const user = await buildUser(test.db)
    expect((await open(user.id, [PAGE.users])).body).toMatchObject({ bookings: null, paid: null, paidBack: null })
    expect((await open(user.id, [PAGE.bookings])).body).toMatchObject({ bookings: { upcoming: 0 }, paid: null })
    expect((await open(user.id, [PAGE.transactions])).status).toBe(403)
  })

  it('marks a deleted customer as deleted, and returns 404 for unknown ids and for staff', async () => {
    const user = await buildUser(test.db, { deleted_at: new Date() })
    expect((await open(user.id)).body).toMatchObject({ isDeleted: true })
    const staff = await test.signIn()
    for (const id of [createId(), 'none', staff._id]) expect((await open(id)).status).toBe(404)
  })

  it('says who blocked the customer, when and why', async () => {
    const { token } = await test.signIn([PAGE.users])
    const user = await buildUser(test.db)
    const request = { token, params: { id: user.id } }
    await test.request(block, { ...request, body: { reason: 'Did not pay twice' } })
    const { body } = await test.request(get, request)
    expect(body.blocked).toEqual({ at: expect.any(String), by: expect.any(String), reason: 'Did not pay twice' })
    expect(body.blocked.by).not.toBe('')
    const again = await test.request(block, { ...request, body: { reason: 'Was rude' } })
    expect([again.status, again.body.code]).toEqual([409, 'already_blocked'])
    expect((await test.request(block, request)).status).toBe(200)
    expect((await test.request(get, request)).body.blocked).toEqual(body.blocked)
    test.clock.set('2026-11-21T09:01:00.000Z')
    const other = { token, params: { id: (await buildUser(test.db)).id } }
    await test.request(block, { ...other, body: { reason: 'Was rude' } })
    await test.request(routes.users.setNote, { ...request, body: { note: 'Called' }, headers: { 'if-match': '*' } })
    expect((await test.request(get, request)).body.blocked).toEqual(body.blocked)
    const unblocked = await test.request(routes.users.unblock, request)
    expect((await test.request(get, request)).body.blocked).toBeNull()
    const undone = { token, params: { id: String(unblocked.headers['x-change-id']) } }
    expect((await test.request(routes.audit.undo, undone)).status).toBe(200)
    expect((await test.request(get, request)).body.blocked).toEqual(body.blocked)
    await test.request(routes.users.unblock, request)
    // Older clients block without a reason.
    await test.request(block, request)
    expect((await test.request(get, request)).body.blocked.reason).toBeNull()
  })
})

describe('PUT customers/:id', () => {
  const contact = { firstname: 'Ayesha', lastname: 'Patel', email: 'Ayesha@Mail.example', mobile: '+27 82 555 0101' }
  const save = async (id: string, body: object, headers: Record<string, string> = { 'if-match': '*' }) =>
    test.request(routes.users.update, { token: (await test.signIn([PAGE.users])).token, params: { id }, body, headers })

  it('replaces the name and the contact details, which the search and further messages follow', async () => {
    const user = await buildUser(test.db, {
      mobile: '082',
      email: 'mistyped@old.example',
      username: 'mistyped@old.example',
    })
    const { status, body } = await save(user.id, contact, { 'if-match': '"1"' })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        ...contact,
        email: 'ayesha@mail.example',
        username: 'ayesha@mail.example',
        version: 2,
      }),
    ])
    const { token } = await test.signIn()
    const list = (search: string) => test.request(routes.users.list, { token, query: { search } })
    expect((await list('ayesha@mail')).body).toMatchObject([{ _id: user.id }])
    expect((await list('mistyped')).body).toEqual([])
    const history = await test.request(routes.audit.history, { token, query: { entity: 'customer', id: user.id } })
    expect(history.body[0]).toMatchObject({
      action: 'edit',
      before: { email: 'mistyped@old.example', mobile: user.mobile },
      after: { email: 'ayesha@mail.example', mobile: '+27 82 555 0101' },
    })
    const booking = await buildBooking(test.db, { user_id: user.id, ...at('2030-01-06T09:00') })
    const page = await test.request(routes.bookingActions.get, { token, params: { id: booking.id } })
    expect(page.body.userDetails).toMatchObject({ firstname: 'Ayesha', email: 'ayesha@mail.example' })
  })

  it('keeps a user name that is not the address, and may take an address that only a deleted customer had', async () => {
    await buildUser(test.db, { email: 'ayesha@mail.example', deleted_at: new Date() })
    const user = await buildUser(test.db, { username: 'ayesha' })
    expect((await save(user.id, contact)).body).toMatchObject({ username: 'ayesha', email: 'ayesha@mail.example' })
  })

  it('refuses the address of another customer at its field, outdated versions, and deleted customers', async () => {
    const [user, other] = [await buildUser(test.db), await buildUser(test.db)]
    const taken = await save(user.id, { ...contact, email: other.email.toUpperCase() })
    expect([taken.status, taken.body.code]).toEqual([409, 'email_taken'])
    expect(taken.body.errors).toMatchObject([{ path: 'email' }])
    const stale = await save(user.id, contact, { 'if-match': '"2"' })
    expect([stale.status, stale.body.code, stale.body.current.email]).toEqual([409, 'record_changed', user.email])
    expect((await save(user.id, contact, {})).status).toBe(400)
    const gone = await buildUser(test.db, { deleted_at: new Date() })
    for (const id of [gone.id, createId(), 'none']) expect((await save(id, contact)).status).toBe(404)
    const row = await test.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ email: user.email, version: 1 })
  })

  it.each([
    [{ ...contact, firstname: ' ' }, 'firstname', 'First name is required'],
    [{ ...contact, email: 'ayesha' }, 'email', 'Email must be an email address'],
    [{ ...contact, email: '', mobile: '' }, 'email', 'Email or mobile is required'],
    [{ ...contact, mobile: '1'.repeat(41) }, 'mobile', 'Mobile may have at most 40 characters'],
    [{ firstname: 'Ayesha' }, 'lastname', 'Last name must be text'],
    [{ ...contact, mobile: undefined }, 'mobile', 'Mobile must be text'],
  ])('refuses %j', async (body, path, message) => {
    const user = await buildUser(test.db)
    const { status, body: refused } = await save(user.id, body)
    expect(status).toBe(400)
    expect(refused.errors).toContainEqual(expect.objectContaining({ path, message }))
  })
})

describe('PUT customers/:id/note', () => {
  it('stores the note and its history, and refuses a change from an outdated version', async () => {
    const { token } = await test.signIn([PAGE.users, PAGE.staff])
    const user = await buildUser(test.db)
    const save = (note: string, version: number) =>
      test.request(setNote, { token, params: { id: user.id }, body: { note }, headers: { 'if-match': `"${version}"` } })
    expect((await save('Prefers a quiet pod', 1)).status).toBe(200)
    const stale = await save('Something else', 1)
    expect([stale.status, stale.body.code]).toEqual([409, 'record_changed'])
    expect(stale.body.current).toMatchObject({ note: 'Prefers a quiet pod', version: 2 })
    const history = await test.request(routes.audit.history, { token, query: { entity: 'customer', id: user.id } })
    expect(history.body[0]).toMatchObject({
      action: 'edit',
      before: { note: '' },
      after: { note: 'Prefers a quiet pod' },
    })
    const long = await save('x'.repeat(2001), 2)
    expect([long.status, long.body.errors[0].path]).toEqual([400, 'note'])
  })
})

/** Returns the times of a booking of one hour. */
function at(start: string) {
  const startTime = new Date(`${start}:00.000Z`)
  return {
    booking_date: start.slice(0, 10),
    start_time: startTime,
    end_time: new Date(startTime.getTime() + 60 * 60_000),
  }
}
