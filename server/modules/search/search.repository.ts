import { type RawBuilder, sql } from 'kysely'
import { toMoneyText } from '#contract/money.ts'
import type { SearchResult } from '#contract/search.ts'
import { toClockText } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { byText, pageOf, toListOrder, toPage } from '#server/db/lists/pagination.ts'
import { countWordsIn, isFound, type Search, toLikePattern } from '#server/db/lists/search.ts'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import { personName } from '../bookings/booked-by.ts'
import { filterBookings } from '../bookings/bookings.filter.ts'
import { orders as bookingOrders } from '../bookings/bookings.repository.ts'
import { filterTransactions } from '../transactions/transactions.filter.ts'
import { orders as transactionOrders } from '../transactions/transactions.repository.ts'

export type Hit = SearchResult['groups'][number]['hits'][number]

const MOST_HITS = 5
const mostHits = sql.lit(MOST_HITS)
/**
 * The most matches that are ranked: common words take no longer than rare ones, and all matches of rare words, for
 * which the order matters, are ranked.
 */
const MOST_CANDIDATES = sql.lit(200)

export async function listPodHits(db: Db, search: Search): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select hits.id as _id, hits.title, concat_ws(', ', locations.name, locations.city) as detail
      from (select id, title, location_id from pods
             where deleted_at is null and ${isFound('pods', search)}
             limit ${MOST_CANDIDATES}) as hits
      join locations on locations.id = hits.location_id
     order by ${bestFirst(sql`hits.title`, search)}, hits.id
     limit ${mostHits}
  `.execute(db)
  return rows
}

export async function listLocationHits(db: Db, search: Search): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select id as _id, name as title, concat_ws(', ', street, city) as detail
      from locations
     where deleted_at is null and ${isFound('locations', search)}
     order by ${bestFirst(sql`name`, search)}, id
     limit ${mostHits}
  `.execute(db)
  return rows
}

export async function listUserHits(db: Db, search: Search): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select id as _id, coalesce(nullif(trim(firstname || ' ' || lastname), ''), username) as title, email as detail
      from (select id, firstname, lastname, username, email from users
             where deleted_at is null and ${isFound('users', search)}
             limit ${MOST_CANDIDATES}) as hits
     order by ${begins(sql`firstname`, search)} or ${begins(sql`lastname`, search)} desc, firstname, lastname, id
     limit ${mostHits}
  `.execute(db)
  return rows
}

export async function listCompanyHits(db: Db, search: Search): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select id as _id, name as title, concat_ws(', ', nullif(contact_name, ''), nullif(email, '')) as detail
      from (select id, name, contact_name, email from companies
             where deleted_at is null and ${isFound('companies', search)}
             limit ${MOST_CANDIDATES}) as hits
     order by ${bestFirst(sql`name`, search)}, id
     limit ${mostHits}
  `.execute(db)
  return rows
}

/** Orders names by how many of the words they have, then those that begin with the first word, then by alphabet. */
function bestFirst(name: RawBuilder<unknown>, search: Search): RawBuilder<unknown> {
  return sql`${countWordsIn(name, search)} desc, ${begins(name, search)} desc, ${byText(name)}`
}

/** Matches texts that begin with the first word. */
function begins(text: RawBuilder<unknown>, { words: [first] }: Search): RawBuilder<boolean> {
  const patterns = first?.spellings.map((word) => ` ${toLikePattern(word).slice(1)}`)
  return sql`search_text(${text}) like any(${patterns}::text[])`
}

/** Returns the newest hits, as the list of this kind finds them; with `madeBy`, only those that this person made. */
export async function listBookingHits(db: Db, search: Search, madeBy: string | undefined): Promise<Hit[]> {
  const order = toListOrder(bookingOrders, undefined, '-createdAt')
  const ids = filterBookings(db.selectFrom('bookings'), {}, search)
    .$if(madeBy !== undefined, (found) =>
      found.where(sql<boolean>`${madeBy} in (bookings.staff_id, bookings.made_by_staff_id)`),
    )
    .select('bookings.id')
  const bookings = db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(['bookings.id', 'pods.title', 'booking_date', 'start_time', 'end_time', personName.as('username')])
    .select(['locations.name as location_name', 'companies.name as company_name'])
    .modifyEnd(podsOfAllLocations)
  const rows = await pageOf(bookings, order, toPage(ids, order, { limit: MOST_HITS })).execute()
  return rows.map((row) => ({
    _id: row.id,
    title: row.title,
    detail: [
      row.booking_date,
      `${toClockText(row.start_time)} - ${toClockText(row.end_time)}`,
      row.company_name ?? row.username,
      row.location_name,
    ].join(', '),
  }))
}

/** Returns the newest hits, as the list of this kind finds them. */
export async function listTransactionHits(db: Db, search: Search): Promise<Hit[]> {
  const order = toListOrder(transactionOrders, undefined, '-createdAt')
  const ids = filterTransactions(db.selectFrom('transactions'), {}, search).select('transactions.id')
  const transactions = db.selectFrom('transactions').select(['id', 'checkout_id', 'amount', 'currency', 'status'])
  const rows = await pageOf(transactions, order, toPage(ids, order, { limit: MOST_HITS })).execute()
  return rows.map(({ id, checkout_id, amount, currency, status }) => ({
    _id: id,
    title: checkout_id,
    detail: `${toMoneyText(Number(amount), currency)}, ${status}`,
  }))
}
