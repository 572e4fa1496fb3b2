import { findVersion, migrateToLatest } from '#server/db/migrations/migrate.ts'
import { type Config, parseConfig } from '../config.ts'
import { type DatabaseHandle, openDatabase } from '../db/client.ts'
import { hasCluster, toClusterFolder } from '../db/embedded/cluster-folder.ts'

/** The application_name of a command's connections, different from that of servers. */
const COMMAND_NAME = 'podkeeper-command'

type CommandDeps = {
  config: Config
  database: DatabaseHandle
  /** Where the database is, without the password. */
  place: string
  say: (text: string) => void
}

type Command<Options> = {
  usage: string
  /** Reads the arguments. What it throws is shown above the usage. */
  parse: (args: string[]) => Options
  /**
   * Makes a database that is missing, and migrates one of an earlier release: `first`, or in the course of the `work`.
   * Other commands do neither: a setting that was forgotten must not pass for an empty database, and nobody can go back
   * behind a migration.
   */
  migrates?: 'first' | 'work'
  work: (deps: CommandDeps, options: Options) => Promise<void>
}

/**
 * Runs a terminal command: reads its arguments and the settings, opens the database, and ends with a readable error.
 * The embedded database admits one process: a running server has to be stopped first, and the error says so.
 */
export function runCommand<Options>(command: Command<Options>): void {
  const say = (text: string) => process.stdout.write(`${text}\n`)
  run(command, say).catch((error: unknown) => {
    process.stderr.write(`${isAbort(error) ? 'Interrupted.' : toMessage(error)}\n`)
    process.exitCode ??= 1
  })
}

async function run<Options>(command: Command<Options>, say: (text: string) => void): Promise<void> {
  const options = readOptions(command)
  const config = parseConfig(process.env, { listens: false })
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl
  const place = databaseUrl === undefined ? `the folder ${config.dataDir}` : toPlainUrl(databaseUrl)
  const { migrates, work } = command
  const isMissing = databaseUrl === undefined && !hasCluster(toClusterFolder(config.dataDir))
  if (isMissing && !migrates) throw noDatabase(place)
  const database = await openDatabase({
    databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    applicationName: COMMAND_NAME,
  })
  try {
    if (migrates === 'first') {
      const applied = await migrateToLatest(database.db)
      if (applied.length > 0) say(`Migrated: ${applied.join(', ')}`)
    } else if (migrates === undefined) {
      await requireUpToDate(database, place)
    }
    await work({ config, database, place, say }, options)
  } finally {
    await database.close()
  }
}

function readOptions<Options>({ parse, usage }: Command<Options>): Options {
  try {
    return parse(process.argv.slice(2))
  } catch (error) {
    throw new Error(`${toMessage(error)}\n\n${usage}`, { cause: error })
  }
}

async function requireUpToDate({ db }: DatabaseHandle, place: string): Promise<void> {
  const { isNew, pending } = await findVersion(db)
  if (isNew) throw noDatabase(place)
  if (pending.length === 0) return
  throw new Error(
    `The data in ${place} is from an earlier release (it lacks ${pending.join(', ')}). Make a backup with that release first, to be able to go back. To go on with this one, run npm run db:migrate.`,
  )
}

function noDatabase(place: string): Error {
  return new Error(
    `There is no Podkeeper data in ${place}. Set DATA_DIR or DATABASE_URL as the server has it (see docs/operations.md, Deployment).`,
  )
}

/**
 * Aborts on Ctrl-C and SIGTERM, so that the work can remove what it has begun. A second signal ends the process at
 * once.
 */
export function abortOnSignal(): AbortSignal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, (_name: string, number: number) => {
      process.exitCode = 128 + number
      abort.abort()
    })
  }
  return abort.signal
}

function toPlainUrl(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `the database ${host}${pathname}`
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))
