import { Socket } from 'node:net'
import { Client, Pool } from 'pg'
import { type DatabaseLog, logPoolErrors } from '../driver/database-log.ts'
import { NO_LIMIT_MS } from '../driver/prepared-statements.ts'
import { sendTogether } from '../driver/send-together.ts'
import { valueTypes } from '../driver/value-types.ts'
import { createPostgresNotifications, type Notifications } from '../notifications.ts'
import { IDENTITY } from './identity.ts'

export type PostgresOptions = {
  databaseUrl: string
  /** The database's own URL when `databaseUrl` is a pooler's; used to listen for notifications. */
  directUrl?: string | undefined
  /** Maximum number of connections; the embedded engine has one. */
  poolSize?: number
  /** How long an answer to a query may take, unless the query has lifted `statement_timeout`. */
  answerMs?: number
  /** The name under which PostgreSQL lists the connections. */
  applicationName?: string
}

export type PostgresDatabase = {
  /** Resolves when the database can be used; rejects, with the pool ended, when it cannot. */
  opened: Promise<void>
  pool: Pool
  notifications: Notifications
  /** PostgreSQL maintains itself, so `vacuum` only renews its statistics. */
  maintain: (kind: 'checkpoint' | 'vacuum') => Promise<void>
  close: () => Promise<void>
}

/** The oldest major version of PostgreSQL that the SQL and the tests run on. */
const oldestPostgres = 15
/** The name under which PostgreSQL lists a server's connections. */
export const SERVER_NAME = 'podkeeper'

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

/** Creates a pool of connections, each with this server's settings. */
export function createPostgresPool(options: PostgresOptions, log: DatabaseLog): Pool {
  const { databaseUrl, directUrl } = options
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

/** Starts to open the database, and refuses one that the server cannot work with. */
export function startPostgres(options: PostgresOptions, log: DatabaseLog): PostgresDatabase {
  const { databaseUrl, directUrl, applicationName: application_name = SERVER_NAME } = options
  const pool = createPostgresPool(options, log)
  const open = async () => {
    await requireSupported(pool, databaseUrl, log)
    if (directUrl !== undefined) await requireSameDatabase(pool, directUrl)
  }
  const opened = open().catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  return {
    opened,
    pool,
    notifications: createPostgresNotifications(
      pool,
      { connectionString: withoutName(directUrl ?? databaseUrl), application_name },
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

/**
 * Throws when DATABASE_DIRECT_URL leads to another database than the pooler: commands would read, and restore into, the wrong one,
 * and servers would not hear of each other's changes. Does nothing if the direct URL does not answer: a server can start
 * without it, and the listener keeps trying.
 */
async function requireSameDatabase(pool: Pool, directUrl: string): Promise<void> {
  const text = `select ${IDENTITY} as identity`
  const client = new Client({
    connectionString: withoutName(directUrl),
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  client.on('error', () => undefined)
  const ask = async () => {
    await client.connect()
    return Promise.all([pool, client].map((one) => one.query<{ identity: string }>(text)))
  }
  const [pooled, direct] = await ask().catch(() => [])
  await client.end().catch(() => undefined)
  if (pooled?.rows[0]?.identity === direct?.rows[0]?.identity) return
  throw new Error('DATABASE_DIRECT_URL leads to another database than DATABASE_URL, the URL of the pooler.')
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
