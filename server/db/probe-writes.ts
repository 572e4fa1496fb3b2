import { sql } from 'kysely'
import type { Db } from './client.ts'
import { inTransaction } from './transaction.ts'

/**
 * Throws when the database cannot be written to, and leaves nothing behind. It updates no row, which a read-only
 * database or replica refuses all the same; materialises more rows than `work_mem` holds, which writes a temporary
 * file; and writes a message to the log, which the commit syncs to disk.
 */
export async function probeWrites(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update pricing set rate = rate where false`.execute(tx)
    await sql`set local work_mem = '64kB'`.execute(tx)
    await sql`
      select pg_logical_emit_message(true, 'podkeeper', 'can be written')
        from (select count(*) as n from generate_series(1, 10000)) as spilled where n > 0`.execute(tx)
  })
}
