import { Kysely, type KyselyConfig, PostgresDialect, type PostgresPool, sql } from 'kysely'
import type { LocatedKind } from '#contract/routes.ts'
import { searchedLists } from './lists/search.ts'
import type { Database } from './schema.ts'
import type { NarrowedTable } from './tables.ts'

/**
 * Access by location (rules §37.3): every statement of a person who is limited to some locations reads the tables as if
 * they held only what belongs to these. For each such table that the statement names, a query of the same name is put
 * before it, which hides the table; the database plans it as if its condition were part of the statement. Queries in
 * the code do not know about this and so cannot forget it.
 */

/** `own('column')` is the condition that this column, which holds a location's id, is one of the person's locations. */
type Condition = (own: (column: string) => string) => string

/** The tables of the kinds of records that belong to locations, some of them to several. */
export const tablesOfKinds: Readonly<
  Record<Exclude<LocatedKind, 'change' | 'deleted'> | 'transaction', Exclude<NarrowedTable, 'audit'>>
> = {
  pod: 'pods',
  location: 'locations',
  booking: 'bookings',
  series: 'series',
  closure: 'closures',
  customer: 'users',
  company: 'companies',
  transaction: 'transactions',
}

/**
 * What a person with some locations sees of these tables; a missing one does not compile. The queries are put before a
 * statement in this order. A condition sees the whole of the tables after its own, but only the narrowed rows of those
 * before it.
 */
const conditions: Readonly<Record<NarrowedTable, Condition>> = {
  // Changes of the records that they see. A download concerns no single record.
  audit: (own) =>
    `case entity ${Object.entries(tablesOfKinds)
      .map(
        ([entity, table]) => `when '${entity}' then exists (
          select from ${table} where ${table}.id = entity_id and (${conditions[table](own)}))`,
      )
      .join(' ')} else entity in ('feature', 'settings') end`,
  companies: (own) => isOwnCompany('companies.id', own),
  // Customers who have booked there, by the columns of bookings_owner_idx.
  users: (own) => `exists (select from bookings where bookings.user_id = users.id
    and coalesce(bookings.user_id, bookings.staff_id) = users.id and ${own('bookings.location_id')})`,
  series: (own) => `exists (select from bookings where series_id = series.id and ${own('bookings.location_id')})`,
  closures: (own) => `(${own('location_id')} or exists (select from closure_pods join pods on pods.id = pod_id
    where closure_id = closures.id and ${own('pods.location_id')}))`,
  transactions: (own) => `booking_id in (select id from bookings where ${own('location_id')})`,
  booking_slots: (own) => `pod_id in (select id from pods where ${own('location_id')})`,
  bookings: (own) => own('location_id'),
  pods: (own) => own('location_id'),
  locations: (own) => own('id'),
  // The counts of the other two lists are not by location.
  row_counts: (own) => `list = 'bookings' and ${own('kind')}`,
}

/** A company without bookings is everybody's, as whoever adds a company goes on to book for it. */
function isOwnCompany(id: string, own: (column: string) => string): string {
  return `(exists (select from bookings where company_id = ${id} and ${own('bookings.location_id')})
    or not exists (select from bookings where company_id = ${id}))`
}

/** The search texts are narrowed like the records they find. */
const ofTexts = Object.entries(conditions)
  .filter(([table]) => searchedLists.some((list) => list === table))
  .map(([table, condition]): [string, Condition] => [
    `${table}_search_texts`,
    (own) => `record_id in (select ${table}.id from ${table} where ${condition(own)})`,
  ])
const narrowed = [...ofTexts, ...Object.entries(conditions)]

const tableNames = new RegExp(`\\b(?:${narrowed.map(([table]) => table).join('|')})\\b`, 'g')
/**
 * Statements that lock rows are left alone: a lock needs the table itself. They name rows by ids that were checked
 * before.
 */
const locksRows = /\bfor (?:no key update|update|key share|share)\b/
const beginsWith = /^\s*with\s+(recursive\s+)?/i
const canBegin = /^\s*(?:select|insert|update|delete|\()/i

/** Marks a statement that reads whole tables for anyone and shows nothing of them, to keep names unique. */
export const ofAllLocations = sql.raw('/* of all locations */')

const PODS_OF_ALL_LOCATIONS = '/* pods of all locations */'

/**
 * Marks a statement that reads pods only for the bookings that it shows. A booking that is over stays at its location
 * when its pod moves to another, and keeps the pod's name there (rules §5.11).
 */
export const podsOfAllLocations = sql.raw(PODS_OF_ALL_LOCATIONS)

/** Returns the statement narrowed to what belongs to these locations. */
export function narrow(
  text: string,
  values: readonly unknown[],
  locations: readonly string[],
): { text: string; values: unknown[] } {
  const tables = new Set<string>(text.match(tableNames))
  if (text.includes(PODS_OF_ALL_LOCATIONS)) tables.delete('pods')
  if (tables.size === 0 || locksRows.test(text) || text.includes('/* of all locations */')) {
    return { text, values: [...values] }
  }
  const [first] = locations
  const isOne = locations.length === 1
  const parameter = `$${values.length + 1}`
  // With a single location the rows come in an index's order.
  const own = (column: string) => {
    const is = column === 'kind' ? 'text' : 'uuid'
    return isOne ? `${column} = ${parameter}::uuid::${is}` : `${column} = any(${parameter}::uuid[]::${is}[])`
  }
  const queries = narrowed.flatMap(([table, condition]) =>
    tables.has(table) ? [`${table} as not materialized (select * from ${table} where ${condition(own)})`] : [],
  )
  return { text: putBefore(text, queries.join(', ')), values: [...values, isOne ? first : locations] }
}

function putBefore(text: string, queries: string): string {
  const [begin, recursive] = beginsWith.exec(text) ?? []
  // Within a recursive list each query would read itself.
  if (recursive !== undefined) return `with ${queries} select * from (${text}) as found`
  if (begin !== undefined) return `with ${queries}, ${text.slice(begin.length)}`
  if (canBegin.test(text)) return `with ${queries} ${text}`
  throw new Error(`Access by location does not know such a statement: ${text.slice(0, 80)}`)
}

/** Wraps the driver's pool so that every statement is narrowed to these locations. */
function narrowPool(pool: PostgresPool, locations: readonly string[]): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: readonly unknown[] = []) => {
        const statement = narrow(text, values, locations)
        return client.query(statement.text, statement.values)
      }
      // As in prepared-statements.ts, nothing asks for a cursor.
      return { query: query as typeof client.query, release: () => client.release() }
    },
    end: () => Promise.resolve(),
  }
}

class NarrowedDatabase extends Kysely<Database> {}

/** Returns the database as a person with only these locations sees it. */
export function withinLocations(
  pool: PostgresPool,
  locations: readonly string[],
  watched?: Pick<KyselyConfig, 'log'>,
): Kysely<Database> {
  return new NarrowedDatabase({ dialect: new PostgresDialect({ pool: narrowPool(pool, locations) }), ...watched })
}

/** Whether the handle is narrowed to some locations; counts of all locations must not be shown then. */
export function isNarrowed(db: Kysely<Database>): boolean {
  // kysely's transactions do not tell from which handle they were begun.
  if (db.isTransaction) throw new Error('Lists and totals are read outside transactions')
  return db instanceof NarrowedDatabase
}
