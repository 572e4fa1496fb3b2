import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { type DatabaseLog, logPoolErrors, silentLog } from './driver/database-log.ts'
import { createPreparingPool, NO_LIMIT_MS } from './driver/prepared-statements.ts'
import { sendTogether } from './driver/send-together.ts'
import { createSharedPool } from './driver/shared-connection.ts'
import { valueTypes } from './driver/value-types.ts'
import { startEmbedded } from './embedded/open.ts'
import { createLocalNotifications, createPostgresNotifications, type Notifications } from './notifications.ts'
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

type DatabaseOptions = {
  /** Undefined: the embedded engine in `dataDir`. */
  databaseUrl?: string | undefined
  /** A replica of `databaseUrl`, for long reads. */
  readUrl?: string | undefined
  /** The database's own URL when `databaseUrl` is a pooler's; used to listen for notifications. */
  directUrl?: string | undefined
  dataDir: string
  /** Maximum number of connections to PostgreSQL; the embedded engine has one. */
  poolSize?: number
  /** How long an answer to a query may take, unless the query has lifted `statement_timeout`. */
  answerMs?: number
  /** The name under which PostgreSQL lists the connections. */
  applicationName?: string
  log?: DatabaseLog
  /** Called after each query, in the asynchronous context of its caller. */
  onQuery?: ((event: LogEvent) => void) | undefined
}

type StartedPool = Pick<DatabaseHandle, 'opened' | 'pool' | 'maintain' | 'close' | 'notifications'> & {
  copyTo?: (dataDir: string) => Promise<void>
}

/** The oldest major version of PostgreSQL that the SQL and the tests run on. */
const oldestPostgres = 15
/** The name under which PostgreSQL lists a server's connections. */
export const SERVER_NAME = 'podkeeper'

/** Opens either engine behind one driver and one dialect, without migrating. */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const database = await startDatabase(options)
  await database.opened
  return database
}

/** Starts to open the database and returns before it is open, so that the caller can prepare other things meanwhile. */
export async function startDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const log = options.log ?? silentLog
  const engine: Engine = options.databaseUrl ? 'postgres' : 'embedded'
  const started: StartedPool = options.databaseUrl
    ? startPostgres(options.databaseUrl, options, log)
    : { ...(await startEmbedded(options.dataDir, log)), notifications: createLocalNotifications(log) }
  const { opened, pool, maintain, notifications } = started
  // Whoever awaits `opened` gets the error; until then it must not count as an unhandled rejection.
  opened.catch(() => undefined)

  const preparing = createPreparingPool(pool, { isPooler: options.directUrl !== undefined })
  const shared = createSharedPool(preparing)
  const watched = options.onQuery && { log: options.onQuery }
  const open = (pool: PostgresPool): Db =>
    new Kysely<Database>({ dialect: new PostgresDialect({ pool: outsideTransactions(pool) }), ...watched })
  const db = open(preparing)
  const shortReads = open(shared)
  const replica = options.readUrl ? createPool(options.readUrl, options, log) : undefined
  const preparingOnReplica = replica && createPreparingPool(replica, { isPooler: options.directUrl !== undefined })
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
    engine,
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

const sessionSettings = {
  // JIT compilation takes longer than any query here runs: 0.1 to 0.2 s for a search with many matches. No parallel
  // workers: they would halve the time of a large count but take every processor from other queries. A statement after
  // a lock has to see what was committed before it.
  options: [
    'TimeZone=UTC',
    'DateStyle=ISO',
    'standard_conforming_strings=on',
    'jit=off',
    'max_parallel_workers_per_gather=0',
    'default_transaction_isolation=read\\ committed',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' '),
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
}

/**
 * Longer than PostgreSQL itself lets a statement take. A machine that lost its power or its network closes no
 * connection, and the system sends a query again for a quarter of an hour before it gives up.
 */
const ANSWER_MS = 45_000

/** Adds this server's settings to those of the URL (`?options=-c search_path=…`), which would replace them. */
function withSettings(connectionString: string): string {
  const url = new URL(connectionString)
  const given = url.searchParams.get('options')
  if (given === null) return connectionString
  url.searchParams.set('options', `${given} ${sessionSettings.options}`)
  return url.href
}

/** Removes a name from the URL, which would replace that by which commands recognise servers. */
function withoutName(connectionString: string): string {
  const url = new URL(connectionString)
  if (!url.searchParams.has('application_name')) return connectionString
  url.searchParams.delete('application_name')
  return url.href
}

function createPool(databaseUrl: string, options: DatabaseOptions, log: DatabaseLog): Pool {
  const { directUrl } = options
  const connectionString = withoutName(databaseUrl)
  const pool = new Pool({
    connectionString: directUrl === undefined ? withSettings(connectionString) : connectionString,
    stream: () => sendTogether(new Socket()),
    max: options.poolSize ?? 10,
    types: valueTypes,
    // For shared-connection.ts; an unshared connection still carries one query at a time. Off behind a pooler, which
    // could spread pipelined queries over several connections.
    pipeline: directUrl === undefined,
    application_name: options.applicationName ?? SERVER_NAME,
    // A pooler refuses session settings; there they have to be set on the role.
    ...(directUrl === undefined && sessionSettings),
    query_timeout: options.answerMs ?? ANSWER_MS,
    // A new connection has no plans or caches yet: a search takes 0.15 s longer on it. The pool hands out the most
    // recently used connection first, so the extra connections of a busy hour become idle and close.
    idleTimeoutMillis: 10 * 60_000,
    // As long as a query may take, so that a query behind slow ones still gets a result; overload is refused long
    // before.
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    // Less than the time after which a firewall or proxy in between drops a silent connection.
    keepAliveInitialDelayMillis: 60_000,
  })
  logPoolErrors(pool, log)
  return pool
}

function startPostgres(connectionString: string, options: DatabaseOptions, log: DatabaseLog): StartedPool {
  const application_name = options.applicationName ?? SERVER_NAME
  const { directUrl } = options
  const pool = createPool(connectionString, options, log)
  const opened = requireSupported(pool, connectionString, log).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  return {
    opened,
    pool,
    notifications: createPostgresNotifications(
      pool,
      { connectionString: withoutName(directUrl ?? connectionString), application_name },
      log,
    ),
    maintain: (kind) => (kind === 'vacuum' ? analyze(pool) : Promise.resolve()),
    close: () => pool.end(),
  }
}

/**
 * Returns an error for the operator that names the database, without the password. The driver's own message may be
 * empty, or speak only of a certificate.
 */
function toOpeningError(connectionString: string, error: unknown): Error {
  const { host, pathname } = new URL(connectionString)
  const { code = '', message = '' } = error as { code?: string; message?: string } // it has at least one of them
  return new Error(
    `The database ${host}${pathname} cannot be reached: ${message || code}. See that PostgreSQL runs, and that DATABASE_URL is right.`,
    { cause: error },
  )
}

/** Half of a lease of a job: with a larger difference, servers take each other's jobs for abandoned. */
const CLOCKS_DIFFER_MS = 15_000

async function requireSupported(pool: Pool, connectionString: string, log: DatabaseLog): Promise<void> {
  const before = Date.now()
  const { rows } = await askAboutItself(pool).catch((error: unknown) => {
    throw toOpeningError(connectionString, error)
  })
  const { version = 0, encoding = '', zone = '', style = '', isolation = '', now = before } = rows[0] ?? {}
  const major = Math.floor(version / 10_000)
  if (major < oldestPostgres) {
    throw new Error(`The database is PostgreSQL ${major}; Podkeeper needs PostgreSQL ${oldestPostgres} or newer.`)
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database has the encoding ${encoding}; Podkeeper needs UTF8: create database … encoding 'UTF8' template template0.`,
    )
  }
  if (zone !== 'UTC' || !style.startsWith('ISO') || isolation !== 'read committed') {
    throw new Error(
      `The database speaks in the time zone ${zone} and the date style ${style}, and isolates transactions by ${isolation}. Behind a pooler the role itself has to say: alter role … set timezone = 'UTC'; alter role … set datestyle = 'ISO'; alter role … set default_transaction_isolation = 'read committed' (see docs/operations.md, Poolers).`,
    )
  }
  const aheadMs = Math.max(before - now, 0) || Math.min(Date.now() - now, 0)
  if (Math.abs(aheadMs) > CLOCKS_DIFFER_MS) {
    log.warn(
      { seconds: Math.round(aheadMs / 1000) },
      'the clock of this machine is ahead of that of the database by so many seconds (behind, if negative): set both by NTP. Servers with different clocks do work twice and sign people out',
    )
  }
}

/** The first query on a connection. What keeps the driver from making one is thrown too, such as a missing certificate. */
const askAboutItself = async (pool: Pool) =>
  pool.query<Record<'encoding' | 'zone' | 'style' | 'isolation', string> & Record<'version' | 'now', number>>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
            current_setting('TimeZone') as zone, current_setting('DateStyle') as style,
            current_setting('default_transaction_isolation') as isolation,
            (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  )

async function analyze(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    const analysis = { text: 'analyze', query_timeout: NO_LIMIT_MS }
    await client.query(analysis)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
