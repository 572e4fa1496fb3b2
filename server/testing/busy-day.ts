import { expect } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createRandom } from '../demo/seeded-random.ts'
import { createId } from '../ids.ts'
import { releaseNoShows } from '../modules/bookings/arrivals.service.ts'
import { toBusinessNow } from '../modules/bookings/bookings.service.ts'
import { advanceBookings } from '../modules/bookings/status-scheduler.ts'
import { followAllClosures } from '../modules/closures/blocking.ts'
import { planClosures } from '../modules/closures/plan-closures.ts'
import { buildCompany, buildLocation, buildPod, buildTransaction, buildUser } from './factories.ts'
import type { useTestApp } from './test-app.ts'

type TestApp = ReturnType<typeof useTestApp>
type Options = NonNullable<Parameters<TestApp['request']>[1]>
type Closure = { _id: string; version: number; state: string }
type Affected = { _id: string; free: unknown[] }
type Moved = { bookingId: string; reasons: unknown[]; free: { times: { startTime: string; endTime: string }[] } }

const { bookingActions: actions } = routes
const allDay = [{ opens: '06:00', closes: '24:00' }]
const withLunch = [
  { opens: '08:00', closes: '12:00' },
  { opens: '13:00', closes: '18:00' },
]

/**
 * Starts a day on which several people do what `name` decides at random: book, move, cancel, give away, close, change
 * prices and hours, delete, restore and undo, all at once. Each request must get a response below 500.
 */
export async function startBusyDay(test: TestApp, name: string) {
  const random = createRandom(name)
  const { token } = await test.signIn()
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2099-01-01T00:00:00Z') })
    .execute()
  const locations = [(await buildLocation(test.db, { no_show_minutes: 15 })).id, (await buildLocation(test.db)).id]
  const pods: string[] = []
  for (const index of [0, 0, 1, 1]) pods.push((await buildPod(test.db, { location_id: locations[index] ?? '' })).id)
  const user = (await buildUser(test.db)).id
  const company = (await buildCompany(test.db)).id
  const owners = [{ kind: 'me' }, { kind: 'customer', userId: user }, { kind: 'company', companyId: company }]
  const bookings: string[] = []
  const series: string[] = []
  const undoIds: string[] = []
  const log: string[] = []

  async function send(route: Route, options: Options) {
    const response = await test.request(route, { token, ...options })
    const { params, query, body } = options
    log.push(`${response.status} ${route.method} ${route.path} ${JSON.stringify({ params, query, body })}`)
    expect(response.status, `${log.at(-1)} ${response.text}`).toBeLessThan(500)
    const undoId = response.headers['x-undo-id']
    if (typeof undoId === 'string') undoIds.push(undoId)
    return response
  }

  function pickTime() {
    const bookingDate = random.pick(['2026-11-21', '2026-11-21', '2026-11-22', '2026-11-28'])
    const first = random.integer(24, 94)
    const toTime = (quarter: number) =>
      new Date(Date.parse(`${bookingDate}T00:00:00Z`) + quarter * 900_000).toISOString()
    const last = Math.min(96, first + random.integer(1, 8))
    return { bookingDate, startTime: toTime(first), endTime: toTime(last) }
  }

  async function book() {
    const body = { ...pickTime(), podId: random.pick(pods), for: random.pick(owners), bookingPurpose: 'meeting' }
    const response = await send(routes.bookings.createFor, { body, headers: { 'idempotency-key': createId() } })
    if (response.status === 201) bookings.push(response.body.booking._id)
  }

  async function bookSeries() {
    const repeats = { weekdays: ['SA', 'SU'], everyWeeks: 1, until: '2026-12-12' }
    const body = { ...pickTime(), podId: random.pick(pods), for: random.pick(owners), bookingPurpose: 'work', repeats }
    const response = await send(routes.series.create, { body, headers: { 'idempotency-key': createId() } })
    if (response.status !== 201) return
    series.push(response.body.series._id)
    bookings.push(...response.body.series.bookings.map(({ _id }: { _id: string }) => _id))
  }

  async function changeBooking() {
    if (bookings.length === 0) return
    const params = { id: random.pick(bookings) }
    const booking = (await test.request(actions.get, { token, params })).body
    const { version } = booking
    const longer = { endTime: new Date(Date.parse(booking.endTime) + 900_000).toISOString() }
    const { bookingDate, startTime } = booking
    const time = random.chance(0.5) ? { bookingDate, startTime, ...longer } : pickTime()
    const causedByUs = random.chance(0.3)
    const asked: [Route, object][] = [
      [actions.move, { ...time, podId: random.pick(pods), causedByUs }],
      [actions.move, { ...time, podId: random.pick(pods), causedByUs }],
      [actions.cancel, { reason: 'Customer asked', causedByUs }],
      [actions.reinstate, {}],
      [actions.checkIn, { method: 'staff' }],
      [actions.noShow, {}],
      [actions.end, {}],
      [actions.note, { note: `Note ${random.next()}` }],
      [routes.bookings.rebook, { for: random.pick(owners) }],
    ]
    const [route, body] = random.pick(asked)
    const response = await send(route, { params, body: { ...body, version } })
    if (response.status === 201) bookings.push(response.body.booking._id)
  }

  async function changeSeries() {
    if (series.length === 0) return
    const params = { id: random.pick(series) }
    const { version, bookings: ofSeries } = (await test.request(routes.series.get, { token, params })).body
    const scope = random.pick(['this', 'following', 'all'])
    const query = { scope, ...(scope === 'all' ? {} : { booking: random.pick<{ _id: string }>(ofSeries)._id }) }
    const headers = { 'if-match': String(version) }
    const causedByUs = random.chance(0.3)
    if (random.chance(0.3)) {
      const why = { reason: 'Customer asked', causedByUs: String(causedByUs) }
      return send(routes.series.cancel, { params, headers, query: { ...query, ...why } })
    }
    const { startTime, endTime } = pickTime()
    const body = random.pick([
      { startTime, endTime },
      { podId: random.pick(pods) },
      { podId: random.pick(pods), startTime, endTime },
    ])
    const preview = await send(routes.series.previewUpdate, { params, query, body: { ...body, causedByUs } })
    if (preview.status !== 200) return preview
    const obstructed = preview.body.occurrences.filter(({ reasons }: Moved) => reasons.length > 0)
    const choices = obstructed.map(({ bookingId, free: { times } }: Moved) => {
      if (!times[0] || random.chance(0.4)) return { bookingId, action: 'skip' }
      return { bookingId, action: 'move', startTime: times[0].startTime, endTime: times[0].endTime }
    })
    return send(routes.series.update, { params, headers, query, body: { ...body, causedByUs, choices } })
  }

  async function close() {
    const time = pickTime()
    const isRepeated = random.chance(0.3)
    const body = {
      ...(random.chance(0.6) ? { podIds: [random.pick(pods)] } : { locationId: random.pick(locations) }),
      starts: time.startTime,
      ends: isRepeated || random.chance(0.7) ? time.endTime : null,
      repeats: isRepeated ? random.pick(['FREQ=DAILY', 'FREQ=WEEKLY']) : null,
      reason: 'Broken',
    }
    const preview = await send(routes.closures.preview, { body })
    if (preview.status !== 200) return
    const decisions = preview.body.bookings.map(({ _id, free }: Affected) => ({
      bookingId: _id,
      action: random.pick(free.length > 0 ? ['move', 'move', 'cancel'] : ['cancel']),
    }))
    await send(routes.closures.create, { body: { ...body, decisions } })
  }

  async function endClosure() {
    const { body } = await test.request(routes.closures.list, { token, query: { limit: '50' } })
    const open = body.filter(({ state }: Closure) => state !== 'over')
    if (open.length === 0) return
    const { _id, version } = random.pick<Closure>(open)
    await send(routes.closures.delete, { params: { id: _id }, headers: { 'if-match': String(version) } })
  }

  const blockOrUnblock = () =>
    random.chance(0.7)
      ? send(random.pick([routes.pods.block, routes.pods.unblock]), { params: { id: random.pick(pods) } })
      : send(random.pick([routes.locations.block, routes.locations.unblock]), {
          params: { id: random.pick(locations) },
        })

  const editPod = (body: object) => send(routes.pods.update, { params: { id: random.pick(pods) }, body })

  const setPricing = () =>
    random.chance(0.5)
      ? send(routes.pricing.setRate, { body: { rate: random.pick([0, 1.25, 2.3333]) } })
      : send(routes.pricing.setDiscount, { body: { discount: random.pick([0, 5, 30]) } })

  async function setHours() {
    const query = random.chance(0.5) ? { pod: random.pick(pods) } : { location: random.pick(locations) }
    const { version } = (await test.request(routes.hours.get, { token, query })).body
    const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, spans: random.pick([allDay, allDay, withLunch]) }))
    await send(routes.hours.update, { query, body: { week, exceptions: [] }, headers: { 'if-match': String(version) } })
  }

  async function deleteOrRestore() {
    const [entity, id, route] = random.pick([
      ['pod', random.pick(pods), routes.pods.delete],
      ['location', random.pick(locations), routes.locations.delete],
      ['customer', user, routes.users.delete],
    ] as const)
    const params = { id }
    if (random.chance(0.4)) await send(route, { params })
    else await send(routes.audit.restore, { params, body: { entity } })
  }

  async function pay() {
    if (bookings.length === 0) return
    const status = random.pick(['completed', 'completed', 'failed'])
    await buildTransaction(test.db, {
      booking_id: random.pick(bookings),
      amount: random.pick(['150.00', '12.35']),
      status,
    })
  }

  async function undo() {
    const [id] = undoIds.splice(random.integer(0, Math.max(0, undoIds.length - 1)), 1)
    if (id !== undefined) await send(routes.audit.undo, { params: { id } })
  }

  const steps: [share: number, step: () => Promise<unknown>][] = [
    [0.2, book],
    [0.05, bookSeries],
    [0.27, changeBooking],
    [0.08, changeSeries],
    [0.07, close],
    [0.04, endClosure],
    [0.05, blockOrUnblock],
    [0.03, () => editPod({ bufferMinutes: random.pick([0, 15, 30]) })],
    [0.04, () => editPod({ location: random.pick(locations) })],
    [0.02, () => editPod({ rate: random.pick([0.5, 1.3333, 2]) })],
    [0.02, setPricing],
    [0.02, setHours],
    [0.03, deleteOrRestore],
    [0.03, pay],
    [0.05, undo],
  ]

  /** Begins a step, chosen by the shares. */
  function beginStep(): Promise<unknown> {
    const chance = random.next()
    let sum = 0
    for (const [share, step] of steps) {
      sum += share
      if (chance < sum) return step()
    }
    return book()
  }

  async function moveClock() {
    test.clock.set(new Date(test.clock.now().getTime() + random.pick([1, 7, 15, 31]) * 60_000))
    await Promise.all([
      advanceBookings(test.db, test.clock.now(), 'Africa/Johannesburg'),
      releaseNoShows(test.context),
      followAllClosures(test.context),
      planClosures(test.context, toBusinessNow(test.context)),
    ])
  }

  return {
    /** Each request with its response's status. */
    log,
    /** Several people do something at once, and then the clock may move on. */
    async playRound() {
      await Promise.all(Array.from({ length: random.pick([3, 6, 8]) }, beginStep))
      if (random.chance(0.4)) await moveClock()
    },
  }
}
