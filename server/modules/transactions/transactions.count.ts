import type { z } from 'zod'
import { DAY } from '#contract/durations.ts'
import type { TransactionListQuery } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { type Counted, countRows, readCount } from '#server/db/lists/row-counts.ts'
import { filterTransactions, filterWithin } from './transactions.filter.ts'

type ListQuery = z.output<typeof TransactionListQuery>

/** Returns the row_counts to read for the filters, apart from dates; undefined when a filter is not counted there. */
export function toCounted({
  status,
  facilitator,
  location,
  user,
  company,
  minAmount,
  maxAmount,
  search,
}: ListQuery): Counted | undefined {
  if (search || [location, user, company, minAmount, maxAmount].some((value) => value !== undefined)) return undefined
  return { list: 'transactions', status: status || undefined, kind: facilitator || undefined }
}

/**
 * Counts the transactions made from `from` until before `before`. Filters use days of the business time zone, while
 * row_counts has whole UTC days, so that the rest at either end is counted from the rows.
 */
export async function countWithin(
  db: Db,
  query: ListQuery,
  { from, before }: { from?: Date; before?: Date },
  counted: Counted,
): Promise<number> {
  const rows = filterTransactions(db.selectFrom('transactions'), query, undefined)
  const first = from && new Date(Math.ceil(from.getTime() / DAY) * DAY)
  const end = before && new Date(Math.floor(before.getTime() / DAY) * DAY)
  const lastDay = end && new Date(end.getTime() - DAY)
  if (first && lastDay && first > lastDay) return countRows(filterWithin(rows, { from, before }))
  const days = { dayOf: 'created_at', first: first && toDay(first), last: lastDay && toDay(lastDay) } as const
  const totals = await Promise.all([
    readCount(db, { ...counted, days }),
    from && first && from < first ? countRows(filterWithin(rows, { from, before: first })) : 0,
    before && end && end < before ? countRows(filterWithin(rows, { from: end, before })) : 0,
  ])
  return totals.reduce((sum, total) => sum + total, 0)
}

function toDay(midnight: Date): string {
  return midnight.toISOString().slice(0, 10)
}
