import { toCents } from './money.ts'

/**
 * What a cancellation gives back (rules §27.3): of what was paid the per cent of the first bracket that still has as many
 * hours before the start, less a flat fee. Brackets stand in descending order of hours; after the last nothing is given back.
 */
export type CancelPolicy = { brackets: CancelBracket[]; fee: number }
type CancelBracket = { hoursBefore: number; percent: number }

type RefundQuote = {
  /** ZAR. */
  amount: number
  /** The bracket that decides; undefined when it is too late for each. */
  bracket: CancelBracket | undefined
}

const HOUR_MS = 60 * 60_000

/** `start` and `now` are the pod's wall clock labelled Z (rules §1.1); `paid` is ZAR. */
export function quoteRefund(policy: CancelPolicy, paid: number, start: Date, now: Date): RefundQuote {
  const hoursLeft = (start.getTime() - now.getTime()) / HOUR_MS
  // Once it has begun nothing is given back, whatever the brackets say.
  const bracket =
    hoursLeft > 0
      ? policy.brackets
          .toSorted((a, b) => b.hoursBefore - a.hoursBefore)
          .find(({ hoursBefore }) => hoursLeft >= hoursBefore)
      : undefined
  const amount = bracket ? Math.max(0, toCents((paid * bracket.percent) / 100 - policy.fee)) : 0
  return { amount, bracket }
}
