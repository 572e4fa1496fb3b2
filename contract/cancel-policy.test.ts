import { describe, expect, it } from 'vitest'
import { quoteRefund, toFullRefund } from './cancel-policy.ts'
import { toPrice } from './money.ts'

const start = new Date('2026-11-23T09:00:00.000Z')
const at = (hoursBefore: number) => new Date(start.getTime() - hoursBefore * 3_600_000)
const toLedger = (paid: number, balanceDue = 0, refunded = 0) => ({ paid, refunded, balanceDue })
const policy = {
  brackets: [
    { hoursBefore: 2, percent: 50 },
    { hoursBefore: 24, percent: 100 },
  ],
  fee: 10,
}

describe('the refund of a cancellation', () => {
  it.each([
    [100, 140],
    [24, 140],
    [23.99, 65],
    [2, 65],
    [1.99, 0],
    [0, 0],
    [-1, 0],
  ])('%d hours before the start is R %d of R 150, in whatever order the brackets are', (hours, amount) => {
    for (const brackets of [policy.brackets, policy.brackets.toReversed()])
      expect(quoteRefund({ ...policy, brackets }, toLedger(150), start, at(hours)).amount).toBe(amount)
  })

  it('names the bracket that applies, if any', () => {
    expect(quoteRefund(policy, toLedger(150), start, at(30)).bracket).toEqual({ hoursBefore: 24, percent: 100 })
    expect(quoteRefund(policy, toLedger(150), start, at(1)).bracket).toBeUndefined()
  })

  it('is never negative, and in whole cents', () => {
    expect(quoteRefund(policy, toLedger(5), start, at(30)).amount).toBe(0)
    expect(
      quoteRefund({ brackets: [{ hoursBefore: 0, percent: 33 }], fee: 0 }, toLedger(10.01), start, at(1)).amount,
    ).toBe(3.3)
  })

  it('rounds half a cent up, whatever the amount', () => {
    for (let cents = 1; cents < 20_000; cents += 2) {
      const half = { brackets: [{ hoursBefore: 0, percent: 50 }], fee: 0 }
      expect(quoteRefund(half, toLedger(cents / 100), start, at(1)).amount).toBe((cents + 1) / 2 / 100)
    }
    const most = { brackets: [{ hoursBefore: 0, percent: 50 }], fee: 0.07 }
    expect(quoteRefund(most, toLedger(1.13), start, at(1)).amount).toBe(0.5)
  })

  it('includes what is to be given back already, to which the policy does not apply', () => {
    const refund = (hours: number, paid: number, balanceDue: number) =>
      quoteRefund(policy, toLedger(paid, balanceDue), start, at(hours)).amount
    expect([30, 5, 1].map((hours) => refund(hours, 150, -75))).toEqual([140, 102.5, 75])
    expect(refund(5, 150, 37.5)).toBe(65)
    expect([refund(5, 0, -75), refund(5, -10, -75), refund(5, -10, 0)]).toEqual([0, 0, 0])
  })

  it('is less by what was paid back already, but never negative', () => {
    const refund = (balanceDue: number, refunded: number) =>
      quoteRefund(policy, toLedger(150, balanceDue, refunded), start, at(5)).amount
    expect([refund(-75, 75), refund(-75, 60), refund(0, 50), refund(0, 100)]).toEqual([27.5, 42.5, 15, 0])
    expect([toLedger(150, 0, 40.1), toLedger(150, 0, 200)].map(toFullRefund)).toEqual([109.9, 0])
  })

  it('is zero once the booking has begun, even with a bracket of 0 hours', () => {
    expect(
      quoteRefund({ brackets: [{ hoursBefore: 0, percent: 100 }], fee: 0 }, toLedger(10), start, start).amount,
    ).toBe(0)
  })
})

describe('the price', () => {
  it.each([
    [60, 2.5, 0, 150],
    [60, 2.5, 15, 112.5],
    [15, 2.5, 30, 0],
    [45, 0.3333, 0, 15],
    [180, 1.2345, 0, 222.21],
  ])('of %d minutes at %d with %d minutes free is %d', (minutes, rate, discount, price) => {
    expect(toPrice(minutes, rate, discount)).toBe(price)
  })
})
