import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/client.ts'
import { searchedUsers } from '../users/users.repository.ts'
import { chooseTerms, type SearchTerms } from './search-terms.ts'

/**
 * What of a search the bookings and the transactions have to be looked through for. Pods, locations and people are few
 * beside bookings: those that match are found first, so that an index finds the bookings of each.
 */
export type BookingMatches = {
  terms: SearchTerms
  pods: string[]
  locations: string[]
  /** Staff, and customers where they are few. */
  people: string[]
  /** So many customers match that a list of them costs more than looking at the customer of each row. */
  hasManyUsers: boolean
  /** Whether any row's own text matches; of a letter that is common anyway, whether one may. */
  hasOwnText: boolean
  /** So many rows match that the first of them are found soonest by going through the list in its order. */
  isCommon: boolean
}

/** The list that is searched, and its text that is found besides pods, locations and people. */
export type SearchedList = {
  table: 'bookings' | 'transactions'
  ownText: RawBuilder<unknown>
  /** Its own text has codes, of which a part begins with any letter: an index finds a tenth of the table by one. */
  hasCodes: boolean
}

const MANY_USERS = 2_000
/** Rows that are fetched one by one and sorted as fast as a common word is met in the order of the list. */
const COMMON = 4_000
/** The newest rows, a sample of how common a text is. */
const SAMPLE = 1_000
/** Bookings of a customer, for what is common: rather too many than too few. */
const BOOKINGS_PER_USER = 5

/** One query, or two where a search finds nothing as it is spelled. */
export async function findBookingMatches(
  db: Db,
  search: string | undefined,
  list: SearchedList,
): Promise<BookingMatches | undefined> {
  let matches: BookingMatches | undefined
  const terms = await chooseTerms(search, async (exact, alike) => {
    matches = await readMatches(db, exact, list)
    if (isAny(matches)) return exact
    const alikeMatches = await readMatches(db, alike, list)
    if (isAny(alikeMatches)) matches = alikeMatches
    return matches.terms
  })
  return terms && (matches ?? readMatches(db, terms, list))
}

function isAny({ pods, locations, people, hasManyUsers, hasOwnText }: BookingMatches): boolean {
  return pods.length + locations.length + people.length > 0 || hasManyUsers || hasOwnText
}

type Row = {
  pods: string[]
  locations: string[]
  users: string[]
  staff: string[]
  has_own_text: boolean
  expected: number
}

async function readMatches(
  db: Db,
  terms: SearchTerms,
  { table, ownText, hasCodes }: SearchedList,
): Promise<BookingMatches> {
  if (terms.isWholeId) return nothingBut(terms)
  // What is common is met in the order of the list, and its own text is looked at there: whether any row has it may take
  // a second to find out of one letter.
  const isAssumed = hasCodes && terms.hasShortWord
  const { rows } = await sql<Row>`
    with found_pods as materialized (select id from pods where ${terms.isIn(sql`title`)}),
         found_locations as materialized (select id from locations where ${terms.isIn(sql`concat_ws(E'\\n', name, city)`)}),
         found_staff as materialized (
           select id from staff where ${terms.isIn(sql`(firstname || ' ' || lastname || E'\\n' || email)`)}
         ),
         found_users as materialized (
           select id from users where ${terms.isFoundIn(searchedUsers)} limit ${sql.lit(MANY_USERS + 1)}
         ),
         newest as materialized (
           select count(*) as n from (
             select ${ownText} as own_text from ${sql.table(table)} order by created_at desc, id desc limit ${sql.lit(SAMPLE)}
           ) as newest where ${terms.isIn(sql`own_text`)}
         ),
         counted as (
           select kind, sum(n) as n from row_counts where list = 'bookings' and day_of = '' group by kind
         ),
         estimate as materialized (
           select (
             coalesce((select sum(n) from counted where kind in (select id::text from found_locations)), 0)
             + (select coalesce(sum(n), 0) from counted) * (
                 (select count(*) from found_pods)::float8 / (select greatest(count(*), 1) from pods)
                 + (select n from newest)::float8 / ${sql.lit(SAMPLE)}
               )
             + (select count(*) from found_users) * ${sql.lit(BOOKINGS_PER_USER)}
             -- Thousands of rows to fetch, which is spared where the customers make it common already.
             + case when (select count(*) from found_users) > ${sql.lit(MANY_USERS)} then 0 else (
                 select count(*) from (
                   select from bookings where coalesce(user_id, staff_id) in (select id from found_staff)
                    limit ${sql.lit(COMMON + 1)}
                 ) as of_staff
               ) end
           )::float8 as expected
         )
    select array(select id from found_pods) as pods,
           array(select id from found_locations) as locations,
           array(select id from found_users) as users,
           array(select id from found_staff) as staff,
           expected,
           case when (select n from newest) > 0 or (${sql.lit(isAssumed)} and expected > ${sql.lit(COMMON)}) then true else exists (
             -- In an order that needs all of them: for the first one found the whole table would be read.
             select from (
               select id from ${sql.table(table)} where ${terms.isIn(ownText)} order by id::text limit 1
             ) as found
           ) end as has_own_text
      from estimate
  `.execute(db)
  const row = rows[0]
  if (!row) return nothingBut(terms)
  const hasManyUsers = row.users.length > MANY_USERS
  return {
    terms,
    pods: row.pods,
    locations: row.locations,
    people: hasManyUsers ? row.staff : [...row.users, ...row.staff],
    hasManyUsers,
    hasOwnText: row.has_own_text,
    isCommon: hasManyUsers || row.expected > COMMON,
  }
}

function nothingBut(terms: SearchTerms): BookingMatches {
  return { terms, pods: [], locations: [], people: [], hasManyUsers: false, hasOwnText: false, isCommon: false }
}

/**
 * That a booking, in the query as `bookings`, is of a pod, a location or a person that matches. `ofUser` says it of its
 * customer where many do: as a join has found it, or looked up a row (isOfMatchingUser).
 */
export function isOfMatch(matches: BookingMatches, ofUser: RawBuilder<boolean>): RawBuilder<boolean>[] {
  const { pods, locations, people, hasManyUsers } = matches
  return [
    ...(pods.length > 0 ? [sql<boolean>`bookings.pod_id = any(${pods}::uuid[])`] : []),
    ...(locations.length > 0 ? [sql<boolean>`bookings.location_id = any(${locations}::uuid[])`] : []),
    ...(people.length > 0
      ? [sql<boolean>`coalesce(bookings.user_id, bookings.staff_id) = any(${people}::uuid[])`]
      : []),
    ...(hasManyUsers ? [ofUser] : []),
  ]
}

/** The limit keeps the database from reading all customers first. */
export function isOfMatchingUser({ terms }: BookingMatches): RawBuilder<boolean> {
  return sql`(select true from users where users.id = bookings.user_id and ${terms.isIn(searchedUsers.text)} limit 1)`
}

/** All customers that match, once, to be joined: for counting, which reads every row anyway. */
export function matchingUsers({ terms }: BookingMatches): RawBuilder<{ id: string }> {
  return sql`(select id from users where ${terms.isFoundIn(searchedUsers)})`
}

export function anyOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}
