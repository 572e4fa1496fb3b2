import { describe, expect, it } from 'vitest'
import type { PageCode } from '#contract/pages.ts'
import { type Route, routes } from '#contract/routes.ts'
import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { get, update, holidays } = routes.hours

/** A Monday. */
const DAY = '2026-11-23'
const at = (mark: string, date = DAY) => new Date(Date.parse(`${date}T00:00:00.000Z`) + toMs(mark)).toISOString()
const toMs = (mark: string) => (Number(mark.slice(0, 2)) * 60 + Number(mark.slice(3))) * 60_000

type Spans = [opens: string, closes: string][]
const toSpans = (spans: Spans) => spans.map(([opens, closes]) => ({ opens, closes }))
const on = (weekday: number, ...spans: Spans) => ({ weekday, spans: toSpans(spans) })
const onDate = (date: string, label: string, ...spans: Spans) => ({ date, label, spans: toSpans(spans) })
const everyDay = (...spans: Spans) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => on(weekday, ...spans))

async function set(query: Record<string, string>, week: object[], exceptions: object[] = [], version = 1) {
  const { token } = await test.signIn()
  const headers = { 'if-match': String(version) }
  return test.request(update, { token, query, headers, body: { week, exceptions } })
}

async function book(podId: string, from: string, to: string, date = DAY) {
  const { token } = await test.signIn([6, 9])
  const body = { bookingPurpose: 'work', bookingDate: date, startTime: at(from, date), endTime: at(to, date) }
  return test.request(routes.bookings.create, { token, params: { podId }, body })
}

async function readDay(podId: string, date = DAY) {
  const { token } = await test.signIn([9])
  const response = await test.request(routes.bookings.availability, {
    token,
    params: { podId },
    query: { booking_date: date },
  })
  return response.body.product_availability
}

describe('opening hours', () => {
  it('default to 06:00–24:00, and are returned with the version of their pod or location', async () => {
    const { token } = await test.signIn([6])
    const location = await buildLocation(test.db, { name: 'Rosebank' })
    const pod = await buildPod(test.db, { title: 'Acacia', location_id: location.id })
    const ofLocation = await test.request(get, { token, query: { location: location.id } })
    expect(ofLocation.body).toEqual({
      name: 'Rosebank',
      country: 'ZA',
      week: [],
      exceptions: [],
      location: null,
      version: 1,
    })
    const ofPod = await test.request(get, { token, query: { pod: pod.id } })
    expect(ofPod.body).toMatchObject({ name: 'Acacia', week: [], location: { week: [], exceptions: [] }, version: 1 })
    expect((await book(pod.id, '06:00', '07:00')).status).toBe(201)
    expect((await book(pod.id, '23:00', '24:00')).status).toBe(201)
  })

  it('leave bookings outside them as they are, and say how many there are and when the first is', async () => {
    const location = await buildLocation(test.db)
    const pods = [
      await buildPod(test.db, { location_id: location.id }),
      await buildPod(test.db, { location_id: location.id }),
    ]
    const [pod, own] = pods as [(typeof pods)[0], (typeof pods)[0]]
    const hold = (podId: string, from: string, to: string, date = DAY, more: object = {}) =>
      buildBooking(test.db, {
        pod_id: podId,
        start_time: new Date(at(from, date)),
        end_time: new Date(at(to, date)),
        ...more,
      })
    await hold(pod.id, '09:00', '10:00')
    await hold(pod.id, '16:30', '17:30', '2026-11-24')
    await hold(pod.id, '19:00', '20:00', '2026-11-25')
    await hold(pod.id, '19:00', '20:00', '2026-11-26', { status: 'Cancelled' })
    await hold(pod.id, '06:00', '07:00', '2020-01-06')
    await hold(own.id, '20:00', '21:00')
    await hold((await buildPod(test.db)).id, '20:00', '21:00')
    await set({ pod: own.id }, everyDay(['08:00', '22:00']))
    const saved = await set({ location: location.id }, everyDay(['08:00', '17:00']))
    expect(saved.body.bookingsOutside).toEqual({ count: 2, firstDate: '2026-11-24' })
    const ofPod = await set({ pod: own.id }, everyDay(['08:00', '20:30']), [], 2)
    expect(ofPod.body.bookingsOutside).toEqual({ count: 1, firstDate: DAY })
    const closed = onDate('2026-11-25', 'Stocktaking')
    const dated = await set({ location: location.id }, [], [closed, onDate(DAY, 'Late', ['12:00', '24:00'])], 2)
    expect(dated.body.bookingsOutside).toEqual({ count: 2, firstDate: DAY })
    expect((await set({ pod: own.id }, [], [], 3)).body.bookingsOutside).toEqual({ count: 0, firstDate: null })
  })

  it('refuse bookings that are even partly outside, and offer the nearest open times', async () => {
    const pod = await buildPod(test.db)
    await set({ location: pod.location_id }, [on(1, ['08:00', '12:00'], ['13:00', '18:00']), on(2)])
    for (const [from, to] of [
      ['07:45', '08:15'],
      ['11:30', '13:30'],
      ['17:45', '18:15'],
      ['20:00', '21:00'],
    ] as const) {
      expect(await book(pod.id, from, to)).toMatchObject({
        status: 409,
        body: {
          code: 'outside_hours',
          reasons: [{ message: 'Open 8:00 AM – 12:00 PM, 1:00 PM – 6:00 PM on 2026-11-23.' }],
        },
      })
    }
    const late = await book(pod.id, '17:30', '18:30')
    expect(late.body.free.times).toEqual([
      { startTime: at('17:00'), endTime: at('18:00') },
      { startTime: at('16:45'), endTime: at('17:45') },
      { startTime: at('16:30'), endTime: at('17:30') },
    ])
    expect((await book(pod.id, '08:00', '11:00')).status).toBe(201)
    expect((await book(pod.id, '13:00', '14:00')).status).toBe(201)
    const closed = await book(pod.id, '10:00', '11:00', '2026-11-24')
    expect(closed.body.reasons).toMatchObject([{ message: 'Closed on 2026-11-24.' }])
  })

  it('are not interrupted where one span begins as another ends', async () => {
    const pod = await buildPod(test.db)
    const touching: [string, string][] = [
      ['12:00', '18:00'],
      ['08:00', '12:00'],
    ]
    await set({ pod: pod.id }, [on(1, ...touching)], [onDate('2026-11-24', 'Fair', ...touching)])
    for (const date of ['2026-11-23', '2026-11-24']) {
      expect((await book(pod.id, '11:30', '12:30', date)).status).toBe(201)
      const late = await book(pod.id, '17:30', '18:30', date)
      expect(late.body.reasons[0].message).toContain('Open 8:00 AM – 6:00 PM on')
    }
  })

  it('of a pod override its location’s hours per weekday, and date exceptions override both', async () => {
    const pod = await buildPod(test.db)
    await set({ location: pod.location_id }, everyDay(['08:00', '18:00']), [onDate('2026-12-25', 'Christmas Day')])
    await set({ pod: pod.id }, [on(5, ['06:00', '24:00'])], [onDate('2026-12-26', '', ['10:00', '12:00'])])
    const isOpen = async (date: string, from: string, to: string) => (await book(pod.id, from, to, date)).status === 201
    expect(await isOpen('2026-11-26', '19:00', '20:00')).toBe(false)
    expect(await isOpen('2026-11-27', '19:00', '20:00')).toBe(true)
    // A Friday: the location's exception takes precedence over the pod's weekly hours.
    expect(await isOpen('2026-12-25', '10:00', '11:00')).toBe(false)
    expect((await book(pod.id, '10:00', '11:00', '2026-12-25')).body.reasons[0].message).toBe(
      'Closed on 2026-12-25 (Christmas Day).',
    )
    expect(await isOpen('2026-12-26', '09:00', '10:00')).toBe(false)
    expect(await isOpen('2026-12-26', '10:00', '12:00')).toBe(true)
  })

  it('mark the slots outside them as taken, with the reason', async () => {
    const pod = await buildPod(test.db)
    await set({ pod: pod.id }, [on(1, ['08:00', '23:00'])])
    await buildBooking(test.db, { pod_id: pod.id })
    const day = await readDay(pod.id)
    expect(day.slot_bookings.slice(0, 9)).toEqual([
      '06:00',
      '06:15',
      '06:30',
      '06:45',
      '07:00',
      '07:15',
      '07:30',
      '07:45',
      '09:00',
    ])
    expect(day.slot_bookings.slice(-4)).toEqual(['23:00', '23:15', '23:30', '23:45'])
    expect(day.slot_reasons['07:45']).toBe('Open 8:00 AM – 11:00 PM on 2026-11-23.')
    expect(day.slot_reasons['09:00']).toBe('Booked')
    expect(day.outside_hours).toEqual(day.slot_bookings.filter((mark: string) => mark < '08:00' || mark >= '23:00'))
  })

  it.each([
    [[on(1, ['08:00', '08:00'])], 'Closing must be after opening', 'week.0.spans.0.closes'],
    [[on(1, ['08:00', '12:00'], ['11:00', '13:00'])], 'Two spans of a day overlap', 'week.0.spans.1.opens'],
    [[on(1, ['11:00', '13:00'], ['08:00', '12:00'])], 'Two spans of a day overlap', 'week.0.spans.0.opens'],
    [[on(1, ['05:00', '12:00'])], 'Opens must be a quarter of an hour from 06:00 to 24:00', 'week.0.spans.0.opens'],
    [[on(8)], 'weekday must be 1 (Monday) to 7 (Sunday)', 'week.0.weekday'],
    [[on(1), on(1)], 'A weekday is given twice', 'week.1.weekday'],
  ])('are refused for %j with the message “%s”', async (week, message, path) => {
    const pod = await buildPod(test.db)
    const response = await set({ pod: pod.id }, week)
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(response.body.errors[0]).toEqual({ path, message })
  })

  it('are refused when a date is given twice', async () => {
    const pod = await buildPod(test.db)
    const dates = ['2026-12-24', '2026-12-25', '2026-12-24'].map((date) => onDate(date, ''))
    const { body } = await set({ pod: pod.id }, [], dates)
    expect(body.errors).toEqual([{ path: 'exceptions.2.date', message: 'A date is given twice' }])
  })

  it('can be set for a pod with page 3 and for a location with page 7, from the current version only', async () => {
    const pod = await buildPod(test.db)
    const body = { week: [], exceptions: [] }
    const attempt = async (pages: PageCode[], query: Record<string, string>) => {
      const { token } = await test.signIn(pages)
      return (await test.request(update, { token, query, body, headers: { 'if-match': '1' } })).status
    }
    expect(await attempt([7], { pod: pod.id })).toBe(403)
    expect(await attempt([3], { location: pod.location_id })).toBe(403)
    expect(await attempt([3], { pod: pod.id })).toBe(200)
    expect(await attempt([7], { location: pod.location_id })).toBe(200)
    expect(await attempt([3, 7], {})).toBe(400)
    expect(await attempt([3, 7], { pod: pod.location_id })).toBe(404)
    expect(await attempt([3, 7], { pod: 'x' })).toBe(404)
    const { status, body: refused } = await set({ pod: pod.id }, [on(1)], [], 5)
    expect([status, refused.code]).toEqual([409, 'record_changed'])
  })

  it('are in the error when others have changed meanwhile, for a pod and for a location', async () => {
    const location = await buildLocation(test.db, { name: 'Rosebank' })
    const pod = await buildPod(test.db, { title: 'Acacia', location_id: location.id })
    for (const [name, query] of [
      ['Acacia', { pod: pod.id }],
      ['Rosebank', { location: location.id }],
    ] as const) {
      await set(query, [on(1, ['08:00', '18:00'])])
      const { body } = await set(query, [on(1)])
      expect(body.code).toBe('record_changed')
      expect(body.current).toMatchObject({ name, version: 2, week: [on(1, ['08:00', '18:00'])], exceptions: [] })
    }
  })

  it('are in the history of their pod or location, and return to their previous values when a change is undone', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    for (const [entity, id] of [
      ['pod', pod.id],
      ['location', pod.location_id],
    ] as const) {
      const query = { [entity]: id }
      const first = await set(query, [on(1, ['08:00', '18:00'])], [onDate('2026-12-25', 'Christmas Day')])
      expect(first.body).toMatchObject({ version: 2, week: [on(1, ['08:00', '18:00'])] })
      const second = await set(query, [], [], 2)
      expect(second.body).toMatchObject({ version: 3, week: [], exceptions: [] })
      const undo = await test.request(routes.audit.undo, {
        token,
        params: { id: String(second.headers['x-change-id']) },
      })
      expect(undo.status).toBe(200)
      expect((await test.request(get, { token, query })).body).toMatchObject({
        version: 4,
        week: [on(1, ['08:00', '18:00'])],
        exceptions: [onDate('2026-12-25', 'Christmas Day')],
      })
      const { body: history } = await test.request(routes.audit.history, { token, query: { entity, id } })
      const none = { opening_hours: [], hour_exceptions: [] }
      const some = {
        opening_hours: [{ weekday: 1, opens: 480, closes: 1080 }],
        hour_exceptions: [{ date: '2026-12-25', label: 'Christmas Day', opens: null, closes: null }],
      }
      expect(history).toMatchObject([
        { action: 'edit', before: none, after: some, undoes: second.headers['x-change-id'] },
        { action: 'edit', before: some, after: none },
        { action: 'edit', before: none, after: some },
      ])
    }
  })
})

describe('booking outside opening hours', () => {
  const reason = 'Board meeting'

  async function bookAnyway(pages: PageCode[], podId: string, from: string, to: string, overrideReason?: string) {
    const { token } = await test.signIn(pages)
    const times = { bookingDate: DAY, startTime: at(from), endTime: at(to) }
    const body = { podId, bookingPurpose: 'work', for: { kind: 'me' }, ...times, overrideReason }
    return test.request(routes.bookings.createFor, { token, body })
  }

  const readReasons = async () =>
    (
      await test.db
        .selectFrom('audit')
        .select(['action', 'reason'])
        .where('entity', '=', 'booking')
        .orderBy('at')
        .execute()
    ).map((row) => [row.action, row.reason])

  it('requires page 6 and a reason, which is recorded in the history', async () => {
    const pod = await buildPod(test.db)
    await set({ pod: pod.id }, everyDay(['09:00', '17:00']))
    expect((await bookAnyway([6, 9], pod.id, '07:00', '08:00')).body.code).toBe('outside_hours')
    expect((await bookAnyway([6, 9], pod.id, '07:00', '08:00', ' ')).body.code).toBe('outside_hours')
    expect(await bookAnyway([9], pod.id, '07:00', '08:00', reason)).toMatchObject({
      status: 403,
      body: { code: 'page_required', message: 'Booking outside opening hours requires access to Booking.' },
    })
    expect((await bookAnyway([6, 9], pod.id, '07:00', '08:00', reason)).status).toBe(201)
    expect(await readReasons()).toEqual([['create', 'Outside opening hours: Board meeting']])
  })

  it('is allowed with a reason when a booking is moved', async () => {
    const pod = await buildPod(test.db)
    await set({ pod: pod.id }, everyDay(['09:00', '17:00']))
    const { id } = await buildBooking(test.db, { pod_id: pod.id })
    const { token } = await test.signIn([6])
    const move = (overrideReason?: string) =>
      test.request(routes.bookingActions.move, {
        token,
        params: { id },
        body: {
          podId: pod.id,
          bookingDate: DAY,
          startTime: at('17:30'),
          endTime: at('18:30'),
          version: 1,
          reason: 'Train late',
          overrideReason,
        },
      })
    expect((await move()).body).toMatchObject({ code: 'outside_hours' })
    expect(await move(reason)).toMatchObject({ status: 200, body: { startTime: at('17:30') } })
    expect(await readReasons()).toEqual([['move', 'Train late – Outside opening hours: Board meeting']])
  })

  it('is allowed with a reason when a booking is reinstated, but not over a closure or another booking', async () => {
    const pod = await buildPod(test.db)
    const maker = await test.signIn([9])
    const { id } = await buildBooking(test.db, { pod_id: pod.id, staff_id: maker._id })
    const { token } = await test.signIn([3, 6])
    const ask = (route: Route, body: object, by = token) => test.request(route, { token: by, params: { id }, body })
    const { cancel, reinstate } = routes.bookingActions
    expect((await ask(cancel, { version: 1, reason: 'Ill' })).status).toBe(200)
    await set({ pod: pod.id }, everyDay(['12:00', '17:00']))

    const again = { version: 2, overrideReason: reason }
    expect((await ask(reinstate, { version: 2 })).body).toMatchObject({
      code: 'outside_hours',
      reasons: [{ message: 'Open 12:00 PM – 5:00 PM on 2026-11-23.' }],
    })
    expect((await ask(reinstate, again, maker.token)).body.code).toBe('page_required')

    const closure = { podIds: [pod.id], starts: at('09:30'), ends: at('09:45'), reason: 'Painting' }
    const closed = await test.request(routes.closures.create, { token, body: closure })
    expect((await ask(reinstate, again)).body.code).toBe('pod_closed')
    await test.request(routes.closures.delete, { token, params: { id: closed.body._id }, headers: { 'if-match': '1' } })
    const other = await buildBooking(test.db, { pod_id: pod.id })
    expect((await ask(reinstate, again)).body.code).toBe('slot_taken')
    await test.request(cancel, { token, params: { id: other.id }, body: { version: 1, reason: 'Ill' } })

    expect(await ask(reinstate, again)).toMatchObject({ status: 200, body: { status: 'Pending' } })
    expect(await readReasons()).toContainEqual(['reinstate', 'Outside opening hours: Board meeting'])
  })

  it('keeps its reason when a cancellation or move is undone, and refuses an undo if there was no reason', async () => {
    const pod = await buildPod(test.db)
    await set({ pod: pod.id }, everyDay(['09:00', '17:00']))
    const { token } = await test.signIn([6, 9])
    const { body } = await bookAnyway([6, 9], pod.id, '07:00', '08:00', reason)
    const params = { id: body.booking._id }
    const undo = async (changed: TestResponse) =>
      test.request(routes.audit.undo, { token, params: { id: String(changed.headers['x-change-id']) } })
    const cancel = (version: number) =>
      test.request(routes.bookingActions.cancel, { token, params, body: { version, reason: 'Ill' } })

    expect(await undo(await cancel(1))).toMatchObject({ status: 200 })
    const inside = { podId: pod.id, bookingDate: DAY, startTime: at('10:00'), endTime: at('11:00') }
    const moved = await test.request(routes.bookingActions.move, { token, params, body: { ...inside, version: 3 } })
    expect(await undo(moved)).toMatchObject({ status: 200 })
    const kept = 'Outside opening hours: Board meeting'
    expect(await readReasons()).toEqual([
      ['create', kept],
      ['cancel', 'Ill'],
      ['reinstate', kept],
      ['move', null],
      ['move', kept],
    ])

    // This booking has no reason, as it was within opening hours when it was made.
    const other = await buildBooking(test.db, { pod_id: pod.id })
    const cancelled = await test.request(routes.bookingActions.cancel, {
      token,
      params: { id: other.id },
      body: { version: 1, reason: 'Ill' },
    })
    await set({ pod: pod.id }, everyDay(['12:00', '17:00']), [], 2)
    expect(await undo(cancelled)).toMatchObject({
      status: 409,
      body: {
        code: 'outside_hours',
        message: 'This time is outside opening hours now. Open the booking to reinstate it with a reason.',
      },
    })
  })

  it.each(['noShow', 'end'] as const)(
    'keeps its reason when a change is undone that freed its time: %s',
    async (change) => {
      test.clock.set('2026-11-23T05:00:00.000Z')
      const pod = await buildPod(test.db)
      await set({ pod: pod.id }, everyDay(['09:00', '17:00']))
      const { token } = await test.signIn([6, 9])
      const { body } = await bookAnyway([6, 9], pod.id, '07:00', '08:00', reason)
      await test.db.updateTable('bookings').set({ status: 'Processing' }).execute()
      test.clock.set('2026-11-23T05:20:00.000Z')
      const params = { id: body.booking._id }
      const freed = await test.request(routes.bookingActions[change], { token, params, body: { version: 2 } })
      expect(freed.status, freed.text).toBe(200)
      const id = String(freed.headers['x-change-id'])
      expect((await test.request(routes.audit.undo, { token, params: { id } })).status).toBe(200)
      expect((await readReasons()).at(-1)).toEqual([expect.any(String), 'Outside opening hours: Board meeting'])
    },
  )

  it('keeps its reason when it gives time up without one, and this or a later cancellation is undone', async () => {
    const pod = await buildPod(test.db)
    await set({ pod: pod.id }, everyDay(['09:00', '17:00']))
    const { token } = await test.signIn([6, 9])
    const { body } = await bookAnyway([6, 9], pod.id, '07:00', '08:30', reason)
    const params = { id: body.booking._id }
    const undo = async ({ headers }: { headers: Record<string, unknown> }) =>
      test.request(routes.audit.undo, { token, params: { id: String(headers['x-undo-id']) } })
    const times = { podId: pod.id, bookingDate: '2026-11-23', startTime: at('07:15') }
    const shorten = (version: number, to: string) =>
      test.request(routes.bookingActions.move, { token, params, body: { ...times, endTime: at(to), version } })
    expect((await undo(await shorten(1, '08:00'))).status).toBe(200)
    expect((await shorten(3, '08:15')).status).toBe(200)
    const cancelled = await test.request(routes.bookingActions.cancel, {
      token,
      params,
      body: { reason: 'Customer asked', version: 4 },
    })
    expect((await undo(cancelled)).status).toBe(200)
    expect(await readReasons()).toContainEqual(['reinstate', 'Outside opening hours: Board meeting'])
  })

  it('does not override other bookings, cleaning time, closures or blocked pods', async () => {
    const pod = await buildPod(test.db, { buffer_minutes: 15 })
    const blocked = await buildPod(test.db, { is_blocked: true })
    for (const { id } of [pod, blocked]) await set({ pod: id }, everyDay(['09:00', '17:00']))
    expect((await bookAnyway([6, 9], pod.id, '07:00', '08:00', reason)).status).toBe(201)
    const { token } = await test.signIn([3])
    const closure = { podIds: [pod.id], starts: at('20:00'), ends: at('21:00'), reason: 'Painting' }
    expect((await test.request(routes.closures.create, { token, body: closure })).status).toBe(201)
    for (const [podId, from, to, code] of [
      [pod.id, '07:30', '08:30', 'slot_taken'],
      [pod.id, '08:00', '09:00', 'buffer_taken'],
      [pod.id, '20:30', '21:30', 'pod_closed'],
      [blocked.id, '07:00', '08:00', 'pod_blocked'],
    ] as const) {
      expect((await bookAnyway([6, 9], podId, from, to, reason)).body.code).toBe(code)
    }
  })
})

describe('cleaning time after a booking', () => {
  it('is reserved with the booking, is shown as taken, and refuses overlapping bookings', async () => {
    const pod = await buildPod(test.db, { buffer_minutes: 30 })
    expect((await book(pod.id, '10:00', '11:00')).status).toBe(201)
    const slots = await test.db.selectFrom('booking_slots').select(['slot_start', 'is_buffer']).execute()
    expect(slots.filter(({ is_buffer }) => is_buffer).map(({ slot_start }) => slot_start.toISOString())).toEqual([
      at('11:00'),
      at('11:15'),
    ])
    expect(await readDay(pod.id)).toMatchObject({
      slot_bookings: ['10:00', '10:15', '10:30', '10:45', '11:00', '11:15'],
      slot_reasons: { '10:45': 'Booked', '11:00': 'Cleaning' },
      outside_hours: [],
      not_ends: ['09:45', '10:00', '10:15', '10:30', '10:45', '11:00', '11:15'],
      buffer_minutes: 30,
    })
    expect(await book(pod.id, '11:15', '12:00')).toMatchObject({
      status: 409,
      body: {
        code: 'buffer_taken',
        reasons: [{ message: 'The pod is being cleaned after another booking then.', booking: expect.anything() }],
      },
    })
    expect(await book(pod.id, '09:00', '09:45')).toMatchObject({
      status: 409,
      body: {
        code: 'buffer_taken',
        reasons: [{ message: 'Another booking begins within the 30 minutes of cleaning after this one.' }],
        free: { times: [{ startTime: at('08:45') }, {}, {}] },
      },
    })
    expect((await book(pod.id, '11:30', '12:00')).status).toBe(201)
    expect((await book(pod.id, '09:00', '09:30')).status).toBe(201)
  })

  it('uses the pod’s setting when a booking is made or reinstated, and is freed by a cancellation', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db, { buffer_minutes: 15 })
    const made = await book(pod.id, '10:00', '11:00')
    const edit = { token, params: { id: pod.id }, body: { bufferMinutes: 45 } }
    expect((await test.request(routes.pods.update, edit)).body.bufferMinutes).toBe(45)
    expect((await readDay(pod.id)).slot_bookings).toHaveLength(5)
    const params = { id: made.body.booking._id }
    const cancelled = await test.request(routes.bookings.cancel, { token, params })
    expect((await readDay(pod.id)).slot_bookings).toEqual([])
    await test.request(routes.audit.undo, { token, params: { id: String(cancelled.headers['x-change-id']) } })
    expect((await readDay(pod.id)).slot_bookings).toHaveLength(7)
  })

  it('may extend past 24:00 and into closed hours', async () => {
    const pod = await buildPod(test.db, { buffer_minutes: 30 })
    expect((await book(pod.id, '23:00', '24:00')).status).toBe(201)
    expect((await book(pod.id, '06:00', '07:00', '2026-11-24')).status).toBe(201)
    await set({ pod: pod.id }, [on(3, ['08:00', '12:00'])])
    expect((await book(pod.id, '11:00', '12:00', '2026-11-25')).status).toBe(201)
  })

  it.each([
    [20, 'Cleaning time must be a multiple of 15 minutes'],
    [135, 'Cleaning time must be at most 120'],
    [-15, 'Cleaning time cannot be negative'],
  ])('is refused for %j minutes with the message “%s”', async (bufferMinutes, message) => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    const response = await test.request(routes.pods.update, {
      token,
      params: { id: pod.id },
      body: { bufferMinutes },
    })
    expect(response.body.errors).toEqual([{ path: 'bufferMinutes', message }])
  })

  it('can filter the list of pods by a minimum', async () => {
    const { token } = await test.signIn()
    await buildPod(test.db, { buffer_minutes: 15 })
    const pod = await buildPod(test.db, { buffer_minutes: 30 })
    const { body } = await test.request(routes.pods.list, { token, query: { minBuffer: '30' } })
    expect(body.map(({ _id }: { _id: string }) => _id)).toEqual([pod.id])
  })
})

it('lists South Africa’s public holidays, including the Monday after a holiday on a Sunday', async () => {
  const { token } = await test.signIn([7])
  const { body } = await test.request(holidays, { token, query: { country: 'ZA', year: '2027' } })
  expect(body).toContainEqual({ date: '2027-04-27', name: 'Freedom Day' })
  expect(body).toContainEqual({ date: '2027-03-22', name: 'Public Holiday' })
  expect(body).toHaveLength(14)
})
