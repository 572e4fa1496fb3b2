/** What a discount is worth in ZAR, rounded to cents (rules §10.5). */
export function toDiscountedAmount(discountMinutes: number, ratePerMinute: number): number {
  // Rates have up to four decimals: in ten-thousandths the product is an integer, without floating-point errors.
  return Math.round((discountMinutes * Math.round(ratePerMinute * 10_000)) / 100) / 100
}
