import { sql } from 'kysely'
import type { CancelPolicy, Ledger } from '#contract/cancel-policy.ts'
import { toCents } from '#contract/money.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** What was paid for a booking, what is due, and what is to be given back (rules §27.2, §27.3). All amounts are ZAR. */

/** The policy that a booking was sold under; when it has none of its own, the current one. */
export function policyOf() {
  return sql<CancelPolicy>`coalesce(bookings.cancel_policy, locations.cancel_policy, (select cancel_policy from pricing))`
}

/** What migrations 070 and 071 work out of a booking's payments: in other currencies than ZAR they do not count. */
const balanceOf = (column: 'paid' | 'refunded' | 'before_refunds') =>
  sql<string>`(select ${sql.ref(column)} from booking_balances where id = bookings.id)`

export const paid = balanceOf('paid')
export const refunded = balanceOf('refunded')

/** What was paid and not paid back: what is given back when a cancellation is caused by us. */
export const notPaidBack = sql<string>`greatest(${paid} - ${refunded}, 0)`

export const ledgerColumns = [
  paid.as('paid'),
  refunded.as('refunded'),
  balanceOf('before_refunds').as('before_refunds'),
  'bookings.refunds_counted',
] as const

type LedgerRow = { paid: string; refunded: string; before_refunds: string; refunds_counted: string }

export function toLedger(row: LedgerRow): Ledger {
  const counted = Number(row.refunds_counted)
  return {
    paid: Math.max(0, toCents(Number(row.paid) - counted)),
    refunded: Math.max(0, toCents(Number(row.refunded) - counted)),
    balanceDue: Number(row.before_refunds),
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
export async function findLedger(db: Db | Tx, id: string) {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .select(policyOf().as('policy'))
    .select(ledgerColumns)
    .where('bookings.id', '=', id)
    .executeTakeFirstOrThrow()
  return { policy: row.policy, ledger: toLedger(row), paid: Number(row.paid), refunds: Number(row.refunded) }
}

/** Returns what was paid back for a booking since an instant, in ZAR. */
export async function sumRefundsSince(tx: Tx, id: string, since: Date): Promise<number> {
  const { sum } = await tx
    .selectFrom('transactions')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('amount'), sql<string>`0`).as('sum'))
    .where('booking_id', '=', id)
    .where('status', '=', 'refunded')
    .where('currency', '=', 'ZAR')
    .where((eb) => eb.fn.coalesce('refunded_at', 'created_at'), '>=', since)
    .executeTakeFirstOrThrow()
  return Number(sum)
}
