import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import { toMark } from '#contract/slots.ts'
import { createApp } from '#server/app.ts'
import { createContext } from '#server/create-context.ts'
import { openDatabase } from '#server/db/client.ts'
import { buildBooking, buildClosure, buildLocation, buildPod, buildStaff } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { systemActor } from '../audit/record-event.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { lockLocation } from '../locations/locations.repository.ts'
import { endClosure } from './closures.service.ts'
import { planClosures } from './plan-closures.ts'

const isPostgres = process.env.TEST_ENGINE === 'postgres'
const test = useTestApp({}, { poolSize: 20 })
const at = (hour: number) => new Date(Date.parse('2026-11-23T00:00:00.000Z') + hour * 3_600_000).toISOString()

const times = { bookingDate: '2026-11-23', startTime: at(9), endTime: at(10) }
const booking = { bookingPurpose: 'work', ...times }

type Book = (token: string, podId: string) => Promise<number>

const book: Book = async (token, podId) =>
  (await test.request(routes.bookings.create, { token, params: { podId }, body: booking })).status

/** Closes and books each of 60 pods at the same time. Returns both statuses of each pod, sorted. */
async function closeAndBook(book: Book) {
  const { token } = await test.signIn([3, 9])
  const pods = await Promise.all(Array.from({ length: 60 }, () => buildPod(test.db)))
  return Promise.all(
    pods.map(async ({ id }, index) => {
      const body = { podIds: [id], starts: at(8), reason: 'Broken lock' }
      const close = async () => (await test.request(routes.closures.create, { token, body })).status
      const [first, second] = index % 2 ? [() => book(token, id), close] : [close, () => book(token, id)]
      return (await Promise.all([first(), second()])).sort((a, b) => a - b)
    }),
  )
}

/** For each pod one request succeeds and the other is refused, whichever comes first. */
const oneOfTwo = Array.from({ length: 60 }, () => [201, 409])

it('lets only one succeed when a pod is closed and booked at the same time', { timeout: 120_000 }, async () => {
  expect(await closeAndBook(book)).toEqual(oneOfTwo)
})

it.runIf(isPostgres)(
  'lets only one succeed when a pod is closed on one server and booked on another',
  { timeout: 120_000 },
  async () => {
    const { databaseUrl, dataDir } = test.database
    const database = await openDatabase({ databaseUrl, dataDir, poolSize: 20 })
    const context = await createContext(test.context.config, database, test.clock)
    const other = await createApp({ context, logger: pino({ level: 'silent' }) })
    onTestFinished(() => other.close().then(() => database.close()))
    const outcomes = await closeAndBook(async (token, podId) => {
      const headers = { authorization: `Bearer ${token}` }
      const url = `/api${routes.bookings.create.path.replace(':podId', podId)}`
      return (await other.inject({ method: 'POST', url, headers, payload: booking })).statusCode
    })
    expect(outcomes).toEqual(oneOfTwo)
  },
)

it.each(['cancel', 'move'] as const)(
  'closes a location with 500 bookings without a query per booking: %s',
  { timeout: 120_000 },
  async (action) => {
    const { token } = await test.signIn([3])
    const [location, other] = [await buildLocation(test.db), await buildLocation(test.db)]
    const { id: staff_id } = await buildStaff(test.db)
    const buildPods = ({ id }: { id: string }) =>
      Promise.all(Array.from({ length: 50 }, () => buildPod(test.db, { location_id: id })))
    const [pods, others] = [await buildPods(location), await buildPods(other)]
    const bookings = []
    for (const { id } of pods) {
      for (let hour = 8; hour < 18; hour++) {
        bookings.push(
          await buildBooking(test.db, {
            pod_id: id,
            staff_id,
            start_time: new Date(at(hour)),
            end_time: new Date(at(hour + 1)),
          }),
        )
      }
    }
    const decisions = bookings.map(({ id }) => ({ bookingId: id, action }))
    const body = { locationId: location.id, starts: at(6), reason: 'No power', decisions }
    let statements = 0
    const { stop } = watchStatements(() => {
      statements += 1
      return undefined
    })
    const closed = await test.request(routes.closures.create, { token, body })
    stop()
    expect(closed.status).toBe(201)
    // Moving looks up similar pods once per pod; nothing is sent per booking.
    expect(statements).toBeLessThan(40 + (action === 'move' ? pods.length : 0))
    const held = await test.db.selectFrom('booking_slots').select(['pod_id', 'booking_id']).execute()
    expect(held).toHaveLength(action === 'move' ? 2_000 : 0)
    expect(new Set(held.map(({ pod_id }) => pod_id))).toEqual(
      new Set(action === 'move' ? others.map(({ id }) => id) : []),
    )
    const changes = await test.db.selectFrom('audit').select('entity_id').where('action', '=', action).execute()
    expect(new Set(changes.map(({ entity_id }) => entity_id))).toEqual(new Set(bookings.map(({ id }) => id)))
    // The search texts match the bookings' present pods.
    const { rows } = await sql`
    select from bookings_search_texts as kept join bookings_search as fresh on fresh.id = record_id
     where kept.text is distinct from fresh.text`.execute(test.db)
    expect(rows).toHaveLength(0)
  },
)

it.runIf(isPostgres)('refuses to change a closure that somebody else ends meanwhile', async () => {
  const { token } = await test.signIn([3, 9])
  const pod = await buildPod(test.db)
  const closure = await buildClosure(test.db, { podId: pod.id })
  const request = { token, params: { id: closure.id }, headers: { 'if-match': '*' } }
  const body = { reason: 'New floor', starts: at(8), ends: at(12) }
  const { ended, changed } = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom('closures').select('id').forUpdate().execute()
    const ended = test.request(routes.closures.delete, request)
    await untilSomeoneWaits(tx)
    const changed = test.request(routes.closures.update, { ...request, body })
    await untilSomeoneWaits(tx, 2)
    return { ended, changed }
  })
  expect((await ended).status).toBe(200)
  expect((await changed).body.code).toBe('closure_over')
  expect(await book(token, pod.id)).toBe(201)
})

it.runIf(isPostgres)('never puts back times that somebody else changes meanwhile', async () => {
  const { token } = await test.signIn([3])
  const pod = await buildPod(test.db)
  const closure = await buildClosure(test.db, { podId: pod.id })
  const change = (body: object) =>
    test.request(routes.closures.update, {
      token,
      params: { id: closure.id },
      headers: { 'if-match': '*' },
      body,
    })
  const { moved, renamed } = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom('pods').select('id').forUpdate().execute()
    const moved = change({ reason: 'Painting', starts: at(8), ends: at(12) })
    await untilSomeoneWaits(tx)
    const renamed = change({ reason: 'New floor' })
    await untilSomeoneWaits(tx, 2)
    return { moved, renamed }
  })
  expect([(await moved).status, (await renamed).status, (await renamed).body.code]).toEqual([
    200,
    409,
    'record_changed',
  ])
  expect((await renamed).body.current).toMatchObject({ reason: 'Painting', starts: at(8), ends: at(12) })
})

it.runIf(isPostgres)('moves no booking to a pod that comes to the closed location meanwhile', async () => {
  const { token } = await test.signIn([3])
  const [pod, other] = [await buildPod(test.db), await buildPod(test.db)]
  const hit = await buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at(9)) })
  const decisions = [{ bookingId: hit.id, action: 'move' }]
  const body = { locationId: pod.location_id, starts: at(8), ends: at(12), reason: 'Painting', decisions }
  const { closed } = await test.db.transaction().execute(async (tx) => {
    await tx.updateTable('pods').set({ location_id: pod.location_id }).where('id', '=', other.id).execute()
    const closed = test.request(routes.closures.create, { token, body })
    await untilSomeoneWaits(tx)
    return { closed }
  })
  expect([(await closed).status, (await closed).body.code]).toEqual([409, 'slot_taken'])
})

it.runIf(isPostgres)('asks about the bookings of a pod that comes to the closed location meanwhile', async () => {
  const { token } = await test.signIn([3])
  const [location, other] = [await buildLocation(test.db), await buildPod(test.db)]
  await buildBooking(test.db, { pod_id: other.id, start_time: new Date(at(9)) })
  const body = { locationId: location.id, starts: at(8), ends: at(12), reason: 'Painting' }
  const { closed } = await test.db.transaction().execute(async (tx) => {
    await lockLocation(tx, location.id)
    await tx.updateTable('pods').set({ location_id: location.id }).where('id', '=', other.id).execute()
    const closed = test.request(routes.closures.create, { token, body })
    await untilSomeoneWaits(tx)
    return { closed }
  })
  expect([(await closed).status, (await closed).body.code]).toEqual([409, 'closure_undecided'])
})

describe.runIf(isPostgres)('a repeating closure that is ended while its instances are planned', () => {
  it.each([
    ['by the job', '2026-11-23', () => planClosures(test.context, toBusinessNow(test.context))],
    ['for a booking years ahead', '2030-11-25', (pod: string) => bookAt(pod, '2030-11-25', 7)],
  ])('stays ended: %s', async (_, date, plan) => {
    const pod = await buildPod(test.db)
    const times = { starts: new Date(at(8)), ends: new Date(at(12)), rrule: 'FREQ=DAILY' }
    const closure = await buildClosure(test.db, { podId: pod.id, ...times })
    const { planned } = await test.db.transaction().execute(async (tx) => {
      await endClosure(
        { ...test.context, db: tx },
        systemActor(() => test.clock.now()),
        closure.id,
      )
      const planned = plan(pod.id)
      await Promise.race([planned, untilSomeoneWaits(tx)])
      return { planned }
    })
    await planned
    expect(await bookAt(pod.id, date, 10)).toBe(201)
  })

  async function bookAt(podId: string, date: string, hour: number): Promise<number> {
    const { token } = await test.signIn([9])
    const times = {
      startTime: `${date}T${toMark(hour * 60)}:00.000Z`,
      endTime: `${date}T${toMark((hour + 1) * 60)}:00.000Z`,
    }
    const body = { bookingPurpose: 'work', bookingDate: date, ...times }
    return (await test.request(routes.bookings.create, { token, params: { podId }, body })).status
  }
})

it('leaves nothing blocked when its last two closures are ended at the same time', { timeout: 120_000 }, async () => {
  const { token } = await test.signIn()
  const close = async (what: object) =>
    (await test.request(routes.closures.create, { token, body: { ...what, reason: 'Broken lock' } })).body._id
  const end = (id: string) =>
    test.request(routes.closures.delete, { token, params: { id }, headers: { 'if-match': '1' } })
  for (let round = 0; round < 6; round++) {
    const [pod, location] = [await buildPod(test.db), await buildLocation(test.db)]
    for (const what of [{ podIds: [pod.id] }, { locationId: location.id }]) {
      const responses = await Promise.all([await close(what), await close(what)].map(end))
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
    }
  }
  const blocked = async (table: 'pods' | 'locations') =>
    (await test.db.selectFrom(table).select('id').where('is_blocked', '=', true).execute()).length
  expect([await blocked('pods'), await blocked('locations')]).toEqual([0, 0])
})

it.runIf(isPostgres)('leaves no pod blocked that moves to another location while its closure is ended', async () => {
  const pod = await buildPod(test.db)
  const there = await buildLocation(test.db)
  const manager = await test.signIn([3])
  const { token } = await test.signIn([3], { location_ids: [pod.location_id] })
  const body = { podIds: [pod.id], reason: 'Broken lock' }
  const { _id } = (await test.request(routes.closures.create, { token: manager.token, body })).body
  const { ended } = await test.db.transaction().execute(async (tx) => {
    await tx.updateTable('pods').set({ location_id: there.id }).where('id', '=', pod.id).execute()
    const ended = test.request(routes.closures.delete, {
      token,
      params: { id: _id },
      headers: { 'if-match': '1' },
    })
    await untilSomeoneWaits(tx)
    return { ended }
  })
  expect((await ended).status).toBe(200)
  expect(await test.db.selectFrom('pods').select('is_blocked').execute()).toEqual([{ is_blocked: false }])
})

it.runIf(isPostgres)('ends a closure whose last two pods are unblocked at the same time', async () => {
  const { token } = await test.signIn([3])
  const pods = [await buildPod(test.db), await buildPod(test.db)]
  const body = { podIds: pods.map(({ id }) => id), reason: 'Broken lock' }
  expect((await test.request(routes.closures.create, { token, body })).status).toBe(201)
  const { opened } = await test.db.transaction().execute(async (tx) => {
    await tx.selectFrom('closures').select('id').forUpdate().execute()
    const opened = pods.map(({ id }) => test.request(routes.pods.unblock, { token, params: { id } }))
    await untilSomeoneWaits(tx, 2)
    return { opened }
  })
  expect((await Promise.all(opened)).map(({ status }) => status)).toEqual([200, 200])
  const { body: closures } = await test.request(routes.closures.list, { token })
  expect(closures).toMatchObject([{ state: 'over', pods: [{}] }])
})
