import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** Maximum number of queries on one connection at a time: those of some ten requests. */
const MAX_QUERIES = 32
/** Maximum time a connection is shared: others wait for one too, and the embedded engine has no second. */
const MAX_SHARED_MS = 100

/** A connection of the pool with queries under way. */
type Lease = { client: Promise<PostgresPoolClient>; queries: number; since: number }

type SharedPool = PostgresPool & {
  /** The number of queries that wait for a connection behind another query. The pool counts only that first one. */
  countWaiting(): number
}

/**
 * Creates a pool that sends queries over one connection of `pool` without waiting for earlier responses. Each query is
 * a transaction of its own and succeeds or fails alone. For short reads, which cost less than waking a database process
 * for each one would. No transaction may begin here.
 */
export function createSharedPool(pool: PostgresPool): SharedPool {
  let current: Lease | undefined
  let waiting = 0

  function join(): Lease {
    const now = performance.now()
    if (current === undefined || current.queries >= MAX_QUERIES || now - current.since > MAX_SHARED_MS) {
      current = { client: pool.connect(), queries: 0, since: now }
    }
    current.queries += 1
    return current
  }

  function close(lease: Lease): void {
    if (current === lease) current = undefined
  }

  async function connect(): Promise<PostgresPoolClient> {
    const lease = join()
    const isBehind = lease.queries > 1
    if (isBehind) waiting += 1
    try {
      const client = await lease.client
      const query = async (text: string, values: unknown[]) => {
        try {
          return await client.query(text, values)
        } catch (error) {
          // The connection itself may have failed.
          close(lease)
          throw error
        }
      }
      const release = () => {
        lease.queries -= 1
        if (lease.queries > 0) return
        close(lease)
        client.release()
      }
      // As in prepared-statements.ts, nothing asks for a cursor.
      return { query: query as PostgresPoolClient['query'], release }
    } catch (error) {
      close(lease)
      throw error
    } finally {
      if (isBehind) waiting -= 1
    }
  }

  return { connect, end: () => Promise.resolve(), countWaiting: () => waiting }
}
