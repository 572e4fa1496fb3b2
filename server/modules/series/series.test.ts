import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import type { MovedOccurrence, Occurrence, Series } from '#contract/series.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildClosure,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

// The clocks of this zone change on 8 March 2026 and 1 November 2026.
const test = useTestApp({ BUSINESS_TIME_ZONE: 'America/New_York' })
const { preview, create, get, previewUpdate, update, cancel } = routes.series

const signIn = async (pages: PageCode[] = [PAGE.corporateBooking]) => test.signIn(pages)
const at = (date: string, mark: string) => `${date}T${mark}:00.000Z`
/** A Monday. A series of ten weeks from here includes Christmas. */
const FIRST = '2026-12-07'
const question = (podId: string, repeats: object, more: object = {}) => ({
  podId,
  bookingDate: FIRST,
  startTime: at(FIRST, '09:00'),
  endTime: at(FIRST, '10:00'),
  repeats,
  ...more,
})
const weekly = { until: '2026-12-28' }
const visit = { bookingPurpose: 'meeting', for: { kind: 'me' } }
const listBookings = () =>
  test.db.selectFrom('bookings').selectAll().where('series_id', 'is not', null).orderBy('start_time').execute()

async function makeSeries(token: string, podId: string, more: object = {}) {
  const body = { ...question(podId, weekly), ...visit, ...more }
  const response = await test.request(create, { token, body })
  expect(response.status).toBe(201)
  return response.body.series
}

describe('POST series/preview', () => {
  const listDates = async (repeats: object) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const { body } = await test.request(preview, { token, body: question(pod.id, repeats) })
    return body.occurrences.map(({ date }: { date: string }) => date)
  }

  it('repeats every week or second week, on the first date’s weekday or on chosen weekdays, until a date', async () => {
    expect(await listDates(weekly)).toEqual(['2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28'])
    expect(await listDates({ until: '2026-12-16', weekdays: ['MO', 'WE'] })).toEqual([
      '2026-12-07',
      '2026-12-09',
      '2026-12-14',
      '2026-12-16',
    ])
    expect(await listDates({ until: '2026-12-28', everyWeeks: 2 })).toEqual(['2026-12-07', '2026-12-21'])
  })

  it('gives the reason why a date is not free, and the free times and pods on that date', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const other = await buildPod(test.db, { title: 'Next door', location_id: pod.location_id, rate: '4' })
    await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at('2026-12-14', '09:30')) })
    const { body } = await test.request(preview, { token, body: question(pod.id, weekly) })
    const [first, second] = body.occurrences
    expect(first).toEqual({
      date: FIRST,
      startTime: at(FIRST, '09:00'),
      endTime: at(FIRST, '10:00'),
      reasons: [],
      free: { times: [], pods: [] },
    })
    expect(second.reasons).toMatchObject([{ code: 'slot_taken' }])
    expect(second.free.times[0]).toEqual({ startTime: at('2026-12-14', '08:30'), endTime: at('2026-12-14', '09:30') })
    expect(second.free.pods).toMatchObject([{ podId: other.id, podTitle: 'Next door', price: 240 }])
  })

  it('gives the free times of that date although others are nearer', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    for (let hour = 12; hour < 24; hour++)
      await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at(FIRST, `${hour}:00`)) })
    const evening = { startTime: at(FIRST, '22:00'), endTime: at(FIRST, '23:00') }
    const body = { ...question(pod.id, { until: FIRST }), ...evening }
    const { occurrences } = (await test.request(preview, { token, body })).body
    expect(occurrences[0].free.times).toEqual(
      ['11:00', '10:45', '10:30'].map((start) => expect.objectContaining({ startTime: at(FIRST, start) })),
    )
  })

  it('offers what is free instead for the first 40 dates that are not free', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db, { is_blocked: true })
    await buildPod(test.db, { location_id: pod.location_id })
    const { body } = await test.request(preview, { token, body: question(pod.id, { until: '2027-09-27' }) })
    const offered = body.occurrences.map(({ free }: Occurrence) => free.pods.length)
    expect(offered.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 1))
    expect(offered.slice(40)).toEqual([0, 0, 0])
  })

  it('keeps the time of day when the clocks change', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const first = '2027-03-07'
    const body = {
      podId: pod.id,
      bookingDate: first,
      startTime: at(first, '06:00'),
      endTime: at(first, '09:00'),
      repeats: { until: '2027-03-21' },
    }
    const response = await test.request(preview, { token, body })
    expect(response.body.occurrences.map(({ startTime }: { startTime: string }) => startTime)).toEqual([
      at('2027-03-07', '06:00'),
      at('2027-03-14', '06:00'),
      at('2027-03-21', '06:00'),
    ])
  })

  it.each([
    [{ until: 'soon' }, 'repeats.until'],
    [{ until: '2026-12-01' }, 'repeats.until'],
    [{ until: '9999-12-31' }, 'repeats.until'],
    [{ until: '2026-12-28', weekdays: [] }, 'repeats.weekdays'],
    [{ until: '2026-12-28', weekdays: ['Monday'] }, 'repeats.weekdays.0'],
    [{ until: '2026-12-28', everyWeeks: 0 }, 'repeats.everyWeeks'],
    [{ until: '2026-12-28', everyWeeks: 27 }, 'repeats.everyWeeks'],
  ])('refuses %j at its field', async (repeats, path) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const response = await test.request(preview, { token, body: question(pod.id, repeats) })
    expect(response.status).toBe(400)
    expect(response.body.errors).toMatchObject([{ path }])
  })

  it.each([
    [{ startTime: at(FIRST, '09:05') }, 'slot_grid', 'startTime'],
    [{ endTime: at(FIRST, '08:00') }, 'slot_order', 'endTime'],
    [{ endTime: at(FIRST, '12:15') }, 'slot_too_long', 'endTime'],
  ])('refuses the times %j, as when the series is made', async (times, code, path) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const body = { ...question(pod.id, weekly, times), ...visit }
    for (const call of [preview, create])
      expect((await test.request(call, { token, body })).body).toMatchObject({ code, errors: [{ path }] })
  })
})

describe('POST series', () => {
  it('is refused when one of its dates is to be in a pod that does not exist', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const choices = [{ date: '2026-12-14', action: 'move', podId: createId() }]
    const body = { ...question(pod.id, weekly), ...visit, choices }
    expect((await test.request(create, { token, body })).status).toBe(404)
    expect(await listBookings()).toEqual([])
  })

  it('books every date for a customer at the price of the pod, once per idempotency key', async () => {
    const { _id, token } = await signIn()
    const pod = await buildPod(test.db, { rate: '2' })
    const user = await buildUser(test.db)
    const body = { ...question(pod.id, weekly), ...visit, for: { kind: 'customer', userId: user.id }, note: 'Weekly' }
    const headers = { 'idempotency-key': 'one' }
    const response = await test.request(create, { token, body, headers })
    expect(response.status).toBe(201)
    expect(response.body.message).toBe('4 bookings created')
    expect(response.body.series).toMatchObject({ rule: expect.stringContaining('FREQ=WEEKLY'), version: 1 })
    expect((await test.request(create, { token, body, headers })).body).toEqual(response.body)
    const bookings = await listBookings()
    expect(bookings.map(({ booking_date }) => booking_date)).toEqual([
      '2026-12-07',
      '2026-12-14',
      '2026-12-21',
      '2026-12-28',
    ])
    for (const booking of bookings) {
      expect(booking).toMatchObject({ user_id: user.id, made_by_staff_id: _id, note: 'Weekly', price: '120.00' })
    }
    const slots = await test.db.selectFrom('booking_slots').selectAll().execute()
    expect(slots).toHaveLength(16)
  })

  it('creates nothing when the price in its pod, or in another that was chosen, is no longer the one that was shown', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db, { rate: '2' })
    const other = await buildPod(test.db, { rate: '9' })
    const user = await buildUser(test.db)
    const book = async (price: number, newPrice: number) => {
      const choices = [{ date: '2026-12-14', action: 'move', podId: other.id, newPrice }]
      const body = { ...question(pod.id, weekly), ...visit, for: { kind: 'customer', userId: user.id }, choices, price }
      const { status, body: answer } = await test.request(create, { token, body })
      return [status, answer.code]
    }
    expect(await book(60, 540)).toEqual([409, 'price_changed'])
    expect(await book(120, 120)).toEqual([409, 'price_changed'])
    expect(await listBookings()).toEqual([])
    expect(await book(120, 540)).toEqual([201, undefined])
  })

  it('creates nothing while a date is not free, and the whole series once each such date has a choice', async () => {
    test.clock.set('2026-12-08T12:00:00.000Z')
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const other = await buildPod(test.db)
    for (const date of ['2026-12-14', '2026-12-21', '2026-12-28'])
      await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at(date, '09:30')) })
    const body = { ...question(pod.id, { until: '2027-01-04' }), ...visit }
    const refused = await test.request(create, { token, body })
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict'])
    // The first has passed.
    expect(refused.body.message).toContain('2026-12-07, 2026-12-14, 2026-12-21, 2026-12-28')
    expect(await listBookings()).toEqual([])
    expect(await test.db.selectFrom('series').selectAll().execute()).toEqual([])
    const choices = [
      { date: '2026-12-07', action: 'skip' },
      { date: '2026-12-14', action: 'skip' },
      {
        date: '2026-12-21',
        action: 'move',
        startTime: at('2026-12-21', '11:00'),
        endTime: at('2026-12-21', '12:00'),
      },
      { date: '2026-12-28', action: 'move', podId: other.id },
    ]
    const made = await test.request(create, { token, body: { ...body, choices } })
    expect(made.status).toBe(201)
    expect((await listBookings()).map(({ pod_id, start_time }) => [pod_id, start_time.toISOString()])).toEqual([
      [pod.id, at('2026-12-21', '11:00')],
      [other.id, at('2026-12-28', '09:00')],
      [pod.id, at('2027-01-04', '09:00')],
    ])
  })

  it('is refused on dates of a repeating closure beyond the planned year, as previews say', async () => {
    const { token } = await signIn([...pageCodes])
    const pod = await buildPod(test.db)
    const closed = { starts: at(FIRST, '09:00'), ends: at(FIRST, '10:00'), repeats: 'FREQ=WEEKLY', reason: 'Cleaning' }
    const far = (date: string, from: string, to: string) => ({
      ...question(pod.id, { until: date }),
      bookingDate: date,
      startTime: at(date, from),
      endTime: at(date, to),
    })
    const close = { token, body: { podIds: [pod.id], ...closed } }
    expect((await test.request(routes.closures.create, close)).status).toBe(201)
    const refused = await test.request(create, { token, body: { ...far('2028-12-04', '09:00', '10:00'), ...visit } })
    expect(refused.body.code).toBe('series_conflict')
    const { body } = await test.request(preview, { token, body: far('2028-12-11', '09:00', '10:00') })
    expect(body.occurrences[0].reasons).toMatchObject([{ code: 'pod_closed' }])
    const made = await test.request(create, { token, body: { ...far('2028-12-18', '10:00', '11:00'), ...visit } })
    const edit = { startTime: at('2028-12-18', '09:00'), endTime: at('2028-12-18', '10:00') }
    const params = { id: made.body.series._id }
    const moved = await test.request(previewUpdate, { token, params, query: { scope: 'all' }, body: edit })
    expect(moved.body.occurrences[0].reasons).toMatchObject([{ code: 'pod_closed' }])
  })

  it('creates only one of two conflicting series that are sent at once', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const body = { ...question(pod.id, weekly), ...visit }
    const responses = await Promise.all([test.request(create, { token, body }), test.request(create, { token, body })])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(await listBookings()).toHaveLength(4)
  })

  it('refuses more than 200 bookings', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
    const make = (until: string) =>
      test.request(create, { token, body: { ...question(pod.id, { until, weekdays }), ...visit } })
    expect((await make('2027-06-25')).body.errors).toMatchObject([{ path: 'repeats.until' }])
    expect((await make('2027-06-24')).body.message).toBe('200 bookings created')
  })
})

describe('changing a series', () => {
  const scoped = (series: { _id: string; version: number }, query: Record<string, string>, token: string) => ({
    token,
    params: { id: series._id },
    query,
    headers: { 'if-match': String(series.version) },
  })

  it.each([
    ['this', [1]],
    ['following', [1, 2, 3]],
    ['all', [0, 1, 2, 3]],
  ] as const)('cancels the bookings of scope %s', async (scope, cancelled) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const query = { scope, booking: series.bookings[1]._id }
    const response = await test.request(cancel, scoped(series, query, token))
    expect(response.body.message).toBe(
      cancelled.length === 1 ? '1 booking cancelled' : `${cancelled.length} bookings cancelled`,
    )
    const bookings = await listBookings()
    expect(bookings.flatMap(({ status }, index) => (status === 'Cancelled' ? [index] : []))).toEqual([...cancelled])
    // Only bookings that are not cancelled still hold slots.
    expect(await test.db.selectFrom('booking_slots').selectAll().execute()).toHaveLength(4 * (4 - cancelled.length))
    expect(response.headers['x-undo-scope']).toBe(cancelled.length > 1 ? 'request' : undefined)
  })

  it('is undone as a whole, and its bookings one by one', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const undo = (id: unknown, query = {}) =>
      test.request(routes.audit.undo, { token, params: { id: String(id) }, query })
    const together = { scope: 'request' }
    const readStarts = async () =>
      (await listBookings()).map(({ status, start_time }) => [status, start_time.toISOString().slice(11, 16)])
    const before = await readStarts()

    const cancelled = await test.request(cancel, scoped(series, { scope: 'all' }, token))
    const undone = await undo(cancelled.headers['x-undo-id'], together)
    expect([undone.status, undone.body.message]).toEqual([200, '4 bookings are reinstated'])
    expect(await readStarts()).toEqual(before)
    expect((await undo(cancelled.headers['x-undo-id'], together)).body.code).toBe('cannot_undo')

    const version = (await test.request(routes.series.get, { token, params: { id: series._id } })).body.version
    const moved = await test.request(update, {
      ...scoped({ ...series, version }, { scope: 'all' }, token),
      body: { startTime: at(FIRST, '12:00'), endTime: at(FIRST, '13:00') },
    })
    expect((await readStarts()).map(([, start]) => start)).toEqual(['12:00', '12:00', '12:00', '12:00'])
    const back = await undo(moved.headers['x-undo-id'], together)
    expect(back.body.message).toBe('4 bookings are back at their earlier times and pods')
    expect(await readStarts()).toEqual(before)

    const again = await test.request(cancel, {
      ...scoped(series, { scope: 'all' }, token),
      headers: { 'if-match': '*' },
    })
    expect((await undo(again.headers['x-undo-id'])).status).toBe(200)
    expect((await readStarts()).filter(([status]) => status === 'Cancelled')).toHaveLength(3)
  })

  it('is not undone at all when one of its times has been taken meanwhile, and the refusal names the date', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const cancelled = await test.request(cancel, scoped(series, { scope: 'all' }, token))
    const start_time = (await listBookings())[2]?.start_time ?? new Date(Number.NaN)
    await buildBooking(test.db, { pod_id: pod.id, start_time })
    const params = { id: String(cancelled.headers['x-undo-id']) }
    const { status, body } = await test.request(routes.audit.undo, { token, params, query: { scope: 'request' } })
    expect([status, body.code]).toEqual([409, 'slot_taken'])
    expect(body.message).toMatch(`${start_time.toISOString().slice(0, 10)}: `)
    expect((await listBookings()).filter((one) => one.status === 'Cancelled')).toHaveLength(4)
  })

  it('moves all bookings to another time of day on their own dates, or none when one does not fit', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at('2026-12-21', '11:00')) })
    const move = (from: string, to: string) => ({
      ...scoped(series, { scope: 'all' }, token),
      body: { startTime: at(FIRST, from), endTime: at(FIRST, to) },
    })
    const refused = await test.request(update, move('10:30', '11:30'))
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_taken'])
    expect(refused.body.message).toMatch(/^2026-12-21: /)
    for (const end of ['10:00', '10:30']) {
      for (const call of [previewUpdate, update]) {
        const backwards = await test.request(call, move('10:30', end))
        expect(backwards.body).toMatchObject({ code: 'slot_order', errors: [{ path: 'endTime' }] })
      }
    }
    expect((await listBookings())[0]?.start_time.toISOString()).toBe(at(FIRST, '09:00'))
    // The new times overlap the present times of the same bookings.
    const moved = await test.request(update, move('09:30', '11:00'))
    expect(moved.body.message).toBe('4 bookings moved')
    expect((await listBookings()).map(({ end_time }) => end_time.toISOString().slice(5, 16))).toEqual([
      '12-07T11:00',
      '12-14T11:00',
      '12-21T11:00',
      '12-28T11:00',
    ])
  })

  it('previews the same outcome as saving, also when two bookings are on the same date', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const pod = await buildPod(test.db)
    const made = await makeSeries(token, pod.id)
    const [first, second] = made.bookings
    const onFirst = { startTime: at(FIRST, '11:00'), endTime: at(FIRST, '12:00') }
    const moved = await test.request(routes.bookingActions.move, {
      token,
      params: { id: second._id },
      body: { podId: pod.id, bookingDate: FIRST, ...onFirst, version: 1 },
    })
    expect(moved.status).toBe(200)
    const query = { scope: 'all' }
    const ask = async (body: object): Promise<MovedOccurrence[]> =>
      (await test.request(previewUpdate, { token, params: { id: made._id }, query, body })).body.occurrences
    const save = async (body: object) => {
      const series = (await test.request(get, { token, params: { id: made._id } })).body
      return test.request(update, { ...scoped(series, query, token), body })
    }
    const toTaken = (occurrences: MovedOccurrence[]) =>
      occurrences.filter(({ reasons }) => reasons.length > 0).map(({ bookingId }) => bookingId)

    // Between the two bookings of that date only one fits. The other can stay, or take a time that is offered.
    const between = { startTime: at(FIRST, '10:00'), endTime: at(FIRST, '11:00') }
    const asked = await ask(between)
    expect(toTaken(asked)).toEqual([second._id])
    expect(asked[1]?.reasons).toEqual([
      { code: 'slot_taken', message: 'Another of these bookings would take place at the same time.' },
    ])
    expect(asked[1]?.free.times[0]).toEqual({ startTime: at(FIRST, '11:00'), endTime: at(FIRST, '12:00') })
    expect((await save(between)).body.message).toMatch(/^2026-12-07: /)
    const stays = { ...between, choices: [{ bookingId: second._id, action: 'skip' }] }
    expect((await save(stays)).body.message).toBe('3 bookings moved')

    // At the time of the second booking: that one stays, and the first one needs a choice.
    const onSecond = await ask(onFirst)
    expect(toTaken(onSecond)).toEqual([first._id])
    const [time] = onSecond[0]?.free.times ?? []
    expect(time).toEqual({ startTime: at(FIRST, '10:00'), endTime: at(FIRST, '11:00') })
    expect((await save(onFirst)).body.code).toBe('slot_taken')
    const elsewhere = { ...onFirst, choices: [{ bookingId: first._id, action: 'move', ...time }] }
    expect((await save(elsewhere)).body.message).toBe('4 bookings moved')
  })

  it('can be shortened on a date that was closed meanwhile, as the preview says', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const pod = await buildPod(test.db)
    const made = await makeSeries(token, pod.id)
    const day = '2026-12-14'
    await buildClosure(test.db, {
      podId: pod.id,
      starts: new Date(at(day, '06:00')),
      ends: new Date(at(day, '12:00')),
    })
    const query = { scope: 'all' }
    const listTaken = async (body: object) => {
      const { body: answer } = await test.request(previewUpdate, { token, params: { id: made._id }, query, body })
      const occurrences: MovedOccurrence[] = answer.occurrences
      return occurrences.filter(({ reasons }) => reasons.length > 0).map(({ date }) => date)
    }
    const shorter = { startTime: at(FIRST, '09:00'), endTime: at(FIRST, '09:30') }
    expect(await listTaken({ ...shorter, endTime: at(FIRST, '10:15') })).toEqual([day])
    expect(await listTaken(shorter)).toEqual([])
    expect((await test.request(update, { ...scoped(made, query, token), body: shorter })).body.message).toBe(
      '4 bookings moved',
    )
  })

  it('previews conflicts with public holidays and other bookings, and the difference in price', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const location = await buildLocation(test.db)
    const pod = await buildPod(test.db, { location_id: location.id, rate: '2' })
    await buildPod(test.db, { location_id: location.id, title: 'Beacon' })
    const user = await buildUser(test.db)
    const friday = '2026-12-11'
    const series = await makeSeries(token, pod.id, {
      bookingDate: friday,
      startTime: at(friday, '09:00'),
      endTime: at(friday, '10:00'),
      repeats: { until: '2027-01-01' },
      for: { kind: 'customer', userId: user.id },
    })
    const holiday = { location_id: location.id, date: '2026-12-25', label: 'Christmas Day', opens: null, closes: null }
    await test.db.insertInto('hour_exceptions').values(holiday).execute()
    await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at('2026-12-18', '10:00')) })
    const query = { scope: 'all' }
    const body = { startTime: at(friday, '09:30'), endTime: at(friday, '11:00') }
    const { occurrences } = (await test.request(previewUpdate, { token, params: { id: series._id }, query, body })).body
    expect(
      occurrences.map(({ date, reasons, difference }: MovedOccurrence) => [date, reasons[0]?.code, difference]),
    ).toEqual([
      ['2026-12-11', undefined, 60],
      ['2026-12-18', 'slot_taken', 60],
      ['2026-12-25', 'outside_hours', 60],
      ['2027-01-01', undefined, 60],
    ])
    expect(occurrences[2].reasons[0].message).toBe('Closed on 2026-12-25 (Christmas Day).')
    expect(occurrences[1].free.pods).toMatchObject([{ podTitle: 'Beacon' }])
    expect((await listBookings())[0]?.start_time.toISOString()).toBe(at(friday, '09:00'))

    const refused = await test.request(update, { ...scoped(series, query, token), body })
    expect(refused.body.message).toMatch(/^2026-12-18: /)
    const [, second, third] = series.bookings
    const choices = [
      { bookingId: second._id, action: 'move', podId: occurrences[1].free.pods[0].podId },
      { bookingId: third._id, action: 'skip' },
    ]
    const moved = await test.request(update, { ...scoped(series, query, token), body: { ...body, choices } })
    expect(moved.body.message).toBe('3 bookings moved')
    const bookings = await listBookings()
    expect(bookings.map(({ start_time }) => start_time.toISOString())).toEqual([
      at('2026-12-11', '09:30'),
      at('2026-12-18', '09:30'),
      at('2026-12-25', '09:00'),
      at('2027-01-01', '09:30'),
    ])
    expect(bookings.map(({ pod_id }) => pod_id === pod.id)).toEqual([true, false, true, true])
    expect(bookings.map(({ price }) => Number(price))).toEqual([180, 225, 120, 180])
  })

  it.each([
    ['this', [1]],
    ['following', [1, 2, 3]],
  ] as const)('moves the bookings of scope %s to end at midnight, and leaves the others', async (scope, moved) => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const query = { scope, booking: series.bookings[1]._id }
    const body = { startTime: at(FIRST, '23:00'), endTime: at('2026-12-08', '00:00') }
    expect((await test.request(update, { ...scoped(series, query, token), body })).status).toBe(200)
    const bookings = await listBookings()
    expect(bookings.flatMap(({ start_time }, index) => (start_time.getUTCHours() === 23 ? [index] : []))).toEqual([
      ...moved,
    ])
    expect(bookings.every(({ start_time, end_time }) => end_time.getTime() - start_time.getTime() === 3_600_000)).toBe(
      true,
    )
  })

  it('leaves a booking alone from the moment in which it begins', async () => {
    const { _id: id } = await makeSeries((await signIn()).token, (await buildPod(test.db)).id)
    // 09:00 at the pod
    test.clock.set('2026-12-07T14:00:00.000Z')
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const series: Series = (await test.request(get, { token, params: { id } })).body
    expect(series.bookings.map(({ isUpcoming }) => isUpcoming)).toEqual([false, true, true, true])
    const response = await test.request(cancel, scoped(series, { scope: 'all' }, token))
    expect(response.body.message).toBe('3 bookings cancelled')
  })

  it('is refused when every booking is to stay as it is', async () => {
    const { token } = await signIn()
    const series = await makeSeries(token, (await buildPod(test.db)).id)
    const choices = series.bookings.map(({ _id }: { _id: string }) => ({ bookingId: _id, action: 'skip' }))
    const body = { startTime: at(FIRST, '12:00'), endTime: at(FIRST, '13:00'), choices }
    const response = await test.request(update, { ...scoped(series, { scope: 'all' }, token), body })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'choices' }] } })
    expect((await test.request(get, { token, params: { id: series._id } })).body.version).toBe(series.version)
  })

  it('cancels with a reason, and refunds by each booking’s policy, or in full when caused by us', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const pod = await buildPod(test.db, { rate: '2' })
    const user = await buildUser(test.db)
    const series = await makeSeries(token, pod.id, { for: { kind: 'customer', userId: user.id } })
    const [first, second] = series.bookings
    for (const { _id } of [first, second]) await buildTransaction(test.db, { booking_id: _id, amount: 100 })
    await buildTransaction(test.db, { booking_id: second._id, amount: 30, status: 'refunded' })
    await test.db
      .updateTable('bookings')
      .set({ cancel_policy: JSON.stringify({ brackets: [{ hoursBefore: 2, percent: 50 }], fee: 10 }) })
      .execute()
    const shown = (await test.request(get, { token, params: { id: series._id } })).body.bookings
    expect(shown.map(({ isUpcoming, paid, refund }: Series['bookings'][number]) => [isUpcoming, paid, refund])).toEqual(
      [
        [true, 100, 40],
        [true, 70, 10],
        [true, 0, 0],
        [true, 0, 0],
      ],
    )
    const one = { scope: 'this', booking: first._id, reason: 'Customer asked' }
    expect((await test.request(cancel, scoped(series, one, token))).status).toBe(200)
    const rest = { scope: 'all', reason: 'Pod cannot be used', causedByUs: 'true' }
    const later = { ...series, version: series.version + 1 }
    expect((await test.request(cancel, scoped(later, rest, token))).body.message).toBe('3 bookings cancelled')
    const bookings = await listBookings()
    expect(bookings.map(({ cancel_reason, balance_due }) => [cancel_reason, Number(balance_due)])).toEqual([
      ['Customer asked', -40],
      ['Pod cannot be used', -70],
      ['Pod cannot be used', 0],
      ['Pod cannot be used', 0],
    ])
  })

  it('is refused when another sum is given back, or charged, than the one that was shown', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const pod = await buildPod(test.db, { rate: '2' })
    const dear = await buildPod(test.db, { rate: '3' })
    const user = await buildUser(test.db)
    const series = await makeSeries(token, pod.id, { for: { kind: 'customer', userId: user.id } })
    for (const { _id } of series.bookings) await buildTransaction(test.db, { booking_id: _id, amount: '120.10' })
    const following = { scope: 'following', booking: series.bookings[1]._id }

    const move = { ...scoped(series, following, token), body: { podId: dear.id } }
    const { occurrences } = (await test.request(previewUpdate, move)).body
    await test.db.updateTable('pods').set({ rate: '4' }).where('id', '=', dear.id).execute()
    const toPrices = (shown: MovedOccurrence[]) => shown.map(({ bookingId, newPrice }) => ({ bookingId, newPrice }))
    const moved = await test.request(update, { ...move, body: { ...move.body, prices: toPrices(occurrences) } })
    expect([moved.status, moved.body.code]).toEqual([409, 'price_changed'])
    const again = (await test.request(previewUpdate, move)).body.occurrences
    expect(again.map(({ newPrice }: MovedOccurrence) => newPrice)).toEqual([240, 240, 240])
    const prices = toPrices(again)
    const others = [...prices, { bookingId: series.bookings[0]._id, newPrice: 240 }]
    const beyond = await test.request(update, { ...move, body: { ...move.body, prices: others } })
    expect([beyond.status, beyond.body.code]).toEqual([409, 'record_changed'])
    // Where another pod is chosen for a booking, the preview has a price of its own.
    const cheap = await buildPod(test.db, { rate: '1' })
    const last = series.bookings[3]
    await buildBooking(test.db, { pod_id: dear.id, start_time: new Date(last.startTime) })
    const [, , taken] = (await test.request(previewUpdate, move)).body.occurrences
    const offer = taken.free.pods.find(({ podId }: { podId: string }) => podId === cheap.id)
    expect(offer).toMatchObject({ podId: cheap.id, price: 60 })
    const choose = (newPrice: number) => {
      const choices = [{ bookingId: last._id, action: 'move', podId: cheap.id, newPrice }]
      return test.request(update, { ...move, body: { ...move.body, prices, choices } })
    }
    expect((await choose(61)).body.code).toBe('price_changed')
    expect((await choose(offer.price)).status).toBe(200)

    const later = { ...series, version: series.version + 1 }
    const cancelled = async (shownRefund: string) =>
      test.request(cancel, scoped(later, { ...following, reason: 'Customer asked', shownRefund }, token))
    expect(await cancelled('120.10')).toMatchObject({ status: 409, body: { code: 'refund_changed' } })
    expect(await cancelled('360.3')).toMatchObject({ status: 200, body: { message: '3 bookings cancelled' } })

    const first = scoped({ ...series, version: series.version + 2 }, { scope: 'all' }, token)
    expect((await test.request(update, { ...first, body: { podId: dear.id, causedByUs: true } })).status).toBe(200)
    expect((await listBookings())[0]).toMatchObject({ pod_id: dear.id, price: '120.00' })
  })

  it('takes back none that was moved alone since it was shown, and is refused when one does not fit one of the times', async () => {
    const { token } = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const all = scoped(series, { scope: 'all' }, token)
    const move = { ...all, body: { startTime: at(FIRST, '10:00'), endTime: at(FIRST, '11:00') } }
    const ask = async () => (await test.request(previewUpdate, move)).body.occurrences
    const save = async (shown: MovedOccurrence[]) => {
      const prices = shown.map(({ bookingId, version }) => ({ bookingId, version }))
      return test.request(update, { ...move, body: { ...move.body, prices } })
    }
    const shown = await ask()
    const [, { _id: id }] = series.bookings
    const alone = { startTime: at('2026-12-14', '14:00'), endTime: at('2026-12-14', '15:00') }
    const body = { podId: pod.id, bookingDate: '2026-12-14', ...alone, version: 1 }
    expect((await test.request(routes.bookingActions.move, { token, params: { id }, body })).status).toBe(200)
    expect(await save(shown)).toMatchObject({ status: 409, body: { code: 'record_changed' } })

    const endOnly = { ...all, body: { endTime: at(FIRST, '11:00') } }
    for (const call of [previewUpdate, update]) {
      expect((await test.request(call, endOnly)).body).toMatchObject({
        code: 'slot_order',
        errors: [{ path: 'endTime' }],
      })
    }
    expect((await save(await ask())).body.message).toBe('4 bookings moved')
  })

  it('needs the current version, and is open to the person who made it and to staff with the page Booking', async () => {
    const { token } = await signIn()
    const pod = await buildPod(test.db)
    const series = await makeSeries(token, pod.id)
    const all = scoped(series, { scope: 'all' }, token)
    expect((await test.request(cancel, { ...all, headers: {} })).body.code).toBe('version_required')
    expect((await test.request(cancel, { ...all, headers: { 'if-match': '7' } })).body.code).toBe('record_changed')
    const stranger = { ...all, token: (await signIn()).token }
    expect((await test.request(cancel, stranger)).body.code).toBe('booking_of_another')
    expect((await test.request(get, stranger)).status).toBe(403)
    const noon = { startTime: at(FIRST, '12:00'), endTime: at(FIRST, '13:00') }
    expect((await test.request(previewUpdate, { ...stranger, body: noon })).status).toBe(403)
    const missing = scoped(series, { scope: 'this' }, token)
    expect((await test.request(cancel, missing)).body.errors).toMatchObject([{ path: 'booking' }])
    expect((await test.request(previewUpdate, { ...all, body: { podId: 'none' } })).status).toBe(404)
    const elsewhere = (await makeSeries(token, (await buildPod(test.db)).id)).bookings[0]?._id
    for (const scope of ['this', 'following'] as const) {
      const strange = { ...scoped(series, { scope, booking: elsewhere }, token), body: noon }
      for (const change of [cancel, update, previewUpdate]) {
        expect((await test.request(change, strange)).body).toMatchObject({
          code: 'not_found',
          message: 'Booking not found',
        })
      }
    }
    const asked = await test.request(previewUpdate, { ...missing, body: noon })
    expect(asked.body.errors).toMatchObject([{ path: 'booking' }])
    const colleague = { ...all, token: (await signIn([PAGE.bookings])).token }
    expect((await test.request(cancel, colleague)).status).toBe(200)
    const late = { ...all, headers: { 'if-match': '2' } }
    expect((await test.request(cancel, late)).body.message).toBe('None of these bookings is still to come.')
    expect((await test.request(get, { token, params: { id: createId() } })).status).toBe(404)
  })
})
