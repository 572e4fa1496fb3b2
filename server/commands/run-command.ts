import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { type Config, parseConfig } from '../config.ts'
import { type DatabaseHandle, openDatabase } from '../db/client.ts'

/** The application_name of a command's connections, different from that of servers. */
const COMMAND_NAME = 'podkeeper-command'

export type CommandDeps = { config: Config; database: DatabaseHandle; say: (text: string) => void }

/**
 * Runs a terminal command: parses the settings, opens and migrates the database, and ends with a readable error. The
 * embedded database admits one process: a running server has to be stopped first, and the error says so.
 */
export function runCommand(work: (deps: CommandDeps) => Promise<void>): void {
  const say = (text: string) => process.stdout.write(`${text}\n`)
  run(work, say).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}

async function run(work: (deps: CommandDeps) => Promise<void>, say: (text: string) => void): Promise<void> {
  const config = parseConfig(process.env, { listens: false })
  const database = await openDatabase({
    databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    applicationName: COMMAND_NAME,
  })
  try {
    const applied = await migrateToLatest(database.db)
    if (applied.length > 0) say(`Migrated: ${applied.join(', ')}`)
    await work({ config, database, say })
  } finally {
    await database.close()
  }
}
