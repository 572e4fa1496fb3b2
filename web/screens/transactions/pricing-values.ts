/** The server's own rules, said beside the field before anything is sent (rules §10.4, §10.5). */

/** A number ≥ 0, in digits; undefined when the text is none. */
export function parseRate(text: string): number | undefined {
  return /^\s*(\d+([.,]\d{1,4})?)\s*$/.test(text) ? Number(text.trim().replace(',', '.')) : undefined
}

export function findRateProblem(text: string): string | null {
  if (text.trim() === '') return 'Rate is required'
  return parseRate(text) === undefined ? 'Rate must be a number of 0 or more, such as 2.50' : null
}

/** Whole minutes ≥ 0. */
export function parseDiscount(text: string): number | undefined {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : undefined
}

export function findDiscountProblem(text: string): string | null {
  if (text.trim() === '') return 'Discount is required'
  return parseDiscount(text) === undefined ? 'Discount must be whole minutes, 0 or more' : null
}
