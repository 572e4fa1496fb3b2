import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { TEST_NOW, useTestApp } from '../testing/test-app.ts'
import { bulkSeed } from './bulk-seed.ts'
import { loadDemoData } from './load-demo-data.ts'

const test = useTestApp()
const moment = { now: TEST_NOW, timeZone: 'Africa/Johannesburg' }
const size = { bookings: 2_000, transactions: 1_500, pods: 50, users: 300, daysBehind: 40, daysAhead: 10 }

async function countOf(table: 'pods' | 'users' | 'pod_images' | 'pod_features') {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(test.db)
  return rows[0]?.n ?? 0
}

describe('the bulk seed', { timeout: 300_000 }, () => {
  it('adds exactly the requested numbers, without overlaps, also the second time', async () => {
    await loadDemoData(test.context)
    const before = await checkBookings(test.db)
    const told: number[] = []
    await bulkSeed(test.db, size, moment, (made) => told.push(made))
    expect(told.at(-1)).toBe(2_000)
    await bulkSeed(test.db, size, moment)

    expect(await checkBookings(test.db)).toMatchObject({
      bookings: before.bookings + 4_000,
      transactions: before.transactions + 3_000,
      overlaps: 0,
      wrongSlots: 0,
    })
    expect([await countOf('pods'), await countOf('users'), await countOf('pod_images')]).toEqual([124, 660, 372])
    const { rows } = await sql<{ bare: number; seatless: number; unrated: number; unbooked: number }>`select
      (select count(*) from pods where not exists (select from pod_features where pod_id = pods.id)) as bare,
      (select count(*) from pods where capacity is null) as seatless,
      (select count(*) from pods where not is_blocked and rating_count = 0) as unrated,
      (select count(*) from pods where not exists (select from bookings where pod_id = pods.id)) as unbooked`.execute(
      test.db,
    )
    expect(rows[0]).toEqual({ bare: 0, seatless: 0, unrated: 0, unbooked: 0 })
  })

  it('refuses without enough room or without demo data, and adds nothing', async () => {
    const crowd = { ...size, bookings: 100_000 }
    await expect(bulkSeed(test.db, crowd, moment)).rejects.toThrow('50 pods have room for 30600 bookings')
    await expect(bulkSeed(test.db, size, moment)).rejects.toThrow('holds no demo data')
    expect([await countOf('pods'), await countOf('users')]).toEqual([0, 0])
  })
})
