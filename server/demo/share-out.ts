/**
 * Distributes an integer by weight, at most `cap` to each; the shares add up to the total exactly. Throws when the
 * total exceeds the sum of the caps.
 */
export function shareOut(total: number, weights: readonly number[], cap: number): number[] {
  const takers = weights.filter((weight) => weight > 0).length
  if (total > takers * cap) throw new RangeError(`${total} cannot be shared out: there is room for ${takers * cap}`)
  const factor = getFactor(total, weights, cap)
  let owed = 0
  let given = 0
  const shares = weights.map((weight) => {
    // Rounding may leave 1 over for the next share, which must not be one without a weight.
    if (weight <= 0) return 0
    owed += Math.min(cap, weight * factor)
    const share = Math.min(cap, Math.round(owed) - given)
    given += share
    return share
  })
  // Adds the remainder from rounding where there is room.
  for (let index = 0; given < total; index = (index + 1) % shares.length) {
    const share = shares[index] ?? cap
    if (share >= cap || (weights[index] ?? 0) <= 0) continue
    shares[index] = share + 1
    given += 1
  }
  return shares
}

/** Finds the factor at which the capped shares add up to the total, by bisection. */
function getFactor(total: number, weights: readonly number[], cap: number): number {
  const sum = (factor: number) => weights.reduce((all, weight) => all + Math.min(cap, weight * factor), 0)
  const smallest = Math.min(...weights.map((weight) => (weight > 0 ? weight : Number.POSITIVE_INFINITY)))
  if (!Number.isFinite(smallest)) return 0
  let low = 0
  let high = cap / smallest
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (sum(middle) > total) high = middle
    else low = middle
  }
  return low
}
