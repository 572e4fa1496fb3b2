import { type Compilable, type CompiledQuery, sql } from 'kysely'
import type { Tx } from './client.ts'

let cursors = 0

/**
 * Yields the rows of a query in batches, through a cursor of the transaction, so that only one batch is in memory at a
 * time. The cursor is closed when the consumer stops, early or not.
 */
export async function* streamRows<T>(
  tx: Tx,
  query: Compilable<T> | CompiledQuery<T>,
  { batch = 1000 }: { batch?: number } = {},
): AsyncGenerator<T[], void, void> {
  cursors += 1
  const cursor = sql.id(`rows_${cursors}`)
  const compiled = 'compile' in query ? query.compile() : query
  const declare = sql`declare ${cursor} no scroll cursor for `.compile(tx)
  await tx.executeQuery({ ...compiled, sql: declare.sql + compiled.sql })
  try {
    for (;;) {
      const { rows } = await sql<T>`fetch ${sql.lit(batch)} from ${cursor}`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < batch) return
    }
  } finally {
    // The cursor no longer exists when the transaction failed or the engine stopped; that error is the one to show.
    await sql`close ${cursor}`.execute(tx).catch(() => undefined)
  }
}
