import { sql } from 'kysely'
import type { z } from 'zod'
import type { TransactionListQuery } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import {
  type CountedRows,
  countedRows,
  countRows,
  countUpTo,
  findDeepStart,
  type PageStart,
  readCount,
  type Total,
} from '#server/db/row-counts.ts'
import { type Search, selectFoundIds } from '../search/search.ts'
import { filterTransactions, filterWithin } from './transactions.filter.ts'

type ListQuery = z.output<typeof TransactionListQuery>
type Instants = { from?: Date; before?: Date }

const DAY_MS = 24 * 60 * 60_000

export function countTransactions(
  db: Db,
  query: ListQuery,
  within: Instants,
  search: Search | undefined,
): Promise<Total> {
  const counted = toCounted(query)
  const isBeyondCounted = hasUncounted(query)
  const hasDates = within.from !== undefined || within.before !== undefined
  if (!search && !isBeyondCounted)
    return hasDates ? countWithin(db, query, within, counted) : readCount(db, countedRows(counted))
  // Their texts alone say how many they are.
  const isFiltered = isBeyondCounted || hasDates || (counted.status ?? counted.kind) !== undefined
  if (search && !search.idPart && !isFiltered) return countUpTo(db, selectFoundIds('transactions', search))
  const rows = filterWithin(filterTransactions(db.selectFrom('transactions'), query, search), within)
  return countUpTo(db, sql`select from ${rows.select('transactions.id')} as rows`)
}

/** Whole UTC days are counted already; what the business's days have beyond them, at either end, is read. */
async function countWithin(db: Db, query: ListQuery, { from, before }: Instants, counted: CountedRows) {
  const rows = filterTransactions(db.selectFrom('transactions'), query, undefined)
  const first = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const end = before && new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS)
  const lastDay = end && new Date(end.getTime() - DAY_MS)
  if (first && lastDay && first > lastDay) return countRows(filterWithin(rows, { from, before }))
  const whole = { dayOf: 'created_at', first: first && toDay(first), last: lastDay && toDay(lastDay) } as const
  const totals = await Promise.all([
    readCount(db, countedRows(counted, whole)),
    from && first && from < first ? countRows(filterWithin(rows, { from, before: first })) : 0,
    before && end && end < before ? countRows(filterWithin(rows, { from: end, before })) : 0,
  ])
  return totals.reduce((sum, total) => sum + total, 0)
}

function toDay(midnight: Date): string {
  return midnight.toISOString().slice(0, 10)
}

/** Known of an order by time without a filter by date: the business's days are not the counted ones. */
export async function findTransactionStart(db: Db, query: ListQuery, order: ListOrder): Promise<PageStart | undefined> {
  if (query.search || query.from !== undefined || query.to !== undefined || hasUncounted(query)) return undefined
  return findDeepStart(db, toCounted(query), query, order, { createdAt: 'created_at' })
}

/** Filters that the kept counts do not know. */
function hasUncounted({ location, minAmount, maxAmount }: ListQuery): boolean {
  return [location, minAmount, maxAmount].some((value) => value !== undefined)
}

function toCounted({ status, facilitator }: ListQuery): CountedRows {
  return { list: 'transactions', status: status || undefined, kind: facilitator || undefined }
}
