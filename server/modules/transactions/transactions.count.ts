import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { TransactionListQuery } from '#contract/transactions.ts'
import type { Caller } from '#server/db/awaited.ts'
import type { Db } from '#server/db/client.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import {
  type CountedRows,
  countedRows,
  countOf,
  countRows,
  findDeepStart,
  type PageStart,
  readCount,
  readLongCount,
} from '#server/db/row-counts.ts'
import type { Database } from '#server/db/schema.ts'
import { anyOf, type BookingMatches, isOfMatch, matchingUsers } from '../search/booking-matches.ts'
import { filterFound, filterTransactions, filterWithin, isFoundByItself } from './transactions.filter.ts'

type ListQuery = z.output<typeof TransactionListQuery>
type Instants = { from?: Date; before?: Date }

const DAY_MS = 24 * 60 * 60_000

export function countTransactions(
  db: Db,
  query: ListQuery,
  within: Instants,
  matches: BookingMatches | undefined,
  caller: Caller | undefined,
): Promise<number> {
  if (matches) return readLongCount(db, countMatching(db, query, within, matches), caller)
  const counted = toCounted(query)
  if (!within.from && !within.before) return readCount(db, countedRows(counted))
  return countWithin(db, query, within, counted)
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

/**
 * A rare match is counted by its indexes. Of a common one those whose booking matches are counted by a join, and those
 * that match by themselves alone beside them, in one statement: together every row's texts would be looked through.
 */
function countMatching(db: Db, query: ListQuery, within: Instants, matches: BookingMatches): RawBuilder<number> {
  const transactions = db.selectFrom('transactions')
  if (!matches.isCommon) return countOf(filterWithin(filterTransactions(transactions, query, matches), within))
  const ofBooking = anyOf(isOfMatch(matches, sql`bookings.user_id in ${matchingUsers(matches)}`))
  const byItself = sql<boolean>`${anyOf(isFoundByItself(matches))} and not exists (
    select from bookings where bookings.id = transactions.booking_id and ${ofBooking}
  )`
  const byBooking = transactions.innerJoin('bookings', 'bookings.id', 'transactions.booking_id').where(ofBooking)
  const count = <TB extends keyof Database>(rows: SelectQueryBuilder<Database, TB, object>) =>
    countOf(filterWithin(filterFound(rows, query), within))
  return sql`${count(byBooking)} + ${count(transactions.where(byItself))}`
}

/** Known of an order by time without a filter by date: the business's days are not the counted ones. */
export async function findTransactionStart(db: Db, query: ListQuery, order: ListOrder): Promise<PageStart | undefined> {
  if (query.search || query.from !== undefined || query.to !== undefined) return undefined
  return findDeepStart(db, toCounted(query), query, order, { createdAt: 'created_at' })
}

function toCounted({ status, facilitator }: ListQuery): CountedRows {
  return { list: 'transactions', status: status || undefined, kind: facilitator || undefined }
}
