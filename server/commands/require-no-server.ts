import { sql } from 'kysely'
import type { DatabaseHandle } from '../db/client.ts'
import { SERVER_NAME } from '../db/postgres/open.ts'

/**
 * Throws while a server is connected, because it would go on encrypting with the key that it knows. The embedded
 * database admits only one process anyway.
 */
export async function requireNoServer({ db, engine }: DatabaseHandle): Promise<void> {
  if (engine === 'embedded') return
  const { rows } = await sql<{ servers: number }>`
    select count(*)::int as servers from pg_stat_activity
     where datname = current_database() and application_name = ${SERVER_NAME}`.execute(db)
  if (rows[0]?.servers) {
    throw new Error(
      'A Podkeeper server is connected to this database. Stop every server first: they would go on with the key that they know. If all are stopped, a pooler still holds a connection of theirs: restart it.',
    )
  }
}
