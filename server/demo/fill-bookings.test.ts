import { describe, expect, it } from 'vitest'
import { toWallClock } from '#contract/slots.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { buildPod, buildStaff, buildUser } from '../testing/factories.ts'
import { TEST_NOW, useTestApp } from '../testing/test-app.ts'
import { planBookings } from './booking-plan.ts'
import { dropFill, fillBookings, prepareFill } from './fill-bookings.ts'

const test = useTestApp()
const timeZone = 'Africa/Johannesburg'

async function fill(bookings: number, transactions: number, now: Date, blockedPods: readonly number[] = []) {
  const podIds = [(await buildPod(test.db, { rate: '3.3333' })).id, (await buildPod(test.db)).id]
  const userIds = [(await buildUser(test.db)).id]
  const staffIds = [(await buildStaff(test.db)).id]
  const wallNow = toWallClock(now, timeZone)
  // One connection, because the numbered sources are in its temporary tables.
  return test.db.connection().execute(async (db) => {
    await prepareFill(db, { podIds, userIds, staffIds })
    const batches = planBookings({
      podCount: 2,
      blockedPods: new Set(blockedPods),
      bookings,
      today: wallNow.toISOString().slice(0, 10),
      daysBehind: 20,
      daysAhead: 10,
      batchSize: 1_000_000,
      seed: 'test',
    })
    for (const batch of batches) await fillBookings(db, batch, transactions, { now, wallNow, timeZone })
    await dropFill(db)
    return podIds
  })
}

describe('filling with bookings', () => {
  it('creates exactly the requested bookings and payments, with correct slots', async () => {
    await fill(300, 500, TEST_NOW)
    expect(await checkBookings(test.db)).toMatchObject({
      bookings: 300,
      transactions: 500,
      overlaps: 0,
      wrongSlots: 0,
    })
    const twice = await test.db
      .selectFrom('transactions')
      .select(({ fn }) => fn.countAll().as('attempts'))
      .groupBy('booking_id')
      .execute()
    expect(Math.max(...twice.map(({ attempts }) => Number(attempts)))).toBeGreaterThan(1)
  })

  it('fills the busiest days from early to late without an overlap', async () => {
    await fill(2 * 31 * 8, 0, TEST_NOW)
    expect(await checkBookings(test.db)).toMatchObject({
      bookings: 496,
      transactions: 0,
      overlaps: 0,
      wrongSlots: 0,
      wrongBalances: 0,
    })
  })

  it('creates no running bookings at night, when the pods are closed', async () => {
    await fill(300, 100, new Date('2026-11-21T00:30:00.000Z'))
    const statuses = await test.db.selectFrom('bookings').select('status').distinct().execute()
    expect(statuses.map(({ status }) => status).sort()).toEqual([
      'Cancelled',
      'Completed',
      'Confirmed',
      'Pending',
      'Rated',
    ])
  })

  it('creates no recent or upcoming bookings for a blocked pod', async () => {
    const [open, blocked] = await fill(200, 0, TEST_NOW, [2])
    const last = async (pod: string | undefined) => {
      const query = test.db.selectFrom('bookings').select(({ fn }) => fn.max('booking_date').as('day'))
      return (await query.where('pod_id', '=', pod ?? '').executeTakeFirst())?.day ?? ''
    }
    expect((await last(open)) > '2026-11-24').toBe(true)
    expect((await last(blocked)) <= '2026-11-09').toBe(true)
  })
})
