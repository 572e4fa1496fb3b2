import { describe, expect, it } from 'vitest'
import type { Route } from '#contract/routes.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { at, DAY, toInterval, useBookingDay } from '#server/testing/booking-day.ts'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'

const { test, setClock, buildSold, ask, undo, expectSound, listStarts } = useBookingDay()
const actions = routes.bookingActions

describe('GET /bookings/:id', () => {
  it('returns the booking with its customer, payments, QR text and possible actions', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const { status, body } = await ask(actions.get, token, booking.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      _id: booking.id,
      version: 1,
      customer: { _id: booking.user_id, email: expect.stringContaining('@'), phone: '+27 82 555 0101' },
      madeBy: null,
      pod: { _id: booking.pod_id, direction: expect.stringContaining('https://') },
      price: 150,
      paid: 150,
      balanceDue: 0,
      payments: [{ amount: 150, status: 'completed' }],
      refund: { amount: 150, percent: 100, hoursBefore: 2, fee: 0 },
      qrText: expect.stringContaining(booking.id),
      actions: ['move', 'cancel', 'check-in'],
      businessNow: at('11:00'),
      timeZone: 'Africa/Johannesburg',
    })
  })

  it('returns a staff member’s own booking without a customer or a price', async () => {
    const me = await test.signIn([9])
    const booking = await buildBooking(test.db, { staff_id: me._id })
    const { body } = await ask(actions.get, me.token, booking.id)
    expect(body).toMatchObject({ customer: null, madeBy: { _id: me._id, email: me.email }, price: null, paid: 0 })
  })

  it('returns whom to call and write to at the company that it is for', async () => {
    const me = await test.signIn([9])
    const contact = { contact_name: 'Nomsa Khumalo', phone: '+27 11 555 0170', email: 'nomsa@kudu.example' }
    const company = await buildCompany(test.db, { name: 'Kudu Software', ...contact })
    const booking = await buildBooking(test.db, { staff_id: me._id, company_id: company.id })
    const { body } = await ask(actions.get, me.token, booking.id)
    expect(body).toMatchObject({
      customer: null,
      madeBy: { _id: me._id },
      company: { _id: company.id, name: 'Kudu Software', contactName: 'Nomsa Khumalo', phone: contact.phone },
    })
    expect(body.company.email).toBe(contact.email)
  })

  it('is limited, like every action, to bookings made by oneself when one has page 9 alone', async () => {
    const me = await test.signIn([9])
    const user = await buildUser(test.db)
    const mine = await buildBooking(test.db, { user_id: user.id, made_by_staff_id: me._id })
    const another = await buildSold()
    expect((await ask(actions.get, me.token, mine.id)).status).toBe(200)
    const calls: [Route, unknown][] = [
      [actions.get, undefined],
      [actions.move, toInterval(another.pod_id, '16:00', '17:00')],
      [actions.previewMove, toInterval(another.pod_id, '16:00', '17:00')],
      [actions.freePods, undefined],
      [actions.cancel, { version: 1, reason: 'x' }],
      [actions.reinstate, { version: 1 }],
      [actions.checkIn, { version: 1, method: 'staff' }],
      [actions.undoCheckIn, undefined],
      [actions.noShow, { version: 1 }],
      [actions.end, { version: 1 }],
      [actions.note, { version: 1, note: 'x' }],
    ]
    for (const [route, body] of calls) {
      const response = await ask(route, me.token, another.id, body, { 'if-match': '1' })
      expect([route.path, response.status, response.body.code]).toEqual([route.path, 403, 'booking_of_another'])
      expect((await ask(route, me.token, createId(), body, { 'if-match': '1' })).status).toBe(404)
    }
    const manager = await test.signIn([6])
    const noted = await ask(actions.note, manager.token, another.id, { version: 1, note: 'x' })
    const undone = await undo(me.token, noted.headers['x-undo-id'])
    expect([undone.status, undone.body.code]).toEqual([403, 'booking_of_another'])
    const cancelled = await ask(actions.cancel, me.token, mine.id, { version: 1, reason: 'x' })
    expect((await undo(me.token, cancelled.headers['x-undo-id'])).status).toBe(200)
  })
})

describe('alternative pods for a booking', () => {
  it('are the pods free at its time, and none once that has passed', async () => {
    const { token } = await test.signIn([6])
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id })
    const taken = await buildPod(test.db, { location_id: location.id })
    const beside = await buildPod(test.db, { location_id: location.id })
    const booking = await buildSold('14:00', '15:00', { pod_id: pod.id })
    await buildBooking(test.db, { pod_id: taken.id, start_time: new Date(at('14:30')) })
    const { body } = await ask(actions.freePods, token, booking.id)
    expect(body).toEqual({
      pods: [{ podId: beside.id, podTitle: beside.title, locationName: location.name, fewerSeats: null }],
    })
    const past = await buildSold('07:00', '08:00', { pod_id: pod.id })
    expect((await ask(actions.freePods, token, past.id)).body).toEqual({ pods: [] })
  })
})

describe('moving a booking', () => {
  it('keeps the booking and exchanges its slots, in another pod too, and frees the old ones at once', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const other = await buildPod(test.db)
    const later = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:30', '15:30'))
    expect(later).toMatchObject({ status: 200, body: { _id: booking.id, version: 2, price: 150, balanceDue: 0 } })
    expect(await listStarts(booking.id)).toEqual(['14:30', '14:45', '15:00', '15:15'])
    const elsewhere = await ask(actions.move, token, booking.id, toInterval(other.id, '12:00', '12:30', 2))
    expect(elsewhere.body).toMatchObject({
      podId: other.id,
      location: other.location_id,
      timeSlotNumber: '3',
      version: 3,
    })
    const row = await test.db.selectFrom('bookings').selectAll().where('id', '=', booking.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ sequence: 2, booking_date: DAY, location_id: other.location_id })
    await buildBooking(test.db, { pod_id: booking.pod_id, start_time: new Date(at('14:00')) })
    await expectSound()
  })

  it('charges the rate of sale in the same pod, the new rate in another, and nothing more if caused by us', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { discount_minutes: 15, price: 112.5 })
    await test.db.updateTable('pods').set({ rate: 99 }).execute()
    const dear = await buildPod(test.db, { rate: '4' })
    const preview = await ask(actions.previewMove, token, booking.id, toInterval(booking.pod_id, '14:00', '15:30'))
    expect(preview.body).toMatchObject({ price: 112.5, newPrice: 187.5, difference: 75, balanceDue: 75, reasons: [] })
    const longer = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '15:30'))
    expect(longer.body).toMatchObject({ price: 187.5, balanceDue: 75 })
    const shorter = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30', 2))
    expect(shorter.body).toMatchObject({ price: 37.5, balanceDue: -75 })
    const elsewhere = await ask(actions.move, token, booking.id, toInterval(dear.id, '14:00', '14:30', 3))
    expect(elsewhere.body).toMatchObject({ price: 60, balanceDue: -52.5 })
    const ours = await ask(
      actions.move,
      token,
      booking.id,
      toInterval(dear.id, '14:00', '17:00', 4, { causedByUs: true }),
    )
    expect(ours.body).toMatchObject({ price: 60, balanceDue: -52.5 })
  })

  it('does not charge later for what a move caused by us gave for nothing', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const move = async (from: string, until: string, version: number, more: object = {}) =>
      (await ask(actions.move, token, booking.id, toInterval(booking.pod_id, from, until, version, more))).body
    expect(await move('14:00', '16:30', 1, { causedByUs: true })).toMatchObject({ price: 150, balanceDue: 0 })
    expect(await move('14:30', '17:00', 2)).toMatchObject({ price: 150, balanceDue: 0 })
    expect(await move('14:30', '17:15', 3)).toMatchObject({ price: 187.5, balanceDue: 37.5 })
    expect(await move('14:30', '16:00', 4)).toMatchObject({ price: 187.5, balanceDue: 37.5 })
    expect(await move('14:30', '15:00', 5)).toMatchObject({ price: 75, balanceDue: -75 })
    expect(await move('14:30', '15:30', 6)).toMatchObject({ price: 150, balanceDue: 0 })
  })

  it('costs nothing to where the booking is, though it was shortened because of us', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const shortened = toInterval(booking.pod_id, '14:00', '14:30')
    const ours = await ask(actions.move, token, booking.id, { ...shortened, causedByUs: true })
    expect(ours.body).toMatchObject({ price: 150, balanceDue: 0, version: 2 })
    const quote = { price: 150, newPrice: 150, difference: 0, balanceDue: 0 }
    expect((await ask(actions.previewMove, token, booking.id, shortened)).body).toMatchObject(quote)
    const moved = await ask(actions.move, token, booking.id, { ...shortened, version: 2 })
    expect(moved.body).toMatchObject({ price: 150, balanceDue: 0, version: 2 })
  })

  it('is refused when its price is no longer the one that was shown', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const dear = await buildPod(test.db, { rate: '4' })
    const { newPrice } = (await ask(actions.previewMove, token, booking.id, toInterval(dear.id, '14:00', '15:00'))).body
    await test.db.updateTable('pods').set({ rate: 5 }).where('id', '=', dear.id).execute()
    const moved = async (shown: number) =>
      ask(actions.move, token, booking.id, toInterval(dear.id, '14:00', '15:00', 1, { newPrice: shown }))
    expect(await moved(newPrice)).toMatchObject({ status: 409, body: { code: 'price_changed' } })
    expect(await listStarts(booking.id)).toHaveLength(4)
    expect((await ask(actions.get, token, booking.id)).body).toMatchObject({ version: 1, podId: booking.pod_id })
    expect(await moved(300)).toMatchObject({ status: 200, body: { podId: dear.id, price: 300, balanceDue: 150 } })
  })

  it('takes the check-in back when it is to another day, and an undo restores it', async () => {
    const { token, _id } = await test.signIn()
    const booking = await buildSold('14:00', '15:00')
    const read = async () =>
      test.db
        .selectFrom('bookings')
        .select(['checked_in_at', 'checked_in_by', 'checked_in_method'])
        .where('id', '=', booking.id)
        .executeTakeFirstOrThrow()
    expect((await ask(actions.checkIn, token, booking.id, { version: 1, method: 'staff' })).status).toBe(200)
    const checkedIn = { checked_in_at: test.clock.now(), checked_in_by: _id, checked_in_method: 'staff' }
    expect((await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '15:00', '16:00', 2))).status).toBe(
      200,
    )
    expect(await read()).toEqual(checkedIn)
    const day = '2026-11-23'
    const later = { bookingDate: day, startTime: at('15:00', day), endTime: at('16:00', day) }
    const body = toInterval(booking.pod_id, '15:00', '16:00', 3, later)
    const moved = await ask(actions.move, token, booking.id, body)
    expect([moved.status, moved.body.checkedInAt]).toEqual([200, null])
    expect(await read()).toEqual({ checked_in_at: null, checked_in_by: null, checked_in_method: null })
    expect((await undo(token, moved.headers['x-undo-id'])).status).toBe(200)
    expect(await read()).toEqual(checkedIn)
  })

  it('is refused with reasons and alternatives when a slot is taken, and changes nothing', async () => {
    const { token } = await test.signIn([6])
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id })
    const beside = await buildPod(test.db, { location_id: location.id })
    const booking = await buildSold('14:00', '15:00', { pod_id: pod.id })
    const company_id = (await buildCompany(test.db, { name: 'Karoo Media' })).id
    const inTheWay = await buildBooking(test.db, { pod_id: pod.id, company_id, start_time: new Date(at('15:30')) })
    const refused = await ask(actions.move, token, booking.id, toInterval(pod.id, '15:00', '16:00'))
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'slot_taken',
        reasons: [{ code: 'slot_taken', booking: { _id: inTheWay.id } }],
        free: {
          // These overlap the booking's own time, which is not in its way, but is not offered either.
          times: [{ startTime: at('14:30') }, { startTime: at('14:15') }, { startTime: at('13:45') }],
          pods: [{ podId: beside.id }],
        },
      },
    })
    const preview = await ask(actions.previewMove, token, booking.id, toInterval(pod.id, '15:00', '16:00'))
    expect(preview.body).toMatchObject({ reasons: refused.body.reasons, free: { pods: [{ podId: beside.id }] } })
    expect(preview.body.reasons[0].booking).toMatchObject({ _id: inTheWay.id, company: 'Karoo Media' })
    expect(await listStarts(booking.id)).toEqual(['14:00', '14:15', '14:30', '14:45'])
    await expectSound()
  })

  it('is refused at the field for invalid times, and with the current booking for an outdated version', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold()
    const wrong: [object, string, string][] = [
      [toInterval(booking.pod_id, '15:00', '14:00'), 'slot_order', 'endTime'],
      [toInterval(booking.pod_id, '14:05', '15:00'), 'slot_grid', 'startTime'],
      [toInterval(booking.pod_id, '12:00', '15:15'), 'slot_too_long', 'endTime'],
      [toInterval(booking.pod_id, '09:00', '10:00'), 'slot_passed', 'startTime'],
      [toInterval(booking.pod_id, '14:00', '15:00', 1, { bookingDate: '2026-11-22' }), 'slot_date', 'bookingDate'],
      [toInterval(booking.pod_id, '14:00', '15:00', 1, { startTime: 'soon' }), 'invalid_input', 'startTime'],
    ]
    for (const [body, code, path] of wrong) {
      expect(await ask(actions.move, token, booking.id, body)).toMatchObject({
        status: 400,
        body: { code, errors: [{ path }] },
      })
    }
    expect((await ask(actions.move, token, booking.id, toInterval(createId(), '14:00', '15:00'))).status).toBe(404)
    expect((await ask(actions.move, token, booking.id, toInterval('none', '14:00', '15:00'))).status).toBe(404)
    const outdated = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '16:00', '17:00', 7))
    expect(outdated).toMatchObject({
      status: 409,
      body: { code: 'record_changed', current: { _id: booking.id, version: 1 } },
    })
  })

  it('can extend or shorten a running booking, but not change its pod or start', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('10:00', '12:00', { status: 'Processing' })
    const other = await buildPod(test.db)
    for (const [body, path] of [
      [toInterval(booking.pod_id, '10:15', '12:00'), 'startTime'],
      [toInterval(other.id, '10:00', '12:00'), 'podId'],
      [toInterval(booking.pod_id, '10:00', '11:00'), 'endTime'],
    ] as const) {
      expect(await ask(actions.move, token, booking.id, body)).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      })
    }
    expect(
      (await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '10:00', '13:00'))).body,
    ).toMatchObject({
      balanceDue: 150,
    })
    expect((await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '10:00', '11:15', 2))).status).toBe(
      200,
    )
    expect(await listStarts(booking.id)).toEqual(['10:00', '10:15', '10:30', '10:45', '11:00'])
  })

  it('can be shortened whatever was closed or changed since, without a reason, but not extended', async () => {
    const { token, _id } = await test.signIn([9])
    const own = { staff_id: _id, start_time: new Date(at('14:00')), end_time: new Date(at('16:00')) }
    const [closed, shut, deleted] = [
      await buildBooking(test.db, own),
      await buildBooking(test.db, own),
      await buildBooking(test.db, own),
    ]
    const times = { starts: new Date(at('14:00')), ends: new Date(at('18:00')) }
    await buildClosure(test.db, { podId: closed.pod_id, ...times })
    const hours = { pod_id: shut.pod_id, weekday: 6, opens: null, closes: null }
    await test.db.insertInto('opening_hours').values(hours).execute()
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', deleted.pod_id).execute()
    const codes = { pod_closed: closed, outside_hours: shut, not_found: deleted }
    for (const [code, booking] of Object.entries(codes)) {
      const longer = toInterval(booking.pod_id, '14:00', '16:15')
      expect((await ask(actions.move, token, booking.id, longer)).body.code).toBe(code)
      const shorter = toInterval(booking.pod_id, '14:15', '15:00')
      expect((await ask(actions.previewMove, token, booking.id, shorter)).body.reasons).toEqual([])
      expect((await ask(actions.move, token, booking.id, shorter)).status).toBe(200)
      expect(await listStarts(booking.id)).toEqual(['14:15', '14:30', '14:45'])
    }
    await expectSound()
  })

  it('gives time up again when its extension is undone, whatever was closed or changed since', async () => {
    const { token } = await test.signIn([6])
    const [closed, shut, deleted] = [await buildSold(), await buildSold(), await buildSold()]
    const bookings = [closed, shut, deleted]
    const extended = await Promise.all(
      bookings.map(({ id, pod_id }) => ask(actions.move, token, id, toInterval(pod_id, '14:00', '16:00'))),
    )
    const times = { starts: new Date(at('14:00')), ends: new Date(at('18:00')) }
    await buildClosure(test.db, { podId: closed.pod_id, ...times })
    const hours = { pod_id: shut.pod_id, weekday: 6, opens: null, closes: null }
    await test.db.insertInto('opening_hours').values(hours).execute()
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', deleted.pod_id).execute()
    for (const [index, { id }] of bookings.entries()) {
      const undone = await undo(token, extended[index]?.headers['x-undo-id'])
      expect([undone.status, undone.body.code]).toEqual([200, undefined])
      expect(await listStarts(id)).toEqual(['14:00', '14:15', '14:30', '14:45'])
    }
    await expectSound()
  })

  it('can be extended, and reinstated, once a closure in which it was left is over', async () => {
    const { token } = await test.signIn()
    const booking = await buildSold('11:00', '12:00', { status: 'Processing' })
    await buildClosure(test.db, { podId: booking.pod_id, starts: new Date(at('10:00')), ends: new Date(at('11:20')) })
    const extend = () => ask(actions.move, token, booking.id, toInterval(booking.pod_id, '11:00', '12:30'))
    setClock('11:19')
    expect((await extend()).body.code).toBe('pod_closed')
    setClock('11:20')
    expect((await extend()).status).toBe(200)
    expect((await ask(actions.cancel, token, booking.id, { version: 2, reason: 'x' })).status).toBe(200)
    expect((await ask(actions.reinstate, token, booking.id, { version: 3 })).status).toBe(200)
    await expectSound()
  })

  it('offers no other times or pods for a running booking, and never a time that has passed', async () => {
    const { token } = await test.signIn([6])
    const running = await buildSold('10:00', '12:00', { status: 'Processing' })
    await buildSold('12:00', '13:00', { pod_id: running.pod_id })
    const longer = await ask(actions.previewMove, token, running.id, toInterval(running.pod_id, '10:00', '12:30'))
    expect(longer.body).toMatchObject({ reasons: [{ code: 'slot_taken' }], free: { times: [], pods: [] } })
    const later = await buildSold('13:00', '14:00', { pod_id: running.pod_id })
    await buildSold('14:00', '15:00', { pod_id: running.pod_id })
    const earlier = await ask(actions.previewMove, token, later.id, toInterval(running.pod_id, '11:15', '12:15'))
    const starts = earlier.body.free.times.map(({ startTime }: { startTime: string }) => startTime.slice(11, 16))
    expect(starts).toEqual(['15:00', '15:15', '15:30'])
  })

  it('is refused for bookings that are completed, rated or cancelled', async () => {
    const { token } = await test.signIn([6])
    for (const status of ['Completed', 'Rated', 'Cancelled'] as const) {
      const booking = await buildSold('14:00', '15:00', { status })
      const response = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '16:00', '17:00'))
      expect(response).toMatchObject({ status: 409, body: { code: 'booking_state' } })
    }
  })

  it('can end at 24:00, but not later', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const response = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '23:00', '24:00'))
    expect(response.body).toMatchObject({ endTime: at('00:00', '2026-11-22'), timeSlotNumber: '5' })
    expect(await listStarts(booking.id)).toEqual(['23:00', '23:15', '23:30', '23:45'])
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '23:00', '23:30', 2))
    const extended = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '22:45', '24:00', 3))
    expect(extended.body).toMatchObject({ endTime: at('00:00', '2026-11-22'), timeSlotNumber: '6', version: 4 })
    // A day ends at 24:00.
    const beyond = { ...toInterval(booking.pod_id, '22:45', '24:00', 4), endTime: at('00:15', '2026-11-22') }
    expect((await ask(actions.move, token, booking.id, beyond)).status).toBe(400)
    await expectSound()
  })

  it('can be undone while the old time is free, and still increases the calendar sequence', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const moved = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '16:00', '17:30'))
    expect((await undo(token, moved.headers['x-undo-id'])).status).toBe(200)
    const row = await test.db.selectFrom('bookings').selectAll().where('id', '=', booking.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ price: '150.00', balance_due: '0.00', sequence: 2 })
    expect(await listStarts(booking.id)).toEqual(['14:00', '14:15', '14:30', '14:45'])
    const again = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '16:00', '17:00', 3))
    await buildBooking(test.db, { pod_id: booking.pod_id, start_time: new Date(at('14:30')) })
    expect(await undo(token, again.headers['x-undo-id'])).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    await expectSound()
  })
})

describe('cancelling', () => {
  it('frees the time, and refunds by the policy that the booking was sold under', async () => {
    const { token } = await test.signIn([6])
    const policy = JSON.stringify({ brackets: [{ hoursBefore: 1, percent: 50 }], fee: 5 })
    const booking = await buildSold('14:00', '15:00', { cancel_policy: policy })
    await test.db
      .updateTable('locations')
      .set({ cancel_policy: JSON.stringify({ brackets: [], fee: 0 }) })
      .execute()
    expect((await ask(actions.get, token, booking.id)).body.refund).toEqual({
      amount: 70,
      paid: 150,
      refunded: 0,
      overpaid: 0,
      percent: 50,
      hoursBefore: 1,
      fee: 5,
    })
    const response = await ask(actions.cancel, token, booking.id, { version: 1, reason: 'Customer asked' })
    expect(response.body).toMatchObject({
      status: 'Cancelled',
      cancelReason: 'Customer asked',
      cancelledAt: test.clock.now().toISOString(),
      balanceDue: -70,
      actions: ['reinstate'],
    })
    expect(await listStarts(booking.id)).toEqual([])
    await expectSound()
  })

  it('uses the location’s policy, or else the platform’s, for a booking without its own', async () => {
    const { token } = await test.signIn([6])
    const ofPlatform = await buildSold('12:30', '13:30')
    expect((await ask(actions.get, token, ofPlatform.id)).body.refund).toMatchObject({ amount: 0, hoursBefore: null })
    await test.db
      .updateTable('locations')
      .set({ cancel_policy: JSON.stringify({ brackets: [{ hoursBefore: 0.5, percent: 20 }], fee: 0 }) })
      .execute()
    expect((await ask(actions.get, token, ofPlatform.id)).body.refund).toMatchObject({ amount: 30, percent: 20 })
  })

  it('refunds everything when it is caused by us, and a different amount only with a reason', async () => {
    const { token } = await test.signIn([6])
    const first = await buildSold('11:30', '12:30')
    const ours = await ask(actions.cancel, token, first.id, { version: 1, reason: 'Lock broken', causedByUs: true })
    expect(ours.body).toMatchObject({ balanceDue: -150 })
    const second = await buildSold('11:30', '12:30')
    const body = { version: 1, reason: 'Customer asked', refund: 40 }
    expect(await ask(actions.cancel, token, second.id, body)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'refundReason' }] },
    })
    expect(await ask(actions.cancel, token, second.id, { ...body, refund: 151, refundReason: 'Kind' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'refund' }] },
    })
    const kind = await ask(actions.cancel, token, second.id, { ...body, refundReason: 'Was ill' })
    expect(kind.body).toMatchObject({ balanceDue: -40 })
    const history = await test.request(routes.audit.history, { token, query: { entity: 'booking', id: second.id } })
    expect(history.body[0]).toMatchObject({ action: 'cancel', reason: 'Customer asked – Was ill' })
  })

  it('gives back any amount that was paid', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    await buildTransaction(test.db, { booking_id: booking.id, amount: '1250000.00' })
    const body = { version: 1, reason: 'Customer asked', refund: 1_250_150 }
    expect((await ask(actions.cancel, token, booking.id, body)).body).toMatchObject({ balanceDue: -1_250_150 })
  })

  it('needs a reason, and is refused a second time', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold()
    expect(await ask(actions.cancel, token, booking.id, { version: 1, reason: ' ' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'reason', message: 'Reason is required' }] },
    })
    await ask(actions.cancel, token, booking.id, { version: 1, reason: 'x' })
    const again = await ask(actions.cancel, token, booking.id, { version: 2, reason: 'x' })
    expect(again).toMatchObject({ status: 409, body: { code: 'booking_cancelled' } })
  })

  it('refunds by the same policy through the endpoint for older clients', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    expect((await ask(routes.bookings.cancel, token, booking.id)).status).toBe(200)
    expect((await ask(actions.get, token, booking.id)).body).toMatchObject({ balanceDue: -150, cancelReason: null })
  })
})

describe('reinstating', () => {
  it('restores the status and the balance due while the time is free', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '15:30'))
    await ask(actions.cancel, token, booking.id, { version: 2, reason: 'Mistake' })
    await ask(actions.note, token, booking.id, { version: 3, note: 'Rang again' })
    const response = await ask(actions.reinstate, token, booking.id, { version: 4 })
    expect(response.body).toMatchObject({
      status: 'Confirmed',
      cancelReason: null,
      cancelledAt: null,
      balanceDue: 75,
      note: 'Rang again',
    })
    expect(await listStarts(booking.id)).toHaveLength(6)
    const twice = await ask(actions.reinstate, token, booking.id, { version: 5 })
    expect(twice).toMatchObject({ status: 409, body: { message: 'This booking is not cancelled.' } })
  })

  it('restores a balance that cancelling left as it was', async () => {
    const { token } = await test.signIn([6])
    const cancel_policy = JSON.stringify({ brackets: [], fee: 0 })
    const booking = await buildSold('14:00', '15:00', { cancel_policy })
    const moved = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(moved.body.refund).toMatchObject({ amount: 75, paid: 150, overpaid: 75, percent: 0, hoursBefore: null })
    const cancelled = await ask(actions.cancel, token, booking.id, { version: 2, reason: 'Mistake' })
    expect(cancelled.body.balanceDue).toBe(-75)
    const reinstated = await ask(actions.reinstate, token, booking.id, { version: 3 })
    expect(reinstated.body.balanceDue).toBe(-75)
    // What a later cancellation has changed, that one says.
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '15:00', 4))
    await ask(actions.cancel, token, booking.id, { version: 5, reason: 'Lock broken', causedByUs: true })
    const again = await ask(actions.reinstate, token, booking.id, { version: 6 })
    expect(again.body).toMatchObject({ status: 'Confirmed', balanceDue: 0 })
  })

  it('is refused when the time is taken, with alternatives, and after a refund or its end', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const cancelled = await ask(actions.cancel, token, booking.id, { version: 1, reason: 'Mistake' })
    const taker = await buildBooking(test.db, { pod_id: booking.pod_id, start_time: new Date(at('14:45')) })
    const taken = await ask(actions.reinstate, token, booking.id, { version: 2 })
    expect(taken).toMatchObject({ status: 409, body: { code: 'slot_taken', free: { times: [{}, {}, {}] } } })
    await ask(actions.cancel, token, taker.id, { version: 1, reason: 'x' })
    await buildTransaction(test.db, { booking_id: booking.id, status: 'refunded' })
    expect((await ask(actions.get, token, booking.id)).body.actions).toEqual([])
    expect((await ask(actions.reinstate, token, booking.id, { version: 2 })).body.message).toContain('was paid back')
    expect((await undo(token, cancelled.headers['x-undo-id'])).body.message).toContain('was paid back')
    await test.db.updateTable('transactions').set({ status: 'failed' }).where('status', '=', 'refunded').execute()
    setClock('15:00')
    // The clock has moved four hours, so the first session is over.
    const evening = (await test.signIn([6])).token
    expect((await ask(actions.reinstate, evening, booking.id, { version: 2 })).body.message).toContain('has ended')
    await expectSound()
  })

  it('is refused when the pod was deleted, and says so', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const cancelled = await ask(actions.cancel, token, booking.id, { version: 1, reason: 'Mistake' })
    await test.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', booking.pod_id).execute()
    const gone = { status: 404, body: { message: 'There is no such pod. It may have been deleted.' } }
    expect(await ask(actions.reinstate, token, booking.id, { version: 2 })).toMatchObject(gone)
    expect(await undo(token, cancelled.headers['x-undo-id'])).toMatchObject(gone)
  })
})
