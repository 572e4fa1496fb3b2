import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildLocation, buildPod, buildStaff, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'

const test = useTestApp()

/** At TEST_NOW it is 11:00 on 21 November in the business time zone. */
async function buildOwners() {
  const location = await buildLocation(test.db)
  const pod = await buildPod(test.db, { location_id: location.id })
  const user = await buildUser(test.db)
  const staff = await buildStaff(test.db)
  return { location, pod, user, staff }
}

const at = (time: string) => new Date(`2026-11-${time}:00.000Z`)

/** Three of the customer and one of the staff member are upcoming. The last booking has another owner. */
async function buildBookings({ pod, user, staff }: Awaited<ReturnType<typeof buildOwners>>) {
  const ofUser = { pod_id: pod.id, user_id: user.id }
  await buildBooking(test.db, { ...ofUser, start_time: at('21T11:15'), end_time: at('21T11:30') })
  await buildBooking(test.db, { ...ofUser, start_time: at('22T09:00'), status: 'Confirmed' })
  await buildBooking(test.db, { ...ofUser, start_time: at('23T09:00') })
  await buildBooking(test.db, { ...ofUser, start_time: at('23T11:00'), status: 'Cancelled' })
  await buildBooking(test.db, { ...ofUser, start_time: at('21T10:45'), end_time: at('21T11:15'), status: 'Processing' })
  await buildBooking(test.db, { ...ofUser, start_time: at('20T09:00'), status: 'Completed' })
  await buildBooking(test.db, { pod_id: pod.id, staff_id: staff.id, start_time: at('24T09:00') })
  await buildBooking(test.db, { start_time: at('25T09:00') })
}

describe('upcoming bookings', () => {
  it('are counted for a pod, a location, a customer and a staff member', async () => {
    const { token } = await test.signIn()
    const owners = await buildOwners()
    await buildBookings(owners)
    for (const [route, { id }, upcomingBookings] of [
      [routes.pods.upcomingBookings, owners.pod, 4],
      [routes.locations.upcomingBookings, owners.location, 4],
      [routes.users.upcomingBookings, owners.user, 3],
      [routes.staff.upcomingBookings, owners.staff, 1],
    ] as const) {
      expect(await test.request(route, { token, params: { id } })).toMatchObject({
        status: 200,
        body: { upcomingBookings },
      })
    }
  })

  it('are counted by the wall clock in the business time zone', async () => {
    const { token } = await test.signIn()
    const { pod } = await buildOwners()
    await buildBooking(test.db, { pod_id: pod.id, start_time: at('21T11:15'), end_time: at('21T11:30') })
    const count = async () =>
      (await test.request(routes.pods.upcomingBookings, { token, params: { id: pod.id } })).body.upcomingBookings
    expect(await count()).toBe(1)
    test.clock.set('2026-11-21T09:15:00.000Z')
    expect(await count()).toBe(0)
  })

  it('return 404 for an unknown record or a deleted pod', async () => {
    const { token } = await test.signIn()
    const gone = await buildPod(test.db, { deleted_at: new Date() })
    for (const route of [
      routes.pods.upcomingBookings,
      routes.locations.upcomingBookings,
      routes.users.upcomingBookings,
      routes.staff.upcomingBookings,
    ]) {
      expect((await test.request(route, { token, params: { id: createId() } })).status).toBe(404)
    }
    expect((await test.request(routes.pods.upcomingBookings, { token, params: { id: gone.id } })).status).toBe(404)
  })

  it('are counted in the response to blocking, beside its message', async () => {
    const { token } = await test.signIn()
    const owners = await buildOwners()
    await buildBookings(owners)
    for (const [route, { id }, body] of [
      [routes.pods.block, owners.pod, { message: 'Pod blocked successfully', upcomingBookings: 4 }],
      [routes.locations.block, owners.location, { message: 'Location blocked successfully', upcomingBookings: 4 }],
      [routes.users.block, owners.user, { message: 'User blocked successfully', upcomingBookings: 3 }],
    ] as const) {
      expect((await test.request(route, { token, params: { id } })).body).toEqual(body)
    }
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres').each([
    ['pod', () => buildPod(test.db), routes.pods],
    ['location', () => buildLocation(test.db), routes.locations],
    ['customer', () => buildUser(test.db), routes.users],
  ] as const)('are counted after blocking a %s that somebody deletes at the same moment', async (_, build, of) => {
    const { token } = await test.signIn()
    const request = { token, params: { id: (await build()).id } }
    const { blocked, deleted } = await test.db.transaction().execute(async (tx) => {
      // Counting waits for this, and blocking does not.
      await sql`lock table bookings`.execute(tx)
      const blocked = test.request(of.block, request)
      await untilSomeoneWaits(tx)
      const deleted = test.request(of.delete, request)
      await Promise.race([deleted, untilSomeoneWaits(tx, 2)])
      return { blocked, deleted }
    })
    expect([(await blocked).status, (await deleted).status]).toEqual([200, 200])
  })
})
