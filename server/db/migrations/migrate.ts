import { DEFAULT_MIGRATION_TABLE, Migrator, sql } from 'kysely'
import type { DatabaseHandle, Db } from '../client.ts'
import { migrations } from './index.ts'

/**
 * Brings the schema up to date and returns the names of the applied migrations. Servers that start together wait for
 * each other on an advisory lock. All pending migrations run in one transaction: if one fails, none is applied. Throws
 * an error that says what to do when a newer release has migrated the database. `openDirect` opens the database itself
 * when `db` is a pooler's: there a setting would stay with a connection that others use, and might miss the migrations.
 */
export async function migrateToLatest(db: Db, openDirect?: () => Promise<DatabaseHandle>): Promise<string[]> {
  // The library inspects every table three times before it finds nothing to do, which takes a third of a second at each
  // start.
  if ((await findVersion(db)).pending.length === 0) return []
  if (!openDirect) return applyPending(db)
  const direct = await openDirect()
  try {
    return await applyPending(direct.db)
  } finally {
    await direct.close()
  }
}

/**
 * Returns which migrations a database lacks, and whether it has none at all. Throws an error that says what to do when
 * a newer release has migrated it.
 */
export async function findVersion(db: Db): Promise<{ isNew: boolean; pending: string[] }> {
  const applied = await listApplied(db)
  const newer = applied.filter((name) => !(name in migrations))
  if (newer.length > 0) {
    throw new Error(
      `A newer release of Podkeeper has changed this database (${newer.join(', ')}). Start that release or a later one, or restore a backup from before it into an empty database.`,
    )
  }
  return { isNew: applied.length === 0, pending: Object.keys(migrations).filter((name) => !applied.includes(name)) }
}

function applyPending(db: Db): Promise<string[]> {
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

/** Lists the migrations that have been applied; none in an empty database. */
async function listApplied(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ made: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as made`.execute(db)
  if (!tables[0]?.made) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error))
