import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { claimJobs } from '#server/jobs/queue.ts'
import { buildBooking, buildLocation, buildPod, buildSeries, buildUser } from '#server/testing/factories.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { enqueueMessage, MESSAGE_JOB, messageJob } from '../messages/messages.service.ts'

/**
 * Transactions that take the same locks in different orders deadlock, which PostgreSQL ends only after a second: pods
 * are locked before locations, and records of a kind in the order of their ids.
 */
const test = useTestApp({}, { poolSize: 20 })

type Table = 'pods' | 'locations' | 'bookings'

/** Sends the request while one record is locked, and locks another, which has to be free while it waits for the first. */
async function sendWhileLocked(
  send: () => Promise<TestResponse>,
  [table, locked]: [Table, string],
  [of, free]: [Table, string],
): Promise<TestResponse> {
  const { sent } = await test.db.transaction().execute(async (tx) => {
    await sql`select from ${sql.table(table)} where id = ${locked} for update`.execute(tx)
    const sent = send()
    await untilSomeoneWaits(tx)
    await sql`select from ${sql.table(of)} where id = ${free} for update nowait`.execute(tx)
    return { sent }
  })
  return sent
}

const buildLocations = async () => [await buildLocation(test.db), await buildLocation(test.db)] as const
const buildPods = async (first?: string, second?: string) =>
  [
    await buildPod(test.db, first === undefined ? {} : { location_id: first }),
    await buildPod(test.db, second === undefined ? {} : { location_id: second }),
  ] as const

/** Builds a series that has a booking in each of these pods, a week apart. */
async function buildSeriesIn(podIds: readonly [string, string]) {
  const first = await buildSeries(test.db, { pod_id: podIds[0] })
  const { staff_id, series_id } = first
  const start_time = new Date('2026-11-30T09:00:00.000Z')
  const second = await buildBooking(test.db, { pod_id: podIds[1], staff_id, series_id, start_time })
  return { id: series_id ?? '', bookings: [first, second] as const }
}

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a request that waits for a lock', () => {
  it.each([
    ['no location while it waits for a pod', 'pods'],
    ['no location while it waits for one with a lower id', 'locations'],
  ] as const)('holds %s', async (_, table) => {
    const { token } = await test.signIn([3])
    const locations = await buildLocations()
    const pods = await buildPods(locations[1].id, locations[0].id)
    const body = { podIds: pods.map(({ id }) => id), reason: 'Painting' }
    const close = () => test.request(routes.closures.create, { token, body })
    const locked = table === 'pods' ? pods[1].id : locations[0].id
    const closed = await sendWhileLocked(close, [table, locked], ['locations', locations[1].id])
    expect(closed.status).toBe(201)
  })

  it.each([
    ['end', routes.closures.delete, undefined],
    ['change', routes.closures.update, { reason: 'Painting', ends: '2026-11-25T12:00:00.000Z' }],
  ])('to %s a closure holds no pod while it waits for a deleted one with a lower id', async (_, route, edit) => {
    const { token } = await test.signIn([3])
    const pods = await buildPods()
    const body = { podIds: pods.map(({ id }) => id), reason: 'Painting' }
    const { _id: id } = (await test.request(routes.closures.create, { token, body })).body
    await test.db.updateTable('pods').set({ deleted_at: test.clock.now() }).where('id', '=', pods[0].id).execute()
    const send = () => test.request(route, { token, params: { id }, body: edit, headers: { 'if-match': '*' } })
    expect((await sendWhileLocked(send, ['pods', pods[0].id], ['pods', pods[1].id])).status).toBe(200)
  })

  it('to close a location does not hold it while it waits for a pod that has come to it', async () => {
    const { token } = await test.signIn([3])
    const [location, pod] = [await buildLocation(test.db), await buildPod(test.db)]
    const body = { locationId: location.id, reason: 'Painting', ends: '2026-11-25T12:00:00.000Z' }
    const { closed, booked } = await test.db.transaction().execute(async (tx) => {
      await sql`select from locations where id = ${location.id} for share`.execute(tx)
      await tx.updateTable('pods').set({ location_id: location.id }).where('id', '=', pod.id).execute()
      const closed = test.request(routes.closures.create, { token, body })
      await untilSomeoneWaits(tx)
      const booked = test.db.transaction().execute(async (other) => {
        await sql`select from pods where id = ${pod.id} for no key update`.execute(other)
        // The closure may have come first, and be done.
        await Promise.race([closed, untilSomeoneWaits(other)])
        await sql`select from locations where id = ${location.id} for share nowait`.execute(other)
      })
      await untilSomeoneWaits(tx, 2)
      return { closed, booked }
    })
    await booked
    expect((await closed).status).toBe(201)
  })

  it('to close a location waits for nobody who waits for it', async () => {
    const { token } = await test.signIn([3, 7])
    const pod = await buildPod(test.db)
    const params = { id: pod.location_id }
    const locks: string[] = []
    watchStatements((statement) => {
      if (/from "?locations"?[^]*for (no key )?update/.test(statement.text)) locks.push(JSON.stringify(statement))
      return undefined
    })
    const requests = await test.db.transaction().execute(async (tx) => {
      // As by a pod that is coming.
      await sql`select from locations where id = ${pod.location_id} for share`.execute(tx)
      const renamed = test.request(routes.locations.update, { token, params, body: { name: 'Rosebank' } })
      await untilSomeoneWaits(tx)
      const body = { locationId: pod.location_id, reason: 'Painting', ends: '2026-11-25T12:00:00.000Z' }
      const closed = test.request(routes.closures.create, { token, body })
      await untilSomeoneWaits(tx, 2)
      return [renamed, closed]
    })
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 201])
    // Nothing was sent again after a deadlock.
    expect(new Set(locks).size).toBe(locks.length)
  })

  it('to close a location does not keep others from writing rows that refer to it', async () => {
    const { token } = await test.signIn([3])
    const pod = await buildPod(test.db)
    const body = { locationId: pod.location_id, reason: 'Painting', ends: '2026-11-25T12:00:00.000Z' }
    const close = () => test.request(routes.closures.create, { token, body })
    const { closed } = await test.db.transaction().execute(async (tx) => {
      // Recording the closure waits for this.
      await sql`lock table closures in share mode`.execute(tx)
      const closed = close()
      await untilSomeoneWaits(tx)
      await sql`select from locations where id = ${pod.location_id} for key share nowait`.execute(tx)
      return { closed }
    })
    expect((await closed).status).toBe(201)
  })

  it('to change a series holds no pod while it waits for one with a lower id', async () => {
    const { token } = await test.signIn([6])
    const pods = await buildPods()
    const { id } = await buildSeriesIn([pods[1].id, pods[0].id])
    const change = () => extendSeries(token, id)
    expect((await sendWhileLocked(change, ['pods', pods[0].id], ['pods', pods[1].id])).status).toBe(200)
  })

  it('to cancel a series holds no booking while it waits for one with a lower id', async () => {
    const { token } = await test.signIn([6])
    const pods = await buildPods()
    const { id, bookings } = await buildSeriesIn([pods[0].id, pods[1].id])
    // The booking with the lower id is the later one now.
    await test.db
      .updateTable('bookings')
      .set({ start_time: new Date('2026-12-07T09:00:00.000Z'), end_time: new Date('2026-12-07T10:00:00.000Z') })
      .where('id', '=', bookings[0].id)
      .execute()
    const headers = { 'if-match': '*' }
    const cancel = () => test.request(routes.series.cancel, { token, params: { id }, query: { scope: 'all' }, headers })
    const cancelled = await sendWhileLocked(cancel, ['bookings', bookings[0].id], ['bookings', bookings[1].id])
    expect(cancelled.status).toBe(200)
  })

  it('to undo several moves holds no pod while it waits for one with a lower id', async () => {
    const { token } = await test.signIn([6])
    const pods = await buildPods()
    const { id } = await buildSeriesIn([pods[0].id, pods[1].id])
    const { headers } = await extendSeries(token, id)
    const undo = () => undoAll(token, headers)
    expect((await sendWhileLocked(undo, ['pods', pods[0].id], ['pods', pods[1].id])).status).toBe(200)
  })

  it('to undo does not wait for whoever may not undo the changes', async () => {
    const { token } = await test.signIn([6])
    const pods = await buildPods()
    const { id } = await buildSeriesIn([pods[0].id, pods[1].id])
    const { headers } = await extendSeries(token, id)
    const other = await test.signIn([3])
    const refused = await test.db.transaction().execute(async (tx) => {
      await sql`select from pods where id = ${pods[0].id} for update`.execute(tx)
      return undoAll(other.token, headers)
    })
    expect(refused.status).toBe(403)
  })

  it('to undo a change of all locations holds none while it waits for one with a lower id', async () => {
    const { token } = await test.signIn([8])
    const locations = await buildLocations()
    const { headers } = await test.request(routes.messages.setReminders, { token, body: { reminderHours: 24 } })
    const undo = () => undoAll(token, headers)
    const undone = await sendWhileLocked(undo, ['locations', locations[0].id], ['locations', locations[1].id])
    expect(undone.status).toBe(200)
  })

  it('to store that a message was sent holds no mail while it waits for what was told', async () => {
    const [{ id: user_id }, pods] = [await buildUser(test.db), await buildPods()]
    const first = await buildSeries(test.db, { staff_id: null, user_id, pod_id: pods[0].id })
    const earlier = new Date('2026-11-22T09:00:00.000Z')
    const { series_id } = first
    const second = await buildBooking(test.db, { user_id, pod_id: pods[1].id, series_id, start_time: earlier })
    for (const { id: booking_id } of [first, second])
      await test.db.insertInto('told_bookings').values({ booking_id }).execute()
    const now = test.clock.now()
    await enqueueMessage(test.db, series_id ?? '', now)
    const [job] = await claimJobs(test.db, { kinds: [MESSAGE_JOB], limit: 1, now, leaseUntil: now })
    let watched: Promise<void> | undefined
    const watch = (onLocked: (response: string) => void) =>
      test.db.transaction().execute(async (tx) => {
        const lock = (booking: { id: string }) =>
          sql`select from told_bookings where booking_id = ${booking.id} for update nowait`.execute(tx)
        await lock(first)
        onLocked('250 OK')
        await untilSomeoneWaits(tx)
        await lock(second)
        await sql`select from mails for update nowait`.execute(tx)
      })
    const sendMail = () =>
      new Promise<string>((resolve) => {
        watched = watch(resolve)
      })
    await (job && messageJob.run({ ...test.context, sendMail }, job))
    await watched
    const mails = await test.db.selectFrom('mails').select('state').execute()
    expect(mails).toEqual([{ state: 'sent' }])
  })

  it.each([
    ['rename a pod', async () => ({ title: 'Nest' })],
    ['undo the move of a pod', async () => ({ location: (await buildLocation(test.db)).id })],
  ])('to %s holds no search text of a booking while it waits for that of the pod', async (what, toBody) => {
    const { token } = await test.signIn([3])
    const booking = await buildBooking(test.db)
    const params = { id: booking.pod_id }
    const body = await toBody()
    const change = () => test.request(routes.pods.update, { token, params, body })
    const earlier = what.startsWith('undo') ? await change() : undefined
    const { changed } = await test.db.transaction().execute(async (tx) => {
      const lock = (table: string, id: string) =>
        sql`select from ${sql.table(table)} where record_id = ${id} for update nowait`.execute(tx)
      await lock('pods_search_texts', booking.pod_id)
      const changed = earlier ? undoAll(token, earlier.headers) : change()
      await untilSomeoneWaits(tx)
      await lock('bookings_search_texts', booking.id)
      return { changed }
    })
    expect((await changed).status).toBe(200)
  })
})

function extendSeries(token: string, id: string) {
  return test.request(routes.series.update, {
    token,
    params: { id },
    query: { scope: 'all' },
    body: { endTime: '2026-11-23T10:30:00.000Z' },
    headers: { 'if-match': '*' },
  })
}

function undoAll(token: string, headers: TestResponse['headers']) {
  const params = { id: String(headers['x-undo-id']) }
  return test.request(routes.audit.undo, { token, params, query: { scope: 'request' } })
}
