import { DEFAULT_MIGRATION_TABLE, Migrator, sql } from 'kysely'
import type { Db } from '../client.ts'
import { migrations } from './index.ts'

/**
 * Brings the schema up to date and returns the names of the applied migrations. Servers that start together wait for
 * each other on an advisory lock. All pending migrations run in one transaction: if one fails, none is applied.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  // The library inspects every table three times before it finds nothing to do, which takes a third of a second at each
  // start.
  if (await isLatest(db)) return []
  return db.connection().execute(async (connection) => {
    // Building an index, or waiting for another server to build it, may take longer than any query is allowed.
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } })
      const { error, results = [] } = await migrator.migrateToLatest()
      const failed = results.find(({ status }) => status === 'Error')
      if (failed) throw new Error(`The migration ${failed.migrationName} failed: ${toReason(error)}`, { cause: error })
      if (error !== undefined) throw error
      return results.map(({ migrationName }) => migrationName)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Whether exactly the migrations known here are applied; the library applies or refuses anything else. */
async function isLatest(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ made: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as made`.execute(db)
  if (!tables[0]?.made) return false
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const known = Object.keys(migrations)
  return applied.size === known.length && known.every((name) => applied.has(name))
}

const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error))
