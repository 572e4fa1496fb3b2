/** What minutes cost, or are worth as a discount, in ZAR, rounded to cents (rules §10.5). */
export function toAmount(minutes: number, ratePerMinute: number): number {
  // Rates have up to four decimals: in ten-thousandths the product is an integer, without floating-point errors.
  return Math.round((minutes * Math.round(ratePerMinute * 10_000)) / 100) / 100
}

/** What a booking costs, in ZAR: its discount minutes are free. */
export function toPrice(minutes: number, ratePerMinute: number, discountMinutes: number): number {
  return toAmount(Math.max(0, minutes - discountMinutes), ratePerMinute)
}

/** ZAR, rounded to cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}
