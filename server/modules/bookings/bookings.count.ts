import { sql } from 'kysely'
import type { z } from 'zod'
import type { BookingListQuery } from '#contract/bookings.ts'
import type { Caller } from '#server/db/awaited.ts'
import type { Db } from '#server/db/client.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import {
  type CountedRows,
  countedRows,
  countOf,
  findDeepStart,
  type PageStart,
  readCount,
  readLongCount,
} from '#server/db/row-counts.ts'
import { type BookingMatches, matchingUsers } from '../search/booking-matches.ts'
import { filterBookings } from './bookings.filter.ts'

type ListQuery = z.output<typeof BookingListQuery>

/** The total of the list: from row_counts where its filters are counted there, else by reading. */
export function countBookings(
  db: Db,
  query: ListQuery,
  matches: BookingMatches | undefined,
  caller: Caller | undefined,
): Promise<number> {
  const counted = toCounted(query)
  if (counted) {
    return readCount(db, countedRows(counted, hasDates(query) ? { dayOf: 'start_time', ...toDays(query) } : undefined))
  }
  if (!matches?.hasManyUsers)
    return readLongCount(db, countOf(filterBookings(db.selectFrom('bookings'), query, matches)), caller)
  const joined = db
    .selectFrom('bookings')
    .leftJoin(matchingUsers(matches).as('matching'), 'matching.id', 'bookings.user_id')
  return readLongCount(db, countOf(filterBookings(joined, query, matches, sql`matching.id is not null`)), caller)
}

/** Where a page deep in the list begins. A list that is filtered by dates is counted by its start alone. */
export async function findBookingStart(db: Db, query: ListQuery, order: ListOrder): Promise<PageStart | undefined> {
  const counted = toCounted(query)
  if (!counted) return undefined
  const dayOfSort = { startTime: 'start_time', createdAt: hasDates(query) ? undefined : 'created_at' } as const
  return findDeepStart(db, counted, query, order, dayOfSort, toDays(query))
}

/** Which lines of row_counts count the rows that the filters leave; undefined where they have to be read. */
function toCounted({ status, location, pod, user, search }: ListQuery): CountedRows | undefined {
  if (pod !== undefined || user !== undefined || search) return undefined
  // As the database writes an id; a caller may use capitals.
  return { list: 'bookings', status, kind: location?.toLowerCase() }
}

function hasDates({ from, to }: ListQuery): boolean {
  return from !== undefined || to !== undefined
}

function toDays({ from, to }: ListQuery) {
  return { first: from, last: to }
}
