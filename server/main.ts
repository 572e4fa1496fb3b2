import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { systemClock } from './clock.ts'
import { parseConfig, toPortalUrl } from './config.ts'
import type { AppContext } from './context.ts'
import { openDatabase, startDatabase, type Tx } from './db/client.ts'
import { migrateToLatest } from './db/migrations/migrate.ts'
import { createDrain } from './http/drain.ts'
import { listen } from './http/listen.ts'
import { createLogger } from './http/logger.ts'
import { startJobs } from './jobs/jobs.ts'
import { probeBackupPlace } from './modules/backups/backups.service.ts'
import { createFirstStaff, hasStaff } from './start/first-staff.ts'
import { findMisspeltSettings } from './start/misspelt-settings.ts'
import { requireSecretKey } from './start/secret-key.ts'
import { showFirstStaff, showProgress, showWelcome } from './start/welcome.ts'

const STOP_AFTER_MS = 15_000

/**
 * Collects garbage once the heap has doubled. By default V8 lets the text of a long file take 100 MB before it does.
 * With 50 per cent people noticed the collections: the slowest responses took 10 ms longer.
 */
const HEAP_GROWTH = '--heap-growing-percent=100'

/**
 * How much of a function of the embedded engine runs before V8 optimizes it. With the default of Node 20, a tenth of
 * this, a start optimizes thousands of functions that run only once, for a quarter of its processor time and 30 MB.
 */
const OPTIMIZE_AFTER = '--wasm-tiering-budget=20000000'

async function start(): Promise<void> {
  process.on('SIGINT', endAtOnce)
  process.on('SIGTERM', endAtOnce)
  setFlagsFromString(HEAP_GROWTH)
  setFlagsFromString(OPTIMIZE_AFTER)
  const config = parseConfig(process.env)
  const forPeople = config.logFormat === 'auto' ? process.stdout.isTTY : config.logFormat === 'pretty'
  const log = await createLogger(config.logLevel, { forPeople })
  for (const { name, meant } of findMisspeltSettings(process.env)) {
    log.warn(`${name} is not read, because no setting has this name. Is ${meant} meant?`)
  }
  const tracing = config.tracing && (await import('./tracing.ts')).startTracing(config.tracing, log)
  const database = await startDatabase({
    databaseUrl: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    readUrl: config.databaseReadUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    log,
    onQuery: tracing?.onQuery,
  })
  // The embedded engine opens in its own thread; meanwhile the handlers are loaded and the app is created.
  const [{ createContext }, { createApp }] = await Promise.all([import('./create-context.ts'), import('./app.ts')])
  const context = await createContext(config, database, systemClock, log)
  const drain = createDrain()
  const app = await createApp({
    context,
    logger: log,
    portalFolder: findPortalFolder(),
    drain,
    watch: tracing?.watch,
    // Off in a terminal: the requests of one page view would push the first start's password out of sight.
    logRequests: !forPeople || log.isLevelEnabled('debug'),
  })

  await database.opened
  const { databaseDirectUrl: directUrl, dataDir } = config
  const openDirect = directUrl === undefined ? undefined : () => openDatabase({ databaseUrl: directUrl, dataDir, log })
  const applied = await migrateToLatest(database.db, openDirect)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const sealed = await requireSecretKey(database.db, context.secrets)
  if (sealed > 0) log.info({ sealed }, 'secrets that were kept without a key are encrypted')
  const firstStaff = await createFirstStaff(database.db, config, await prepareFirstData(context))
  await listen(app, config).catch((error: unknown) => {
    // The password is never shown again, so show it even when the start fails.
    if (firstStaff) showFirstStaff(config, firstStaff)
    throw error
  })
  // The store of backups may be away while everything else works.
  probeBackupPlace(context).catch((error: unknown) =>
    log.error({ err: error, to: config.backup?.to }, 'daily backups cannot be written: look at BACKUP_TO'),
  )
  const stopJobs = await startJobs(context, log, database.notifications)
  showWelcome(config, toPortalUrl({ ...config, port: findPort(app) ?? config.port }), firstStaff)

  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    drain.begin()
    log.info({ signal }, 'stopping: requests in flight are finished first')
    setTimeout(close, config.drainMs)
  }
  const close = () => {
    // A request that never ends must not keep the process alive for ever.
    setTimeout(() => process.exit(1), STOP_AFTER_MS).unref()
    app
      .close()
      .then(() => stopJobs())
      .then(() => context.live.flush())
      .then(() => database.close())
      .then(() => tracing?.stop())
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      })
  }
  process.off('SIGINT', endAtOnce).on('SIGINT', stop)
  process.off('SIGTERM', endAtOnce).on('SIGTERM', stop)
}

/** During the start there is nothing to finish. Process 1 of a container would ignore a signal without a handler. */
function endAtOnce(_signal: NodeJS.Signals, number: number): void {
  process.exit(128 + number)
}

/**
 * Prepares the demo data, only for a new database: an operator who has deleted every location does not want it back.
 */
async function prepareFirstData(context: AppContext): Promise<((tx: Tx) => Promise<void>) | undefined> {
  if (!context.config.demoData || (await hasStaff(context.db))) return undefined
  const { prepareDemoData } = await import('./demo/load-demo-data.ts')
  return prepareDemoData(context, showProgress)
}

/** Returns the port that the server listens on: with PORT=0 the system has chosen it. */
function findPort(app: FastifyInstance): number | undefined {
  const [address] = app.addresses()
  return typeof address === 'object' ? address.port : undefined
}

/** Returns dist/web, beside dist/server; undefined when only the server was built. */
function findPortalFolder(): string | undefined {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'web')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

start().catch((error: unknown) => {
  process.stderr.write(`\nPodkeeper could not start.\n${error instanceof Error ? error.message : String(error)}\n\n`)
  process.exit(1)
})
