import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { buildBooking, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

const invalid: [string, RawBuilder<unknown>][] = [
  ['a check-in without its method', sql`checked_in_at = now()`],
  ['a method of no check-in', sql`checked_in_method = 'staff'`],
  ['an unknown method', sql`checked_in_at = now(), checked_in_method = 'guess'`],
  ['a no-show who was there', sql`no_show_at = now(), checked_in_at = now(), checked_in_method = 'staff'`],
  ['time given back by nobody', sql`released_from = start_time, status = 'Completed'`],
  ['time given back after its end', sql`released_from = end_time, no_show_at = now(), status = 'Completed'`],
  ['time given back while it runs', sql`released_from = start_time, no_show_at = now(), status = 'Processing'`],
  ['a price that nothing leads to', sql`price = 10`],
  ['a price below zero', sql`price = -1, rate = 1, discount_minutes = 0`],
  ['a policy that is none', sql`cancel_policy = '{"fee": 1}'`],
  ['a reason for what is not cancelled', sql`cancel_reason = 'Customer asked'`],
]

describe('the database', () => {
  it.each(invalid)('refuses %s', async (_, changes) => {
    const booking = await buildBooking(test.db, { user_id: (await buildUser(test.db)).id })
    const change = sql`update bookings set ${changes} where id = ${booking.id}`.execute(test.db)
    await expect(change).rejects.toMatchObject({ code: '23514' })
  })

  it('accepts a customer who came and left early, and a no-show', async () => {
    const { id } = await buildBooking(test.db, { user_id: (await buildUser(test.db)).id })
    await sql`update bookings set checked_in_at = now(), checked_in_method = 'code', ended_at = now(),
      released_from = start_time + interval '15 minutes', status = 'Completed',
      price = 10, rate = 1, discount_minutes = 0, cancel_policy = (select cancel_policy from pricing)
      where id = ${id}`.execute(test.db)
    await sql`update bookings set checked_in_at = null, checked_in_method = null, ended_at = null, no_show_at = now(),
      released_from = start_time, status = 'Completed' where id = ${id}`.execute(test.db)
    const row = await test.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ price: '10.00', cancel_policy: { fee: 0 }, version: 3 })
    expect(row.released_from).toEqual(row.start_time)
  })
})
