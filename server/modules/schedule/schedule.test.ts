import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { Schedule } from '#contract/schedule.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { fillDay } from '#server/testing/fill-day.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const DAY = '2026-11-23'

async function ask(query: Record<string, string>) {
  const { token } = await test.signIn([6])
  return test.request(routes.schedule.get, { token, query: { date: DAY, ...query } })
}

async function read(query: Record<string, string> = {}): Promise<Schedule> {
  const response = await ask(query)
  expect(response.status, response.text).toBe(200)
  return response.body
}

const at = (time: string, day = DAY) => new Date(`${day}T${time}:00.000Z`)

/** Returns one text per booking: the pod, who booked it, start and end in minutes, and the status. */
const rowsOf = ({ pods, bookings }: Schedule) =>
  bookings.pod.map((pod, row) =>
    [pods[pod]?.title, bookings.who[row], bookings.start[row], bookings.end[row], bookings.status[row]].join(' '),
  )

describe('GET /schedule', () => {
  it('returns the pods of a day sorted by location and title, with their bookings in order of start', async () => {
    const [second, first] = [
      await buildLocation(test.db, { name: 'Rosebank', city: 'Johannesburg' }),
      await buildLocation(test.db, { name: 'Dock House' }),
    ]
    const projector = await buildFeature(test.db, { name: 'Projector' })
    const ten = await buildPod(test.db, { title: 'Pod 10', location_id: second.id, capacity: 6 })
    const two = await buildPod(test.db, { title: 'Pod 2', location_id: second.id, is_blocked: true })
    await buildPod(test.db, { title: 'Zebra', location_id: first.id })
    const gone = await buildFeature(test.db, { name: 'Fax', deleted_at: at('08:00') })
    await test.db
      .insertInto('pod_features')
      .values([gone, projector].map(({ id }, position) => ({ pod_id: ten.id, feature_id: id, position })))
      .execute()
    const user = await buildUser(test.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    const staff = await buildStaff(test.db, { firstname: 'Thandi', lastname: 'Nkosi' })
    await buildBooking(test.db, { pod_id: ten.id, user_id: user.id, start_time: at('23:00'), end_time: at('24:00') })
    await buildBooking(test.db, { pod_id: ten.id, staff_id: staff.id, start_time: at('09:15'), status: 'Processing' })
    await buildBooking(test.db, { pod_id: two.id, user_id: user.id, start_time: at('06:00') })

    const schedule = await read()
    expect(schedule).toMatchObject({ date: DAY, days: 1, now: '2026-11-21T11:00:00.000Z', hours: [] })
    expect(schedule.closures).toMatchObject([{ reason: 'Blocked', pods: [1], start: 0, end: 1440 }])
    expect(schedule.locations.map(({ name }) => name)).toEqual(['Dock House', 'Rosebank'])
    expect(schedule.pods.map(({ title, location }) => [title, location])).toEqual([
      ['Zebra', 0],
      ['Pod 2', 1],
      ['Pod 10', 1],
    ])
    expect(schedule.pods[1]).toMatchObject({ isBlocked: true, isDeleted: false, features: [] })
    expect(schedule.pods[2]).toMatchObject({ _id: ten.id, capacity: 6, rate: 2.5 })
    expect(schedule.pods[2]?.features.map((place) => schedule.features[place]?.name)).toEqual(['Projector'])
    expect(schedule.features.map(({ name }) => name)).toEqual(['Projector'])
    expect(rowsOf(schedule)).toEqual([
      'Pod 2 Zanele Dlamini 360 420 Pending',
      'Pod 10 Thandi Nkosi 555 615 Processing',
      'Pod 10 Zanele Dlamini 1380 1440 Pending',
    ])
  })

  it('keeps pods with the same title in their order when one of them changes', async () => {
    const { id } = await buildLocation(test.db)
    for (let made = 0; made < 3; made++) await buildPod(test.db, { title: 'Aurora', location_id: id })
    const { token } = await test.signIn()
    const readIds = async () => (await read()).pods.map(({ _id }) => _id)
    const ids = await readIds()
    for (const changed of ids) {
      await test.request(routes.pods.update, { token, params: { id: changed }, body: { capacity: 4 } })
      expect(await readIds()).toEqual(ids)
    }
  })

  it('leaves out cancelled bookings and bookings on the days before and after', async () => {
    const pod = await buildPod(test.db)
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('09:00'), status: 'Cancelled' })
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('23:00', '2026-11-22') })
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('06:00', '2026-11-24') })
    expect(rowsOf(await read())).toEqual([])
  })

  it('returns which bookings are checked in, have a note or a company, and when released ones end', async () => {
    const pod = await buildPod(test.db, { title: 'Aurora' })
    const company = await buildCompany(test.db, { name: 'Baobab Books' })
    const build = (time: string, more: Parameters<typeof buildBooking>[1]) =>
      buildBooking(test.db, { pod_id: pod.id, start_time: at(time), ...more })
    await build('08:00', { company_id: company.id, note: 'Brings a dog' })
    await build('09:00', { checked_in_at: new Date(), checked_in_method: 'staff' })
    const left = { ended_at: new Date(), status: 'Completed' as const }
    await build('10:00', { ...left, released_from: at('10:30') })
    await build('12:00', { no_show_at: new Date(), status: 'Completed', released_from: at('12:00') })
    const { bookings } = await read()
    expect(bookings.start).toEqual([480, 540, 600])
    expect(bookings.end).toEqual([540, 600, 630])
    expect(bookings.who[0]).toBe('Baobab Books')
    expect([bookings.noted, bookings.checkedIn]).toEqual([[0], [1]])
  })

  it('returns opening hours where they differ from the usual ones, and the cleaning time after bookings', async () => {
    const dock = await buildLocation(test.db, { name: 'Dock House' })
    const aurora = await buildPod(test.db, { title: 'Aurora', location_id: dock.id, buffer_minutes: 15 })
    const comet = await buildPod(test.db, { title: 'Comet', location_id: dock.id })
    await buildPod(test.db, { title: 'Zebra', location_id: (await buildLocation(test.db, { name: 'Mill' })).id })
    const { token } = await test.signIn()
    const week = [
      {
        weekday: 1,
        spans: [
          { opens: '08:00', closes: '12:00' },
          { opens: '13:00', closes: '18:00' },
        ],
      },
    ]
    const set = async (owner: Record<string, string>, body: object) => {
      const headers = { 'if-match': '"1"' }
      const response = await test.request(routes.hours.update, { token, query: owner, body, headers })
      expect(response.status, response.text).toBe(200)
    }
    await set({ location: dock.id }, { week, exceptions: [] })
    await set({ pod: comet.id }, { week: [], exceptions: [{ date: DAY, label: 'Painting', spans: [] }] })
    const booking = await buildBooking(test.db, { pod_id: aurora.id, start_time: at('09:00') })
    const slot = { pod_id: aurora.id, slot_start: at('10:00'), booking_id: booking.id, is_buffer: true }
    await test.db.insertInto('booking_slots').values(slot).execute()
    const schedule = await read()
    expect(schedule.pods.map(({ title, buffer }) => [title, buffer])).toEqual([
      ['Aurora', 15],
      ['Comet', 0],
      ['Zebra', 0],
    ])
    const spans = [
      { from: 480, to: 720 },
      { from: 780, to: 1080 },
    ]
    expect(schedule.hours).toEqual([
      { day: 0, pods: [0], spans },
      { day: 0, pods: [1], spans: [] },
    ])
    expect(schedule.bookings.buffer).toEqual([15])
    const inAWeek = await read({ pod: aurora.id, days: '7' })
    expect(inAWeek.hours.slice(0, 1)).toEqual([{ day: 0, pods: [0], spans }])
  })

  it('returns closures of pods and of whole locations within the day, with their reasons', async () => {
    const dock = await buildLocation(test.db, { name: 'Dock Road' })
    const aurora = await buildPod(test.db, { title: 'Aurora', location_id: dock.id })
    await buildPod(test.db, { title: 'Comet', location_id: dock.id })
    const { token } = await test.signIn([3])
    const close = async (body: object) => {
      const response = await test.request(routes.closures.create, { token, body })
      expect(response.status, response.text).toBe(201)
    }
    await close({ podIds: [aurora.id], reason: 'Painting', starts: at('10:00'), ends: at('12:30') })
    await close({ locationId: dock.id, reason: 'No power', starts: at('20:00') })
    await close({
      locationId: dock.id,
      reason: 'Over by then',
      starts: at('08:00', '2027-01-05'),
      ends: at('09:00', '2027-01-05'),
    })
    await close({ podIds: [aurora.id], reason: 'Before', starts: at('20:00', '2026-11-22'), ends: at('00:00') })
    await close({
      podIds: [aurora.id],
      reason: 'After',
      starts: at('00:00', '2026-11-24'),
      ends: at('06:00', '2026-11-24'),
    })
    expect((await read()).closures).toMatchObject([
      { reason: 'Painting', start: 600, end: 750, pods: [0] },
      { reason: 'No power', start: 1200, end: 1440, pods: [0, 1] },
    ])
    expect((await read({ date: '2026-12-24' })).closures).toMatchObject([{ reason: 'No power', start: 0, end: 1440 }])
    const other = await buildPod(test.db)
    expect((await read({ location: other.location_id })).closures).toEqual([])
  })

  it('returns which pods are free at a time: neither blocked, closed, booked nor being cleaned', async () => {
    const dock = await buildLocation(test.db, { name: 'Dock Road' })
    const build = (title: string, more: object = {}) => buildPod(test.db, { title, location_id: dock.id, ...more })
    const booked = await build('A booked')
    const cleaned = await build('B cleaned', { buffer_minutes: 30 })
    await build('C free')
    await build('D blocked', { is_blocked: true })
    const closed = await build('E closed')
    const { token } = await test.signIn()
    const body = { podIds: [closed.id], reason: 'Painting', starts: at('10:00'), ends: at('11:00') }
    expect((await test.request(routes.closures.create, { token, body })).status).toBe(201)
    for (const [podId, from] of [
      [booked.id, '10:30'],
      // The cleaning time of a booking until 11:00 would overlap this one.
      [cleaned.id, '11:15'],
    ] as const) {
      const times = { bookingDate: DAY, startTime: at(from), endTime: at(`${from.slice(0, 3)}45`) }
      const made = await test.request(routes.bookings.create, {
        token,
        params: { podId },
        body: { bookingPurpose: 'work', ...times },
      })
      expect(made.status, made.text).toBe(201)
    }
    const freeAt = async (freeFrom: number, freeTo: number) => {
      const { pods, free } = await read({ freeFrom: String(freeFrom), freeTo: String(freeTo) })
      return free?.map((place) => pods[place]?.title)
    }
    expect(await freeAt(600, 660)).toEqual(['C free'])
    expect(await freeAt(570, 600)).toEqual(['A booked', 'B cleaned', 'C free', 'E closed'])
    // Days in the past show what was free; a time that reaches past midnight is never free.
    expect(await freeAt(1410, 1470)).toEqual([])
    expect(await read()).not.toHaveProperty('free')
  })

  it('can be limited to a location, and returns nothing for an unknown one', async () => {
    const pod = await buildPod(test.db, { title: 'Aurora' })
    const other = await buildPod(test.db, { title: 'Borealis' })
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('09:00') })
    await buildBooking(test.db, { pod_id: other.id, start_time: at('09:00') })
    const schedule = await read({ location: pod.location_id })
    expect(schedule.pods.map(({ title }) => title)).toEqual(['Aurora'])
    expect(rowsOf(schedule)).toHaveLength(1)
    for (const location of [createId(), 'nowhere']) {
      expect(await read({ location })).toMatchObject({ pods: [], locations: [], bookings: { pod: [] } })
    }
  })

  it('returns a week of one pod, with the ids and versions of its bookings', async () => {
    const pod = await buildPod(test.db)
    await buildPod(test.db)
    const first = await buildBooking(test.db, { pod_id: pod.id, start_time: at('09:00') })
    const last = await buildBooking(test.db, { pod_id: pod.id, start_time: at('10:00', '2026-11-29') })
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('10:00', '2026-11-30') })
    const schedule = await read({ pod: pod.id, days: '7' })
    expect(schedule.pods).toHaveLength(1)
    expect(schedule.bookings).toMatchObject({
      _id: [first.id, last.id],
      version: [1, 1],
      start: [540, 6 * 1440 + 600],
    })
    expect((await read()).bookings).not.toHaveProperty('_id')
  })

  it('still shows a deleted pod on a day for which somebody has booked it', async () => {
    const pod = await buildPod(test.db, { deleted_at: new Date() })
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('09:00') })
    expect((await read()).pods).toMatchObject([{ _id: pod.id, isDeleted: true }])
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('09:00', '2026-11-24'), status: 'Cancelled' })
    expect((await read({ date: '2026-11-24' })).pods).toEqual([])
  })

  it('refuses invalid parameters, and names the parameter', async () => {
    for (const [query, path] of [
      [{ date: '2026-02-30' }, 'date'],
      [{ date: 'today' }, 'date'],
      [{ date: '9999-12-31' }, 'date'],
      [{ days: '8', pod: createId() }, 'days'],
      [{ days: '0', pod: createId() }, 'days'],
      [{ days: '2' }, 'days'],
      [{ freeFrom: '600' }, 'freeTo'],
      [{ freeFrom: 'ten', freeTo: '660' }, 'freeFrom'],
    ] as const) {
      const response = await ask(query)
      expect(response.status).toBe(400)
      expect(response.body.errors).toMatchObject([{ path }])
    }
  })

  it('compresses 500 pods with 12 bookings each to less than 60 kB', { timeout: 60_000 }, async () => {
    await fillDay(test.db, DAY, { pods: 500, bookingsEach: 12 })
    const { token } = await test.signIn([6])
    const response = await test.app.inject({
      url: `/api/schedule?date=${DAY}`,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    })
    expect(response.headers['content-encoding']).toBe('gzip')
    const schedule: Schedule = JSON.parse(gunzipSync(response.rawPayload).toString())
    expect(schedule.pods).toHaveLength(500)
    expect(schedule.bookings.start).toHaveLength(6000)
    expect(response.rawPayload.length).toBeLessThan(60_000)
  })
})
