import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildClosure, buildLocation, buildPod, buildTransaction } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { today } = routes.dashboard

const open = async (pages?: PageCode[]) => test.request(today, { token: (await test.signIn(pages)).token })

/** Sets the pods' wall clock to 10:20 on 2026-11-23. */
async function setClock() {
  test.clock.set('2026-11-23T08:20:00.000Z')
}

const checkedIn = { checked_in_at: new Date(), checked_in_method: 'staff' as const }

const at = (from: string, to: string, date = '2026-11-23') => ({
  booking_date: date,
  start_time: new Date(`${date}T${from}:00.000Z`),
  end_time: new Date(`${date}T${to}:00.000Z`),
})

describe('GET today', () => {
  it('counts current bookings, each figure equal to the total of its list, and today’s failed payments', async () => {
    // As one booking ends and another begins, and an hour before a third.
    test.clock.set('2026-11-23T08:30:00.000Z')
    const { token } = await test.signIn()
    await buildBooking(test.db, { ...at('10:00', '11:00'), status: 'Processing' })
    await buildBooking(test.db, { ...at('09:00', '10:30'), status: 'Processing', ...checkedIn })
    await buildBooking(test.db, { ...at('10:15', '11:00'), status: 'Processing', ...checkedIn })
    await buildBooking(test.db, { ...at('10:30', '11:00') })
    await buildBooking(test.db, { ...at('11:30', '12:00') })
    await buildBooking(test.db, { ...at('11:45', '12:00') })
    await buildBooking(test.db, { ...at('10:45', '11:15'), ...checkedIn })
    await buildBooking(test.db, { ...at('10:00', '11:00'), status: 'Cancelled' })
    await buildBooking(test.db, { ...at('08:00', '10:00'), status: 'Completed' })
    await buildTransaction(test.db, { status: 'failed', created_at: new Date('2026-11-22T22:30:00.000Z') })
    await buildTransaction(test.db, { status: 'failed', created_at: new Date('2026-11-22T21:30:00.000Z') })
    await buildTransaction(test.db, { status: 'completed', created_at: new Date('2026-11-23T08:00:00.000Z') })
    const { body } = await test.request(today, { token })
    expect(body.now).toBe('2026-11-23T10:30:00.000Z')
    expect(body.bookings).toEqual({ running: 3, late: 2, arriving: 1 })
    expect(body.failedPayments).toBe(1)
    for (const when of ['running', 'late', 'arriving'] as const) {
      const rows = await test.request(routes.bookings.list, { token, query: { when, page: '1' } })
      expect([when, rows.body.length]).toEqual([when, body.bookings[when]])
      expect(rows.headers['x-total-count']).toBe(String(body.bookings[when]))
    }
  })

  it('sums the booked minutes of each hour, splitting bookings across the hours they touch', async () => {
    await setClock()
    const location = await buildLocation(test.db)
    const pod_id = (await buildPod(test.db, { location_id: location.id })).id
    await buildPod(test.db, { location_id: location.id })
    await buildPod(test.db, { location_id: location.id, is_blocked: true })
    await buildBooking(test.db, { pod_id, ...at('09:30', '11:15') })
    await buildBooking(test.db, { pod_id, ...at('23:00', '00:00'), end_time: new Date('2026-11-24T00:00:00.000Z') })
    await buildBooking(test.db, { pod_id, ...at('06:00', '06:15', '2026-11-30') })
    await buildBooking(test.db, { pod_id, ...at('06:00', '06:15', '2026-12-01') })
    await buildBooking(test.db, { pod_id, ...at('12:00', '13:00'), status: 'Cancelled' })
    const { occupancy } = (await open()).body
    expect(occupancy.podMinutes).toBe(120)
    expect(occupancy.days.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 8 }, (_, index) => `2026-11-${23 + index}`),
    )
    const minutes = Array.from({ length: 18 }, () => 0)
    expect(occupancy.days[0].minutes).toEqual(Object.assign([...minutes], { 3: 30, 4: 60, 5: 15, 17: 60 }))
    expect(occupancy.days[7].minutes).toEqual(Object.assign([...minutes], { 0: 15 }))
  })

  it('counts in the occupancy only pods that can be booked, and no time that was freed', async () => {
    await setClock()
    const location = await buildLocation(test.db)
    const closed = await buildLocation(test.db, { is_blocked: true })
    const pod = await buildPod(test.db, { location_id: location.id })
    const others = [
      { location_id: location.id, is_blocked: true },
      { location_id: location.id, deleted_at: new Date() },
      { location_id: closed.id },
    ]
    for (const other of others) {
      await buildBooking(test.db, { pod_id: (await buildPod(test.db, other)).id, ...at('09:00', '10:00') })
    }
    const freed = (from: string) => ({
      status: 'Completed' as const,
      no_show_at: new Date(),
      released_from: new Date(`2026-11-23T${from}:00.000Z`),
    })
    await buildBooking(test.db, { pod_id: pod.id, ...at('08:00', '10:00'), ...freed('08:30') })
    await buildBooking(test.db, { pod_id: pod.id, ...at('10:00', '11:00'), ...freed('10:00') })
    const { occupancy } = (await open()).body
    expect(occupancy.podMinutes).toBe(60)
    expect(occupancy.days[0].minutes).toEqual(Object.assign(Array(18).fill(0), { 2: 30 }))
  })

  it('counts the pods that are closed now, directly or with their location, exactly as the list of pods does', async () => {
    await setClock()
    const { token } = await test.signIn()
    const location = await buildLocation(test.db)
    const closed = await buildLocation(test.db, { is_blocked: true })
    const now = { starts: new Date('2026-11-23T10:20:00.000Z'), ends: new Date('2026-11-23T10:30:00.000Z') }
    const over = { starts: new Date('2026-11-23T09:00:00.000Z'), ends: new Date('2026-11-23T10:20:00.000Z') }
    const later = { starts: new Date('2026-11-23T10:21:00.000Z'), ends: null }
    const build = (more = {}) => buildPod(test.db, { location_id: location.id, ...more })
    const twice = await build()
    for (const reason of ['Leak', 'Painting']) await buildClosure(test.db, { ...now, reason, podId: twice.id })
    await build({ is_blocked: true })
    await build({ is_blocked: true, deleted_at: new Date() })
    await build({ location_id: closed.id })
    await buildClosure(test.db, { ...over, podId: (await build()).id })
    await buildClosure(test.db, { ...later, podId: (await build()).id })
    const { body } = await test.request(today, { token })
    expect(body.closedPods).toBe(3)
    const { rows } = await sql<{ pods: number }>`
      select count(distinct pods.id)::int as pods
        from pods, closures join closure_instances as instance on instance.closure_id = closures.id
        left join closure_pods on closure_pods.closure_id = closures.id
       where pods.deleted_at is null and (closure_pods.pod_id = pods.id or closures.location_id = pods.location_id)
         and '2026-11-23T10:20:00Z' >= instance.starts and '2026-11-23T10:20:00Z' < instance.ends`.execute(test.db)
    expect(rows).toEqual([{ pods: body.closedPods }])
    const list = await test.request(routes.pods.list, { token, query: { closed: 'now', page: '1' } })
    expect(list.headers['x-total-count']).toBe('3')
    expect(list.body.map(({ closure }: { closure: { reason: string } }) => closure.reason).sort()).toEqual([
      'Blocked',
      'Blocked',
      'Leak',
    ])
    expect((await open([1, 6])).body.closedPods).toBeNull()
  })

  it('counts the pods that are free in the current quarter of an hour', async () => {
    await setClock()
    const location = await buildLocation(test.db)
    const closed = await buildLocation(test.db, { is_blocked: true })
    const pod = await buildPod(test.db, { location_id: location.id })
    await buildPod(test.db, { location_id: location.id })
    await buildPod(test.db, { location_id: location.id, is_blocked: true })
    await buildPod(test.db, { location_id: location.id, deleted_at: new Date() })
    await buildPod(test.db, { location_id: closed.id })
    expect((await open()).body.freePods).toBe(2)
    await buildBooking(test.db, { pod_id: pod.id, ...at('10:15', '10:30') })
    expect((await open()).body.freePods).toBe(1)
    test.clock.set('2026-11-23T02:20:00.000Z')
    expect((await open()).body.freePods).toBe(0)
  })

  it('returns null for the figures of pages that the caller cannot access', async () => {
    const nothing = { bookings: null, freePods: null, failedPayments: null, occupancy: null }
    expect((await open([PAGE.dashboard])).body).toMatchObject(nothing)
    expect((await open([PAGE.dashboard, PAGE.transactions])).body).toMatchObject({ ...nothing, failedPayments: 0 })
    expect((await open([PAGE.dashboard, PAGE.bookings])).body).toMatchObject({ failedPayments: null, freePods: 0 })
    expect((await open([PAGE.bookings])).status).toBe(403)
    expect((await test.request(today)).status).toBe(401)
  })
})
