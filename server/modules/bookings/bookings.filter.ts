import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingListQuery } from '#contract/bookings.ts'
import type { Counted } from '#server/db/lists/row-counts.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import { isId } from '#server/ids.ts'

type ListQuery = z.output<typeof BookingListQuery>

const DAY_MS = 24 * 60 * 60_000

/** The filters of the bookings screen, for every query that has the table in it: they read no other table's columns. */
export function filterBookings<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { status, location, pod, user, company, from, to }: ListQuery,
  search: Search | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(search !== undefined, (rows) => rows.where(isFound('bookings', search)))
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`bookings.status = ${status}`))
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`bookings.location_id`, location)))
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`bookings.pod_id`, pod)))
    .$if(user !== undefined, (rows) => rows.where(hasId(sql`coalesce(bookings.user_id, bookings.staff_id)`, user)))
    .$if(company !== undefined, (rows) => rows.where(hasId(sql`bookings.company_id`, company)))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time >= ${toDayStart(from)}`))
    .$if(to !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time < ${toDayEnd(to)}`))
}

/** The same as row_counts counts it; undefined where it does not. */
export function toCounted({ status, location, pod, user, company, from, to, search }: ListQuery): Counted | undefined {
  if (pod !== undefined || user !== undefined || company !== undefined || search) return undefined
  const hasDates = from !== undefined || to !== undefined
  return {
    list: 'bookings',
    status,
    // As the database writes an id; a caller may use capitals.
    kind: location?.toLowerCase(),
    days: hasDates ? { dayOf: 'start_time', first: from, last: to } : undefined,
  }
}

/** A malformed id filters everything out, like an unknown one. */
export function hasId(column: RawBuilder<unknown>, id: string | undefined): RawBuilder<boolean> {
  return id !== undefined && isId(id) ? sql`${column} = ${id}` : sql`false`
}

/** A booking's date is that of its start, on the wall clock labelled Z. */
function toDayStart(date: string | undefined): Date {
  return new Date(`${date}T00:00:00.000Z`)
}

function toDayEnd(date: string | undefined): Date {
  return new Date(toDayStart(date).getTime() + DAY_MS)
}
