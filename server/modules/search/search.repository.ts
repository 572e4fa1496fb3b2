import { sql } from 'kysely'
import type { SearchResult } from '#contract/search.ts'
import { toClockLabel } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { searched as searchedInTransactions } from '../transactions/transactions.filter.ts'
import { searchedUsers } from '../users/users.repository.ts'
import type { SearchTerms } from './search-terms.ts'

export type Hit = SearchResult['groups'][number]['hits'][number]

const MOST_HITS = sql.lit(5)
/**
 * So many matches are ranked and no more: a common word is answered as fast as a rare one, and a rare one, for which
 * the order matters, is ranked whole.
 */
const MOST_CANDIDATES = sql.lit(200)
/** Of so many pods or people with the name, the latest bookings are looked at. */
const MOST_NAMESAKES = sql.lit(40)

export async function findPods(db: Db, terms: SearchTerms): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select hits.id as _id, hits.title, concat_ws(', ', locations.name, locations.city) as detail
      from (select id, title, location_id from pods
             where deleted_at is null and (${terms.isIn(sql`title`)} or ${terms.isId(sql`id`)})
             limit ${MOST_CANDIDATES}) as hits
      join locations on locations.id = hits.location_id
     order by ${terms.begins(sql`hits.title`)} desc, hits.title, hits.id
     limit ${MOST_HITS}
  `.execute(db)
  return rows
}

export async function findLocations(db: Db, terms: SearchTerms): Promise<Hit[]> {
  const address = sql`concat_ws(E'\\n', name, street, city, state, zip)`
  const { rows } = await sql<Hit>`
    select id as _id, name as title, concat_ws(', ', street, city) as detail
      from locations
     where deleted_at is null and (${terms.isIn(address)} or ${terms.isId(sql`id`)})
     order by ${terms.begins(sql`name`)} desc, name, id
     limit ${MOST_HITS}
  `.execute(db)
  return rows
}

export async function findUsers(db: Db, terms: SearchTerms): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select id as _id, trim(firstname || ' ' || lastname) as title, email as detail
      from (select id, firstname, lastname, email from users
             where deleted_at is null and (${terms.isFoundIn(searchedUsers)} or ${terms.isId(sql`id`)})
             limit ${MOST_CANDIDATES}) as hits
     order by ${terms.begins(sql`firstname`)} or ${terms.begins(sql`lastname`)} desc, firstname, lastname, id
     limit ${MOST_HITS}
  `.execute(db)
  return rows
}

/** Everybody who may have made a booking; deleted people keep their names in history (decisions §7). */
function selectPeople(terms: SearchTerms) {
  const searchedInStaff = sql`(firstname || ' ' || lastname || E'\\n' || email)`
  return sql`
    (select id from users where ${terms.isFoundIn(searchedUsers)} limit ${MOST_NAMESAKES})
    union all
    (select id from staff where ${terms.isIn(searchedInStaff)} limit ${MOST_NAMESAKES})
  `
}

/** A person's latest bookings, by the index on their owner. */
const bookingsOfPerson = sql`
  select id, created_at from bookings
   where coalesce(user_id, staff_id) = people.id
   order by created_at desc, id desc limit ${MOST_HITS}
`

/** By id, or by the pod or the person: of each that has the name, the latest. */
export async function findBookings(db: Db, terms: SearchTerms): Promise<Hit[]> {
  const { rows } = await sql<{ id: string; pod: string; person: string; date: string; start: Date; end: Date }>`
    select bookings.id, pods.title as pod, bookings.booking_date as date, bookings.start_time as start,
           bookings.end_time as end, trim(coalesce(users.firstname, staff.firstname) || ' ' || coalesce(users.lastname, staff.lastname)) as person
      from (select id from (
               (select id, created_at from bookings where ${terms.isId(sql`id`)} limit ${MOST_CANDIDATES})
               union
               select latest.id, latest.created_at
                 from (select id from pods where ${terms.isIn(sql`title`)} limit ${MOST_NAMESAKES}) as named
                cross join lateral (
                  select id, created_at from bookings
                   where pod_id = named.id order by start_time desc limit ${MOST_HITS}
                ) as latest
               union
               select latest.id, latest.created_at
                 from (${selectPeople(terms)}) as people cross join lateral (${bookingsOfPerson}) as latest
             ) as found
            order by created_at desc, id desc
            limit ${MOST_HITS}) as hits
      join bookings on bookings.id = hits.id
      join pods on pods.id = bookings.pod_id
      left join users on users.id = bookings.user_id
      left join staff on staff.id = bookings.staff_id
     order by bookings.created_at desc, bookings.id desc
  `.execute(db)
  return rows.map(({ id, pod, person, date, start, end }) => ({
    _id: id,
    title: pod,
    detail: `${date}, ${toClock(start)} – ${toClock(end)}, ${person}`,
  }))
}

/** The wall clock is labelled Z (decisions §1). */
function toClock(wallClock: Date): string {
  return toClockLabel(wallClock.toISOString().slice(11, 16))
}

/** Of one or two letters alone, which begin codes by the thousand, the newest payments are looked at. */
const NEWEST_PAYMENTS = sql.lit(2_000)
const newestPayments = sql`(select * from transactions order by created_at desc, id desc limit ${NEWEST_PAYMENTS})`

/** By id, by the ids that the facilitator knows it by, by its booking, or by the person. */
export async function findTransactions(db: Db, terms: SearchTerms): Promise<Hit[]> {
  const payments = terms.hasShortWordsOnly ? newestPayments : sql`transactions`
  const { rows } = await sql<{ id: string; checkout_id: string; amount: string; currency: string; status: string }>`
    select id, checkout_id, amount, currency, status
      from transactions
     where id in (select id from (
               (select id, created_at from ${payments} as transactions
                 where ${terms.isIn(searchedInTransactions)} or ${terms.isId(sql`id`)}
                    or ${terms.isWholeId ? terms.isId(sql`booking_id`) : sql`false`}
                 limit ${MOST_CANDIDATES})
               union
               select transactions.id, transactions.created_at
                 from (${selectPeople(terms)}) as people cross join lateral (${bookingsOfPerson}) as latest
                 join transactions on transactions.booking_id = latest.id
             ) as found
            order by created_at desc, id desc
            limit ${MOST_HITS})
     order by created_at desc, id desc
  `.execute(db)
  return rows.map(({ id, checkout_id, amount, currency, status }) => ({
    _id: id,
    title: checkout_id,
    detail: `${currency} ${amount}, ${status}`,
  }))
}
