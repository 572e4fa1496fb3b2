/** 'minutes × rate = ZAR': what a discount of so many minutes is worth at a rate per minute, rounded to cents (rules §10.5). */
export function toDiscountedAmount(discountMinutes: number, ratePerMinute: number): number {
  // Rates have up to four decimals: counted in ten-thousandths the product is a whole number and no float drifts.
  return Math.round((discountMinutes * Math.round(ratePerMinute * 10_000)) / 100) / 100
}
