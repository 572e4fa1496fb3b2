import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import {
  ADDRESS,
  buildBooking,
  buildLocation,
  buildPod,
  buildUser,
  NOTHING_HAPPENED,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { availability, create, get, cancel } = routes.bookings
const unknownId = '019a9c00-0000-7000-8000-00000000dead'

/** Builds the body of a booking from 09:00 to 10:00 on Monday 23 November 2026. */
function buildBody(overrides: Record<string, unknown> = {}) {
  return {
    bookingPurpose: 'meeting',
    bookingDate: '2026-11-23',
    startTime: '2026-11-23T09:00:00.000Z',
    endTime: '2026-11-23T10:00:00.000Z',
    timeSlotNumber: '5',
    status: 'Pending',
    isBookingActive: true,
    ...overrides,
  }
}

describe('creating a booking', () => {
  it('needs a session with page 9', async () => {
    const params = { podId: unknownId }
    expect((await test.request(create, { params, body: buildBody() })).status).toBe(401)
    const { token } = await test.signIn([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await test.request(create, { token, params, body: buildBody() })).status).toBe(403)
  })

  it('returns the booking, which belongs to the staff member', async () => {
    const { token, _id } = await test.signIn([9])
    const pod = await buildPod(test.db, { title: 'Table Mountain' })
    const response = await test.request(create, { token, params: { podId: pod.id }, body: buildBody() })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({
      message: 'Booking created successfully',
      booking: {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        podId: pod.id,
        podTitle: 'Table Mountain',
        bookingDate: '2026-11-23',
        bookingPurpose: 'meeting',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        timeSlotNumber: '5',
        status: 'Pending',
        isBookingActive: true,
        createdAt: '2026-11-21T09:00:00.000Z',
        location: pod.location_id,
        user: _id,
        ...NOTHING_HAPPENED,
        version: 1,
      },
    })
    const slots = await test.db.selectFrom('booking_slots').select(['slot_start', 'booking_id']).execute()
    expect(slots.map(({ slot_start }) => slot_start.toISOString().slice(11, 16)).sort()).toEqual([
      '09:00',
      '09:15',
      '09:30',
      '09:45',
    ])
    expect(slots.every(({ booking_id }) => booking_id === response.body.booking._id)).toBe(true)
  })

  it('always sets Pending, counts the marks itself and ignores unknown fields', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const body = buildBody({
      status: 'Completed',
      isBookingActive: 'no',
      timeSlotNumber: 99,
      user: unknownId,
      podId: unknownId,
      _id: unknownId,
    })
    const response = await test.request(create, { token, params: { podId: pod.id }, body })
    expect(response.status).toBe(201)
    expect(response.body.booking).toMatchObject({
      status: 'Pending',
      isBookingActive: true,
      timeSlotNumber: '5',
      podId: pod.id,
    })
    expect(response.body.booking._id).not.toBe(unknownId)
  })

  it('works without the prefix /api too', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const response = await test.app.inject({
      method: 'POST',
      url: `/user/create-booking/${pod.id}`,
      headers: { authorization: `Bearer ${token}` },
      payload: buildBody(),
    })
    expect(response.statusCode).toBe(201)
  })

  it.each([
    ['bookingPurpose', undefined, 'Purpose is required'],
    ['bookingPurpose', '   ', 'Purpose is required'],
    ['bookingPurpose', 'x'.repeat(101), 'Purpose may have at most 100 characters'],
    ['bookingDate', undefined, 'Booking date must be a date such as 2026-11-21'],
    ['bookingDate', '23/11/2026', 'Booking date must be a date such as 2026-11-21'],
    ['bookingDate', '2026-02-29', 'Booking date must be a date such as 2026-11-21'],
    ['startTime', undefined, 'Start time must be a time such as 2026-11-21T09:00:00.000Z'],
    ['startTime', '09:00', 'Start time must be a time such as 2026-11-21T09:00:00.000Z'],
    ['startTime', '2026-11-23T09:00:00+02:00', 'Start time must be a time such as 2026-11-21T09:00:00.000Z'],
    ['endTime', 12, 'End time must be a time such as 2026-11-21T10:00:00.000Z'],
    ['endTime', '2026-11-23T24:00:00.000Z', 'End time must be a time such as 2026-11-21T10:00:00.000Z'],
  ])('refuses %s %j', async (path, value, message) => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const response = await test.request(create, {
      token,
      params: { podId: pod.id },
      body: buildBody({ [path]: value }),
    })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code: 'invalid_input', message, errors: [{ path, message }] })
  })

  it('needs a body', async () => {
    const { token } = await test.signIn([9])
    const headers = { 'content-type': 'application/json' }
    const response = await test.request(create, { token, params: { podId: unknownId }, headers })
    expect(response).toMatchObject({ status: 400, body: { message: 'A JSON body is required' } })
  })

  it.each([
    ['slot_order', 'endTime', '2026-11-23T10:00:00.000Z', '2026-11-23T10:00:00.000Z', 'Please choose a valid time.'],
    ['slot_order', 'endTime', '2026-11-23T10:00:00.000Z', '2026-11-23T09:00:00.000Z', 'Please choose a valid time.'],
    [
      'slot_grid',
      'startTime',
      '2026-11-23T09:10:00.000Z',
      '2026-11-23T10:00:00.000Z',
      'Bookings start and end on a quarter of an hour.',
    ],
    [
      'slot_hours',
      'startTime',
      '2026-11-23T05:45:00.000Z',
      '2026-11-23T06:45:00.000Z',
      'Bookings must be between 06:00 and 24:00 of one day.',
    ],
    [
      'slot_grid',
      'endTime',
      '2026-11-23T09:00:00.000Z',
      '2026-11-23T10:00:30.000Z',
      'Bookings start and end on a quarter of an hour.',
    ],
    [
      'slot_hours',
      'endTime',
      '2026-11-23T23:30:00.000Z',
      '2026-11-24T00:15:00.000Z',
      'Bookings must be between 06:00 and 24:00 of one day.',
    ],
    [
      'slot_too_long',
      'endTime',
      '2026-11-23T09:00:00.000Z',
      '2026-11-23T12:15:00.000Z',
      'Maximum booking time is 3 hours',
    ],
    [
      'slot_date',
      'bookingDate',
      '2026-11-24T09:00:00.000Z',
      '2026-11-24T10:00:00.000Z',
      'The start time is not on the booking date.',
    ],
  ])('refuses with %s at %s: %s – %s', async (code, path, startTime, endTime, message) => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const response = await test.request(create, {
      token,
      params: { podId: pod.id },
      body: buildBody({ startTime, endTime }),
    })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code, message, errors: [{ path, message }] })
    expect(await test.db.selectFrom('bookings').select('id').execute()).toEqual([])
  })

  it('refuses a slot that has passed in the business time zone, and accepts the current one', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const attempt = (start: string, end: string) =>
      test.request(create, {
        token,
        params: { podId: pod.id },
        body: buildBody({ bookingDate: '2026-11-21', startTime: start, endTime: end }),
      })
    // 11:14:59 in Johannesburg, two hours ahead of UTC.
    test.clock.set('2026-11-21T09:14:59.000Z')
    expect((await attempt('2026-11-21T11:00:00.000Z', '2026-11-21T11:15:00.000Z')).status).toBe(201)
    test.clock.set('2026-11-21T09:30:00.000Z')
    const passed = await attempt('2026-11-21T11:15:00.000Z', '2026-11-21T12:00:00.000Z')
    expect(passed).toMatchObject({ status: 400, body: { code: 'slot_passed' } })
    expect(passed.body.errors).toEqual([
      { path: 'startTime', message: 'That time has already passed. Choose a later time.' },
    ])
    expect((await attempt('2026-11-21T11:30:00.000Z', '2026-11-21T12:00:00.000Z')).status).toBe(201)
  })

  it.each([
    ['06:00 of a leap day', '2028-02-29', '2028-02-29T06:00:00.000Z', '2028-02-29T09:00:00.000Z'],
    ['24:00 of a leap day', '2028-02-29', '2028-02-29T21:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['24:00 of the last day of a month', '2026-11-30', '2026-11-30T23:45:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['24:00 of the last day of a year', '2026-12-31', '2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['the last day that a date can say', '9999-12-31', '9999-12-31T22:00:00.000Z', '9999-12-31T23:45:00.000Z'],
  ])('accepts %s', async (_, bookingDate, startTime, endTime) => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const body = buildBody({ bookingDate, startTime, endTime })
    const response = await test.request(create, { token, params: { podId: pod.id }, body })
    expect(response.body).toMatchObject({ booking: { bookingDate, startTime, endTime } })
    const query = { booking_date: bookingDate }
    const day = await test.request(availability, { token, params: { podId: pod.id }, query })
    expect(day.body.product_availability.slot_bookings[0]).toBe(startTime.slice(11, 16))
  })

  it.each([
    ['emoji', '🧑‍💻 kick-off'],
    ['right to left', 'פגישה עם لقاء'],
    ['quotes and HTML', `<b onclick="x('1')">"O'Neil"</b>; drop table bookings --`],
    ['a hundred characters', 'ü'.repeat(100)],
  ])('stores a purpose with %s unchanged', async (_, bookingPurpose) => {
    const { token } = await test.signIn([9, 6])
    const pod = await buildPod(test.db)
    const made = await test.request(create, { token, params: { podId: pod.id }, body: buildBody({ bookingPurpose }) })
    expect(made.body.booking.bookingPurpose).toBe(bookingPurpose)
    const read = await test.request(get, { token, params: { id: made.body.booking._id } })
    expect(read.body.bookingPurpose).toBe(bookingPurpose)
  })

  it('returns 404 for unknown and deleted pods and malformed ids', async () => {
    const { token } = await test.signIn([9])
    const deleted = await buildPod(test.db, { deleted_at: new Date() })
    for (const podId of [unknownId, deleted.id, 'pod-1', `${unknownId}0`]) {
      const response = await test.request(create, { token, params: { podId }, body: buildBody() })
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(response.body).not.toHaveProperty('reasons')
    }
  })

  it('refuses a blocked pod, and any pod of a blocked location', async () => {
    const { token } = await test.signIn([9])
    const blocked = await buildPod(test.db, { is_blocked: true })
    const closed = await buildLocation(test.db, { is_blocked: true })
    const there = await buildPod(test.db, { location_id: closed.id })
    const responses = await Promise.all(
      [blocked, there].map((pod) => test.request(create, { token, params: { podId: pod.id }, body: buildBody() })),
    )
    expect(responses.map(({ status, body }) => [status, body.code, body.message])).toEqual([
      [409, 'pod_blocked', 'This pod is blocked and cannot be booked. Choose another pod.'],
      [409, 'location_blocked', 'The location of this pod is blocked. Choose a pod elsewhere.'],
    ])
    expect(await test.db.selectFrom('booking_slots').select('pod_id').execute()).toEqual([])
  })
})

describe('availability', () => {
  it('needs a session with page 9 or 3', async () => {
    const pod = await buildPod(test.db)
    const options = { params: { podId: pod.id }, query: { booking_date: '2026-11-23' } }
    expect((await test.request(availability, options)).status).toBe(401)
    const { token: other } = await test.signIn([1, 2, 4, 5, 6, 7, 8])
    expect((await test.request(availability, { ...options, token: other })).status).toBe(403)
    const { token } = await test.signIn([3])
    expect((await test.request(availability, { ...options, token })).status).toBe(200)
  })

  it('lists the slots taken by bookings of that pod and day', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const at = (start: string, end: string, status: 'Pending' | 'Completed' | 'Cancelled' = 'Pending') =>
      buildBooking(test.db, { pod_id: pod.id, start_time: new Date(start), end_time: new Date(end), status })
    await at('2026-11-23T12:00:00.000Z', '2026-11-23T12:30:00.000Z')
    await at('2026-11-23T06:00:00.000Z', '2026-11-23T06:15:00.000Z', 'Completed')
    await at('2026-11-23T15:00:00.000Z', '2026-11-23T16:00:00.000Z', 'Cancelled')
    await at('2026-11-23T23:45:00.000Z', '2026-11-24T00:00:00.000Z')
    await at('2026-11-22T23:45:00.000Z', '2026-11-23T00:00:00.000Z')
    await at('2026-11-24T06:00:00.000Z', '2026-11-24T07:00:00.000Z')
    await buildBooking(test.db, { start_time: new Date('2026-11-23T18:00:00.000Z') })
    const query = { booking_date: '2026-11-23' }
    const response = await test.request(availability, { token, params: { podId: pod.id }, query })
    expect(response).toMatchObject({ status: 200 })
    expect(response.body).toEqual({
      start_time: 6,
      end_time: 24,
      business_now: '2026-11-21T11:00:00.000Z',
      product_availability: {
        product_id: pod.id,
        booking_date: '2026-11-23',
        slot_bookings: ['06:00', '12:00', '12:15', '23:45'],
        slot_reasons: { '06:00': 'Booked', '12:00': 'Booked', '12:15': 'Booked', '23:45': 'Booked' },
        outside_hours: [],
        not_ends: [],
        buffer_minutes: 0,
      },
    })
  })

  it('lists no slots for a free day, and every slot for a blocked pod', async () => {
    const { token } = await test.signIn([9])
    const query = { booking_date: '2026-11-23' }
    for (const [is_blocked, taken] of [
      [false, 0],
      [true, 72],
    ] as const) {
      const { id: podId } = await buildPod(test.db, { is_blocked })
      const { body } = await test.request(availability, { token, params: { podId }, query })
      expect(body.product_availability.slot_bookings).toHaveLength(taken)
    }
  })

  it('requires a date that exists', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    for (const query of [{}, { booking_date: '' }, { booking_date: '2026-02-30' }, { booking_date: 'today' }]) {
      const response = await test.request(availability, { token, params: { podId: pod.id }, query: { ...query } })
      expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'booking_date' }] } })
    }
  })

  it('returns 404 for unknown, malformed and deleted pods', async () => {
    const { token } = await test.signIn([9])
    const deleted = await buildPod(test.db, { deleted_at: new Date() })
    for (const podId of [unknownId, 'x', deleted.id]) {
      const response = await test.request(availability, {
        token,
        params: { podId },
        query: { booking_date: '2026-11-23' },
      })
      expect(response.status).toBe(404)
    }
  })
})

describe('cancelling a booking', () => {
  it('needs a session with page 9 or 6', async () => {
    const booking = await buildBooking(test.db)
    const params = { id: booking.id }
    expect((await test.request(cancel, { params })).status).toBe(401)
    const { token: other } = await test.signIn([1, 2, 3, 4, 5, 7, 8])
    expect((await test.request(cancel, { params, token: other })).status).toBe(403)
    const { token } = await test.signIn([6])
    expect((await test.request(cancel, { params, token })).status).toBe(200)
  })

  it('is allowed for one’s own bookings with page 9, and for any booking with page 6', async () => {
    const me = await test.signIn([9])
    const colleague = await test.signIn([9])
    const mine = await buildBooking(test.db, { staff_id: me._id })
    const others = [
      await buildBooking(test.db, { staff_id: colleague._id }),
      await buildBooking(test.db, { user_id: (await buildUser(test.db)).id }),
      await buildBooking(test.db, { staff_id: colleague._id, status: 'Cancelled' }),
      await buildBooking(test.db, { staff_id: colleague._id, status: 'Completed' }),
    ]
    for (const { id, status } of others) {
      expect(await test.request(cancel, { params: { id }, token: me.token })).toMatchObject({
        status: 403,
        body: {
          code: 'booking_of_another',
          message:
            'You can see, change and cancel the bookings that you made yourself. Ask someone with access to Booking.',
        },
      })
      const kept = await test.db.selectFrom('bookings').select('status').where('id', '=', id).execute()
      expect(kept).toEqual([{ status }])
    }
    expect((await test.request(cancel, { params: { id: mine.id }, token: me.token })).status).toBe(200)
    expect((await test.request(cancel, { params: { id: unknownId }, token: me.token })).status).toBe(404)
    for (const pages of [[6], [6, 9]] as const) {
      const { token } = await test.signIn(pages)
      const booking = await buildBooking(test.db, { staff_id: colleague._id })
      expect((await test.request(cancel, { params: { id: booking.id }, token })).status).toBe(200)
    }
  })

  it('frees the slots for another booking, and the cancelled one can still be read', async () => {
    const { token } = await test.signIn([9, 6])
    const pod = await buildPod(test.db)
    const first = await test.request(create, { token, params: { podId: pod.id }, body: buildBody() })
    const again = () => test.request(create, { token, params: { podId: pod.id }, body: buildBody() })
    expect((await again()).status).toBe(409)
    const headers = { 'content-type': 'application/json' }
    const response = await test.request(cancel, { token, params: { id: first.body.booking._id }, headers })
    expect(response).toMatchObject({ status: 200, body: { message: 'Booking cancelled successfully' } })
    expect((await again()).status).toBe(201)
    const read = await test.request(get, { token, params: { id: first.body.booking._id } })
    expect(read.body).toMatchObject({ status: 'Cancelled', isBookingActive: false })
  })

  it('is possible only before the end in the business time zone, whatever the status scheduler has done', async () => {
    const booking = await buildBooking(test.db, { status: 'Processing' })
    const params = { id: booking.id }
    // 09:59:59 in Johannesburg; the booking ends at 10:00.
    test.clock.set('2026-11-23T07:59:59.000Z')
    const { token } = await test.signIn([6])
    test.clock.set('2026-11-23T08:00:00.000Z')
    expect(await test.request(cancel, { token, params })).toMatchObject({
      status: 409,
      body: { code: 'booking_ended' },
    })
    expect(await test.db.selectFrom('booking_slots').select('pod_id').execute()).toHaveLength(4)
    test.clock.set('2026-11-23T07:59:59.000Z')
    expect((await test.request(cancel, { token, params })).status).toBe(200)
    expect(await test.db.selectFrom('booking_slots').select('pod_id').execute()).toEqual([])
  })

  it.each(['Completed', 'Rated'] as const)('is refused for a booking that is %s', async (status) => {
    const { token } = await test.signIn([6])
    const booking = await buildBooking(test.db, { status })
    const response = await test.request(cancel, { token, params: { id: booking.id } })
    expect(response).toMatchObject({ status: 409, body: { code: 'booking_ended' } })
  })

  it('succeeds for only one of several simultaneous or repeated requests', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildBooking(test.db)
    const request = () => test.request(cancel, { token, params: { id: booking.id } })
    const responses = await Promise.all(Array.from({ length: 8 }, request))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(await request()).toMatchObject({ body: { code: 'booking_cancelled' } })
  })

  it('returns 404 for unknown and malformed ids', async () => {
    const { token } = await test.signIn([6])
    for (const id of [unknownId, 'booking']) {
      expect((await test.request(cancel, { token, params: { id } })).status).toBe(404)
    }
  })
})

describe('getting a booking', () => {
  it('needs a session with page 9 or 6', async () => {
    const params = { id: (await buildBooking(test.db)).id }
    expect((await test.request(get, { params })).status).toBe(401)
    const { token } = await test.signIn([1, 2, 3, 4, 5, 7, 8])
    expect((await test.request(get, { params, token })).status).toBe(403)
  })

  it('returns the booking with its related records and a QR text that ignores the Host header', async () => {
    const { token, _id, email } = await test.signIn([9], { firstname: 'Zanele', lastname: 'Dlamini' })
    const location = await buildLocation(test.db, { name: 'Sea Point' })
    const pod = await buildPod(test.db, { location_id: location.id, title: 'Signal Hill' })
    const booking = await buildBooking(test.db, { pod_id: pod.id, staff_id: _id })
    const response = await test.request(get, {
      token,
      params: { id: booking.id },
      headers: { host: 'evil.example:8443' },
    })
    expect(response.body).toEqual({
      _id: booking.id,
      podId: pod.id,
      podTitle: 'Signal Hill',
      bookingDate: '2026-11-23',
      bookingPurpose: 'meeting',
      startTime: '2026-11-23T09:00:00.000Z',
      endTime: '2026-11-23T10:00:00.000Z',
      timeSlotNumber: '5',
      status: 'Pending',
      isBookingActive: true,
      createdAt: booking.created_at.toISOString(),
      location: location.id,
      user: _id,
      ...NOTHING_HAPPENED,
      version: 1,
      locationName: 'Sea Point',
      locationDetails: {
        _id: location.id,
        name: 'Sea Point',
        ...ADDRESS,
        isBlocked: false,
      },
      username: 'Zanele Dlamini',
      customerId: null,
      balanceDue: 0,
      userDetails: { _id, firstname: 'Zanele', lastname: 'Dlamini', email },
      company: null,
      qrText: `http://localhost:4000/qr?bookingId=${booking.id}`,
    })
  })

  it('is refused with page 9 alone for another person’s booking', async () => {
    const { token } = await test.signIn([9])
    const response = await test.request(get, { token, params: { id: (await buildBooking(test.db)).id } })
    expect(response).toMatchObject({ status: 403, body: { code: 'booking_of_another' } })
  })

  it('still returns the names of a deleted pod, location and staff member', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildBooking(test.db)
    const deleted_at = new Date()
    await test.db.updateTable('pods').set({ deleted_at, is_blocked: true }).execute()
    await test.db.updateTable('locations').set({ deleted_at }).execute()
    await test.db.updateTable('staff').set({ deleted_at }).where('id', '=', booking.staff_id).execute()
    const response = await test.request(get, { token, params: { id: booking.id } })
    expect(response.body).toMatchObject({
      podTitle: expect.stringMatching(/^Pod \d/),
      username: expect.stringMatching(/^Thandi/),
    })
    expect(response.body.locationName).toMatch(/^Waterfront/)
  })

  it('returns 404 for unknown and malformed ids', async () => {
    const { token } = await test.signIn([6])
    for (const id of [unknownId, 'x']) expect((await test.request(get, { token, params: { id } })).status).toBe(404)
  })
})
