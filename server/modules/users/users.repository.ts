import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { User, UserListQuery } from '#contract/users.ts'
import type { Caller } from '#server/db/awaited.ts'
import type { Db } from '#server/db/client.ts'
import { byText, pageOf, readPage, toBatches, toListOrder, toPage } from '#server/db/ordered-list.ts'
import { countedRows, countOf, findDeepStart, readCount, readLongCount } from '#server/db/row-counts.ts'
import type { Database } from '#server/db/schema.ts'
import type { IndexedText } from '../search/has-word.ts'
import {
  chooseTerms,
  chooseTermsOf,
  type Found,
  isAlikeOnly,
  isFoundBy,
  type SearchTerms,
} from '../search/search-terms.ts'

type ListQuery = z.output<typeof UserListQuery>

const id = sql.ref('users.id')
export const orders = {
  createdAt: { by: sql.ref('users.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql`(users.firstname || ' ' || users.lastname)`), type: 'text', id },
  email: { by: sql.ref('users.email'), type: 'text', id },
} as const

/** Told so that no index serves it: for a rare text the database would walk that index from end to end. */
const rareOrders = {
  createdAt: { ...orders.createdAt, by: sql`(users.created_at + interval '0')` },
  name: { ...orders.name, by: byText(sql`(users.firstname || ' ' || users.lastname || '')`) },
  email: { ...orders.email, by: sql`(users.email || '')` },
} as const

/** One page: the ids first, from the index of the order, so that a deep page reads no more rows than it shows. */
export async function listUsers(db: Db, query: ListQuery, caller?: Caller): Promise<Found<User>> {
  const { terms, isCommon } = await findUserSearch(db, query)
  const order = toListOrder(terms && !isCommon ? rareOrders : orders, query.sort, '-createdAt')
  const users = db.selectFrom('users').where('users.deleted_at', 'is', null)
  const found = filterUsers(terms ? users.where(isFoundUser(terms)) : users, query, undefined)
  const filtered = isCommon ? filterUsers(users, query, terms) : found
  const counted = terms === undefined ? { list: 'users' as const, status: query.status } : undefined
  const page = await readPage(
    query,
    async () => {
      const start = counted && (await findDeepStart(db, counted, query, order, { createdAt: 'created_at' }))
      const ids = toPage(filtered.select('users.id'), order, query, start)
      return pageOf(db.selectFrom('users').select(columns), order, ids).execute()
    },
    () => (counted ? readCount(db, countedRows(counted)) : readLongCount(db, countOf(found), caller)),
  )
  return { ...page, rows: page.rows.map(toUser), isAlike: terms?.isAlike ?? false }
}

/** The whole list, a batch at a time. */
export async function* listUserBatches(db: Db, query: ListQuery): AsyncGenerator<User[]> {
  const rows = filterUsers(db.selectFrom('users'), query, await chooseUserTerms(db, query))
  const batches = toBatches(
    rows.where('users.deleted_at', 'is', null).select(columns),
    toListOrder(orders, query.sort, '-createdAt'),
  )
  for await (const batch of batches) yield batch.map(toUser)
}

/** A customer, or a staff member in a customer's fields: corporate bookings belong to staff (decisions §3). */
export async function findUserOrStaff(db: Db, id: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('staff')
        .select(['id', 'firstname', 'lastname', 'email', 'phone_number as mobile', 'role', 'is_blocked'])
        .select(sql<string>`trim(firstname || ' ' || lastname)`.as('username'))
        .where('id', '=', id)
        .where('deleted_at', 'is', null),
    )
    .executeTakeFirst()
  return row && toUser(row)
}

/** False when there is no such customer. */
export async function updateUser(
  db: Db,
  id: string,
  changes: { is_blocked: boolean } | { deleted_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The filters of the users screen, for every query that has the table in it; `terms` are those of chooseUserTerms. */
export function filterUsers<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status }: ListQuery,
  terms: SearchTerms | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(isFoundBy(terms, searched, id))
    .$if(status !== undefined, (rows) => rows.where(isBlocked, '=', status === 'blocked'))
}

export function chooseUserTerms(db: Db, { search }: ListQuery): Promise<SearchTerms | undefined> {
  return chooseTermsOf(db, search, (terms) => selectFound(db, terms))
}

/** The newest customers, by which it is judged how common a text is. */
const SAMPLE = 2_000
/**
 * Of which so many have it: to go through the list in its order meets a page of them sooner than an index gathers all.
 * By age they are spread evenly; by name those that begin with a T all come late, unless nearly everybody has the text.
 */
const COMMON = 40
const COMMON_IN_OTHER_ORDERS = 1_000

type UserSearch = { terms: SearchTerms | undefined; isCommon: boolean }

/** What a search is taken for, in one query: as it is spelled or alike, and common or rare in the list that is shown. */
async function findUserSearch(db: Db, query: ListQuery): Promise<UserSearch> {
  // A total is counted by the indexes, however common the text is.
  if (query.count === 'only') return { terms: await chooseUserTerms(db, query), isCommon: false }
  let isCommon: boolean | undefined
  const terms = await chooseTerms(query.search, async (exact, alike) => {
    const { rows } = await sql<{ is_alike: boolean; is_common: boolean }>`
      select ${isAlikeOnly(exact, alike, (terms) => selectFound(db, terms))} as is_alike,
             ${isCommonText(exact, query)} as is_common`.execute(db)
    isCommon = rows[0]?.is_common
    return rows[0]?.is_alike === true ? alike : exact
  })
  if (!terms || terms.isWholeId) return { terms, isCommon: false }
  if (isCommon === undefined) {
    const { rows } = await sql<{ is_common: boolean }>`select ${isCommonText(terms, query)} as is_common`.execute(db)
    isCommon = rows[0]?.is_common === true
  }
  return { terms, isCommon }
}

function isCommonText(terms: SearchTerms, { status, sort = '-createdAt' }: ListQuery): RawBuilder<boolean> {
  const enough = sort.endsWith('createdAt') ? COMMON : COMMON_IN_OTHER_ORDERS
  const isShown = status === undefined ? sql`true` : sql`is_blocked = ${status === 'blocked'}`
  return sql`(
    select count(*) from (
      select ${searched} as own_text, is_blocked from users where deleted_at is null
       order by created_at desc, id desc limit ${sql.lit(SAMPLE)}
    ) as newest where ${isShown} and ${terms.isIn(sql`own_text`)}
  ) >= ${sql.lit(enough)}`
}

function selectFound(db: Db, terms: SearchTerms) {
  return db.selectFrom('users').where('users.deleted_at', 'is', null).where(isFoundUser(terms))
}

/** By the indexes. */
function isFoundUser(terms: SearchTerms): RawBuilder<boolean> {
  return sql`(${terms.isFoundIn(searchedUsers)} or ${terms.isId(id)})`
}

/** The line ends keep a search from matching across two fields. */
const searched: RawBuilder<string> = sql`(
  users.firstname || ' ' || users.lastname || E'\\n' || users.email || E'\\n' || users.username || E'\\n' || users.mobile
)`
/** As the indexes users_search_idx and users_word_starts_idx have it. */
export const searchedUsers: IndexedText = { text: searched, wordStarts: sql`word_starts(${searched})` }
const isBlocked: RawBuilder<boolean> = sql`users.is_blocked`

const columns = [
  'users.id',
  'users.firstname',
  'users.lastname',
  'users.email',
  'users.mobile',
  'users.role',
  'users.is_blocked',
  'users.username',
] as const

type UserRow = {
  id: string
  firstname: string
  lastname: string
  email: string
  mobile: string
  role: string
  is_blocked: boolean
  username: string
}

function toUser(row: UserRow): User {
  return {
    _id: row.id,
    firstname: row.firstname,
    lastname: row.lastname,
    email: row.email,
    mobile: row.mobile,
    phoneNumber: row.mobile,
    role: row.role,
    isBlocked: row.is_blocked,
    username: row.username,
  }
}
