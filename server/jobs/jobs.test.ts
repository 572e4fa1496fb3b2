import { expect, it, onTestFinished } from 'vitest'
import { buildBooking } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { startJobs } from './jobs.ts'
import { enqueueJob } from './queue.ts'

const test = useTestApp()

it('advances bookings, ends sessions that have expired and forgets addresses, and stops when it is told to', async () => {
  const booking = await buildBooking(test.db)
  const { _id: staff_id } = await test.signIn()
  const kept = Buffer.alloc(32, 1)
  const addresses = [
    { staff_id, address_hash: Buffer.alloc(32), last_signed_in_at: new Date('2026-10-23T07:00:00.000Z') },
    { staff_id, address_hash: kept, last_signed_in_at: new Date('2026-10-24T07:00:00.000Z') },
  ]
  await test.db.insertInto('sign_in_addresses').values(addresses).execute()
  test.clock.set('2026-11-23T07:00:00.000Z')
  const live = await test.signIn()
  const failures: unknown[] = []
  const log = { info: () => undefined, error: (details: object) => failures.push(details) }
  const stop = await startJobs(test.context, log, test.database.notifications)
  onTestFinished(stop)
  const read = async () => ({
    addresses: await test.db.selectFrom('sign_in_addresses').select('address_hash').execute(),
    sessions: (await test.db.selectFrom('sessions').select('staff_id').execute()).map(({ staff_id }) => staff_id),
    status: (await test.db.selectFrom('bookings').select('status').where('id', '=', booking.id).executeTakeFirst())
      ?.status,
  })
  await expect
    .poll(read, { timeout: 10_000 })
    .toEqual({ addresses: [{ address_hash: kept }], sessions: [live._id], status: 'Processing' })
  await stop()
  expect(failures).toEqual([])
})

it('wakes every server when one has queued a job', async () => {
  const { notifications } = test.database
  const stop = await startJobs(test.context, { info: () => undefined, error: () => undefined }, notifications)
  onTestFinished(stop)
  const heard: unknown[] = []
  const stopListening = await notifications.listen('jobs', (payload) => heard.push(payload))
  await enqueueJob(test.db, { kind: 'of a newer release', key: 'a', runAt: test.clock.now() })
  await expect.poll(() => heard).toEqual([''])
  stopListening()
})
