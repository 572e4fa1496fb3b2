import { sql } from 'kysely'
import type { Tx } from '../db/client.ts'

/** Waits until another query of this database, or several, wait for a lock. */
export async function untilSomeoneWaits(tx: Tx, queries = 1): Promise<void> {
  for (;;) {
    // Within a transaction, connections that were made after the first look would not be seen.
    await sql`select pg_stat_clear_snapshot()`.execute(tx)
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
    if (rows.length >= queries) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
