import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { at, useBookingDay } from '#server/testing/booking-day.ts'
import { buildBooking, buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'

const { test, setClock, buildSold, ask, undo, expectSound, listStarts } = useBookingDay()
const actions = routes.bookingActions

const checkedIn = { checked_in_at: new Date('2026-11-21T08:50:00Z'), checked_in_method: 'staff' } as const

describe('the bookings of a day', () => {
  it('can be checked in by hand once, on the day, and the check-in can be undone', async () => {
    const me = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const checkedIn = await ask(actions.checkIn, me.token, booking.id, { version: 1, method: 'staff' })
    expect(checkedIn.body).toMatchObject({
      status: 'Confirmed',
      checkedInAt: test.clock.now().toISOString(),
      checkedInMethod: 'staff',
      checkedInBy: expect.stringContaining('Thandi'),
      actions: ['move', 'cancel', 'undo-check-in'],
    })
    const twice = await ask(actions.checkIn, me.token, booking.id, { version: 2, method: 'staff' })
    expect(twice.body).toMatchObject({
      code: 'already_checked_in',
      message: 'This customer has been checked in already.',
    })
    expect((await undo(me.token, checkedIn.headers['x-undo-id'])).status).toBe(200)
    await ask(actions.checkIn, me.token, booking.id, { version: 3, method: 'staff' })
    const back = await ask(actions.undoCheckIn, me.token, booking.id, undefined, { 'if-match': '4' })
    expect(back.body).toMatchObject({ checkedInAt: null, checkedInMethod: null, checkedInBy: null, version: 5 })
    const tomorrow = await buildSold('14:00', '15:00', {
      start_time: new Date(at('14:00', '2026-11-22')),
      end_time: new Date(at('15:00', '2026-11-22')),
    })
    expect((await ask(actions.checkIn, me.token, tomorrow.id, { version: 1, method: 'staff' })).body.message).toBe(
      'This booking begins on 2026-11-22 at 2:00 PM.',
    )
  })

  it('let a customer who is checked in know that the booking is over, and not that they are checked in already', async () => {
    const { token } = await test.signIn([6])
    const [ended, over] = [await buildSold('11:00', '12:00'), await buildSold('11:00', '11:45')]
    for (const { id } of [ended, over]) await ask(actions.checkIn, token, id, { version: 1, method: 'staff' })
    setClock('11:20')
    await ask(actions.end, token, ended.id, { version: 2 })
    setClock('11:45')
    const scan = async (code: string) => (await test.request(actions.checkInByCode, { token, body: { code } })).body
    expect(await scan(ended.id)).toMatchObject({ code: 'booking_state', message: 'This booking was ended early.' })
    expect(await scan(over.id)).toMatchObject({ code: 'booking_state', message: 'This booking has already ended.' })
  })

  it('can be checked in by their QR text or the end of their id, and by no other code', async () => {
    const { token } = await test.signIn([6])
    const [booking, other] = [await buildSold('14:00', '15:00'), await buildSold('12:00', '13:00')]
    const { qrText } = (await ask(actions.get, token, booking.id)).body
    const wrong = await ask(actions.checkIn, token, other.id, { version: 1, method: 'code', code: qrText })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
    const scanned = await test.request(actions.checkInByCode, { token, body: { code: qrText } })
    expect(scanned.body).toMatchObject({ _id: booking.id, checkedInMethod: 'code' })
    const typed = await test.request(actions.checkInByCode, {
      token,
      body: { code: ` ${other.id.slice(-6).toUpperCase()} ` },
    })
    expect(typed.body).toMatchObject({ _id: other.id, checkedInMethod: 'code' })
    for (const code of ['guess', other.id.slice(-5), `${qrText}0`, '%']) {
      expect((await test.request(actions.checkInByCode, { token, body: { code } })).status).toBe(400)
    }
  })

  it('whose code is not found say what it may be, or how much of an id is needed', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { status: 'Cancelled' })
    const scan = async (code: string) =>
      (await test.request(actions.checkInByCode, { token, body: { code } })).body.errors[0].message
    const none = 'None of today’s bookings has this code'
    expect(await scan(booking.id)).toBe(`${none}: it may be for another day, or cancelled`)
    // All that a list shows of the end.
    expect(await scan(` ${booking.id.slice(-4)}`)).toBe(`${none}. Of an id, type at least the last six characters`)
  })

  it('free the current quarter and the rest as a no-show, which can be reversed while that time is free', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
    setClock('11:20')
    const response = await ask(actions.noShow, token, booking.id, { version: 1 })
    expect(response.body).toMatchObject({
      status: 'Completed',
      isBookingActive: false,
      noShowAt: test.clock.now().toISOString(),
      releasedFrom: at('11:15'),
      actions: ['undo-no-show'],
    })
    expect(await listStarts(booking.id)).toEqual(['11:00'])
    await expectSound()
    const back = await ask(actions.reinstate, token, booking.id, { version: 2 })
    expect(back.body).toMatchObject({ status: 'Processing', noShowAt: null, releasedFrom: null })
    expect(await listStarts(booking.id)).toHaveLength(4)
    const again = await ask(actions.noShow, token, booking.id, { version: 3 })
    await buildBooking(test.db, { pod_id: booking.pod_id, start_time: new Date(at('11:45')) })
    expect((await undo(token, again.headers['x-undo-id'])).body.code).toBe('slot_taken')
    expect((await ask(actions.reinstate, token, booking.id, { version: 4 })).body.code).toBe('slot_taken')
    await expectSound()
  })

  it.each([
    { call: actions.checkIn, body: { method: 'staff' }, undone: 'is taken back', redone: 'counts again' },
    { call: actions.noShow, body: {}, undone: 'is taken back', redone: 'counts again' },
    { call: actions.end, body: {}, undone: 'goes on until its end', redone: 'has ended early again' },
  ])(
    'say what an undo brought back, also when it undid another: $call.path',
    async ({ call, body, undone, redone }) => {
      const { token } = await test.signIn([6])
      const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
      setClock('11:20')
      const changed = await ask(call, token, booking.id, { version: 1, ...body })
      const back = await undo(token, changed.headers['x-undo-id'])
      expect(back.body.message).toMatch(new RegExp(`${undone}$`))
      const again = await undo(token, back.headers['x-change-id'])
      expect(again.body.message).toMatch(new RegExp(`${redone}$`))
    },
  )

  it('keep a no-show after their end when their time has been booked, and say by whom', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
    setClock('11:20')
    const noShow = await ask(actions.noShow, token, booking.id, { version: 1 })
    const other = await buildBooking(test.db, { pod_id: booking.pod_id, start_time: new Date(at('11:45')) })
    setClock('12:10')
    const refused = {
      status: 409,
      body: { code: 'slot_taken', reasons: [{ booking: { _id: other.id } }], free: { times: [], pods: [] } },
    }
    const later = (await test.signIn([6])).token
    expect(await undo(later, noShow.headers['x-undo-id'])).toMatchObject(refused)
    expect(await ask(actions.reinstate, later, booking.id, { version: 2 })).toMatchObject(refused)
    await expectSound()
  })

  it('can become a no-show after their end too, but not before their start or after a check-in', async () => {
    const { token } = await test.signIn([6])
    const over = await buildSold('09:00', '10:00', { status: 'Completed' })
    expect((await ask(actions.noShow, token, over.id, { version: 1 })).body).toMatchObject({
      noShowAt: expect.any(String),
      releasedFrom: null,
    })
    const later = await buildSold('14:00', '15:00')
    expect((await ask(actions.noShow, token, later.id, { version: 1 })).body.message).toContain('begins on')
    await ask(actions.checkIn, token, later.id, { version: 1, method: 'staff' })
    setClock('14:30')
    const afternoon = (await test.signIn([6])).token
    expect((await ask(actions.noShow, afternoon, later.id, { version: 2 })).body.message).toContain('was checked in')
    await expectSound()
  })

  it('can have a check-in taken back after their end too, and then become a no-show', async () => {
    const { token } = await test.signIn([6])
    const letIn = { checked_in_at: test.clock.now(), checked_in_method: 'staff' as const }
    const over = await buildSold('09:00', '10:00', { status: 'Completed', ...letIn })
    const refused = await ask(actions.noShow, token, over.id, { version: 1 })
    expect(refused.body.message).toBe('This customer was checked in. Take the check-in back first.')
    const back = await ask(actions.undoCheckIn, token, over.id, undefined, { 'if-match': '1' })
    expect(back.body).toMatchObject({ status: 'Completed', checkedInAt: null, actions: ['no-show'] })
    const noted = await ask(actions.noShow, token, over.id, { version: 2 })
    expect(noted.body).toMatchObject({ noShowAt: expect.any(String), releasedFrom: null })
    const left = await buildSold('10:00', '12:00', { status: 'Completed', ...letIn, ended_at: test.clock.now() })
    expect((await ask(actions.undoCheckIn, token, left.id, undefined, { 'if-match': '1' })).body.message).toBe(
      'This booking was ended early.',
    )
    await expectSound()
  })

  it('become a no-show at their location, and back, although their pod has moved to another since', async () => {
    const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
    await test.db
      .updateTable('pods')
      .set({ location_id: (await buildLocation(test.db)).id })
      .execute()
    setClock('12:30')
    const { token } = await test.signIn([6], { location_ids: [booking.location_id] })
    for (const [route, version] of [
      [actions.noShow, 1],
      [actions.reinstate, 2],
    ] as const) {
      expect((await ask(route, token, booking.id, { version })).status).toBe(200)
      expect(await listStarts(booking.id)).toEqual(['11:00', '11:15', '11:30', '11:45'])
    }
  })

  it('become a no-show or end early, and back, although their pod was deleted', async () => {
    const { token } = await test.signIn([6])
    const [absent, ended] = [await buildSold('11:00', '12:00'), await buildSold('11:00', '12:00')]
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).execute()
    setClock('11:20')
    await ask(actions.noShow, token, absent.id, { version: 1 })
    const end = await ask(actions.end, token, ended.id, { version: 1 })
    expect(await listStarts(ended.id)).toEqual(['11:00', '11:15'])
    expect((await ask(actions.reinstate, token, absent.id, { version: 2 })).body.noShowAt).toBeNull()
    expect((await undo(token, end.headers['x-undo-id'])).status).toBe(200)
    for (const { id } of [absent, ended]) expect(await listStarts(id)).toEqual(['11:00', '11:15', '11:30', '11:45'])
    await expectSound()
  })

  it('can be ended early, which frees their time from the next quarter on', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
    expect((await ask(actions.end, token, booking.id, { version: 9 })).status).toBe(409)
    setClock('11:20')
    const ended = await ask(actions.end, token, booking.id, { version: 1 })
    expect(ended.body).toMatchObject({
      status: 'Completed',
      releasedFrom: at('11:30'),
      price: 150,
      actions: ['undo-end'],
    })
    expect(await listStarts(booking.id)).toEqual(['11:00', '11:15'])
    expect((await undo(token, ended.headers['x-undo-id'])).status).toBe(200)
    expect(await listStarts(booking.id)).toHaveLength(4)
    const early = await buildSold('14:00', '15:00')
    expect((await ask(actions.end, token, early.id, { version: 1 })).body.message).toContain('begins on')
    await expectSound()
  })

  it('are listed by start, filtered by location, with the possible actions of each', async () => {
    const { token } = await test.signIn([6])
    const late = await buildSold('11:00', '12:00', { status: 'Processing' })
    const expected = await buildSold('14:00', '15:00')
    await buildSold('13:00', '14:00', { status: 'Cancelled' })
    await buildBooking(test.db)
    const all = await test.request(actions.arrivals, { token })
    expect(all.body).toMatchObject({
      businessNow: at('11:00'),
      arrivals: [
        { _id: late.id, actions: expect.arrayContaining(['check-in', 'no-show', 'end']), phone: '+27 82 555 0101' },
        {
          _id: expected.id,
          podId: expected.pod_id,
          actions: ['move', 'cancel', 'check-in'],
          customerId: expected.user_id,
        },
      ],
    })
    const there = await test.request(actions.arrivals, { token, query: { location: expected.location_id } })
    expect(there.body.arrivals).toHaveLength(1)
  })

  it.each([
    [{}, '10:59', 'expected'],
    [{}, '11:00', 'late'],
    [checkedIn, '10:55', 'in'],
    [checkedIn, '11:44', 'in'],
    [checkedIn, '11:45', 'leaving'],
    [checkedIn, '12:00', 'over'],
    [{ status: 'Completed', no_show_at: new Date('2026-11-21T09:15:00Z') }, '11:15', 'over'],
  ] as const)('with %j are at %s in the group %s', async (changes, time, group) => {
    await buildSold('11:00', '12:00', changes)
    setClock(time)
    const { token } = await test.signIn([6])
    const none = { late: 0, expected: 0, leaving: 0, in: 0, over: 0 }
    expect((await test.request(actions.arrivals, { token })).body).toMatchObject({
      counts: { ...none, [group]: 1 },
      arrivals: [{ group }],
    })
  })

  it('are limited to the first of each group, whose number is told', async () => {
    const { token } = await test.signIn([6])
    const late = [
      await buildSold('10:15', '12:00'),
      await buildSold('10:00', '12:00'),
      await buildSold('10:30', '12:00'),
    ]
    const expected = [await buildSold('13:00', '14:00'), await buildSold('12:00', '14:00')]
    const { body } = await test.request(actions.arrivals, { token, query: { limit: '1' } })
    expect(body.counts).toEqual({ late: 3, expected: 2, leaving: 0, in: 0, over: 0 })
    expect(body.arrivals.map(({ _id }: { _id: string }) => _id)).toEqual([late[1]?.id, expected[1]?.id])
    const refused = await test.request(actions.arrivals, { token, query: { limit: '0' } })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'limit' }] } })
  })

  it('are found by parts of the name or pod in any order, ignoring case and accents', async () => {
    const { token } = await test.signIn([6])
    const build = async (firstname: string, lastname: string, title: string) => {
      const { id: user_id } = await buildUser(test.db, { firstname, lastname })
      return buildSold('14:00', '15:00', { user_id, pod_id: (await buildPod(test.db, { title })).id })
    }
    const ayesha = await build('Ayesha', 'Patel', 'Aurora')
    const zoe = await build('Zoë', 'O’Brien', 'Beacon')
    for (const [search, found] of [
      ['PATEL', [ayesha]],
      [' beac ', [zoe]],
      ["o'brien zoe", [zoe]],
      ['aurora áyesha', [ayesha]],
      ['nobody', []],
    ] as const) {
      const { body } = await test.request(actions.arrivals, { token, query: { search } })
      expect(body.arrivals.map(({ _id }: { _id: string }) => _id)).toEqual(found.map(({ id }) => id))
      expect(body.counts.expected).toBe(found.length)
    }
  })

  it('have the name and phone of the company that a booking is for', async () => {
    const { token, _id } = await test.signIn([6])
    const [reached, unreached] = [
      await buildCompany(test.db, { name: 'Kudu Software', phone: '+27 11 555 0170' }),
      await buildCompany(test.db, { name: 'Acacia Labs', phone: '' }),
    ]
    const at14 = { staff_id: _id, start_time: new Date(at('14:00')), end_time: new Date(at('15:00')) }
    await buildBooking(test.db, { ...at14, company_id: reached.id })
    await buildBooking(test.db, { ...at14, company_id: unreached.id })
    const { phone_number } = await test.db
      .selectFrom('staff')
      .selectAll()
      .where('id', '=', _id)
      .executeTakeFirstOrThrow()
    const { body } = await test.request(actions.arrivals, { token })
    expect(body.arrivals.map(({ name, phone }: { name: string; phone: string }) => [name, phone]).toSorted()).toEqual([
      ['Acacia Labs', phone_number],
      ['Kudu Software', '+27 11 555 0170'],
    ])
  })
})
