import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createRandom } from '#server/demo/seeded-random.ts'
import { createId } from '#server/ids.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { followAllClosures } from '../closures/blocking.ts'
import { planClosures } from '../closures/plan-closures.ts'
import { releaseNoShows } from './arrivals.service.ts'
import { toBusinessNow } from './bookings.service.ts'
import { advanceBookings } from './status-scheduler.ts'

/**
 * Several people book, move, cancel, close, block, relocate and undo at once, at random, while the clock moves on. After
 * each round, the whole database must be as the rules say.
 */

const DAYS = process.env.TEST_LONG ? 60 : 3
const ROUNDS = process.env.TEST_LONG ? 40 : 15

const test = useTestApp({}, { isOwn: true })

const { bookingActions: actions } = routes
type Options = NonNullable<Parameters<typeof test.request>[1]>
type Closure = { _id: string; version: number; state: string }
type Affected = { _id: string; free: unknown[] }

async function startDay(name: string) {
  const random = createRandom(name)
  const { token } = await test.signIn()
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2099-01-01T00:00:00Z') })
    .execute()
  const locations = [(await buildLocation(test.db, { no_show_minutes: 15 })).id, (await buildLocation(test.db)).id]
  const pods: string[] = []
  for (const index of [0, 0, 1, 1]) pods.push((await buildPod(test.db, { location_id: locations[index] ?? '' })).id)
  const owners = [
    { kind: 'me' },
    { kind: 'customer', userId: (await buildUser(test.db)).id },
    { kind: 'company', companyId: (await buildCompany(test.db)).id },
  ]
  const bookings: string[] = []
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
    bookings.push(...response.body.series.bookings.map(({ _id }: { _id: string }) => _id))
  }

  async function change() {
    if (bookings.length === 0) return
    const params = { id: random.pick(bookings) }
    const booking = (await test.request(actions.get, { token, params })).body
    const { version } = booking
    const longer = { endTime: new Date(Date.parse(booking.endTime) + 900_000).toISOString() }
    const { bookingDate, startTime } = booking
    const time = random.chance(0.5) ? { bookingDate, startTime, ...longer } : pickTime()
    const asked: [Route, object][] = [
      [actions.move, { ...time, podId: random.pick(pods) }],
      [actions.move, { ...time, podId: random.pick(pods) }],
      [actions.cancel, { reason: 'Customer asked' }],
      [actions.reinstate, {}],
      [actions.checkIn, { method: 'staff' }],
      [actions.noShow, {}],
      [actions.end, {}],
      [actions.note, { note: `Note ${random.next()}` }],
    ]
    const [route, body] = random.pick(asked)
    await send(route, { params, body: { ...body, version } })
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

  async function undo() {
    const [id] = undoIds.splice(random.integer(0, Math.max(0, undoIds.length - 1)), 1)
    if (id !== undefined) await send(routes.audit.undo, { params: { id } })
  }

  const blockOrUnblock = () =>
    random.chance(0.7)
      ? send(random.pick([routes.pods.block, routes.pods.unblock]), { params: { id: random.pick(pods) } })
      : send(random.pick([routes.locations.block, routes.locations.unblock]), {
          params: { id: random.pick(locations) },
        })
  const editPod = (body: object) => send(routes.pods.update, { params: { id: random.pick(pods) }, body })

  const steps: [share: number, step: () => Promise<unknown>][] = [
    [0.22, book],
    [0.06, bookSeries],
    [0.36, change],
    [0.1, close],
    [0.05, endClosure],
    [0.06, blockOrUnblock],
    [0.05, () => editPod({ bufferMinutes: random.pick([0, 15, 30]) })],
    [0.05, () => editPod({ location: random.pick(locations) })],
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
    log,
    async playRound() {
      await Promise.all(Array.from({ length: random.pick([3, 6, 8]) }, beginStep))
      if (random.chance(0.4)) await moveClock()
    },
  }
}

/** Rows that must not exist, by what would be wrong. */
function listBroken(now: Date): Record<string, RawBuilder<unknown>> {
  const isClosedForGood = (of: RawBuilder<unknown>) => sql`exists (
    select from closures join closure_instances as instance on instance.closure_id = closures.id
     where instance.ends = 'infinity' and instance.starts <= ${now} and ${of})`
  const ofPod = sql`closures.id in (select closure_id from closure_pods where pod_id = pods.id)`
  return {
    'a booking to come is elsewhere than its pod': sql`
      select bookings.id from bookings join pods on pods.id = pod_id
       where bookings.location_id <> pods.location_id and end_time > ${now}`,
    'a booking to come is in a closure that was to move or cancel it': sql`
      select bookings.id, closures.id as closure from bookings
        join pods on pods.id = bookings.pod_id
        join closures on closures.location_id = pods.location_id or ${ofPod}
        join closure_instances as instance on instance.closure_id = closures.id
       where bookings.status in ('Pending', 'Confirmed') and start_time > ${now} and closures.reason = 'Broken'
         and closures.ended_at is null and instance.starts < end_time and instance.ends > start_time`,
    'a pod is blocked without a closure, or the reverse': sql`
      select id from pods where is_blocked <> ${isClosedForGood(ofPod)}`,
    'a location is blocked without a closure, or the reverse': sql`
      select id from locations where is_blocked <> ${isClosedForGood(sql`closures.location_id = locations.id`)}`,
    'a booking has another version than its latest change': sql`
      select id from bookings
       where version <> (select max(version) from audit where entity = 'booking' and entity_id = bookings.id)`,
    'a booking has states that exclude each other': sql`
      select id from bookings
       where (no_show_at is not null and checked_in_at is not null)
          or (released_from is not null and no_show_at is null and ended_at is null)
          or ((no_show_at is not null or ended_at is not null) and status not in ('Completed', 'Rated'))`,
  }
}

async function findBroken(): Promise<string[]> {
  const { overlaps, wrongSlots } = await checkBookings(test.db)
  const found = [overlaps > 0 && 'bookings overlap', wrongSlots > 0 && 'bookings have wrong slots']
  for (const [what, query] of Object.entries(listBroken(toBusinessNow(test.context)))) {
    const { rows } = await query.execute(test.db)
    found.push(rows.length > 0 && `${what}: ${JSON.stringify(rows)}`)
  }
  return found.filter((one) => one !== false)
}

const names = Array.from({ length: DAYS }, (_, index) => `day ${index + 1}`)

describe('a busy day', () => {
  it.each(names)('leaves bookings, slots, closures and history in order: %s', { timeout: 120_000 }, async (name) => {
    const day = await startDay(name)
    for (let round = 0; round < ROUNDS; round++) {
      await day.playRound()
      expect(await findBroken(), day.log.slice(-40).join('\n')).toEqual([])
    }
    const worked = day.log.filter((line) => line.startsWith('2')).length
    // If nearly everything had been refused, the day would prove nothing.
    expect(worked, day.log.join('\n')).toBeGreaterThan(ROUNDS)
  })
})
