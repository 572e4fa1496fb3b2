import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { endsSession, hasCode, isUnanswered } from '../database-error.ts'

/** Plans take memory on the server: beyond this many per connection, statements stay unprepared. */
const MAX_PREPARED = 500
/** Longer texts are bulk inserts, whose text differs each time. */
const MAX_TEXT_LENGTH = 10_000
const isPlanned = /^\s*(?:select|insert|update|delete|with)\b/i
/** The best plan of a search depends on what is searched for: a generic one takes a hundred times as long. */
const isSearch = / like \$/

/** The prepared statement no longer fits (a column's type changed) or is gone (a proxy has switched the session). */
const isStale = (error: unknown) => hasCode(error, '0A000') || hasCode(error, '26000')

/** The longest that a timer can wait: three weeks. */
export const NO_LIMIT_MS = 2 ** 31 - 1
/** Statements with which work that takes long lifts PostgreSQL's limit, for a transaction or until it resets it. */
const setsLimit = /^\s*(re)?set (local )?statement_timeout\b/

/**
 * Wraps the driver's pool for kysely. Statements are prepared once per connection and found again by a hash of their
 * text, which halves the time of a page of bookings. Behind a pooler (`isPooler`) nothing is prepared, as the next
 * transaction may run on another connection.
 */
export function createPreparingPool(pool: Pool, { isPooler }: { isPooler: boolean }): PostgresPool {
  // kysely recognises a connection by its client, so each client has one wrapper.
  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const wrapper = wrappers.get(client) ?? createPreparingClient(client, isPooler ? 0 : MAX_PREPARED)
      wrappers.set(client, wrapper)
      return wrapper
    },
    // The pool is ended by its opener; kysely would end it only after a first query.
    end: () => Promise.resolve(),
  }
}

function createPreparingClient(client: PoolClient, maxPrepared: number): PostgresPoolClient {
  const names = new Map<string, string>()
  let isUnusable = false
  let unanswered: unknown
  let lifted: 'transaction' | 'session' | undefined

  /** Returns the driver's limit for this statement, if it is another than that of the pool. */
  function findLimit(text: string, isInTransaction: boolean): { query_timeout?: number } {
    if (lifted === 'transaction' && !isInTransaction) lifted = undefined
    const [isSet, resets, local] = setsLimit.exec(text) ?? []
    if (isSet) lifted = resets ? undefined : local ? 'transaction' : 'session'
    return lifted ? { query_timeout: NO_LIMIT_MS } : {}
  }

  function findName(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxPrepared || text.length > MAX_TEXT_LENGTH) return known
    if (!isPlanned.test(text) || isSearch.test(text)) return undefined
    const name = createHash('sha256').update(text).digest('base64url')
    names.set(text, name)
    return name
  }

  async function query(text: string, values: unknown[]): Promise<unknown> {
    // What follows, such as a rollback, would wait for as long again.
    if (unanswered !== undefined) throw unanswered
    const name = findName(text)
    const isInTransaction = client.getTransactionStatus() !== 'I'
    try {
      return await client.query({ name, text, values, ...findLimit(text, isInTransaction) })
    } catch (error) {
      // The driver learns a little later that the session has ended, and until then would hand it out again.
      if (isUnanswered(error)) unanswered = error
      isUnusable ||= endsSession(error) || isStale(error) || unanswered !== undefined
      // A transaction is lost with its first error, so there is no retry.
      if (!isStale(error) || isInTransaction) throw error
      return client.query(text, values)
    }
  }

  return {
    // kysely's type covers rows of any type and cursors; the dialect is given no cursor class, so none is asked for.
    query: query as PostgresPoolClient['query'],
    release: () => client.release(isUnusable),
  }
}
