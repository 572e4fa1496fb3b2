import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import { type DatabaseLog, silentLog } from './driver/database-log.ts'
import { createPreparingPool } from './driver/prepared-statements.ts'
import { createSharedPool } from './driver/shared-connection.ts'
import { startEmbedded } from './embedded/open.ts'
import { createLocalNotifications, type Notifications } from './notifications.ts'
import { createPostgresPool, type PostgresDatabase, type PostgresOptions, startPostgres } from './postgres/open.ts'
import { createReplicaReads, type ReadElsewhere } from './replica.ts'
import type { Database } from './schema.ts'
import { requireNoTransaction } from './transaction.ts'
import { withinLocations } from './within-locations.ts'

export type Engine = 'embedded' | 'postgres'
export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/** The number of open connections, of idle ones, and of queries that wait for one. */
export type DatabaseLoad = { connections: number; idle: number; waiting: number }

export type DatabaseHandle = {
  /** Resolves when the database can be used; rejects when it can't be opened. Queries wait for it. */
  opened: Promise<void>
  engine: Engine
  db: Db
  /** For read-only queries that take at most a millisecond whatever their values; they share a connection. */
  shortReads: Db
  /** For long reads, such as files and the history; they may go to a replica. */
  onReplica: ReadElsewhere
  /** The three handles above, narrowed to these locations (rules §37.3). */
  within: (locations: readonly string[]) => Pick<DatabaseHandle, 'db' | 'shortReads' | 'onReplica'>
  /** For work that needs its own connection; the embedded engine has a single one for everybody. */
  pool: Pool
  /** Messages to every server that shares the database. */
  notifications: Notifications
  load: () => DatabaseLoad
  /**
   * For work that reads for minutes. The embedded engine has one session, which such work would block for everybody, so
   * there it reads a copy of the database. The copy takes as much room in `dataDir` as the database while it lasts.
   */
  readAtLength: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  close: () => Promise<void>
  /**
   * Tidies up after bulk work. Embedded engine: a checkpoint, preceded by a vacuum and analyse of every table for
   * `vacuum`. PostgreSQL maintains itself, so `vacuum` only renews its statistics.
   */
  maintain: (kind: 'checkpoint' | 'vacuum') => Promise<void>
}

type DatabaseOptions = Omit<PostgresOptions, 'databaseUrl'> & {
  /** Undefined: the embedded engine in `dataDir`. */
  databaseUrl?: string | undefined
  /** A replica of `databaseUrl`, for long reads. */
  readUrl?: string | undefined
  dataDir: string
  log?: DatabaseLog
  /** Called after each query, in the asynchronous context of its caller. */
  onQuery?: ((event: LogEvent) => void) | undefined
}

type StartedDatabase = PostgresDatabase & { copyTo?: (dataDir: string) => Promise<void> }

/** Opens either engine behind one driver and one dialect, without migrating. */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const database = await startDatabase(options)
  await database.opened
  return database
}

/** Starts to open the database and returns before it is open, so that the caller can prepare other things meanwhile. */
export async function startDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const log = options.log ?? silentLog
  const { databaseUrl, readUrl } = options
  const isPooler = options.directUrl !== undefined
  const started: StartedDatabase = databaseUrl
    ? startPostgres({ ...options, databaseUrl }, log)
    : { ...(await startEmbedded(options.dataDir, log)), notifications: createLocalNotifications(log) }
  const { opened, pool, maintain, notifications } = started
  // Whoever awaits `opened` gets the error; until then it must not count as an unhandled rejection.
  opened.catch(() => undefined)

  const preparing = createPreparingPool(pool, { isPooler })
  const shared = createSharedPool(preparing)
  const watched = options.onQuery && { log: options.onQuery }
  const open = (pool: PostgresPool): Db =>
    new Kysely<Database>({ dialect: new PostgresDialect({ pool: outsideTransactions(pool) }), ...watched })
  const db = open(preparing)
  const shortReads = open(shared)
  const replica = readUrl ? createPostgresPool({ ...options, databaseUrl: readUrl }, log) : undefined
  const preparingOnReplica = replica && createPreparingPool(replica, { isPooler })
  const readReplica = createReplicaReads(log)
  const readElsewhere = (primary: Db, openReplica: (pool: PostgresPool) => Db): ReadElsewhere =>
    preparingOnReplica ? readReplica(primary, openReplica(preparingOnReplica)) : (read) => read(primary)
  const within = (locations: readonly string[]) => {
    const narrow = (pool: PostgresPool) => withinLocations(outsideTransactions(pool), locations, watched)
    const narrowed = narrow(preparing)
    return { db: narrowed, shortReads: narrow(shared), onReplica: readElsewhere(narrowed, narrow) }
  }

  let closed: Promise<void> | undefined
  const close = async () => {
    await Promise.all([db.destroy(), shortReads.destroy(), notifications.close(), replica?.end()])
    await started.close()
  }
  const load = () => ({
    connections: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + shared.countWaiting(),
  })
  return {
    opened,
    engine: databaseUrl ? 'postgres' : 'embedded',
    db,
    shortReads,
    onReplica: readElsewhere(db, open),
    within,
    pool,
    notifications,
    load,
    readAtLength: (work) => (started.copyTo ? readCopy(started.copyTo, options.dataDir, work) : work(db)),
    maintain,
    close: () => (closed ??= close()),
  }
}

async function readCopy<T>(
  copyTo: (dataDir: string) => Promise<void>,
  dataDir: string,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const home = join(dataDir, 'copy-to-read')
  // Left behind by a server that was killed.
  await rm(home, { recursive: true, force: true })
  try {
    await copyTo(home)
    const copy = await openDatabase({ dataDir: home })
    try {
      return await work(copy.db)
    } finally {
      await copy.close()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function outsideTransactions(pool: PostgresPool): PostgresPool {
  return {
    async connect() {
      requireNoTransaction()
      return pool.connect()
    },
    end: () => pool.end(),
  }
}
