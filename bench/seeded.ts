import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { parseConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { type DatabaseHandle, openDatabase } from '#server/db/client.ts'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { bulkSeed } from '#server/demo/bulk-seed.ts'
import { loadDemoData } from '#server/demo/load-demo-data.ts'
import { createFirstStaff } from '#server/start/first-staff.ts'
import { divideHistory, growHistory, vacuumHistory } from './grow-history.ts'
import { FIRST_DAY } from './hours.ts'
import { STAFF } from './staff-requests.ts'

type Settings = Record<string, string> & { DATA_DIR: string }

/** A database full of bookings, and the settings for a server that uses it. */
export type Seeded = {
  name: string
  version: string
  settings: Settings
  /** Undefined for the embedded engine, whose files are in DATA_DIR. */
  databaseUrl: string | undefined
  serverUrl: string | undefined
  remove(): Promise<void>
}

/** Copies of the database in DATA_DIR: for bare SQL, for bare node:http, and for cold starts. */
const EMBEDDED_COPIES = ['bare', 'bare-http', 'cold']

/** As many connections as there are clients that book at the same time. */
const LIMIT_CONNECTIONS = 32

export type Amount = {
  bookings: number
  transactions: number
  users: number
  pods: number
  daysBehind?: number
  /** Changes in the history, in addition to those of the bookings. */
  changes?: number
}

/** Only the demo data. */
export const NOTHING_MORE: Amount = { bookings: 0, transactions: 0, users: 0, pods: 0 }

/**
 * Creates a database on the server, or an embedded one, and fills it. With `seededUrl` it uses, and keeps, a database
 * that `npm run db:seed` has filled.
 */
export async function seed(amount: Amount, serverUrl?: string, seededUrl?: string): Promise<Seeded> {
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-bench-'))
  const name = `podkeeper_bench_${process.pid}_${Date.now()}`
  if (serverUrl && !seededUrl) await runOnServer(serverUrl, `create database ${name}`)
  const databaseUrl = seededUrl ?? (serverUrl && Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href)
  const settings = {
    DATA_DIR: folder,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ADMIN_EMAIL: STAFF.email,
    ADMIN_PASSWORD: STAFF.password,
    LOGIN_ATTEMPTS: '100000',
    DEMO_DATA: 'off',
  }
  const started = performance.now()
  const version = await fill(settings, databaseUrl, amount, seededUrl !== undefined)
  process.stdout.write(`seeded in ${Math.round((performance.now() - started) / 1000)} s\n`)
  // Only one process can open an embedded database, so the others get copies.
  for (const copy of databaseUrl ? [] : EMBEDDED_COPIES) {
    await cp(join(folder, 'database'), join(folder, copy, 'database'), { recursive: true })
  }
  return {
    name: `${databaseUrl ? 'PostgreSQL' : 'embedded'}, ${amount.bookings.toLocaleString('en')} bookings`,
    version,
    settings,
    databaseUrl,
    serverUrl,
    async remove() {
      await rm(folder, { recursive: true, force: true })
      if (process.env.BENCH_KEEP && databaseUrl) process.stdout.write(`kept: ${databaseUrl}\n`)
      else if (serverUrl && !seededUrl) await runOnServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/** Opens the database for bare SQL: on the same server as the product's, or the embedded engine's copy. */
export function openLimit({ databaseUrl, settings }: Seeded): Promise<DatabaseHandle> {
  if (databaseUrl) return openDatabase({ databaseUrl, dataDir: settings.DATA_DIR, poolSize: LIMIT_CONNECTIONS })
  return openDatabase({ dataDir: join(settings.DATA_DIR, 'bare') })
}

async function fill(
  settings: Settings,
  databaseUrl: string | undefined,
  amount: Amount,
  isFilled: boolean,
): Promise<string> {
  const database = await openDatabase({ databaseUrl, dataDir: settings.DATA_DIR })
  try {
    await migrateToLatest(database.db)
    const config = parseConfig(settings)
    const context = await createContext(config, database)
    if (amount.changes && !isFilled) await divideHistory(database.db, context.clock.now())
    await createBenchStaff(context.db, config)
    if (!isFilled) {
      await loadDemoData(context)
      const options = { daysBehind: 365, daysAhead: 30, ...amount }
      const moment = { now: context.clock.now(), timeZone: config.businessTimeZone }
      await Promise.all([
        amount.bookings > 0 && bulkSeed(database.db, options, moment, sayProgress),
        amount.changes && growHistory(database.db, amount.changes, moment.now),
      ])
      await database.maintain('vacuum')
      if (amount.changes) await vacuumHistory(database.db)
    }
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
      database.db,
    )
    return rows[0]?.version ?? ''
  } finally {
    await database.close()
  }
}

function sayProgress(bookings: number): void {
  if (bookings % 500_000 < 20_000) process.stdout.write(`  ${bookings.toLocaleString('en')} bookings\n`)
}

/** Creates the benchmark's staff member in a database without staff; in any other, the member must exist already. */
async function createBenchStaff(
  db: Parameters<typeof createFirstStaff>[0],
  config: Parameters<typeof createFirstStaff>[1],
) {
  if (await createFirstStaff(db, config)) return
  const there = await db.selectFrom('staff').select('id').where('email', '=', STAFF.email).executeTakeFirst()
  if (!there) throw new Error(`The seeded database has no staff member ${STAFF.email}: npm run staff:create makes one.`)
  // The bookings of earlier runs.
  await db.deleteFrom('bookings').where('staff_id', '=', there.id).where('start_time', '>=', FIRST_DAY).execute()
}

async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
