/** Returns the price of minutes, or their worth as a discount, in ZAR, rounded to cents (rules §10.5). */
export function toAmount(minutes: number, ratePerMinute: number): number {
  // Rates have up to four decimals: in ten-thousandths the product is an integer, which avoids floating-point errors.
  return Math.round((minutes * Math.round(ratePerMinute * 10_000)) / 100) / 100
}

/** Returns the price of a booking in ZAR; its discount minutes are free. */
export function toPrice(minutes: number, ratePerMinute: number, discountMinutes: number): number {
  return toAmount(Math.max(0, minutes - discountMinutes), ratePerMinute)
}

/** Rounds a ZAR amount to cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}
