import { sql } from 'kysely'
import type { z } from 'zod'
import type { BookingListQuery } from '#contract/bookings.ts'
import type { Db } from '#server/db/client.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import {
  type CountedRows,
  countedRows,
  countUpTo,
  findDeepStart,
  type PageStart,
  readCount,
  type Total,
} from '#server/db/row-counts.ts'
import { type Search, selectFoundIds } from '../search/search.ts'
import { filterBookings } from './bookings.filter.ts'

type ListQuery = z.output<typeof BookingListQuery>

/** The total of the list: from row_counts where its filters are counted there, else by reading. */
export function countBookings(db: Db, query: ListQuery, search: Search | undefined): Promise<Total> {
  const counted = toCounted(query)
  if (counted) {
    return readCount(db, countedRows(counted, hasDates(query) ? { dayOf: 'start_time', ...toDays(query) } : undefined))
  }
  const { status, location, pod, user } = query
  const isFiltered = status ?? location ?? pod ?? user ?? query.from ?? query.to
  // Their texts alone say how many they are.
  if (search && !search.idPart && isFiltered === undefined) return countUpTo(db, selectFoundIds('bookings', search))
  const rows = filterBookings(db.selectFrom('bookings'), query, search)
  return countUpTo(db, sql`select from ${rows.select('bookings.id')} as rows`)
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
