import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { toInterval, useBookingDay } from '#server/testing/booking-day.ts'
import { buildTransaction } from '#server/testing/factories.ts'

/** What is due and to be given back for a booking, as payments and refunds come in. */
const { test, setClock, buildSold, ask, undo } = useBookingDay()
const actions = routes.bookingActions

describe('the money of a booking', () => {
  it('names the currency of each payment, and counts only ZAR as paid', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold()
    await buildTransaction(test.db, { booking_id: booking.id, amount: '20.00', currency: 'USD' })
    const { body } = await ask(actions.get, token, booking.id)
    expect(body).toMatchObject({
      payments: [
        { amount: 150, currency: 'ZAR' },
        { amount: 20, currency: 'USD' },
      ],
      paid: 150,
      refund: { amount: 150 },
    })
  })

  it('counts payments against a price that was not paid when the booking was sold', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const read = async () => (await ask(actions.get, token, booking.id)).body
    expect(await read()).toMatchObject({ price: 150, paid: 150, balanceDue: 0 })
    const preview = await ask(actions.previewMove, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(preview.body).toMatchObject({ difference: -75, balanceDue: -75 })
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(await read()).toMatchObject({ price: 75, paid: 150, balanceDue: -75 })
    await test.db.updateTable('transactions').set({ status: 'pending' }).execute()
    expect(await read()).toMatchObject({ paid: 0, balanceDue: 75 })
  })

  it('counts a payment for an extension of a booking that was sold elsewhere, and one that was made twice', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    const read = async () => (await ask(actions.get, token, booking.id)).body
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '15:30'))
    expect(await read()).toMatchObject({ price: 225, paid: 150, balanceDue: 75 })
    await buildTransaction(test.db, { booking_id: booking.id, amount: 75 })
    expect(await read()).toMatchObject({ paid: 225, balanceDue: 0 })
    await buildTransaction(test.db, { booking_id: booking.id, amount: 75 })
    expect(await read()).toMatchObject({ paid: 300, balanceDue: -75, refund: { amount: 300 } })
  })

  it('owes nothing for a booking that was sold elsewhere, without a payment that is known here', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00')
    await test.db.deleteFrom('transactions').execute()
    const read = async () => (await ask(actions.get, token, booking.id)).body
    expect(await read()).toMatchObject({ price: 150, paid: 0, balanceDue: 0 })
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(await read()).toMatchObject({ price: 75, paid: 0, balanceDue: -75 })
  })

  it('has nothing to give back once it was paid back', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold()
    await ask(actions.cancel, token, booking.id, { version: 1, reason: 'Customer asked' })
    expect((await ask(actions.get, token, booking.id)).body).toMatchObject({ balanceDue: -150 })
    await test.db.updateTable('transactions').set({ status: 'refunded' }).execute()
    expect((await ask(actions.get, token, booking.id)).body).toMatchObject({ paid: 150, balanceDue: 0 })
  })

  it('is paid by the latest report, never by a stale one of what was paid back, stored as documented', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    await test.db.deleteFrom('transactions').execute()
    const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
    const [, statement = ''] = /```sql\n(insert into transactions .*?)\n```/s.exec(operations) ?? []
    const stored = statement
      .replace('$1', `'${createId()}'`)
      .replace('$2', `'${booking.id}'`)
      .replace('250.00', '150.00')
    const report = (status: string) => sql.raw(stored.replace("'completed'", `'${status}'`)).execute(test.db)
    const read = async () => (await ask(actions.get, token, booking.id)).body
    for (const status of ['pending', 'failed', 'pending']) await report(status)
    expect(await read()).toMatchObject({ paid: 0, balanceDue: 150, payments: [{ status: 'failed' }] })
    for (const status of ['completed', 'failed', 'pending', 'completed']) await report(status)
    expect(await read()).toMatchObject({ paid: 150, balanceDue: 0, payments: [{ status: 'completed' }] })
    await ask(actions.cancel, token, booking.id, { version: 1, reason: 'Customer asked', causedByUs: true })
    expect(await read()).toMatchObject({ balanceDue: -150 })
    for (const status of ['refunded', 'completed', 'pending', 'refunded']) {
      await report(status)
      expect(await read(), status).toMatchObject({ paid: 150, balanceDue: 0, payments: [{ status: 'refunded' }] })
    }
  })

  it('has no more to give back of a shortened booking once that was paid back', async () => {
    const { token } = await test.signIn([6])
    const cancel_policy = JSON.stringify({ brackets: [{ hoursBefore: 1, percent: 50 }], fee: 0 })
    const booking = await buildSold('14:00', '15:00', { cancel_policy })
    await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    const read = async () => (await ask(actions.get, token, booking.id)).body
    await buildTransaction(test.db, { booking_id: booking.id, amount: '30.10', status: 'refunded' })
    expect(await read()).toMatchObject({ paid: 150, balanceDue: -44.9 })
    await buildTransaction(test.db, { booking_id: booking.id, amount: '44.90', status: 'refunded' })
    expect(await read()).toMatchObject({
      balanceDue: 0,
      refund: { amount: 37.5, paid: 150, refunded: 75, overpaid: 75 },
    })
    const shorter = toInterval(booking.pod_id, '14:00', '14:15')
    const preview = await ask(actions.previewMove, token, booking.id, shorter)
    expect(preview.body).toMatchObject({ difference: -37.5, balanceDue: -37.5 })
    const most = await ask(actions.cancel, token, booking.id, {
      version: 2,
      reason: 'x',
      refund: 75.01,
      refundReason: 'x',
    })
    expect(most).toMatchObject({ status: 400, body: { errors: [{ path: 'refund' }] } })
    await ask(actions.cancel, token, booking.id, { version: 2, reason: 'Customer asked', refund: 37.5 })
    expect(await read()).toMatchObject({ status: 'Cancelled', balanceDue: -37.5 })
    expect((await ask(actions.reinstate, token, booking.id, { version: 3 })).body).toMatchObject({ balanceDue: 0 })
    await ask(actions.cancel, token, booking.id, { version: 4, reason: 'Lock broken', causedByUs: true })
    expect(await read()).toMatchObject({ balanceDue: -75 })
    await buildTransaction(test.db, { booking_id: booking.id, amount: '75.00', status: 'refunded' })
    expect(await read()).toMatchObject({ balanceDue: 0, actions: [] })
  })

  it('counts a payment that becomes refunded as paid and paid back, and not twice', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const read = async () => (await ask(actions.get, token, booking.id)).body
    const again = [1, 2].map(() => buildTransaction(test.db, { booking_id: booking.id, amount: 150 }))
    const [second, third] = await Promise.all(again)
    const giveBack = (payment: { id: string } | undefined) =>
      test.db
        .updateTable('transactions')
        .set({ status: 'refunded' })
        .where('id', '=', payment?.id ?? '')
        .execute()
    expect(await read()).toMatchObject({ paid: 450, balanceDue: -300 })
    await giveBack(second)
    expect(await read()).toMatchObject({ balanceDue: -150, refund: { refunded: 150 } })
    await giveBack(third)
    expect(await read()).toMatchObject({ balanceDue: 0, refund: { refunded: 300, amount: 150 } })
    const extended = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '15:30'))
    expect(extended.body).toMatchObject({ price: 225, balanceDue: 75 })
    const cancelled = await ask(actions.cancel, token, booking.id, { version: 2, reason: 'Leak', causedByUs: true })
    expect(cancelled.body).toMatchObject({ balanceDue: -150 })
  })

  it('charges a payment that became refunded for a shorter time again when the shortening is undone', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const read = async () => (await ask(actions.get, token, booking.id)).body
    await test.db.updateTable('transactions').set({ amount: 75 }).execute()
    const created_at = new Date(test.clock.now().getTime() - 60_000)
    const other = await buildTransaction(test.db, { booking_id: booking.id, amount: 75, created_at })
    const shorten = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(await read()).toMatchObject({ price: 75, balanceDue: -75 })
    await test.db.updateTable('transactions').set({ status: 'refunded' }).where('id', '=', other.id).execute()
    expect(await read()).toMatchObject({ price: 75, balanceDue: 0 })
    await undo(token, shorten.headers['x-undo-id'])
    expect(await read()).toMatchObject({ price: 150, balanceDue: 75 })
  })

  it('charges again what was paid back for a shorter time when the shortening is undone', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const shorten = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    const read = async () => (await ask(actions.get, token, booking.id)).body
    await buildTransaction(test.db, { booking_id: booking.id, amount: 75, status: 'refunded' })
    expect(await read()).toMatchObject({ price: 75, balanceDue: 0 })
    const undone = await undo(token, shorten.headers['x-undo-id'])
    expect(await read()).toMatchObject({ price: 150, balanceDue: 75, refund: { amount: 75 } })
    expect((await undo(token, undone.headers['x-undo-id'])).status).toBe(200)
    expect(await read()).toMatchObject({ price: 75, balanceDue: 0, refund: { amount: 75 } })
  })

  it('does not charge a favour from before a shortening when that is undone', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const refund = { booking_id: booking.id, status: 'refunded' }
    await buildTransaction(test.db, {
      ...refund,
      amount: 40,
      created_at: new Date(test.clock.now().getTime() - 60_000),
    })
    const move = (version: number) =>
      ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30', version))
    const read = async () => (await ask(actions.get, token, booking.id)).body
    const first = await move(1)
    expect(first.body).toMatchObject({ price: 75, balanceDue: -35 })
    await undo(token, first.headers['x-undo-id'])
    expect(await read()).toMatchObject({ price: 150, balanceDue: 0 })
    const second = await move(3)
    await buildTransaction(test.db, { ...refund, amount: 35 })
    expect(await read()).toMatchObject({ balanceDue: 0 })
    await undo(token, second.headers['x-undo-id'])
    expect(await read()).toMatchObject({ price: 150, balanceDue: 35 })
  })

  it('charges again what was paid back since the undo of an extension when that is undone in turn', async () => {
    const { token } = await test.signIn([6])
    const booking = await buildSold('14:00', '15:00', { balance_due: 150 })
    const move = async (end: string, version: number) =>
      (await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', end, version))).headers
    const read = async () => (await ask(actions.get, token, booking.id)).body
    const pay = async (amount: number, status: string) => {
      test.clock.set(new Date(test.clock.now().getTime() + 60_000))
      await buildTransaction(test.db, { booking_id: booking.id, amount, status, created_at: test.clock.now() })
      test.clock.set(new Date(test.clock.now().getTime() + 60_000))
    }
    await move('14:30', 1)
    await pay(75, 'refunded')
    const extended = await move('15:00', 2)
    await pay(150, 'completed')
    await pay(75, 'refunded')
    expect(await read()).toMatchObject({ price: 150, balanceDue: 0 })
    const undone = await undo(token, extended['x-undo-id'])
    expect(await read()).toMatchObject({ price: 75, balanceDue: -75 })
    await pay(75, 'refunded')
    expect(await read()).toMatchObject({ price: 75, balanceDue: 0 })
    await undo(token, undone.headers['x-undo-id'])
    expect(await read()).toMatchObject({ price: 150, balanceDue: 75, refund: { amount: 75 } })
  })

  it('charges again what was paid back for a shorter time when it is extended', async () => {
    const { token } = await test.signIn([6])
    const cancel_policy = JSON.stringify({ brackets: [{ hoursBefore: 1, percent: 50 }], fee: 0 })
    const booking = await buildSold('14:00', '15:00', { cancel_policy })
    const read = async () => (await ask(actions.get, token, booking.id)).body
    const move = (end: string, version: number) =>
      ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', end, version))
    await move('14:30', 1)
    // R 75 are owed to the customer, and R 20 are a favour.
    await buildTransaction(test.db, { booking_id: booking.id, amount: '95.00', status: 'refunded' })
    const preview = await ask(actions.previewMove, token, booking.id, toInterval(booking.pod_id, '14:00', '15:00'))
    expect(preview.body).toMatchObject({ difference: 75, balanceDue: 75 })
    const extended = await move('15:00', 2)
    expect(extended.body).toMatchObject({ balanceDue: 75, refund: { amount: 17.5, paid: 75, refunded: 20 } })
    const undone = await undo(token, extended.headers['x-undo-id'])
    expect(undone.status).toBe(200)
    expect(await read()).toMatchObject({ balanceDue: 0, refund: { amount: 17.5, paid: 150, refunded: 95 } })
    await move('15:00', 4)
    await buildTransaction(test.db, { booking_id: booking.id, amount: '75.00' })
    expect(await read()).toMatchObject({ paid: 225, balanceDue: 0, refund: { amount: 55, paid: 150, refunded: 20 } })
    await move('14:30', 5)
    expect(await read()).toMatchObject({ balanceDue: -55 })
  })
})

describe('cancelling', () => {
  it('still gives back what is to be given back for a shorter time, and the policy’s share of the rest', async () => {
    const { token } = await test.signIn([6])
    const cancel_policy = JSON.stringify({ brackets: [{ hoursBefore: 2, percent: 50 }], fee: 5 })
    const booking = await buildSold('14:00', '15:00', { cancel_policy })
    const shorter = await ask(actions.move, token, booking.id, toInterval(booking.pod_id, '14:00', '14:30'))
    expect(shorter.body).toMatchObject({ balanceDue: -75, refund: { amount: 107.5 } })
    setClock('13:00')
    // The clock has moved two hours, so the first session is over.
    const later = (await test.signIn([6])).token
    const late = await ask(actions.cancel, later, booking.id, { version: 2, reason: 'Customer asked' })
    expect(late.body).toMatchObject({ status: 'Cancelled', balanceDue: -75 })
  })

  it('gives back what is paid after it, too', async () => {
    const { token } = await test.signIn([6])
    const policy = JSON.stringify({ brackets: [{ hoursBefore: 1, percent: 50 }], fee: 5 })
    const readBalance = async (id: string) => (await ask(actions.get, token, id)).body.balanceDue
    const [paid, unpaid] = [
      await buildSold('14:00', '15:00', { cancel_policy: policy }),
      await buildSold('14:00', '15:00', { balance_due: 150 }),
    ]
    await test.db.deleteFrom('transactions').where('booking_id', '=', unpaid.id).execute()
    for (const { id } of [paid, unpaid]) await ask(actions.cancel, token, id, { version: 1, reason: 'Customer asked' })
    expect([await readBalance(paid.id), await readBalance(unpaid.id)]).toEqual([-70, 0])
    for (const { id } of [paid, unpaid]) await buildTransaction(test.db, { booking_id: id, amount: '30.00' })
    expect([await readBalance(paid.id), await readBalance(unpaid.id)]).toEqual([-100, -30])
    await test.db.updateTable('transactions').set({ status: 'refunded' }).where('amount', '=', '30.00').execute()
    expect(await readBalance(unpaid.id)).toBe(0)
  })
})
