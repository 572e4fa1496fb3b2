import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type BookingStatus, bookingStatuses } from '#contract/booking-statuses.ts'
import { featureIcons } from '#contract/feature-icons.ts'
import { transactionStatuses } from '#contract/transaction-statuses.ts'
import { checkBookings } from '#server/testing/check-bookings.ts'
import { buildLocation } from '../testing/factories.ts'
import { TEST_NOW, useTestApp } from '../testing/test-app.ts'
import { loadDemoData } from './load-demo-data.ts'

const test = useTestApp()

function statusesAt(wallNow: Date, start: Date, end: Date): BookingStatus[] {
  if (end <= wallNow) return ['Completed', 'Rated', 'Cancelled']
  return start <= wallNow ? ['Processing'] : ['Pending', 'Confirmed', 'Cancelled']
}

/** Loading takes long, so one load serves as many checks as possible. */
describe('demo data', { timeout: 300_000 }, () => {
  it('forms a complete platform with bookings that are consistent with each other and the clock', async () => {
    await loadDemoData(test.context)
    const { db } = test
    const count = async (table: 'locations' | 'features' | 'pods' | 'users' | 'staff') =>
      Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
    expect(await count('locations')).toBe(8)
    expect(await count('features')).toBe(12)
    expect(await count('pods')).toBe(24)
    expect(await count('users')).toBe(60)
    expect(await count('staff')).toBe(5)

    const check = await checkBookings(db)
    expect(check).toMatchObject({ bookings: 3600, transactions: 3400, overlaps: 0, wrongSlots: 0, wrongBalances: 0 })
    expect(check.slots).toBeGreaterThan(10_000)

    // 11:00 on the business's wall clock.
    const wallNow = new Date('2026-11-21T11:00:00.000Z')
    const bookings = await db
      .selectFrom('bookings')
      .select(['status', 'start_time', 'end_time', 'created_at', 'user_id', 'staff_id', 'company_id'])
      .select(['id', 'booking_date', 'no_show_at'])
      .execute()
    expect(new Set(bookings.map(({ status }) => status))).toEqual(new Set(bookingStatuses))
    for (const { id, status, start_time, end_time, created_at, booking_date } of bookings) {
      expect(statusesAt(wallNow, start_time, end_time)).toContain(status)
      expect(created_at.getTime()).toBeLessThanOrEqual(TEST_NOW.getTime())
      // `start_time` is wall clock labelled Z, two hours ahead of the instant.
      expect(created_at.getTime()).toBeLessThan(start_time.getTime() - 7_200_000)
      expect(booking_date).toBe(start_time.toISOString().slice(0, 10))
      expect(start_time.getUTCHours()).toBeGreaterThanOrEqual(6)
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(created_at.getTime())
    }
    const closures = await db.selectFrom('closures').select(['starts', 'created_at']).execute()
    expect(closures).toHaveLength(3)
    // `starts` is wall clock too.
    for (const { starts, created_at } of closures) expect(starts.getTime() - created_at.getTime()).toBe(7_200_000)

    const noShows = bookings.filter(({ no_show_at }) => no_show_at !== null)
    expect(noShows.length).toBeGreaterThan(10)
    // `end_time` is wall clock labelled Z, two hours ahead of the instant.
    for (const { status, no_show_at, end_time } of noShows)
      expect([status, no_show_at?.getTime()]).toEqual(['Completed', end_time.getTime() - 7_200_000])

    const byStaff = bookings.filter(({ staff_id }) => staff_id !== null).length
    expect(byStaff).toBeGreaterThan(200)
    expect(byStaff).toBeLessThan(900)
    const ofCompanies = bookings.map(({ company_id }) => company_id).filter((id) => id !== null)
    expect(ofCompanies.length).toBeGreaterThan(150)
    expect(ofCompanies.length).toBeLessThan(byStaff)
    expect(new Set(ofCompanies).size).toBe(5)
    expect(bookings.filter(({ start_time }) => start_time > wallNow).length).toBeGreaterThan(300)
    expect(new Set(bookings.map(({ created_at }) => created_at.getTime())).size).toBeGreaterThan(3500)

    const transactions = await db
      .selectFrom('transactions')
      .innerJoin('bookings', 'bookings.id', 'transactions.booking_id')
      .innerJoin('pods', 'pods.id', 'bookings.pod_id')
      .select([
        'amount',
        'pods.rate',
        'start_time',
        'end_time',
        'transactions.status',
        'payment_facilitator',
        'user_id',
        'company_id',
      ])
      .select('transactions.created_at as paid_at')
      .select('bookings.created_at as booked_at')
      .execute()
    expect(transactions).toHaveLength(3400)
    const statuses = new Set(transactions.map(({ status }) => status))
    expect(statuses).toEqual(new Set(transactionStatuses.filter((status) => status !== 'refunded')))
    expect(new Set(transactions.map((row) => row.payment_facilitator)).size).toBeGreaterThanOrEqual(4)
    for (const { amount, rate, start_time, end_time, user_id, company_id, paid_at, booked_at } of transactions) {
      const minutes = (end_time.getTime() - start_time.getTime()) / 60_000
      expect(Math.abs(Number(amount) - minutes * Number(rate))).toBeLessThanOrEqual(0.005)
      expect(user_id ?? company_id).not.toBeNull()
      expect(paid_at.getTime()).toBeGreaterThanOrEqual(booked_at.getTime())
    }

    const icons = await db.selectFrom('features').select('icon').execute()
    for (const { icon } of icons) expect(featureIcons.map(({ key }) => key)).toContain(icon)
    expect(await db.selectFrom('pricing').select(['rate', 'discount_minutes']).executeTakeFirst()).toMatchObject({
      discount_minutes: 30,
    })
    expect(await db.selectFrom('users').select('id').where('is_blocked', '=', true).execute()).not.toHaveLength(0)
    expect(await db.selectFrom('users').select('id').where('mobile', '=', '').execute()).not.toHaveLength(0)

    const images = await db
      .selectFrom('pod_images')
      .innerJoin('images', 'images.url', 'pod_images.url')
      .select(['pod_id', 'images.url', 'thumbnail_url', 'placeholder', 'width', 'height'])
      .execute()
    const stored = await db.selectFrom('pod_images').select('url').execute()
    expect(images).toHaveLength(stored.length)
    expect(images).toHaveLength(24 * 3)
    expect(new Set(images.map(({ pod_id }) => pod_id)).size).toBe(24)
    for (const { url, thumbnail_url, placeholder } of images) {
      expect(placeholder).toMatch(/^data:image\/webp;base64,/)
      for (const address of [url, thumbnail_url]) {
        const response = await test.app.inject({ method: 'GET', url: address })
        expect(response.statusCode).toBe(200)
        expect(response.headers['content-type']).toBe('image/webp')
        expect(response.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
      }
    }

    // Loading again does nothing.
    await loadDemoData(test.context)
    expect(await checkBookings(db)).toEqual(check)

    const history = await test.db
      .selectFrom('audit')
      .select(['entity', sql<number>`count(*)`.as('rows')])
      .groupBy('entity')
      .orderBy('entity')
      .execute()
    expect(history.map(({ entity }) => entity)).toEqual([
      'closure',
      'company',
      'customer',
      'feature',
      'location',
      'pod',
      'staff',
    ])
    const secrets = await test.db.selectFrom('audit').select('after').where('entity', 'in', ['pod', 'staff']).execute()
    expect(JSON.stringify(secrets)).not.toMatch(/argon2|v[01]:/)
  })

  it('is not loaded into a database that has a location', async () => {
    const location = await buildLocation(test.db)
    await loadDemoData(test.context)
    expect(await test.db.selectFrom('locations').select('id').execute()).toEqual([{ id: location.id }])
    const { rows } = await sql<{ n: number }>`select count(*) as n from staff`.execute(test.db)
    expect(rows[0]?.n).toBe(0)
  })
})
