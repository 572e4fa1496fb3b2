import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createRandom } from '#server/demo/seeded-random.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'

/** Bookings change concurrently: each slot is held once, and bookings hold exactly the slots of their intervals. */
const test = useTestApp({}, { poolSize: 20 })
const { move, cancel, checkIn, reinstate } = routes.bookingActions

const DAY = '2026-11-21'
const at = (minutes: number) => new Date(Date.parse(`${DAY}T00:00:00.000Z`) + minutes * 60_000).toISOString()
const ask = (route: Route, token: string, id: string, body: unknown) =>
  test.request(route, { token, params: { id }, body })

function moveTo(token: string, id: string, podId: string, from: number, until: number, version: number) {
  return ask(move, token, id, { podId, bookingDate: DAY, startTime: at(from), endTime: at(until), version })
}

async function expectSound() {
  expect(await checkBookings(test.db)).toMatchObject({ overlaps: 0, wrongSlots: 0, wrongBalances: 0 })
}

const noon = 12 * 60

describe('simultaneous changes', () => {
  it('move only one of two bookings onto the same time, and offer the other alternatives', async () => {
    const [one, two] = [await test.signIn([6]), await test.signIn([6])]
    for (let round = 0; round < 10; round++) {
      const [first, second, wanted] = [await buildPod(test.db), await buildPod(test.db), await buildPod(test.db)]
      const start_time = new Date(at(noon))
      const bookings = [
        await buildBooking(test.db, { pod_id: first.id, start_time }),
        await buildBooking(test.db, { pod_id: second.id, start_time }),
      ] as const
      const responses = await Promise.all([
        moveTo(one.token, bookings[0].id, wanted.id, noon + 60, noon + 120, 1),
        moveTo(two.token, bookings[1].id, wanted.id, noon + 90, noon + 150, 1),
      ])
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const refused = responses.find(({ status }) => status === 409)
      expect(refused?.body).toMatchObject({ code: 'slot_taken', reasons: [{ code: 'slot_taken' }] })
      expect(refused?.body.free.times).toHaveLength(3)
    }
    await expectSound()
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres').each([
    ['POST cancel', cancel, { reason: 'Customer asked' }],
    ['PUT interval', move, { bookingDate: DAY, startTime: at(noon), endTime: at(noon + 30) }],
    ['POST end', routes.bookingActions.end, {}],
  ])('find no booking whose pod moves to a location that the person does not have: %s', async (_, route, body) => {
    const there = await buildLocation(test.db)
    const booking = await buildBooking(test.db, { start_time: new Date(at(noon)) })
    test.clock.set(new Date(at(10 * 60 + 5)))
    const { token } = await test.signIn([6], { location_ids: [booking.location_id] })
    const { response } = await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('bookings').set({ location_id: there.id }).where('id', '=', booking.id).execute()
      const response = ask(route, token, booking.id, { ...body, podId: booking.pod_id, version: 2 })
      await untilSomeoneWaits(tx)
      return { response }
    })
    expect([(await response).status, (await response).body.message]).toEqual([404, 'Booking not found'])
    expect(await test.db.selectFrom('bookings').select('version').execute()).toEqual([{ version: 2 }])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres').each([
    ['PUT note', routes.bookingActions.note, { note: 'Has a dog', version: 1 }],
    ['POST check-in', checkIn, { method: 'staff', version: 1 }],
    ['POST check-in by code', routes.bookingActions.checkInByCode, undefined],
  ])('are shown to who made them although the pod moves to another location at once: %s', async (_, route, body) => {
    const there = await buildLocation(test.db)
    const user = await buildUser(test.db)
    const booking = await buildBooking(test.db, { start_time: new Date(at(noon)), user_id: user.id })
    test.clock.set(new Date(at(10 * 60 + 5)))
    const { token } = await test.signIn([6], { location_ids: [booking.location_id] })
    const { changed, moved } = await test.db.transaction().execute(async (tx) => {
      // Reading the booking's page waits for this, and changing the booking does not.
      await sql`lock table told_bookings`.execute(tx)
      const changed = ask(route, token, booking.id, body ?? { code: booking.id.slice(-8) })
      await untilSomeoneWaits(tx)
      const bookings = test.db.updateTable('bookings').set({ location_id: there.id })
      const moved = bookings.where('id', '=', booking.id).execute()
      await Promise.race([moved, untilSomeoneWaits(tx, 2)])
      return { changed, moved }
    })
    expect((await changed).status).toBe(200)
    await moved
  })

  it('refuse both of two bookings that exchange their pods, without a deadlock or lost slots', async () => {
    const { token } = await test.signIn([6])
    for (let round = 0; round < 10; round++) {
      const pods = [await buildPod(test.db), await buildPod(test.db)] as const
      const start_time = new Date(at(noon))
      const bookings = [
        await buildBooking(test.db, { pod_id: pods[0].id, start_time }),
        await buildBooking(test.db, { pod_id: pods[1].id, start_time }),
      ] as const
      const responses = await Promise.all([
        moveTo(token, bookings[0].id, pods[1].id, noon, noon + 60, 1),
        moveTo(token, bookings[1].id, pods[0].id, noon, noon + 60, 1),
      ])
      expect(responses.map(({ status }) => status)).toEqual([409, 409])
    }
    await expectSound()
  })

  it('accept only one of a cancellation and a check-in, and refuse the other as outdated', async () => {
    const { token } = await test.signIn([6])
    for (let round = 0; round < 20; round++) {
      const { id } = await buildBooking(test.db, { start_time: new Date(at(noon)) })
      const responses = await Promise.all([
        ask(cancel, token, id, { version: 1, reason: 'Customer asked' }),
        ask(checkIn, token, id, { version: 1, method: 'staff' }),
      ])
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(responses.find(({ status }) => status === 409)?.body.code).toBe('record_changed')
      const row = await test.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(row.status === 'Cancelled').toBe(row.checked_in_at === null)
    }
    await expectSound()
  })
})

describe('the slots', () => {
  it('always match the bookings through random moves, cancellations, reinstatements, releases and undos', async () => {
    const random = createRandom('bookings')
    const { token } = await test.signIn([6])
    const user = await buildUser(test.db)
    const pods = [await buildPod(test.db), await buildPod(test.db)]
    const bookings: string[] = []
    for (let index = 0; index < 6; index++) {
      const start = noon + Math.floor(index / 2) * 180
      const booking = await buildBooking(test.db, {
        user_id: user.id,
        pod_id: pods[index % 2]?.id ?? '',
        start_time: new Date(at(start)),
        end_time: new Date(at(start + 60)),
      })
      bookings.push(booking.id)
    }
    const changes: string[] = []
    const statuses = new Map<number, number>()
    const step = async () => {
      const id = random.pick(bookings)
      const { version } = await test.db
        .selectFrom('bookings')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const chance = random.next()
      if (chance < 0.5) {
        const from = 11 * 60 + 15 * random.integer(0, 51)
        const until = Math.min(24 * 60, from + 15 * random.integer(1, 12))
        return moveTo(token, id, random.pick(pods).id, from, until, version)
      }
      if (chance < 0.65) return ask(cancel, token, id, { version, reason: 'x' })
      if (chance < 0.8) return ask(reinstate, token, id, { version })
      if (chance < 0.85) return ask(routes.bookingActions.end, token, id, { version })
      if (chance < 0.9) return ask(routes.bookingActions.noShow, token, id, { version })
      return test.request(routes.audit.undo, { token, params: { id: changes.at(-1) ?? id } })
    }
    for (let index = 0; index < 200; index++) {
      const response = await step()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expect(response.status).toBeLessThan(500)
      const undoId = response.headers['x-undo-id']
      if (typeof undoId === 'string') changes.push(undoId)
      if (index % 10 === 9) await expectSound()
    }
    await expectSound()
    // The random walk must include both: if all changes were refused, it would prove nothing.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(40)
    expect(statuses.get(409) ?? 0).toBeGreaterThan(10)
    const { rows } = await sql<{ n: number }>`select count(*) as n from audit where action = 'move'`.execute(test.db)
    expect(rows[0]?.n).toBeGreaterThan(20)
  })
})
