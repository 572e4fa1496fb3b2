import type { CancelPolicy } from '#contract/cancel-policy.ts'

/** The form's values of a policy. Number fields may contain any typed text. */
export type PolicyValues = {
  brackets: { key: string; hoursBefore: number | string; percent: number | string }[]
  fee: number | string
}

export function toPolicyValues({ brackets, fee }: CancelPolicy): PolicyValues {
  return {
    brackets: brackets.map((bracket) => ({ key: String(bracket.hoursBefore), ...bracket })),
    fee,
  }
}

/** Converts the form's values to a body. An empty fee is sent as 0. */
export function toPolicyBody({ brackets, fee }: PolicyValues) {
  return {
    brackets: brackets.map(({ hoursBefore, percent }) => ({ hoursBefore, percent })),
    fee: fee === '' ? 0 : fee,
  }
}

/** Converts the form's values to what is stored, whose brackets are in descending order of hours. */
export function toStoredPolicy(values: PolicyValues) {
  const { brackets, fee } = toPolicyBody(values)
  return { brackets: brackets.toSorted((a, b) => Number(b.hoursBefore) - Number(a.hoursBefore)), fee }
}

/** Converts the form's values to a policy; undefined while a field is not a number. */
export function toPolicy(values: PolicyValues): CancelPolicy | undefined {
  const { brackets, fee } = toPolicyBody(values)
  const isNumber = (value: number | string): value is number => typeof value === 'number'
  const numbers = brackets.flatMap(({ hoursBefore, percent }) =>
    isNumber(hoursBefore) && isNumber(percent) ? [{ hoursBefore, percent }] : [],
  )
  return isNumber(fee) && numbers.length === brackets.length ? { brackets: numbers, fee } : undefined
}

export const MOST_BRACKETS = 10

/** The server's paths of a policy's fields, at which the form shows their errors. */
export const policyPaths: readonly string[] = [
  'cancelPolicy.fee',
  ...Array.from({ length: MOST_BRACKETS }, (_, index) => [
    `cancelPolicy.brackets.${index}.hoursBefore`,
    `cancelPolicy.brackets.${index}.percent`,
  ]).flat(),
]
