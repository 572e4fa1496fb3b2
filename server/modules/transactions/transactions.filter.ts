import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { toInstant, toWireTime } from '#contract/slots.ts'
import type { TransactionListQuery } from '#contract/transactions.ts'
import { toLikePattern } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { isOfMatching } from '../bookings/bookings.filter.ts'
import { searched as searchedInUsers } from '../users/users.repository.ts'

/**
 * The filters of the transactions screen, for every query that has the table in it. They read no other table's columns,
 * so that counting needs no join. A date is a day of the business, in its `timeZone`. `manyUsers` is what
 * matchesManyUsers says of the search.
 */
export function filterTransactions<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, facilitator, from, to, search }: z.output<typeof TransactionListQuery>,
  timeZone: string,
  manyUsers = false,
): SelectQueryBuilder<Database, TB, Row> {
  const toStart = (date = '', mark = '00:00') => toInstant(new Date(toWireTime(date, mark)), timeZone)
  return rows
    .$if(Boolean(status), (rows) => rows.where(sql<boolean>`transactions.status = ${status}`))
    .$if(Boolean(facilitator), (rows) => rows.where(sql<boolean>`transactions.payment_facilitator = ${facilitator}`))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at >= ${toStart(from)}`))
    .$if(to !== undefined, (rows) => rows.where(sql<boolean>`transactions.created_at < ${toStart(to, '24:00')}`))
    .$if(Boolean(search), (rows) => rows.where(matches(search ?? '', manyUsers)))
}

/** As the index transactions_search_idx has it; the line ends keep a search from matching across two fields. */
export const searched = sql`(
  transactions.checkout_id || E'\\n' || transactions.merchant_id || E'\\n' || transactions.payment_facilitator
)`

/** By its own texts, by its id or its booking's, and by the pod, location or person of its booking. */
function matches(search: string, manyUsers: boolean): RawBuilder<boolean> {
  if (isId(search)) return sql`(transactions.id = ${search} or transactions.booking_id = ${search})`
  const pattern = toLikePattern(search)
  const inId = /^[0-9a-f-]{4,}$/i.test(search) ? sql`or transactions.id::text ilike ${pattern}` : sql``
  if (manyUsers) {
    return sql`(
      ${searched} ilike ${pattern}
      or exists (
        select from bookings
         where bookings.id = transactions.booking_id and ${isOfMatching(sql`bookings`, pattern)}
      ) ${inId}
    )`
  }
  return sql`(
    ${searched} ilike ${pattern}
    or transactions.booking_id = any(array(
      select id from bookings
       where pod_id = any(array(select id from pods where title ilike ${pattern}))
          or location_id = any(array(select id from locations where name ilike ${pattern}))
          or coalesce(user_id, staff_id) = any(array(
               select id from users where ${searchedInUsers} ilike ${pattern}
               union all
               select id from staff where firstname || ' ' || lastname || E'\\n' || email ilike ${pattern}
             ))
    )) ${inId}
  )`
}
