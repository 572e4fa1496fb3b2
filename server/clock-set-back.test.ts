import { describe, expect, it } from 'vitest'
import { HOUR } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { createId } from './ids.ts'
import { claimJobs, enqueueJob } from './jobs/queue.ts'
import { buildPod } from './testing/factories.ts'
import { TEST_NOW, useTestApp } from './testing/test-app.ts'

const test = useTestApp()
const toInterval = (hour: number) => ({
  bookingDate: '2026-11-23',
  startTime: `2026-11-23T${hour}:00:00.000Z`,
  endTime: `2026-11-23T${hour + 1}:00:00.000Z`,
})

describe('when the clock is set back by an hour', () => {
  it('people stay signed in, and bookings, moves, cancellations, retries and jobs work as before', async () => {
    const { token } = await test.signIn()
    const podId = (await buildPod(test.db)).id
    const book = (hour: number, key = createId()) =>
      test.request(routes.bookings.create, {
        token,
        params: { podId },
        body: { bookingPurpose: 'work', ...toInterval(hour) },
        headers: { 'idempotency-key': key },
      })
    const key = createId()
    const first = await book(10, key)
    const { booking: before } = first.body
    await enqueueJob(test.db, { kind: 'mail', key: 'before', runAt: test.clock.now() })

    test.clock.set(new Date(TEST_NOW.getTime() - HOUR))
    expect((await book(10, key)).headers['idempotency-replayed']).toBe('true')
    expect((await book(10)).status).toBe(409)
    const { booking: after } = (await book(12)).body
    const id = before._id
    const move = { token, params: { id }, body: { podId, ...toInterval(14), version: 1 } }
    expect((await test.request(routes.bookingActions.move, move)).status).toBe(200)
    const cancel = { token, params: { id }, body: { reason: 'Not needed', version: 2 } }
    expect((await test.request(routes.bookingActions.cancel, cancel)).status).toBe(200)
    // The cancelled booking's times are free again, and those of the other booking are not.
    expect((await book(10)).status).toBe(201)
    expect((await book(12)).status).toBe(409)

    test.clock.set(TEST_NOW)
    const { body } = await test.request(routes.bookings.list, { token })
    const states = (body as { _id: string; status: string }[]).map(({ _id, status }) => [_id, status])
    expect(states).toHaveLength(3)
    expect(states).toContainEqual([id, 'Cancelled'])
    expect(states).toContainEqual([after._id, 'Pending'])
    // The job that was due before is due again once the clock has passed its time.
    const leaseUntil = new Date(TEST_NOW.getTime() + 30_000)
    const jobs = await claimJobs(test.db, { kinds: ['mail'], limit: 5, now: TEST_NOW, leaseUntil })
    expect(jobs.map((job) => job.key)).toContain('before')
  })
})
