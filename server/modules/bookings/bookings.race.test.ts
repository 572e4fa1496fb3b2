import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { hasCode } from '#server/db/database-error.ts'
import { buildClosure, buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'

/** A slot never has two bookings (rules §4.3), whatever the order and number of requests. */
const test = useTestApp({}, { poolSize: 20 })
const { create, cancel } = routes.bookings

const DAY = Date.parse('2026-11-23T00:00:00.000Z')
const at = (minutes: number) => new Date(DAY + minutes * 60_000).toISOString()

function book(token: string, podId: string, from: number, to: number) {
  const times = { bookingDate: '2026-11-23', startTime: at(from), endTime: at(to) }
  return test.request(create, { token, params: { podId }, body: { bookingPurpose: 'work', ...times } })
}

function countStatuses(responses: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Lists the quarters of all bookings that are not cancelled, and expects each to be held exactly once. */
async function expectNoDoubles() {
  const bookings = await test.db
    .selectFrom('bookings')
    .select(['id', 'pod_id', 'start_time', 'end_time'])
    .where('status', '<>', 'Cancelled')
    .execute()
  const quarters = bookings.flatMap(({ id, pod_id, start_time, end_time }) =>
    Array.from({ length: (end_time.getTime() - start_time.getTime()) / 900_000 }, (_, index) => ({
      booking_id: id,
      slot: `${pod_id} ${new Date(start_time.getTime() + index * 900_000).toISOString()}`,
    })),
  )
  expect(new Set(quarters.map(({ slot }) => slot)).size).toBe(quarters.length)
  const slots = await test.db.selectFrom('booking_slots').select(['pod_id', 'slot_start', 'booking_id']).execute()
  const held = slots.map(({ pod_id, slot_start, booking_id }) => `${booking_id} ${pod_id} ${slot_start.toISOString()}`)
  expect(held.sort()).toEqual(quarters.map(({ booking_id, slot }) => `${booking_id} ${slot}`).sort())
}

describe('simultaneous requests', () => {
  it('create one booking when 200 of them want the same slot', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const responses = await Promise.all(Array.from({ length: 200 }, () => book(token, pod.id, 540, 600)))
    expect(countStatuses(responses)).toEqual({ 201: 1, 409: 199 })
    const refused = responses.filter(({ status }) => status === 409)
    expect(new Set(refused.map(({ body }) => `${body.code}: ${body.message}`))).toEqual(
      new Set(['slot_taken: Booking with the same date and time already exists']),
    )
    await expectNoDoubles()
  })

  it('never double-book overlapping intervals on two pods, and none is refused without an overlap', async () => {
    const { token } = await test.signIn([9])
    const pods = [await buildPod(test.db), await buildPod(test.db)]
    const wanted = Array.from({ length: 160 }, (_, index) => {
      const from = 540 + ((index * 7) % 12) * 15
      return { podId: pods[index % 2]?.id ?? '', from, to: from + 15 * (1 + ((index * 5) % 6)) }
    })
    const responses = await Promise.all(wanted.map(({ podId, from, to }) => book(token, podId, from, to)))
    expect(Object.keys(countStatuses(responses)).sort()).toEqual(['201', '409'])
    await expectNoDoubles()
    const taken = wanted.filter((_, index) => responses[index]?.status === 201)
    for (const it of wanted) {
      const overlaps = taken.some(({ podId, from, to }) => podId === it.podId && from < it.to && it.from < to)
      expect(overlaps).toBe(true)
    }
  })

  it('all succeed for adjoining quarters of a whole day', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const quarters = Array.from({ length: 72 }, (_, index) => 360 + index * 15)
    const responses = await Promise.all(quarters.map((from) => book(token, pod.id, from, from + 15)))
    expect(countStatuses(responses)).toEqual({ 201: 72 })
    await expectNoDoubles()
  })

  it('leave only slots of current bookings when the same interval is booked and cancelled', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const bookAndCancel = async () => {
      const { status, body } = await book(token, pod.id, 540, 600)
      if (status !== 201) return status
      return (await test.request(cancel, { token, params: { id: body.booking._id } })).status
    }
    const statuses = await Promise.all(Array.from({ length: 60 }, bookAndCancel))
    expect(statuses.filter((status) => status !== 409 && status !== 200)).toEqual([])
    expect(statuses).toContain(200)
    await expectNoDoubles()
    expect((await book(token, pod.id, 540, 600)).status).toBe(201)
  })
})

describe('a second booking', () => {
  it.each([
    ['its start overlaps', 585, 630, 409],
    ['its end overlaps', 525, 555, 409],
    ['inside', 555, 570, 409],
    ['around', 525, 615, 409],
    ['the same', 540, 600, 409],
    ['the same start', 540, 555, 409],
    ['the same end', 585, 600, 409],
    ['right before', 525, 540, 201],
    ['right after', 600, 615, 201],
  ])('succeeds only without an overlap: %s', async (_, from, to, status) => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    expect((await book(token, pod.id, 540, 600)).status).toBe(201)
    expect((await book(token, pod.id, from, to)).status).toBe(status)
    await expectNoDoubles()
  })

  it('leaves nothing behind when it is refused', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    await book(token, pod.id, 540, 600)
    // Its first slots are free; only the last one is taken.
    expect((await book(token, pod.id, 495, 555)).status).toBe(409)
    expect(await test.db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
    expect((await book(token, pod.id, 495, 540)).status).toBe(201)
  })

  it('succeeds at the same time in another pod or on another day', async () => {
    const { token } = await test.signIn([9])
    const [one, two] = [await buildPod(test.db), await buildPod(test.db)]
    expect((await book(token, one.id, 540, 600)).status).toBe(201)
    expect((await book(token, two.id, 540, 600)).status).toBe(201)
    const times = { startTime: '2026-11-24T09:00:00.000Z', endTime: '2026-11-24T10:00:00.000Z' }
    const body = { bookingPurpose: 'work', bookingDate: '2026-11-24', ...times }
    expect((await test.request(create, { token, params: { podId: one.id }, body })).status).toBe(201)
  })

  it('is refused while the pod is blocked, and booked slots stay taken', async () => {
    const { token } = await test.signIn([3, 9])
    const pod = await buildPod(test.db)
    const params = { id: pod.id }
    expect((await book(token, pod.id, 540, 600)).status).toBe(201)
    expect((await test.request(routes.pods.block, { token, params })).status).toBe(200)
    expect(await book(token, pod.id, 660, 720)).toMatchObject({ status: 409, body: { code: 'pod_blocked' } })
    expect((await test.request(routes.pods.unblock, { token, params })).status).toBe(200)
    expect(await book(token, pod.id, 540, 600)).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    expect((await book(token, pod.id, 660, 720)).status).toBe(201)
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a booking during another transaction', () => {
  it.each([
    ['its pod is being blocked', 'pods', { is_blocked: true }, 'pod_blocked', 409],
    ['its pod is being deleted', 'pods', { deleted_at: new Date() }, 'not_found', 404],
    ['its location is being blocked', 'locations', { is_blocked: true }, 'location_blocked', 409],
  ] as const)('waits while %s, and is then refused', async (_, table, change, code, status) => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const { booking } = await test.db.transaction().execute(async (tx) => {
      await tx.updateTable(table).set(change).execute()
      if (status === 409) {
        const of = table === 'pods' ? { podId: pod.id } : { location_id: pod.location_id }
        await buildClosure(tx, { ...of, starts: new Date('2026-01-01T00:00:00.000Z'), ends: null })
      }
      const booking = book(token, pod.id, 540, 600)
      await untilSomeoneWaits(tx)
      return { booking }
    })
    expect(await booking).toMatchObject({ status, body: { code } })
    expect(await test.db.selectFrom('bookings').select('id').execute()).toEqual([])
  })

  it('waits while its pod moves, and then belongs to the new location', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    const elsewhere = await buildLocation(test.db)
    const { booking } = await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('pods').set({ location_id: elsewhere.id }).execute()
      const booking = book(token, pod.id, 540, 600)
      await untilSomeoneWaits(tx)
      return { booking }
    })
    expect(await booking).toMatchObject({ status: 201, body: { booking: { location: elsewhere.id } } })
  })

  it('is retried after losing a deadlock', async () => {
    const { token } = await test.signIn([9])
    const pod = await buildPod(test.db)
    // Locks the location before the pod, the reverse of a booking's order. Whoever has waited longest is aborted: the
    // booking, unless a slow machine lets a second pass before the other waits too. Then the test tries again.
    const tryDeadlock = async (begin: number) => {
      let booking: ReturnType<typeof book> | undefined
      const work = test.db.transaction().execute(async (tx) => {
        await tx.updateTable('locations').set({ city: 'Durban' }).execute()
        booking = book(token, pod.id, begin, begin + 60)
        await untilSomeoneWaits(tx)
        await tx.updateTable('pods').set({ tags: 'Durban' }).execute()
      })
      const hasWon = await work.then(
        () => true,
        (error: unknown) => {
          if (!hasCode(error, '40P01')) throw error
          return false
        },
      )
      expect((await booking)?.status).toBe(201)
      return hasWon
    }
    let hasBookingLost = false
    for (let begin = 540; !hasBookingLost && begin < 900; begin += 60) hasBookingLost = await tryDeadlock(begin)
    expect(hasBookingLost).toBe(true)
    await expectNoDoubles()
  })
})
