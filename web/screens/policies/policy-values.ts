import type { CancelPolicy } from '#contract/cancel-policy.ts'

/** A policy as its form holds it: a number field may hold anything that was typed. */
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

/** As it is sent; an empty fee is none. */
export function toPolicyBody({ brackets, fee }: PolicyValues) {
  return {
    brackets: brackets.map(({ hoursBefore, percent }) => ({ hoursBefore, percent })),
    fee: fee === '' ? 0 : fee,
  }
}

/** Undefined while something that was typed is no number. */
export function toPolicy(values: PolicyValues): CancelPolicy | undefined {
  const { brackets, fee } = toPolicyBody(values)
  const isNumber = (value: number | string): value is number => typeof value === 'number'
  const numbers = brackets.flatMap(({ hoursBefore, percent }) =>
    isNumber(hoursBefore) && isNumber(percent) ? [{ hoursBefore, percent }] : [],
  )
  return isNumber(fee) && numbers.length === brackets.length ? { brackets: numbers, fee } : undefined
}

export const MOST_BRACKETS = 10

/** Where the server's errors of a policy stand, by the path that it names them by. */
export const policyPaths: readonly string[] = [
  'cancelPolicy.fee',
  ...Array.from({ length: MOST_BRACKETS }, (_, index) => [
    `cancelPolicy.brackets.${index}.hoursBefore`,
    `cancelPolicy.brackets.${index}.percent`,
  ]).flat(),
]
