import type { CompiledQuery, ConnectionProvider, DatabaseConnection, QueryResult } from 'kysely'
import type { Db } from './client.ts'
import { getScope } from './database-scope.ts'
import type { NamedClient } from './named-statements.ts'

/** Who waits for an answer: a request is one. The signal is asked for only by what may take long. */
export type Caller = { readonly signal: AbortSignal }

/**
 * Runs a statement that only reads, and may read much, for as long as somebody waits for it: rejects with the signal's
 * reason once it is aborted. One that still waits for a connection is not begun then, and one that runs is ended by the
 * server (docs/decisions/014); the embedded engine has no way to, and brings it to its end.
 */
export async function runAwaited<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  signal: AbortSignal,
): Promise<QueryResult<Row>> {
  signal.throwIfAborted()
  return db.getExecutor().withConnectionProvider(provideAwaited(db, signal)).executeQuery(query)
}

function provideAwaited(db: Db, signal: AbortSignal): ConnectionProvider {
  const { engine, pool } = getScope(db)
  return {
    async provideConnection(work) {
      const client = await pool.connect()
      let ending: Promise<void> | undefined
      const end = () => {
        if (engine === 'postgres') ending = client.cancel()
      }
      try {
        signal.throwIfAborted()
        signal.addEventListener('abort', end)
        return await work(toConnection(client))
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', end)
        // Else what it is lent for next could be ended in its place.
        await ending
        client.release()
      }
    },
  }
}

function toConnection(client: NamedClient): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return (await client.queryPlanned(sql, parameters)) as QueryResult<Row>
    },
    streamQuery() {
      throw new Error('A stream ends with its reader')
    },
  }
}
