import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { User, UserListQuery } from '#contract/users.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type ListQuery = z.output<typeof UserListQuery>

const id = sql.ref('users.id')
export const orders = {
  createdAt: { by: sql.ref('users.created_at'), type: 'timestamptz', id, countedTime: 'created_at' },
  name: { by: byText(sql`(users.firstname || ' ' || users.lastname)`), type: 'text', id },
  email: { by: sql.ref('users.email'), type: 'text', id },
} as const

export function listUsers(db: Db, query: ListQuery) {
  return defineList(db, query, {
    list: 'users',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) => selectListed(db, query, search).select('users.id'),
    rows: db.selectFrom('users').select(columns),
    toItem: toUser,
    counted: query.search || query.status === 'deleted' ? undefined : { list: 'users', status: query.status },
  })
}

export function selectListed(db: Db, query: ListQuery, search: Search | undefined) {
  return filterUsers(db.selectFrom('users'), query, search).where(hasStatus('users', query.status))
}

/** Returns a customer, or a staff member in a customer's fields, as corporate bookings belong to staff (rules §4.9). */
export async function findUserOrStaff(db: Db | Tx, id: string): Promise<User | undefined> {
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
        .select('version')
        .where('id', '=', id)
        .where('deleted_at', 'is', null),
    )
    .executeTakeFirst()
  return row && toUser(row)
}

/** Returns a customer with the note, which an edit may change too. */
async function findWithNote(db: Db | Tx, id: string) {
  const row = await db
    .selectFrom('users')
    .select([...columns, 'note'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...toUser(row), note: row.note }
}

export async function createUser(tx: Tx, user: Insertable<Database['users']>): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

/** Keeps a customer from being blocked or deleted until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<{ is_blocked: boolean } | undefined> {
  return tx
    .selectFrom('users')
    .select('is_blocked')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

export const customerRecord: RecordKind<'users'> = {
  entity: 'customer',
  table: 'users',
  label: sql`trim(record.firstname || ' ' || record.lastname)`,
  isDeletable: true,
  find: findWithNote,
}

/** Applies the filters of the users screen to a query on `users`. */
export function filterUsers<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status }: ListQuery,
  search: Search | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(isFound('users', search))
    .$if(status !== undefined, (rows) => rows.where(hasStatus('users', status)))
    .$if(status === 'deleted', (rows) => rows.where(sql<boolean>`users.erased_at is null`))
}

export const columns = [
  'users.id',
  'users.firstname',
  'users.lastname',
  'users.email',
  'users.mobile',
  'users.role',
  'users.is_blocked',
  'users.username',
  'users.version',
] as const

type UserRow = Omit<Selectable<Database['users']>, 'deleted_at' | 'erased_at' | 'created_at' | 'note'>

export function toUser(row: UserRow): User {
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
    version: row.version,
  }
}
