import {
  type DialectAdapter,
  Kysely,
  type KyselyConfig,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  sql,
} from 'kysely'
import type { SearchedList } from './lists/search.ts'
import type { Database } from './schema.ts'

/**
 * Access by location (rules §37.3): every statement of a person who has some locations reads the tables as if nothing stood in
 * them but what is of these. Before the statement stands, for each such table that it names, a query of the same name, which
 * hides the table; the database plans it as if its condition were the statement's own. No query knows of it, and none can
 * forget it.
 */

/** `own('column')`: that the column, of a location's id, is of one of theirs. */
type Condition = (own: (column: string) => string) => string

/**
 * Of each table: what a person with some locations sees of it. A table that is not said does not compile. They stand before
 * a statement in this order, so that each reads others whole: of what comes before it, it would see theirs alone.
 */
const conditions: Readonly<Record<keyof Database, Condition | 'all'>> = {
  audit: (own) => `case entity
    when 'pod' then exists (select from pods where pods.id = entity_id and ${own('pods.location_id')})
    when 'location' then ${own('entity_id')}
    when 'booking' then exists (select from bookings where bookings.id = entity_id and ${own('bookings.location_id')})
    when 'transaction' then exists (select from transactions join bookings on bookings.id = booking_id
                                     where transactions.id = entity_id and ${own('bookings.location_id')})
    when 'closure' then exists (select from closures where closures.id = entity_id and ${own('closures.location_id')})
                     or exists (select from closure_pods join pods on pods.id = pod_id
                                 where closure_id = entity_id and ${own('pods.location_id')})
    when 'customer' then exists (select from bookings where bookings.user_id = entity_id
                                    and coalesce(bookings.user_id, bookings.staff_id) = entity_id and ${own('bookings.location_id')})
    when 'company' then ${isOwnCompany('entity_id', own)}
    else entity in ('feature', 'settings') end`,
  companies: (own) => isOwnCompany('companies.id', own),
  // Who has booked there, by the columns that bookings_owner_idx has.
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
  // Of the other two lists it does not say at which location.
  row_counts: (own) => `list = 'bookings' and ${own('kind')}`,

  // Read by way of their pod, location, closure, booking or person, and never without.
  pod_features: 'all',
  pod_images: 'all',
  opening_hours: 'all',
  hour_exceptions: 'all',
  closure_pods: 'all',
  closure_instances: 'all',
  told_bookings: 'all',
  // The platform's: nothing of them is of one location, or whoever may read them has all.
  staff: 'all',
  features: 'all',
  images: 'all',
  pricing: 'all',
  mails: 'all',
  message_templates: 'all',
  webhooks: 'all',
  api_keys: 'all',
  role_presets: 'all',
  webhook_deliveries: 'all',
  jobs: 'all',
  backups: 'all',
  secret_key_check: 'all',
  // One's own.
  sessions: 'all',
  sign_in_addresses: 'all',
  password_links: 'all',
  second_factors: 'all',
  recovery_codes: 'all',
  passkeys: 'all',
  sign_in_challenges: 'all',
  idempotency_keys: 'all',
}

/** One that nobody has booked for yet is everybody's: whoever adds it books for it next. */
function isOwnCompany(id: string, own: (column: string) => string): string {
  return `(exists (select from bookings where company_id = ${id} and ${own('bookings.location_id')})
    or not exists (select from bookings where company_id = ${id}))`
}

/** Where searches look, as the records that they find. */
const searched = [
  'bookings',
  'transactions',
  'users',
  'companies',
  'pods',
  'locations',
] as const satisfies SearchedList[]

const ofTexts = searched.map((list): [string, Condition] => {
  const condition = conditions[list]
  if (condition === 'all') throw new Error(`Of ${list} everyone sees all`)
  return [`${list}_search_texts`, (own) => `record_id in (select ${list}.id from ${list} where ${condition(own)})`]
})
const ofTables = Object.entries(conditions).flatMap(([table, condition]): [string, Condition][] =>
  condition === 'all' ? [] : [[table, condition]],
)
const narrowed = [...ofTexts, ...ofTables]

const tableNames = new RegExp(`\\b(?:${narrowed.map(([table]) => table).join('|')})\\b`, 'g')
/** A lock is of rows of the table itself: such a statement names them by ids, which were looked at before. */
const locksRows = /\bfor (?:no key update|update|key share|share)\b/
const beginsWith = /^\s*with\s+(recursive\s+)?/i
const canBegin = /^\s*(?:select|insert|update|delete|\()/i

/** In a statement that reads whole tables whoever asks, and shows nothing of them: for names that no two may have. */
export const ofAllLocations = sql.raw('/* of all locations */')

/** The same statement, of what is of these locations alone. */
export function narrow(
  text: string,
  values: readonly unknown[],
  locations: readonly string[],
): { text: string; values: unknown[] } {
  const tables = new Set(text.match(tableNames))
  if (tables.size === 0 || locksRows.test(text) || text.includes('/* of all locations */')) {
    return { text, values: [...values] }
  }
  const [first] = locations
  const isOne = locations.length === 1
  const parameter = `$${values.length + 1}`
  // Of one location the rows come in an index's order.
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
  // As a part of a recursive list each would read itself.
  if (recursive !== undefined) return `with ${queries} select * from (${text}) as found`
  if (begin !== undefined) return `with ${queries}, ${text.slice(begin.length)}`
  if (canBegin.test(text)) return `with ${queries} ${text}`
  throw new Error(`Access by location does not know such a statement: ${text.slice(0, 80)}`)
}

/** The driver's pool for a person who has these locations alone. */
function narrowPool(pool: PostgresPool, locations: readonly string[]): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: readonly unknown[] = []) => {
        const statement = narrow(text, values, locations)
        return client.query(statement.text, statement.values)
      }
      // As in prepared-statements.ts: nothing asks for a cursor.
      return { query: query as typeof client.query, release: () => client.release() }
    },
    end: () => Promise.resolve(),
  }
}

class NarrowedAdapter extends PostgresAdapter {}

class NarrowedDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    return new NarrowedAdapter()
  }
}

/** The database as somebody sees it who has these locations alone. */
export function withinLocations(
  pool: PostgresPool,
  locations: readonly string[],
  watched?: Pick<KyselyConfig, 'log'>,
): Kysely<Database> {
  return new Kysely<Database>({ dialect: new NarrowedDialect({ pool: narrowPool(pool, locations) }), ...watched })
}

/** Whether it shows some locations alone: what is counted of all of them is not to be shown then. */
export function isNarrowed(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof NarrowedAdapter
}
