import { HOUR } from './durations.ts'
import { toCents } from './money.ts'

/**
 * Determines the refund of a cancellation (rules §27.3): the paid amount times the per cent of the first bracket for
 * which at least `hoursBefore` hours are left before the start, less a flat fee. Brackets are in descending order of
 * hours; if none applies, nothing is refunded. What is to be given back already stays so, whatever the policy says, and
 * what was paid back is taken off.
 */
export type CancelPolicy = { brackets: CancelBracket[]; fee: number }
type CancelBracket = { hoursBefore: number; percent: number }

/** A booking's money in ZAR. Refunds that its balance counts already are in none of the three (rules §27.2). */
export type Ledger = {
  paid: number
  refunded: number
  /** Negative for all that was or is to be given back. */
  balanceDue: number
}

type RefundQuote = {
  /** ZAR still to be given back. */
  amount: number
  /** ZAR that are or were to be given back whether or not the booking is cancelled (rules §27.5). */
  overpaid: number
  /** The bracket that applies; undefined when it is too late for all of them. */
  bracket: CancelBracket | undefined
}

export const REFUND_REASON_REQUIRED = 'Say why another amount is given back than the policy says'

/** Calculates the refund of a cancellation. `start` and `now` are the pod's wall clock labelled Z (rules §1.1). */
export function quoteRefund(
  policy: CancelPolicy,
  { paid, refunded, balanceDue }: Ledger,
  start: Date,
  now: Date,
): RefundQuote {
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
  return { amount: toCents(Math.max(0, overpaid + share - refunded)), overpaid, bracket }
}

/** Returns the ZAR to give back when a cancellation is caused by us. */
export function toFullRefund({ paid, refunded }: Pick<Ledger, 'paid' | 'refunded'>): number {
  return toCents(Math.max(0, paid - refunded))
}
