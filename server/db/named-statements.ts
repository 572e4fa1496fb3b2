import { createHash } from 'node:crypto'
import type { PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { hasCode } from './database-error.ts'

/** A plan costs memory on the server: past this many a client, statements stay unnamed. */
const mostStatements = 500
/** Long texts are bulk inserts, whose text differs each time. */
const longestStatement = 10_000
const isPlanned = /^\s*(?:select|insert|update|delete|with)\b/i
/** What is searched for decides the plan: one for any text takes a hundred times as long. */
const isSearch = / like \$/
/** The prepared plan no longer fits (a column's type changed), or is gone (a proxy between has changed the session). */
const isStale = (error: unknown) => hasCode(error, '0A000') || hasCode(error, '26000')

/** The server has ended the session; the driver learns of it a little later and would lend it once more until then. */
const endsSession = (error: unknown) => error instanceof Error && 'severity' in error && error.severity === 'FATAL'

/** As kysely takes it. */
export type NamedClient = PostgresPoolClient & {
  /** What is sent from now until the call of its result is sent in one piece. */
  cork(): () => void
}
export type NamedPool = { connect(): Promise<NamedClient>; end(): Promise<void> }

/**
 * The driver's pool as kysely takes it, with every statement of one command prepared once a connection and found again
 * by a hash of its text: that halves the time of a page of bookings. `onConnect` runs before a connection is lent.
 */
export function createNamedPool(pool: Pool, onConnect: () => void): NamedPool {
  // kysely knows a connection again by its client, so each has one wrapper.
  const wrappers = new WeakMap<PoolClient, NamedClient>()
  return {
    async connect() {
      onConnect()
      const client = await pool.connect()
      const wrapper = wrappers.get(client) ?? createNamedClient(client)
      wrappers.set(client, wrapper)
      return wrapper
    },
    // Whoever opened the pool ends it; kysely would do so only after a first query.
    end: () => Promise.resolve(),
  }
}

function createNamedClient(client: PoolClient): NamedClient {
  const statements = createStatementNames()
  let isLost = false

  async function noteLoss<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      isLost ||= endsSession(error)
      throw error
    }
  }

  async function run(text: string, values: unknown[]): Promise<unknown> {
    const name = statements.find(text)
    if (name === undefined) return client.query(text, values)
    const inTransaction = client.getTransactionStatus() !== 'I'
    try {
      return await client.query({ name, text, values })
    } catch (error) {
      if (!isStale(error)) throw error
      statements.rename(text)
      // Inside a transaction everything is lost already; its next run gets the new name.
      if (inTransaction) throw error
      return client.query({ name: statements.find(text), text, values })
    }
  }

  return {
    // kysely asks for rows of any type and for cursors; no cursor class is given to the dialect, so none is asked for.
    query: ((text: string, values: unknown[]) => noteLoss(run(text, values))) as PostgresPoolClient['query'],
    release: () => client.release(isLost),
    cork() {
      const { stream } = client.connection
      stream.cork()
      return () => stream.uncork()
    },
  }
}

export type StatementNames = { find(text: string): string | undefined; rename(text: string): void }

export function createStatementNames(most = mostStatements): StatementNames {
  const names = new Map<string, string>()
  let renamed = 0
  return {
    find(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= most || text.length > longestStatement) return known
      if (!isPlanned.test(text) || isSearch.test(text)) return undefined
      const name = createHash('sha256').update(text).digest('base64url')
      names.set(text, name)
      return name
    },
    // The driver would take the old name for prepared, and the server keeps the old plan: a new name avoids both.
    rename(text) {
      renamed += 1
      names.set(text, `${names.get(text)?.slice(0, 43)}_${renamed}`)
    },
  }
}
