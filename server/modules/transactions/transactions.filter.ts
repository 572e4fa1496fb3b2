import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { toInstant, toWireTime } from '#contract/slots.ts'
import type { TransactionListQuery } from '#contract/transactions.ts'
import {
  anyOf,
  type BookingMatches,
  isOfMatch,
  isOfMatchingUser,
  type SearchedList,
} from '../search/booking-matches.ts'

type ListQuery = z.output<typeof TransactionListQuery>

/** As the index transactions_search_idx has it; the line ends keep a search from matching across two fields. */
export const searched = sql`(
  transactions.checkout_id || E'\\n' || transactions.merchant_id || E'\\n' || transactions.payment_facilitator
)`

/** What the search looks through, besides pods, locations and people. */
export const searchedTransactions: SearchedList = { table: 'transactions', ownText: searched, hasCodes: true }

/** The instants of the filter by date: its days are of the business, in its `timeZone`. `before` is exclusive. */
export function toInstants({ from, to }: ListQuery, timeZone: string): { from?: Date; before?: Date } {
  const toMark = (date: string, mark: string) => toInstant(new Date(toWireTime(date, mark)), timeZone)
  return {
    ...(from === undefined ? {} : { from: toMark(from, '00:00') }),
    ...(to === undefined ? {} : { before: toMark(to, '24:00') }),
  }
}

/**
 * The filters of the transactions screen but its dates, for every query that has the table in it. They read no other
 * table's columns. `matches` is what findBookingMatches says of the search.
 */
export function filterTransactions<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: ListQuery,
  matches: BookingMatches | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  const found = matches && anyOf([isOfMatchingBooking(matches), ...isFoundByItself(matches)])
  return filterFound(found ? rows.where(found) : rows, query)
}

/** The same of rows that are searched already. */
export function filterFound<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { status, facilitator }: ListQuery,
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(Boolean(status), (rows) => rows.where(sql<boolean>`transactions.status = ${status}`))
    .$if(Boolean(facilitator), (rows) => rows.where(sql<boolean>`transactions.payment_facilitator = ${facilitator}`))
}

/** Those that were made between the two; `before` is exclusive. */
export function filterWithin<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { from, before }: { from?: Date; before?: Date },
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at >= ${from}`))
    .$if(before !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at < ${before}`))
}

/** Not by the pod, location or person of its booking, but by its own texts, its id or its booking's. */
export function isFoundByItself({ terms, hasOwnText }: BookingMatches): RawBuilder<boolean>[] {
  return [
    ...(hasOwnText ? [terms.isIn(searched)] : []),
    ...(terms.isIdLike ? [terms.isId(sql`transactions.id`)] : []),
    ...(terms.isWholeId ? [terms.isId(sql`transactions.booking_id`)] : []),
  ]
}

/** A common match is asked of each booking; a rare one is gathered first, as an array, so that an index finds its payments. */
function isOfMatchingBooking(matches: BookingMatches): RawBuilder<boolean> {
  const conditions = isOfMatch(matches, isOfMatchingUser(matches))
  if (conditions.length === 0) return sql`false`
  if (matches.isCommon) {
    return sql`(
      select true from bookings where bookings.id = transactions.booking_id and ${anyOf(conditions)} limit 1
    )`
  }
  return sql`transactions.booking_id = any(array(select id from bookings where ${anyOf(conditions)}))`
}
