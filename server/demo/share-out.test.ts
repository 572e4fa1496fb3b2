import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOut } from './share-out.ts'

const total = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0)

describe('sharing out', () => {
  it('follows the weights', () => {
    expect(shareOut(100, [1, 2, 1], 100)).toEqual([25, 50, 25])
    expect(shareOut(0, [1, 2], 5)).toEqual([0, 0])
    expect(shareOut(10, [0, 1], 10)).toEqual([0, 10])
  })

  it('gives amounts above the cap to the others', () => {
    expect(shareOut(12, [100, 1, 1], 6)).toEqual([6, 3, 3])
  })

  it('gives nothing to a zero weight, even when rounding leaves a remainder before that weight', () => {
    const before = [0.010000000000000012, 0.010270270270270283]
    const after = [0.010000000000000018, 0.010270270270270282]
    expect(shareOut(75, [...before, 0, ...after], 19)[2]).toBe(0)
  })

  it('refuses more than there is room for', () => {
    expect(() => shareOut(13, [1, 0, 1], 6)).toThrow('room for 12')
  })

  it('always adds up, and never gives more than the cap or anything to a zero weight', () => {
    const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 50, noNaN: true })), { minLength: 1 })
    fc.assert(
      fc.property(
        weights,
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, cap, full) => {
          const room = list.filter((weight) => weight > 0).length * cap
          const wanted = Math.floor(room * full)
          const shares = shareOut(wanted, list, cap)
          expect(total(shares)).toBe(wanted)
          for (const [index, share] of shares.entries()) {
            expect(Number.isInteger(share) && share >= 0 && share <= (list[index] === 0 ? 0 : cap)).toBe(true)
          }
        },
      ),
    )
  })
})
