import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { User, UserListQuery } from '#contract/users.ts'
import type { Db } from '#server/db/client.ts'
import { byText, inOrder, toBatches, toLikePattern, toListOrder, toPage } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'
import { newestBookingFirst, type PersonBooking, personBookingColumns } from '../exports/person-bookings.ts'

type ListQuery = z.output<typeof UserListQuery>

const id = sql.ref('users.id')
const orders = {
  createdAt: { by: sql.ref('users.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql`(users.firstname || ' ' || users.lastname)`), type: 'text', id },
  email: { by: sql.ref('users.email'), type: 'text', id },
} as const

/** Told so that no index serves it: for a rare text the database would walk that index from end to end. */
const searchOrders = {
  createdAt: { ...orders.createdAt, by: sql`(users.created_at + interval '0')` },
  name: { ...orders.name, by: byText(sql`(users.firstname || ' ' || users.lastname || '')`) },
  email: { ...orders.email, by: sql`(users.email || '')` },
} as const

/** One page: the ids first, from the index of the order, so that a deep page reads no more rows than it shows. */
export async function listUsers(db: Db, query: ListQuery): Promise<{ rows: User[]; total: number }> {
  const order = toListOrder(query.search ? searchOrders : orders, query.sort, '-createdAt')
  const filtered = filterUsers(db.selectFrom('users'), query).where('users.deleted_at', 'is', null)
  const page = toPage(filtered.select('users.id'), order, query)
  const [rows, count] = await Promise.all([
    inOrder(db.selectFrom('users').select(columns).where('users.id', 'in', page), order).execute(),
    filtered.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map(toUser), total: count.total }
}

/** The whole list, a batch at a time. */
export async function* listUserBatches(db: Db, query: ListQuery): AsyncGenerator<User[]> {
  for await (const rows of toBatches(selectUsers(db, query), toListOrder(orders, query.sort, '-createdAt'))) {
    yield rows.map(toUser)
  }
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

/** Bookings of the customers that the screen's filters show, newest first. Those of deleted customers are history and stay (decisions §7). */
export function listUserBookingBatches(db: Db, query: ListQuery): AsyncGenerator<PersonBooking[]> {
  const rows = filterUsers(db.selectFrom('bookings').innerJoin('users', 'users.id', 'bookings.user_id'), query)
  return toBatches(rows.select(['users.id as person_id', ...personBookingColumns]), newestBookingFirst)
}

function selectUsers(db: Db, query: ListQuery) {
  return filterUsers(db.selectFrom('users'), query).where('users.deleted_at', 'is', null).select(columns)
}

/** The filters of the users screen, for every query that has the table in it. */
function filterUsers<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { search, status }: ListQuery,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .$if(Boolean(search), (rows) => rows.where(searched, 'ilike', toLikePattern(search ?? '')))
    .$if(status !== undefined, (rows) => rows.where(isBlocked, '=', status === 'blocked'))
}

/** As the index users_search_idx has it; the line ends keep a search from matching across two fields. */
export const searched: RawBuilder<string> = sql`(
  users.firstname || ' ' || users.lastname || E'\\n' || users.email || E'\\n' || users.username || E'\\n' || users.mobile
)`
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
