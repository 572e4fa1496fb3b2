import { toRequiredMessage } from '#contract/errors.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import type { EditedRecord } from '#web/components/record-conflict.ts'

/** Parses the numbers typed into the pricing dialogs. The contract checks their limits. */

/** Parses a number ≥ 0 with decimals after a point or a comma; undefined for other text. */
export function parseRate(text: string): number | undefined {
  return /^\s*\d+([.,]\d+)?\s*$/.test(text) ? Number(text.trim().replace(',', '.')) : undefined
}

export function findRateProblem(text: string): string | undefined {
  if (text.trim() === '') return toRequiredMessage('Rate')
  return parseRate(text) === undefined ? 'Rate must be a number of 0 or more, such as 2.50' : undefined
}

/** Parses whole minutes ≥ 0; undefined for other text. */
export function parseDiscount(text: string): number | undefined {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : undefined
}

export function findDiscountProblem(text: string): string | undefined {
  if (text.trim() === '') return toRequiredMessage('Discount')
  return parseDiscount(text) === undefined ? 'Discount must be whole minutes, 0 or more' : undefined
}

/** Combines the fetched rate or discount with its version; undefined before it is loaded. */
export function toEdited<Data, Values>(
  response: ApiResponse<Data> | undefined,
  toValues: (data: Data) => Values,
  labels: Record<keyof Values & string, string>,
): EditedRecord<Values, Data & { version: number }> | undefined {
  if (response?.version === undefined) return undefined
  return { record: { ...response.data, version: response.version }, toValues, labels }
}
