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

const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/**
 * Formats an amount as '1 234.50', with non-breaking spaces as in South Africa, and with a decimal point as in the
 * fields for rates. The locale `en-ZA` is not used, because its output differs between browser releases.
 */
export function toAmountText(amount: number): string {
  return decimals.format(amount).replaceAll(',', '\u00A0')
}

/** Formats an amount with its currency: 'R 1 234.50' for ZAR, other currencies with their code. */
export function toMoneyText(amount: number, currency = 'ZAR'): string {
  const symbol = currency === 'ZAR' ? 'R' : currency
  return `${amount < 0 ? '-' : ''}${symbol}\u00A0${toAmountText(Math.abs(amount))}`
}
