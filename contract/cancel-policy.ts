import { toCents } from './money.ts'

/**
 * Determines the refund of a cancellation (rules §27.3): the paid amount times the per cent of the first bracket for
 * which at least `hoursBefore` hours are left before the start, less a flat fee. Brackets are in descending order of
 * hours; if none applies, nothing is refunded.
 */
export type CancelPolicy = { brackets: CancelBracket[]; fee: number }
type CancelBracket = { hoursBefore: number; percent: number }

type RefundQuote = {
  /** ZAR. */
  amount: number
  /** The bracket that applies; undefined when it is too late for all of them. */
  bracket: CancelBracket | undefined
}

const HOUR_MS = 60 * 60_000

/**
 * Calculates the refund of a cancellation. `start` and `now` are the pod's wall clock labelled Z (rules §1.1); `paid`
 * is ZAR.
 */
export function quoteRefund(policy: CancelPolicy, paid: number, start: Date, now: Date): RefundQuote {
  const hoursLeft = (start.getTime() - now.getTime()) / HOUR_MS
  // Once the booking has begun there is no refund, whatever the brackets say.
  const bracket =
    hoursLeft > 0
      ? policy.brackets
          .toSorted((a, b) => b.hoursBefore - a.hoursBefore)
          .find(({ hoursBefore }) => hoursLeft >= hoursBefore)
      : undefined
  // In whole cents, as half a cent of a product of fractions may round down.
  const amount = bracket
    ? Math.max(0, toCents(Math.round((Math.round(paid * 100) * bracket.percent) / 100) / 100 - policy.fee))
    : 0
  return { amount, bracket }
}
