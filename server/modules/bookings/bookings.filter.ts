import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingListQuery } from '#contract/bookings.ts'
import { toLikePattern } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { searched as searchedInUsers } from '../users/users.repository.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * The filters of the bookings screen, for every query that has the table in it. They read no other table's columns, so
 * that counting needs no join. `manyUsers` is what matchesManyUsers says of the search.
 */
export function filterBookings<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, location, pod, user, from, to, search }: z.output<typeof BookingListQuery>,
  manyUsers = false,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`bookings.status = ${status}`))
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`bookings.location_id`, location)))
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`bookings.pod_id`, pod)))
    .$if(user !== undefined, (rows) => rows.where(hasId(sql`coalesce(bookings.user_id, bookings.staff_id)`, user)))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time >= ${toDayStart(from)}`))
    .$if(to !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time < ${toDayEnd(to)}`))
    .$if(Boolean(search), (rows) => rows.where(matches(search ?? '', manyUsers)))
}

/**
 * Pods, locations and people are few beside bookings: those that match are gathered first, as arrays, so that an index
 * finds the bookings of each. An id as a whole is looked up by its key, and part of one only where the text could be one.
 */
function matches(search: string, manyUsers: boolean): RawBuilder<boolean> {
  if (isId(search)) return sql`bookings.id = ${search}`
  const pattern = toLikePattern(search)
  const inId = /^[0-9a-f-]{4,}$/i.test(search) ? sql`or bookings.id::text ilike ${pattern}` : sql``
  if (manyUsers) return sql`(${isOfMatching(sql`bookings`, pattern)} or bookings.purpose ilike ${pattern} ${inId})`
  return sql`(
    bookings.pod_id = any(array(select id from pods where title ilike ${pattern}))
    or bookings.location_id = any(array(select id from locations where name ilike ${pattern}))
    or coalesce(bookings.user_id, bookings.staff_id) = any(array(
      select id from users where ${searchedInUsers} ilike ${pattern}
      union all
      select id from staff where firstname || ' ' || lastname || E'\\n' || email ilike ${pattern}
    ))
    or bookings.purpose ilike ${pattern} ${inId}
  )`
}

/**
 * A booking whose pod, location or person matches, asked of each booking: for words that half of all people have in their
 * names or addresses, when arrays of the matching would be searched from end to end for every row.
 */
export function isOfMatching(booking: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql`(
    exists (select from users where users.id = ${booking}.user_id and ${searchedInUsers} ilike ${pattern})
    or exists (select from pods where pods.id = ${booking}.pod_id and title ilike ${pattern})
    or exists (select from locations where locations.id = ${booking}.location_id and name ilike ${pattern})
    or exists (
      select from staff
       where staff.id = ${booking}.staff_id and firstname || ' ' || lastname || E'\\n' || email ilike ${pattern}
    )
  )`
}

/** A malformed id filters everything out, like an unknown one. */
function hasId(column: RawBuilder<unknown>, id: string | undefined): RawBuilder<boolean> {
  return id !== undefined && isId(id) ? sql`${column} = ${id}` : sql`false`
}

/** A booking's date is that of its start, on the wall clock labelled Z. */
function toDayStart(date: string | undefined): Date {
  return new Date(`${date}T00:00:00.000Z`)
}

function toDayEnd(date: string | undefined): Date {
  return new Date(toDayStart(date).getTime() + DAY_MS)
}
