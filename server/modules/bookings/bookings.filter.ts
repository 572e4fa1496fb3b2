import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingListQuery } from '#contract/bookings.ts'
import { isId } from '#server/ids.ts'
import {
  anyOf,
  type BookingMatches,
  isOfMatch,
  isOfMatchingUser,
  type SearchedList,
} from '../search/booking-matches.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * The filters of the bookings screen, for every query that has the table in it. They read no other table's columns, so
 * that counting needs no join. `matches` is what findBookingMatches says of the search; `ofUser` as isOfMatch has it.
 */
export function filterBookings<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { status, location, pod, user, from, to }: z.output<typeof BookingListQuery>,
  matches: BookingMatches | undefined,
  ofUser?: RawBuilder<boolean>,
): SelectQueryBuilder<DB, TB, Row> {
  const found = matches ? rows.where(isFoundBy(matches, ofUser ?? isOfMatchingUser(matches))) : rows
  return found
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`bookings.status = ${status}`))
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`bookings.location_id`, location)))
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`bookings.pod_id`, pod)))
    .$if(user !== undefined, (rows) => rows.where(hasId(sql`coalesce(bookings.user_id, bookings.staff_id)`, user)))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time >= ${toDayStart(from)}`))
    .$if(to !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time < ${toDayEnd(to)}`))
}

/** What the search looks through, besides pods, locations and people. */
export const searchedBookings: SearchedList = { table: 'bookings', ownText: sql`bookings.purpose`, hasCodes: false }

function isFoundBy(matches: BookingMatches, ofUser: RawBuilder<boolean>): RawBuilder<boolean> {
  const { terms, hasOwnText } = matches
  return anyOf([
    ...isOfMatch(matches, ofUser),
    ...(hasOwnText ? [terms.isIn(searchedBookings.ownText)] : []),
    ...(terms.isIdLike ? [terms.isId(sql`bookings.id`)] : []),
  ])
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
