import { describe, expect, it } from 'vitest'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildPod, buildStaff } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { advanceBookings } from './status-scheduler.ts'

const test = useTestApp()
const zone = 'Africa/Johannesburg'

async function statusOf(id: string): Promise<BookingStatus | undefined> {
  const row = await test.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status
}

/** Returns the status that a booking of 09:00–10:00 on 23 November gets at an instant. */
async function advanceOne(status: BookingStatus, now: string, timeZone = zone) {
  const { id } = await buildBooking(test.db, { status })
  await advanceBookings(test.db, new Date(now), timeZone)
  return statusOf(id)
}

describe('advanceBookings', () => {
  it.each([
    ['Pending', '2026-11-23T06:59:59.999Z', 'Pending'],
    ['Pending', '2026-11-23T07:00:00.000Z', 'Processing'],
    ['Confirmed', '2026-11-23T07:00:00.000Z', 'Processing'],
    ['Pending', '2026-11-23T07:59:59.999Z', 'Processing'],
    ['Processing', '2026-11-23T07:59:59.999Z', 'Processing'],
    ['Processing', '2026-11-23T08:00:00.000Z', 'Completed'],
    ['Pending', '2026-11-23T08:00:00.000Z', 'Completed'],
    ['Confirmed', '2027-03-01T00:00:00.000Z', 'Completed'],
    ['Processing', '2027-03-01T00:00:00.000Z', 'Completed'],
    ['Rated', '2026-11-23T08:00:00.000Z', 'Rated'],
    ['Completed', '2026-11-23T07:30:00.000Z', 'Completed'],
    ['Cancelled', '2026-11-23T08:00:00.000Z', 'Cancelled'],
  ] as const)('given %s at %s, results in %s', async (before, now, after) => {
    expect(await advanceOne(before, now)).toBe(after)
  })

  it('compares bookings with the wall clock in the business time zone', async () => {
    expect(await advanceOne('Pending', '2026-11-23T07:30:00.000Z', 'Africa/Johannesburg')).toBe('Processing')
    expect(await advanceOne('Pending', '2026-11-23T07:30:00.000Z', 'America/New_York')).toBe('Pending')
    expect(await advanceOne('Pending', '2026-11-23T07:30:00.000Z', 'Asia/Tokyo')).toBe('Completed')
  })

  it('returns how many bookings it advanced, and keeps their slots', async () => {
    const pod = await buildPod(test.db)
    await buildBooking(test.db, { pod_id: pod.id })
    await buildBooking(test.db, { pod_id: pod.id, start_time: new Date('2026-11-23T10:00:00.000Z') })
    await buildBooking(test.db, { pod_id: pod.id, start_time: new Date('2026-11-24T10:00:00.000Z') })
    const now = new Date('2026-11-23T08:00:00.000Z')
    expect(await advanceBookings(test.db, now, zone)).toBe(2)
    expect(await advanceBookings(test.db, now, zone)).toBe(0)
    expect(await test.db.selectFrom('booking_slots').select('pod_id').execute()).toHaveLength(12)
  })

  it('records the change in the history of each booking', async () => {
    const { id } = await buildBooking(test.db)
    await advanceBookings(test.db, new Date('2026-11-23T07:00:00.000Z'), zone)
    const [row] = await test.db.selectFrom('audit').selectAll().execute()
    expect(row).toMatchObject({
      actor_kind: 'system',
      action: 'advance',
      entity_id: id,
      version: 2,
      before: { status: 'Pending' },
      after: { status: 'Processing' },
    })
  })

  it('comes last in the history, even after a change by a server whose clock is ahead', async () => {
    const { id } = await buildBooking(test.db)
    const now = new Date('2026-11-23T07:00:00.000Z')
    const ahead = new Date(now.getTime() + 2_000)
    const change = { id: createId(), at: ahead, actor_kind: 'system', action: 'edit', label: '', version: 1 } as const
    await test.db
      .insertInto('audit')
      .values({ ...change, entity: 'booking', entity_id: id })
      .execute()
    await advanceBookings(test.db, now, zone)
    const rows = await test.db.selectFrom('audit').select('action').orderBy('at').execute()
    expect(rows).toEqual([{ action: 'edit' }, { action: 'advance' }])
  })

  it('advances each booking once when several servers run at the same moment', async () => {
    const pod = await buildPod(test.db)
    const staff_id = (await buildStaff(test.db)).id
    for (let day = 1; day <= 20; day++) {
      const start_time = new Date(Date.UTC(2026, 9, day, 9))
      await buildBooking(test.db, { pod_id: pod.id, staff_id, start_time })
    }
    const now = new Date('2026-11-23T08:00:00.000Z')
    const counts = await Promise.all(Array.from({ length: 6 }, () => advanceBookings(test.db, now, zone)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
    const open = await test.db.selectFrom('bookings').select('id').where('status', '<>', 'Completed').execute()
    expect(open).toEqual([])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('does not wait for a booking that is being cancelled', async () => {
    const cancelled = await buildBooking(test.db)
    const other = await buildBooking(test.db)
    const now = new Date('2026-11-23T07:30:00.000Z')
    await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('bookings').set({ status: 'Cancelled' }).where('id', '=', cancelled.id).execute()
      expect(await advanceBookings(test.db, now, zone)).toBe(1)
    })
    expect(await advanceBookings(test.db, now, zone)).toBe(0)
    expect([await statusOf(cancelled.id), await statusOf(other.id)]).toEqual(['Cancelled', 'Processing'])
  })
})
