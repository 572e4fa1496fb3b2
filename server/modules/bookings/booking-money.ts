import { sql } from 'kysely'
import type { CancelPolicy, Ledger } from '#contract/cancel-policy.ts'
import { toCents } from '#contract/money.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** What was paid for a booking, what is due, and what is to be given back (rules §27.2, §27.3). All amounts are ZAR. */

/** The policy that a booking was sold under; when it has none of its own, the current one. */
export function policyOf() {
  return sql<CancelPolicy>`coalesce(bookings.cancel_policy, locations.cancel_policy, (select cancel_policy from pricing))`
}

/** The sum of a booking's completed payments. Prices and refunds are in ZAR, so other currencies do not count. */
export function paidFor(status: 'completed' | 'refunded' = 'completed') {
  return sql<string>`(select coalesce(sum(amount), 0) from transactions
                       where booking_id = bookings.id and transactions.status = ${status} and currency = 'ZAR')`
}

/** What was paid and not paid back: what is given back when a cancellation is caused by us. */
export function notPaidBack() {
  return sql<string>`greatest(${paidFor()} - ${paidFor('refunded')}, 0)`
}

export const ledgerColumns = [
  paidFor().as('paid'),
  paidFor('refunded').as('refunded'),
  sql<string>`(select before_refunds from booking_balances where id = bookings.id)`.as('balance_before_refunds'),
  'bookings.refunds_counted',
] as const

type LedgerRow = { paid: string; refunded: string; balance_before_refunds: string | null; refunds_counted: string }

export function toLedger(row: LedgerRow): Ledger {
  const counted = Number(row.refunds_counted)
  return {
    paid: Math.max(0, toCents(Number(row.paid) - counted)),
    refunded: Math.max(0, toCents(Number(row.refunded) - counted)),
    balanceDue: Number(row.balance_before_refunds),
  }
}

/**
 * Returns the refunds that were to be given back. What was paid back beyond that was a favour: nobody owes it, until
 * more is to be given back.
 */
export function countRefunds({ refunded, balanceDue }: Pick<Ledger, 'refunded' | 'balanceDue'>): number {
  return Math.min(refunded, Math.max(0, -balanceDue))
}

/** Returns a booking's money, the policy that it was sold under, and all of its refunds. */
export async function findLedger(tx: Db | Tx, id: string) {
  const row = await tx
    .selectFrom('bookings')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .select(policyOf().as('policy'))
    .select(ledgerColumns)
    .where('bookings.id', '=', id)
    .executeTakeFirstOrThrow()
  return { policy: row.policy, ledger: toLedger(row), paid: Number(row.paid), refunds: Number(row.refunded) }
}
