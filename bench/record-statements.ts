import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'

/** A query for `pg`, named like the product's own prepared statements. */
export type RecordedStatement = { name: string; text: string; values: unknown[] }

/**
 * Runs `work` with a handle that records every statement, so that a limit is measured with exactly the SQL that the
 * product runs.
 */
export async function recordStatements(pool: Pool, work: (db: Db) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = []
  const recording: PostgresPool = {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: unknown[]): Promise<unknown> => {
        statements.push({ name: createHash('sha1').update(text).digest('hex'), text, values })
        return client.query(text, values)
      }
      return { query: query as PostgresPoolClient['query'], release: () => client.release() }
    },
    end: () => Promise.resolve(),
  }
  await work(new Kysely<Database>({ dialect: new PostgresDialect({ pool: recording }) }))
  return statements
}
