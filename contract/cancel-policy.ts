import { HOUR } from './durations.ts'
import { toCents } from './money.ts'

/**
 * Determines the refund of a cancellation (rules §27.3): the paid amount times the per cent of the first bracket for
 * which at least `hoursBefore` hours are left before the start, less a flat fee. Brackets are in descending order of
 * hours; if none applies, nothing is refunded. What is to be given back already stays so, whatever the policy says.
 */
export type CancelPolicy = { brackets: CancelBracket[]; fee: number }
type CancelBracket = { hoursBefore: number; percent: number }

type RefundQuote = {
  /** ZAR. */
  amount: number
  /** What of it is given back whether or not the booking is cancelled (rules §27.5). */
  overpaid: number
  /** The bracket that applies; undefined when it is too late for all of them. */
  bracket: CancelBracket | undefined
}

export const REFUND_REASON_REQUIRED = 'Say why another amount is given back than the policy says'

/**
 * Calculates the refund of a cancellation. `start` and `now` are the pod's wall clock labelled Z (rules §1.1); `paid`
 * and `balanceDue` are ZAR.
 */
export function quoteRefund(policy: CancelPolicy, paid: number, start: Date, now: Date, balanceDue = 0): RefundQuote {
  const overpaid = Math.max(0, Math.min(paid, -balanceDue))
  const hoursLeft = (start.getTime() - now.getTime()) / HOUR
  // Once the booking has begun there is no refund, whatever the brackets say.
  const bracket =
    hoursLeft > 0
      ? policy.brackets
          .toSorted((a, b) => b.hoursBefore - a.hoursBefore)
          .find(({ hoursBefore }) => hoursLeft >= hoursBefore)
      : undefined
  // In whole cents, as half a cent of a product of fractions may round down.
  const share = bracket
    ? Math.max(0, Math.round((Math.round((paid - overpaid) * 100) * bracket.percent) / 100) / 100 - policy.fee)
    : 0
  return { amount: toCents(overpaid + share), overpaid, bracket }
}
