import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** Queries that may be under way on one connection: those of some ten requests. */
const MAX_QUERIES = 32
/** A connection is shared for so long at most: others wait for one too, and the embedded engine has no second. */
const MAX_SHARED_MS = 100

/** A connection of the pool with queries under way. */
type Lease = { client: Promise<PostgresPoolClient>; queries: number; since: number }

export type SharedPool = PostgresPool & {
  /** Queries that wait for a connection behind another, which the pool counts: its one stands for all of them. */
  countWaiting(): number
}

/**
 * A pool that sends queries down one connection of `pool` without waiting for the responses to those before: each is a
 * transaction of its own, and succeeds or fails alone. For short reads, which cost less than to wake a process of the
 * database for each. No transaction may begin here.
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
          // It may be the connection that failed.
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
      // As in prepared-statements.ts: nothing asks for a cursor.
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
