import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { planClosures } from './plan-closures.ts'
import { requireRepetition } from './repetition.ts'

const test = useTestApp()
const { list, preview, create, update, delete: end } = routes.closures
/** The default date is a Monday. */
const at = (mark: string, date = '2026-11-23') => `${date}T${mark}:00.000Z`
const unknownId = '019a9c00-0000-7000-8000-00000000dead'

async function close(body: object, method: typeof create | typeof preview = create) {
  const { token } = await test.signIn([3])
  return test.request(method, { token, body: { reason: 'Painting', ...body } })
}

async function book(podId: string, from: string, to: string, date = '2026-11-23', pages: (3 | 6 | 9)[] = [3, 9]) {
  const { token } = await test.signIn(pages)
  const body = { bookingPurpose: 'work', bookingDate: date, startTime: at(from, date), endTime: at(to, date) }
  return test.request(routes.bookings.create, { token, params: { podId }, body })
}

const hold = (podId: string, from: string, to: string, overrides: object = {}) =>
  buildBooking(test.db, { pod_id: podId, start_time: new Date(at(from)), end_time: new Date(at(to)), ...overrides })

const findBooking = (id: string) =>
  test.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a closure', () => {
  it('needs page 3, or page 7 for a whole location', async () => {
    const others = await test.signIn([1, 2, 4, 5, 6, 8, 9])
    const body = { podIds: [(await buildPod(test.db)).id], starts: at('10:00'), reason: 'Painting' }
    for (const route of [list, preview, create, update, end]) {
      const call = { token: others.token, params: { id: unknownId }, body }
      expect((await test.request(route, call)).status, route.path).toBe(403)
    }
    const { token } = await test.signIn([7])
    for (const route of [list, preview, create, update, end]) {
      expect((await test.request(route, { token, params: { id: unknownId }, body })).status, route.path).toBe(403)
    }
    const ofLocation = { locationId: (await buildLocation(test.db)).id, reason: 'Painting' }
    expect((await test.request(preview, { token, body: ofLocation })).status).toBe(200)
    expect((await test.request(create, { token, body: ofLocation })).status).toBe(201)
  })

  it('prevents bookings of its pods, shows the reason to staff who may see closures, and ends by itself', async () => {
    const { id: location_id } = await buildLocation(test.db, { name: 'Rosebank', city: 'Durban' })
    const pod = await buildPod(test.db, { location_id })
    const made = await close({ podIds: [pod.id], starts: at('10:00'), ends: at('12:00') })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      reason: 'Painting',
      pods: [{ _id: pod.id, title: pod.title, locationName: 'Rosebank', city: 'Durban' }],
      location: null,
      repeats: null,
      next: { starts: at('10:00'), ends: at('12:00') },
      state: 'upcoming',
      version: 1,
    })
    const day = await test.request(routes.bookings.availability, {
      token: (await test.signIn([9])).token,
      params: { podId: pod.id },
      query: { booking_date: '2026-11-23' },
    })
    const closed = day.body.product_availability.slot_bookings
    expect([closed[0], closed.at(-1), closed.length]).toEqual(['10:00', '11:45', 8])
    expect(await book(pod.id, '11:45', '12:15')).toMatchObject({
      status: 409,
      body: {
        code: 'pod_closed',
        message: 'The pod is closed then.',
        reasons: [{ message: 'Closed: Painting', closure: { _id: made.body._id, reason: 'Painting' } }],
        free: { times: [{ startTime: at('12:00') }, {}, {}] },
      },
    })
    const unseen = await book(pod.id, '11:45', '12:15', '2026-11-23', [9])
    expect(unseen.body.reasons).toEqual([{ code: 'pod_closed', message: 'The pod is closed then.' }])
    expect((await book(pod.id, '09:00', '10:00')).status).toBe(201)
    expect((await book(pod.id, '12:00', '13:00')).status).toBe(201)
    test.clock.set('2026-11-23T10:00:00.000Z')
    const { token } = await test.signIn([3])
    expect((await test.request(list, { token })).body).toMatchObject([{ state: 'over', next: null }])
  })

  it('that is ended, or undone, gives back the quarter of an hour that has begun', async () => {
    const [closed, blocked] = [await buildPod(test.db), await buildPod(test.db)]
    const made = await close({ podIds: [closed.id], starts: at('09:00'), ends: at('12:00') })
    test.clock.set('2026-11-23T08:07:00.000Z')
    const { token } = await test.signIn()
    const block = await test.request(routes.pods.block, { token, params: { id: blocked.id }, body: {} })
    test.clock.set('2026-11-23T08:07:05.000Z')
    const params = { id: made.body._id }
    expect((await test.request(end, { token, params, headers: { 'if-match': '1' } })).status).toBe(200)
    const undone = await test.request(routes.audit.undo, { token, params: { id: String(block.headers['x-undo-id']) } })
    expect(undone.status).toBe(200)
    const today = await test.request(routes.dashboard.today, { token })
    expect(today.body).toMatchObject({ freePods: 2, closedPods: 0 })
    for (const { id } of [closed, blocked]) expect((await book(id, '10:00', '11:00')).status).toBe(201)
  })

  it('covers all pods of its location, new ones included, and lasts until further notice without an end', async () => {
    const location = await buildLocation(test.db, { name: 'Rosebank' })
    const pod = await buildPod(test.db, { location_id: location.id })
    const made = await close({ locationId: location.id, starts: at('10:00') })
    expect(made.body).toMatchObject({ location: { name: 'Rosebank' }, pods: [], ends: null, next: { ends: null } })
    const later = await buildPod(test.db, { location_id: location.id })
    for (const { id } of [pod, later]) {
      expect((await book(id, '10:00', '11:00', '2027-03-01')).body.code).toBe('pod_closed')
      expect((await book(id, '09:00', '10:00')).status).toBe(201)
    }
    expect((await book((await buildPod(test.db)).id, '10:00', '11:00')).status).toBe(201)
  })

  it('of a location hits bookings that a deleted pod still has there', async () => {
    const location = await buildLocation(test.db)
    const [pod, other] = [
      await buildPod(test.db, { location_id: location.id, deleted_at: new Date() }),
      await buildPod(test.db),
    ]
    const [moved, cancelled] = [await hold(pod.id, '10:00', '11:00'), await hold(pod.id, '12:00', '13:00')]
    const body = { locationId: location.id, starts: at('09:00'), ends: at('11:30') }
    expect((await close(body, preview)).body.bookings).toMatchObject([{ _id: moved.id, free: [{ podId: other.id }] }])
    const made = await close({ ...body, decisions: [{ bookingId: moved.id, action: 'move' }] })
    expect(made.status).toBe(201)
    expect(await findBooking(moved.id)).toMatchObject({ pod_id: other.id })
    const { token } = await test.signIn([3])
    const change = (decisions: object[]) =>
      test.request(update, {
        token,
        params: { id: made.body._id },
        headers: { 'if-match': '1' },
        body: { ...body, ends: at('15:00'), reason: 'Painting', decisions },
      })
    expect((await change([])).body.code).toBe('closure_undecided')
    expect((await change([{ bookingId: cancelled.id, action: 'cancel' }])).status).toBe(200)
    expect(await findBooking(cancelled.id)).toMatchObject({ status: 'Cancelled' })
  })

  it('of pods hits bookings that they still have once they are deleted', async () => {
    const { token } = await test.signIn([3])
    const podIds = [(await buildPod(test.db)).id, (await buildPod(test.db)).id]
    const bookings = await Promise.all(podIds.map((id) => hold(id, '09:00', '10:00')))
    const body = { podIds, starts: at('06:00'), ends: at('08:00') }
    const made = await close(body)
    for (const id of podIds) {
      expect((await test.request(routes.pods.delete, { token, params: { id } })).status).toBe(200)
      // A new closure is for pods that are there.
      expect((await close(body)).status).toBe(404)
    }
    const later = { ...body, ends: at('10:00') }
    const affected: { _id: string }[] = (await close(later, preview)).body.bookings
    expect(affected.map(({ _id }) => _id).sort()).toEqual(bookings.map(({ id }) => id).sort())
    expect((await close({ ...later, podIds: [...podIds, unknownId] }, preview)).status).toBe(404)
    const file = await test.request(routes.closures.export, { token, body: { ...later, reason: 'Painting' } })
    expect(parse(file.text, { bom: true })).toHaveLength(1 + bookings.length)
    const change = (decisions: object[]) =>
      test.request(update, {
        token,
        params: { id: made.body._id },
        headers: { 'if-match': '1' },
        body: { ...later, reason: 'Painting', decisions },
      })
    expect((await change([])).body.code).toBe('closure_undecided')
    expect((await change(bookings.map(({ id }) => ({ bookingId: id, action: 'cancel' })))).status).toBe(200)
    for (const { id } of bookings) expect(await findBooking(id)).toMatchObject({ status: 'Cancelled' })
  })

  it('of a deleted location hits bookings that its deleted pods still have', async () => {
    const { token } = await test.signIn([3, 7])
    const pod = await buildPod(test.db)
    const booking = await hold(pod.id, '09:00', '10:00')
    const body = { locationId: pod.location_id, starts: at('06:00'), ends: at('08:00') }
    const made = await close(body)
    await test.request(routes.pods.delete, { token, params: { id: pod.id } })
    await test.request(routes.locations.delete, { token, params: { id: pod.location_id } })
    const later = { ...body, ends: at('10:00') }
    expect((await close(later, preview)).body.bookings).toMatchObject([{ _id: booking.id }])
    const decisions = [{ bookingId: booking.id, action: 'leave' }]
    const request = { token, params: { id: made.body._id }, headers: { 'if-match': '1' } }
    const changed = await test.request(update, { ...request, body: { ...later, reason: 'Painting', decisions } })
    expect(changed.status).toBe(200)
  })

  it('repeats by its rule, planned a year ahead and continued as time passes', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: at('06:00'), ends: at('08:00'), repeats: 'FREQ=WEEKLY;BYDAY=MO,WE' }
    const body = { podIds: [pod.id, pod.id], ...times }
    const made = await close(body)
    expect(made.status).toBe(201)
    expect((await book(pod.id, '07:00', '08:00', '2026-11-25')).body.code).toBe('pod_closed')
    expect((await book(pod.id, '07:00', '08:00', '2027-11-15')).body.code).toBe('pod_closed')
    expect((await book(pod.id, '07:00', '08:00', '2026-11-24')).status).toBe(201)
    expect(await planClosures(test.context, toBusinessNow(test.context))).toBe(0)
    test.clock.set('2026-12-05T09:00:00.000Z')
    expect(await planClosures(test.context, toBusinessNow(test.context))).toBe(4)
    expect((await book(pod.id, '07:00', '08:00', '2027-12-01')).body.code).toBe('pod_closed')
    const until = await close({ ...body, ...times, repeats: 'FREQ=WEEKLY;UNTIL=20261214' })
    expect(until.status).toBe(201)
    const instances = test.db.selectFrom('closure_instances').select('starts').where('closure_id', '=', until.body._id)
    expect((await instances.orderBy('starts').execute()).map(({ starts }) => starts.toISOString())).toEqual([
      at('06:00', '2026-12-07'),
      at('06:00', '2026-12-14'),
    ])
    const allDay = { podIds: [pod.id], starts: at('00:00'), ends: at('00:00', '2026-11-24'), repeats: 'FREQ=DAILY' }
    expect((await close(allDay)).status).toBe(201)
  })

  it('hits bookings and prevents new ones beyond the planned year too when it repeats', async () => {
    const pod = await buildPod(test.db)
    // Mondays
    const far = '2030-11-25'
    const far2 = '2031-11-24'
    const booking = await buildBooking(test.db, {
      pod_id: pod.id,
      start_time: new Date(at('07:00', far)),
      end_time: new Date(at('08:00', far)),
    })
    const body = { podIds: [pod.id], starts: at('06:00'), ends: at('09:00'), repeats: 'FREQ=WEEKLY' }
    expect((await close(body, preview)).body.bookings).toMatchObject([{ _id: booking.id }])
    expect((await close(body)).body.code).toBe('closure_undecided')
    expect((await close({ ...body, decisions: [{ bookingId: booking.id, action: 'leave' }] })).status).toBe(201)
    expect((await book(pod.id, '08:00', '08:30', far)).body.code).toBe('pod_closed')
    expect((await book(pod.id, '08:30', '09:30', far2)).body.code).toBe('pod_closed')
    expect((await book(pod.id, '09:00', '10:00', far2)).status).toBe(201)
    expect((await book(pod.id, '08:00', '09:00', '2031-11-25')).status).toBe(201)
  })

  it('prevents a booking on the last days of the planned year before the job has planned them', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: at('11:15', '2026-11-22'), ends: at('13:00', '2026-11-22') }
    await close({ podIds: [pod.id], ...times, repeats: 'FREQ=DAILY' })
    test.clock.set('2026-11-21T09:55:00.000Z')
    expect((await book(pod.id, '11:15', '11:45', '2027-11-22')).body.code).toBe('pod_closed')
  })

  it('is told to those who would move a booking beyond the planned year', async () => {
    const { token } = await test.signIn()
    const pod = await buildPod(test.db)
    const booking = await hold(pod.id, '14:00', '15:00')
    await close({ podIds: [pod.id], starts: at('06:00'), ends: at('09:00'), repeats: 'FREQ=WEEKLY' })
    const far = '2028-11-20'
    const body = { podId: pod.id, bookingDate: far, startTime: at('08:00', far), endTime: at('09:00', far) }
    const quote = await test.request(routes.bookingActions.previewMove, { token, params: { id: booking.id }, body })
    expect(quote.body.reasons).toMatchObject([{ code: 'pod_closed' }])
  })

  it('is seen beyond the planned year by whoever looks at the schedule, a day of the pod, or what is free instead', async () => {
    const { token } = await test.signIn([6, 9])
    const pod = await buildPod(test.db)
    const other = await buildPod(test.db, { location_id: pod.location_id })
    const times = { starts: at('06:00'), ends: at('09:00') }
    await close({ podIds: [pod.id, other.id], ...times, repeats: 'FREQ=DAILY' })
    const daysLater = (days: number) => new Date(Date.parse(at('06:00')) + days * DAY).toISOString().slice(0, 10)
    const closed = [{ reason: 'Painting', start: 6 * 60, end: 9 * 60 }]
    const read = async (date: string) =>
      (await test.request(routes.schedule.get, { token, query: { date, freeFrom: '480', freeTo: '540' } })).body
    expect(await read(daysLater(1000))).toMatchObject({ closures: closed, free: [] })
    const day = { token, params: { podId: pod.id }, query: { booking_date: daysLater(1100) } }
    const { slot_bookings } = (await test.request(routes.bookings.availability, day)).body.product_availability
    expect(slot_bookings).toHaveLength(3 * 4)
    const { body } = await book(pod.id, '08:00', '09:00', daysLater(1200))
    expect(body).toMatchObject({ code: 'pod_closed', free: { pods: [] } })
    expect(body.free.times.map(({ startTime }: { startTime: string }) => startTime.slice(11, 16))).toEqual([
      '09:00',
      '09:15',
      '09:30',
    ])
  })

  it('may begin more than a year ahead', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: at('06:00', '2030-11-25'), ends: at('09:00', '2030-11-25') }
    const made = await close({ podIds: [pod.id], ...times, repeats: 'FREQ=WEEKLY' })
    expect(made).toMatchObject({ status: 201, body: { state: 'upcoming', next: times } })
  })

  it.each([
    [{ ends: at('10:00') }, 'ends', 'The end must be after the start'],
    [
      { starts: at('06:00', '2026-11-20'), ends: at('08:00', '2026-11-20') },
      'ends',
      'This has passed already. Choose a later end.',
    ],
    [{ repeats: 'FREQ=WEEKLY', ends: null }, 'ends', 'A closure that repeats needs an end'],
    [{ repeats: 'every week' }, 'repeats', expect.stringContaining('must be daily, weekly, monthly or yearly')],
    [{ repeats: 'FREQ=MINUTELY' }, 'repeats', expect.stringContaining('must be daily')],
    [{ repeats: 'FREQ=DAILY;INTERVAL=-1' }, 'repeats', expect.stringContaining('must be daily')],
    [{ repeats: 'FREQ=WEEKLY;INTERVAL=1.5' }, 'repeats', expect.stringContaining('must be daily')],
    [{ repeats: 'FREQ=MONTHLY;INTERVAL=0' }, 'repeats', expect.stringContaining('must be daily')],
    [{ repeats: 'FREQ=DAILY;COUNT=-5' }, 'repeats', expect.stringContaining('must be daily')],
    [{ repeats: 'FREQ=YEARLY;BYSETPOS=400' }, 'repeats', expect.stringContaining('must be daily')],
    [
      { repeats: 'FREQ=DAILY', ends: at('12:00', '2026-11-25') },
      'repeats',
      'The closure would begin again before it has ended',
    ],
    [
      { repeats: 'FREQ=WEEKLY;BYDAY=MO,TU', starts: at('06:00', '2026-11-24'), ends: at('12:00', '2026-11-25') },
      'repeats',
      'The closure would begin again before it has ended',
    ],
    [{ starts: '1969-12-31T23:59:00Z', ends: null }, 'starts', 'Start must be a time such as 2026-11-21T09:00:00.000Z'],
    [{ reason: ' ' }, 'reason', 'Reason is required'],
    [{ podIds: [] }, 'podIds', 'Choose at least one pod'],
    [{ podIds: Array.from({ length: 1001 }, () => unknownId) }, 'podIds', 'At most 1000 pods'],
    [{ locationId: unknownId }, 'podIds', 'Choose pods or a location'],
  ])('is refused with %j at the field %s', async (wrong, path, message) => {
    const pod = await buildPod(test.db)
    const response = await close({ podIds: [pod.id], starts: at('10:00'), ends: at('12:00'), ...wrong })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
  })

  it.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;BYWEEKNO=60', 'FREQ=WEEKLY;BYWEEKNO=60'])(
    'is refused at once when it never happens: %s',
    (rrule) => {
      const begun = process.cpuUsage()
      const times = { starts: new Date(at('10:00')), ends: new Date(at('12:00')), rrule }
      expect(() => requireRepetition(times)).toThrow('The repetition never happens')
      expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2000)
    },
  )

  it('repeats for a hundred years, so that later bookings are made at once', async () => {
    const pod = await buildPod(test.db)
    await close({ podIds: [pod.id], starts: at('06:00'), ends: at('09:00'), repeats: 'FREQ=DAILY' })
    expect((await book(pod.id, '07:00', '08:00', '2126-11-23')).body.code).toBe('pod_closed')
    const begun = process.cpuUsage()
    expect((await book(pod.id, '07:00', '08:00', '9999-11-23')).status).toBe(201)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(3000)
  })

  it('is refused with 404 for deleted pods, unknown locations and malformed ids', async () => {
    const deleted = await buildPod(test.db, { deleted_at: new Date() })
    for (const scope of [{ podIds: [deleted.id] }, { podIds: ['x'] }, { locationId: unknownId }, { locationId: 'x' }]) {
      expect((await close({ ...scope, starts: at('10:00') })).status).toBe(404)
    }
  })

  it('is changed and ended only from its current version', async () => {
    const { token } = await test.signIn([3])
    const pod = await buildPod(test.db)
    const closure = await buildClosure(test.db, { podId: pod.id })
    const params = { id: closure.id }
    const body = { reason: 'New floor', starts: at('06:00'), ends: at('08:00') }
    const change = (version: number) =>
      test.request(update, { token, params, body, headers: { 'if-match': String(version) } })
    expect((await change(5)).body.code).toBe('record_changed')
    expect((await change(1)).body).toMatchObject({ reason: 'New floor', starts: at('06:00'), version: 2 })
    expect((await book(pod.id, '07:00', '08:00', '2026-11-24')).status).toBe(201)
    expect((await book(pod.id, '07:00', '08:00')).body.code).toBe('pod_closed')
    expect((await test.request(end, { token, params, headers: { 'if-match': '2' } })).status).toBe(200)
    expect((await book(pod.id, '07:00', '08:00')).status).toBe(201)
    expect((await test.request(end, { token, params, headers: { 'if-match': '3' } })).body.code).toBe('closure_over')
  })

  it('is still changed when some or all of its pods have been deleted', async () => {
    const { token } = await test.signIn([3])
    const pods = [await buildPod(test.db), await buildPod(test.db)]
    const podIds = pods.map(({ id }) => id)
    const made = await close({ podIds, starts: at('06:00'), ends: at('09:00') })
    for (const [index, id] of podIds.entries()) {
      expect((await test.request(routes.pods.delete, { token, params: { id } })).status).toBe(200)
      const body = { reason: 'New floor', starts: at('06:00'), ends: at('10:00') }
      const headers = { 'if-match': String(made.body.version + index) }
      const changed = await test.request(update, { token, params: { id: made.body._id }, headers, body })
      expect(changed).toMatchObject({ status: 200, body: { ends: at('10:00') } })
    }
  })

  it('that repeats also closes the rest of today when today’s occurrence is over and its end is put later', async () => {
    const pod = await buildPod(test.db)
    const times = { podIds: [pod.id], starts: at('06:00'), ends: at('08:00'), repeats: 'FREQ=DAILY' }
    const made = await close(times)
    test.clock.set('2026-11-25T07:00:00.000Z')
    const { token } = await test.signIn([3])
    const body = { ...times, reason: 'Painting', ends: at('12:00') }
    const params = { id: made.body._id }
    const changed = await test.request(update, { token, params, headers: { 'if-match': '1' }, body })
    expect(changed.body).toMatchObject({ state: 'now', next: { ends: at('12:00', '2026-11-25') } })
    expect((await book(pod.id, '11:00', '12:00', '2026-11-25')).body.code).toBe('pod_closed')
    expect((await book(pod.id, '12:00', '13:00', '2026-11-25')).status).toBe(201)
    const readPast = () =>
      test.db
        .selectFrom('closure_instances')
        .select('ends')
        .where('starts', '=', new Date(at('06:00', '2026-11-24')))
        .execute()
    const past = await readPast()
    const asBefore = [{ ends: new Date(at('08:00', '2026-11-24')) }]
    expect(past).toEqual(asBefore)
    expect((await test.request(end, { token, params, headers: { 'if-match': '2' } })).status).toBe(200)
    expect(await readPast(), 'once it is ended').toEqual(asBefore)
    test.clock.set('2026-12-05T09:00:00.000Z')
    expect(await planClosures(test.context, toBusinessNow(test.context))).toBe(0)
  })

  it('keeps its times when a change leaves them out', async () => {
    const { token } = await test.signIn([3])
    const pod = await buildPod(test.db)
    const times = { starts: at('06:00'), ends: at('08:00'), repeats: 'FREQ=WEEKLY' }
    const made = await close({ podIds: [pod.id], ...times })
    const change = (version: number, body: object) =>
      test.request(update, {
        token,
        params: { id: made.body._id },
        headers: { 'if-match': String(version) },
        body: { reason: 'New floor', ...body },
      })
    expect((await change(1, {})).body).toMatchObject({ reason: 'New floor', ...times, version: 2 })
    expect((await change(2, { repeats: null })).body).toMatchObject({ ...times, repeats: null })
    expect((await change(3, { ends: null })).body).toMatchObject({ ...times, ends: null, repeats: null })
  })

  it.each([
    ['FREQ=YEARLY;INTERVAL=2', '2026-11-22', '2028-11-22'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2028-02-29', '2032-02-29'],
  ])('is not over between occurrences that are years apart: %s', async (repeats, first, second) => {
    const pod = await buildPod(test.db)
    const made = await close({ podIds: [pod.id], starts: at('06:00', first), ends: at('09:00', first), repeats })
    test.clock.set(`${first}T10:00:00.000Z`)
    await planClosures(test.context, toBusinessNow(test.context))
    const { token } = await test.signIn([3])
    const next = { starts: at('06:00', second), ends: at('09:00', second) }
    expect((await test.request(list, { token })).body).toMatchObject([{ state: 'upcoming', next }])
    const call = { token, params: { id: made.body._id }, headers: { 'if-match': '1' } }
    expect((await test.request(end, call)).status).toBe(200)
  })

  it('is listed by state, pod and location', async () => {
    const { token } = await test.signIn([3])
    const pod = await buildPod(test.db)
    const closure = await buildClosure(test.db, { podId: pod.id })
    await buildClosure(test.db, {
      starts: new Date(at('06:00', '2026-11-20')),
      ends: new Date(at('07:00', '2026-11-20')),
    })
    const listIds = async (query: Record<string, string>) =>
      (await test.request(list, { token, query })).body.map(({ _id }: { _id: string }) => _id)
    expect(await listIds({})).toHaveLength(2)
    for (const query of [{ state: 'upcoming' }, { pod: pod.id }, { location: pod.location_id }]) {
      expect(await listIds(query)).toEqual([closure.id])
    }
    expect(await listIds({ state: 'now' })).toEqual([])
  })
})

describe('the bookings that a closure hits', () => {
  it('are listed with contact details, amount paid and free pods, and can be exported', async () => {
    const { id: location_id } = await buildLocation(test.db, { name: 'Dock House', city: 'Durban' })
    const pod = await buildPod(test.db, { location_id, title: 'Acacia', capacity: 4 })
    await buildPod(test.db, { location_id, title: 'Baobab', buffer_minutes: 15, capacity: 4 })
    const small = await buildPod(test.db, { location_id, title: 'Cedar', capacity: 2 })
    const user = await buildUser(test.db, { firstname: 'Naledi', lastname: 'Dube', mobile: '+27 82 1' })
    const booking = await hold(pod.id, '09:30', '10:30', { user_id: user.id })
    await buildTransaction(test.db, { booking_id: booking.id, amount: '150.00' })
    await hold(pod.id, '12:00', '13:00')
    await hold(pod.id, '10:30', '11:00', { status: 'Cancelled' })
    const body = { podIds: [pod.id], starts: at('10:00'), ends: at('12:00') }
    const { token } = await test.signIn([3])
    const shown = await test.request(preview, { token, body: { ...body, reason: 'x' } })
    expect(shown.body.bookings).toEqual([
      expect.objectContaining({
        _id: booking.id,
        podTitle: 'Acacia',
        city: 'Durban',
        customerId: user.id,
        username: 'Naledi Dube',
        phone: '+27 82 1',
        email: user.email,
        paid: 150,
        startTime: at('09:30'),
        free: [
          expect.objectContaining({ podTitle: 'Baobab', city: 'Durban', bufferMinutes: 15, fewerSeats: null }),
          expect.objectContaining({ podId: small.id, podTitle: 'Cedar', fewerSeats: 2 }),
        ],
      }),
    ])
    const file = await test.request(routes.closures.export, { token, body })
    const [heading, row]: string[][] = parse(file.text, { bom: true, record_delimiter: '\r\n' })
    expect(heading?.slice(4)).toEqual(['Pod Name', 'Location', 'User Name', 'Company', 'Phone', 'Email', 'Paid'])
    expect(row?.slice(4)).toEqual(['Acacia', 'Dock House', 'Naledi Dube', '', "'+27 82 1", user.email, '150'])
  })

  it('name the company that they are for, and whom to reach there or, without that, who made them', async () => {
    const pod = await buildPod(test.db)
    const { id: staff_id, email, phone_number } = await buildStaff(test.db)
    const contact = { phone: '+27 11 555 0170', email: 'office@kudu.example' }
    const reached = await buildCompany(test.db, { name: 'Kudu Software', ...contact })
    const unreached = await buildCompany(test.db, { name: 'Acacia Labs', phone: '', email: '' })
    await hold(pod.id, '09:00', '10:00', { staff_id, company_id: reached.id })
    await hold(pod.id, '10:00', '11:00', { staff_id, company_id: unreached.id })
    const shown = await close({ podIds: [pod.id], starts: at('09:00'), ends: at('11:00') }, preview)
    expect(shown.body.bookings).toMatchObject([
      { company: 'Kudu Software', ...contact },
      { company: 'Acacia Labs', phone: phone_number, email },
    ])
  })

  it.each([{}, { podIds: [] }])('are exported only for named pods or a location: %j', async (body) => {
    const { token } = await test.signIn([3])
    const { status, body: error } = await test.request(routes.closures.export, { token, body })
    expect([status, error.errors]).toEqual([400, [expect.objectContaining({ path: 'podIds' })]])
  })

  it('are each moved, cancelled with a full refund due, or left, and each needs a decision', async () => {
    const pod = await buildPod(test.db, { title: 'Acacia' })
    const other = await buildPod(test.db, { location_id: pod.location_id, title: 'Baobab' })
    const user = await buildUser(test.db)
    // Those that a pod is chosen for touch the one that moves to it.
    const [moved, cancelled, left, before, after] = [
      await hold(pod.id, '10:00', '11:00'),
      await hold(pod.id, '12:00', '13:00', { user_id: user.id }),
      await hold(pod.id, '13:00', '14:00'),
      await hold(pod.id, '09:00', '10:00'),
      await hold(pod.id, '11:00', '12:00'),
    ]
    await buildTransaction(test.db, { booking_id: cancelled.id, amount: '150.00' })
    await buildTransaction(test.db, { booking_id: cancelled.id, amount: '40.00', status: 'refunded' })
    const body = { podIds: [pod.id], starts: at('08:00') }
    const asked: { _id: string; paid: number }[] = (await close(body, preview)).body.bookings
    expect(asked.find(({ _id }) => _id === cancelled.id)?.paid).toBe(110)
    const decisions = [
      { bookingId: moved.id, action: 'move', podId: other.id },
      { bookingId: cancelled.id, action: 'cancel' },
      { bookingId: left.id, action: 'leave' },
    ]
    const chosen = [before, after].map(({ id }) => ({ bookingId: id, action: 'move' }))
    const refused = await close({ ...body, decisions: [...decisions, ...chosen.slice(1)] })
    expect(refused).toMatchObject({ status: 409, body: { code: 'closure_undecided' } })
    expect(refused.body.message).toMatch(/^Decide what happens to 1 booking/)
    expect(await findBooking(moved.id)).toMatchObject({ pod_id: pod.id })
    const made = await close({ ...body, decisions: [...decisions, ...chosen] })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ moved: 3, cancelled: 1 })
    expect(await findBooking(moved.id)).toMatchObject({ pod_id: other.id, sequence: 1, status: 'Pending' })
    for (const { id } of [before, after]) expect(await findBooking(id)).toMatchObject({ pod_id: other.id })
    expect(await findBooking(cancelled.id)).toMatchObject({
      status: 'Cancelled',
      balance_due: '-110.00',
      paid_when_cancelled: '150.00',
      refunds_counted: '40.00',
      cancel_reason: 'Closed: Painting',
      sequence: 1,
    })
    expect(await findBooking(left.id)).toMatchObject({ pod_id: pod.id, status: 'Pending', version: 1 })
    const { token } = await test.signIn([6])
    const history = await test.request(routes.audit.history, { token, query: { entity: 'booking', id: moved.id } })
    expect(history.body[0]).toMatchObject({ action: 'move', reason: 'Closed: Painting' })
  })

  it('move to another pod than the one that is chosen for a booking at the same time', async () => {
    const { id, location_id } = await buildPod(test.db)
    const { id: otherId } = await buildPod(test.db, { location_id })
    for (const title of ['Baobab', 'Cedar']) await buildPod(test.db, { location_id, title })
    const [named, chosen] = [await hold(id, '09:00', '10:00'), await hold(otherId, '09:00', '10:00')]
    const body = { podIds: [id, otherId], starts: at('08:00') }
    const asked: { _id: string; free: { podId: string }[] }[] = (await close(body, preview)).body.bookings
    const [first, second] = asked.find(({ _id }) => _id === chosen.id)?.free ?? []
    test.clock.set('2026-11-23T07:00:00.000Z')
    const begun = await close(body, preview)
    expect(begun.body.bookings, 'none from the moment in which they begin').toMatchObject([{ free: [] }, { free: [] }])
    test.clock.set('2026-11-23T06:59:00.000Z')
    const decisions = [
      { bookingId: named.id, action: 'move', podId: first?.podId },
      { bookingId: chosen.id, action: 'move' },
    ]
    expect((await close({ ...body, decisions })).body).toMatchObject({ moved: 2 })
    expect(await findBooking(chosen.id)).toMatchObject({ pod_id: second?.podId })
  })

  it('cannot be moved to a pod that is being closed, even when ids are in capitals', async () => {
    const pod = await buildPod(test.db)
    const { location_id } = pod
    const other = await buildPod(test.db, { location_id })
    const free = await buildPod(test.db, { location_id })
    const booking = await hold(pod.id, '09:00', '10:00')
    const podIds = [pod.id, other.id].map((id) => id.toUpperCase())
    const moveTo = (podId: string) =>
      close({
        podIds,
        decisions: [{ bookingId: booking.id.toUpperCase(), action: 'move', podId: podId.toUpperCase() }],
      })
    const message = 'A booking cannot move to a pod that is being closed'
    expect((await moveTo(other.id)).body).toMatchObject({ code: 'invalid_input', message })
    expect((await moveTo(free.id)).status).toBe(201)
    expect(await findBooking(booking.id)).toMatchObject({ pod_id: free.id })
  })

  it('are counted without those that somebody else has cancelled or moved meanwhile', async () => {
    const pod = await buildPod(test.db)
    const hit = await hold(pod.id, '09:00', '10:00')
    const cancelled = await hold(pod.id, '10:00', '11:00', { status: 'Cancelled' })
    const moved = await hold((await buildPod(test.db)).id, '11:00', '12:00')
    const decisions = [hit, cancelled, moved].map(({ id }) => ({ bookingId: id, action: 'cancel' }))
    const made = await close({ podIds: [pod.id], starts: at('08:00'), decisions })
    expect(made.body).toMatchObject({ moved: 0, cancelled: 1 })
    expect(await findBooking(moved.id)).toMatchObject({ status: 'Pending' })
  })

  it('are refused when there are more than 5,000, before anything is decided', async () => {
    const pod = await buildPod(test.db)
    const body = { podIds: [pod.id], starts: at('06:00'), reason: 'Flooded' }
    const first = await hold(pod.id, '09:00', '10:00')
    const copy = (count: number) =>
      sql`
        insert into bookings (id, pod_id, location_id, staff_id, booking_date, purpose, start_time, end_time, slot_count, status)
        select gen_random_uuid(), pod_id, location_id, staff_id, booking_date, purpose, start_time, end_time, slot_count, status
          from bookings, generate_series(1, ${count}::int) where bookings.id = ${first.id}`.execute(test.db)
    await copy(4_999)
    expect((await close(body, preview)).body.bookings).toHaveLength(5_000)
    await copy(1)
    for (const method of [preview, create]) {
      expect(await close(body, method)).toMatchObject({ status: 409, body: { code: 'closure_too_large' } })
    }
  })

  it('all stay unchanged when one of them cannot be moved', async () => {
    const pod = await buildPod(test.db)
    const other = await buildPod(test.db, { location_id: pod.location_id })
    const first = await hold(pod.id, '09:00', '10:00')
    const second = await hold(pod.id, '10:00', '11:00')
    await hold(other.id, '10:00', '11:00')
    const decisions = [
      { bookingId: first.id, action: 'cancel' },
      { bookingId: second.id, action: 'move', podId: other.id },
    ]
    const refused = await close({ podIds: [pod.id], starts: at('08:00'), decisions })
    expect(refused).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    const both = [first, second].map(({ id }) => ({ bookingId: id, action: 'move', podId: other.id }))
    const taken = await close({ podIds: [pod.id], starts: at('08:00'), decisions: both })
    expect(taken.body.message).toContain(' at 10:00 AM: Booking with the same date and time')
    const anywhere = [first, second].map(({ id }) => ({ bookingId: id, action: 'move' }))
    const full = await close({ podIds: [pod.id], starts: at('08:00'), decisions: anywhere })
    expect(full.body.message).toContain('from 10:00 AM to 11:00 AM.')
    expect(await findBooking(first.id)).toMatchObject({ status: 'Pending' })
    expect(await test.db.selectFrom('closures').select('id').execute()).toEqual([])
  })
})
