import { type Compilable, type CompiledQuery, sql } from 'kysely'
import type { Db, Tx } from './client.ts'
import { getScope } from './database-scope.ts'

type Query<T> = Compilable<T> | CompiledQuery<T>

let cursors = 0

/**
 * The rows of a query in batches, never more than one of them in memory, all of one moment: what is written meanwhile
 * does not show. The cursor is closed when the consumer stops, early or not.
 *
 * - PostgreSQL: a read-only transaction holds a connection until the end. A consumer that asks for nothing during five
 *   minutes loses it.
 * - Embedded: there is one session for everyone, so a transaction would shut all others out. The cursor is held
 *   (WITH HOLD): the engine lays the whole result aside first, on disk when it is large, and then each batch is a query
 *   of its own between those of others.
 * - In a transaction of the caller's (a `tx`): a plain cursor of that transaction.
 */
export async function* streamRows<T>(
  db: Db | Tx,
  query: Query<T>,
  { batch = 1000 }: { batch?: number } = {},
): AsyncGenerator<T[], void, void> {
  if (db.isTransaction) yield* readCursor(db, query, batch)
  else if (getScope(db).engine === 'embedded') yield* readCursor(db, query, batch, 'with hold')
  else yield* readInTransaction(db, query, batch)
}

async function* readInTransaction<T>(db: Db, query: Query<T>, batch: number): AsyncGenerator<T[], void, void> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    // The consumer may be a slow download: idle between two batches is not forgotten.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx)
    yield* readCursor(tx, query, batch)
  } finally {
    await tx.rollback().execute()
  }
}

async function* readCursor<T>(
  db: Db | Tx,
  query: Query<T>,
  batch: number,
  hold: 'with hold' | '' = '',
): AsyncGenerator<T[], void, void> {
  cursors += 1
  const cursor = sql.id(`rows_${cursors}`)
  const compiled = 'compile' in query ? query.compile() : query
  const declare = sql`declare ${cursor} no scroll cursor ${sql.raw(hold)} for `.compile(db)
  await db.executeQuery({ ...compiled, sql: declare.sql + compiled.sql })
  try {
    for (;;) {
      const { rows } = await sql<T>`fetch ${sql.lit(batch)} from ${cursor}`.execute(db)
      if (rows.length > 0) yield rows
      if (rows.length < batch) return
    }
  } finally {
    // It is gone already when the transaction failed or the engine stopped, and that error is the one to show.
    await sql`close ${cursor}`.execute(db).catch(() => undefined)
  }
}
