import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { TransactionListQuery } from '#contract/transactions.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import { ownerId } from '../bookings/booking-conditions.ts'

type ListQuery = z.output<typeof TransactionListQuery>

/** Applies the filters of the transactions screen, except its dates, to a query on `transactions`. */
export function filterTransactions<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { status, facilitator, location, user, company, minAmount, maxAmount }: ListQuery,
  search: Search | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(search !== undefined, (rows) => rows.where(isFoundTransaction(search)))
    .$if(Boolean(status), (rows) => rows.where(sql<boolean>`transactions.status = ${status}`))
    .$if(Boolean(facilitator), (rows) => rows.where(sql<boolean>`transactions.payment_facilitator = ${facilitator}`))
    .$if(location !== undefined, (rows) => rows.where(isAtLocation(location)))
    .$if(user !== undefined, (rows) => rows.where(isOfBooking(hasId(ownerId, user))))
    .$if(company !== undefined, (rows) => rows.where(isOfBooking(hasId(sql`bookings.company_id`, company))))
    .$if(minAmount !== undefined, (rows) => rows.where(sql<boolean>`transactions.amount >= ${minAmount}`))
    .$if(maxAmount !== undefined, (rows) => rows.where(sql<boolean>`transactions.amount <= ${maxAmount}`))
}

/** A transaction's location is that of its booking. */
function isAtLocation(location: string | undefined): RawBuilder<boolean> {
  return sql`exists (
    select from bookings
     where bookings.id = transactions.booking_id and ${hasId(sql`bookings.location_id`, location)}
  )`
}

function isOfBooking(condition: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`transactions.booking_id in (select bookings.id from bookings where ${condition})`
}

/** Matches the search text or id of a transaction, or the whole id of its booking. */
function isFoundTransaction(search: Search | undefined): RawBuilder<boolean> {
  const found = isFound('transactions', search)
  const whole = search?.idPart?.whole
  return whole === undefined ? found : sql`(${found} or transactions.booking_id = ${whole})`
}

/** Keeps the transactions made from `from` until before `before`. */
export function filterWithin<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { from, before }: { from?: Date; before?: Date },
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at >= ${from}`))
    .$if(before !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at < ${before}`))
}
