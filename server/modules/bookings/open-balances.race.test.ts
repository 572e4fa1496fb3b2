import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createRandom } from '#server/demo/seeded-random.ts'
import { toInterval, useBookingDay } from '#server/testing/booking-day.ts'
import { buildTransaction } from '#server/testing/factories.ts'

/** What is owed for each booking is kept by triggers while staff change bookings and payments arrive. */
const { test, buildSold, ask, undo, expectSound } = useBookingDay()
const actions = routes.bookingActions

describe('the balance of a booking', () => {
  it('is right after any changes of the booking and its payments', async () => {
    const { token } = await test.signIn([6])
    const random = createRandom('balances')
    const bookings = [await buildSold(), await buildSold('14:00', '15:00', { balance_due: 150 }), await buildSold()]
    const undos: unknown[] = []
    for (let step = 0; step < 120; step++) {
      const { id, pod_id } = random.pick(bookings)
      const { version } = (await ask(actions.get, token, id)).body
      const payments = () => test.db.selectFrom('transactions').select('id').where('booking_id', '=', id)
      const change = random.pick([
        () =>
          ask(actions.move, token, id, toInterval(pod_id, '14:00', random.pick(['14:30', '15:00', '15:45']), version)),
        () => ask(actions.cancel, token, id, { version, reason: 'x', causedByUs: random.chance(0.5) }),
        () => ask(actions.reinstate, token, id, { version }),
        () => undo(token, undos.at(-1)),
        () =>
          buildTransaction(test.db, {
            booking_id: id,
            amount: random.pick([30, 75, 150]),
            currency: random.pick(['ZAR', 'USD']),
          }),
        () => buildTransaction(test.db, { booking_id: id, amount: random.pick([20, 75]), status: 'refunded' }),
        () =>
          test.db
            .updateTable('transactions')
            .set({ status: random.pick(['completed', 'refunded', 'failed', 'pending']) })
            .where('id', 'in', payments().limit(1))
            .execute(),
        () => test.db.deleteFrom('transactions').where('id', 'in', payments().offset(1).limit(1)).execute(),
        () =>
          test.db
            .updateTable('transactions')
            .set({ booking_id: random.pick(bookings).id })
            .where('id', 'in', payments().limit(1))
            .execute(),
      ])
      const done = await change()
      if (done && 'headers' in done && done.headers['x-undo-id']) undos.push(done.headers['x-undo-id'])
      await expectSound()
    }
    expect(undos.length).toBeGreaterThan(10)
    await sql`truncate transactions`.execute(test.db)
    await expectSound()
  })

  it('counts a payment that arrives while the booking is cancelled, and all that arrive at once', async () => {
    const { token } = await test.signIn([6])
    for (let round = 0; round < 10; round++) {
      const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
      const pay = () => buildTransaction(test.db, { booking_id: booking.id, amount: 150 })
      await test.db.deleteFrom('transactions').where('booking_id', '=', booking.id).execute()
      await Promise.all([ask(actions.cancel, token, booking.id, { version: 1, reason: 'x' }), pay()])
      await Promise.all([pay(), pay(), pay(), pay()])
      expect((await ask(actions.get, token, booking.id)).body).toMatchObject({ status: 'Cancelled', balanceDue: -750 })
    }
    await expectSound()
  })
})
