import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import { routes } from '#contract/routes.ts'
import { toWireTime } from '#contract/slots.ts'
import { parseConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { openDatabase } from '#server/db/client.ts'
import { migrateToLatest } from '#server/db/migrate.ts'
import { loadDemoData } from '#server/demo/load-demo-data.ts'
import { findHeldSlots } from '#server/modules/bookings/booking-slots.repository.ts'
import { listPods } from '#server/modules/pods/pods.repository.ts'
import { createFirstStaff } from '#server/start/first-staff.ts'
import type { BareAnswer } from './bare-server.ts'
import { alternate, measureThroughput, median, timeEach } from './measure.ts'
import { measureBookings } from './measure-bookings.ts'
import { measurePortalLoad } from './portal-load.ts'
import { recordStatements } from './record-statements.ts'
import { type EngineReport, kilobytes, milliseconds, perSecond, type Row } from './report.ts'
import { runOnServer } from './seeded.ts'
import { startServer } from './servers.ts'
import { STAFF, signIn } from './staff-calls.ts'

const ROUNDS = 5

/** Every measurement on one engine; on PostgreSQL in a database of its own. */
export async function measureEngine(
  engine: string,
  folder: string,
  serverUrl: string | undefined,
): Promise<EngineReport> {
  process.stdout.write(`\n${engine}\n`)
  const databaseName = `podkeeper_bench_${process.pid}`
  if (serverUrl) await runOnServer(serverUrl, `create database ${databaseName}`)
  const databaseUrl = serverUrl && Object.assign(new URL(serverUrl), { pathname: `/${databaseName}` }).href
  try {
    return await measurePrepared(engine, folder, databaseUrl)
  } finally {
    if (serverUrl) await runOnServer(serverUrl, `drop database ${databaseName} with (force)`)
  }
}

async function measurePrepared(engine: string, folder: string, databaseUrl: string | undefined): Promise<EngineReport> {
  const settings = {
    DATA_DIR: folder,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ADMIN_EMAIL: STAFF.email,
    ADMIN_PASSWORD: STAFF.password,
    LOGIN_ATTEMPTS: '100000',
    DEMO_DATA: 'off',
  }
  const bareFolder = join(folder, 'bare')
  const prepared = await prepare(settings, databaseUrl, folder)
  // The embedded engine admits one process: the limit gets a copy.
  if (!databaseUrl) await cp(join(folder, 'database'), join(bareFolder, 'database'), { recursive: true })
  const product = await startServer('main.js', '/readyz', settings)
  try {
    const { token } = await signIn(product.url)
    const headers = { authorization: `Bearer ${token}` }
    const rows: Row[] = []

    const paths = {
      pods: `/api${routes.pods.list.path}?page=1&limit=10`,
      availability: `/api${routes.bookings.availability.path.replace(':podId', prepared.podId)}?booking_date=${prepared.date}`,
    }
    const answers: BareAnswer[] = []
    for (const name of ['pods', 'availability'] as const) {
      const body: unknown = await (await fetch(product.url + paths[name], { headers })).json()
      answers.push({ path: paths[name], statements: prepared.statements[name], body })
    }
    const answersFile = join(folder, 'bare-answers.json')
    await writeFile(answersFile, JSON.stringify(answers))
    const bare = await startServer('bench-bare.js', '/', {
      BARE_ANSWERS: answersFile,
      BARE_DATA_DIR: bareFolder,
      DATABASE_URL: databaseUrl ?? '',
    })
    try {
      for (const [name, what] of [
        ['pods', 'pod list, a page of 10'],
        ['availability', 'availability of a pod and day'],
      ] as const) {
        const { product: reached, limit } = await alternate(
          ROUNDS,
          () => measureThroughput(product.url + paths[name], headers),
          () => measureThroughput(bare.url + paths[name], {}),
        )
        rows.push({
          what,
          reached: perSecond(reached),
          limit: `${perSecond(limit)} bare node:http`,
          ratio: reached / limit,
          aim: '≥ 0.5',
        })
      }
    } finally {
      await bare.stop()
    }

    rows.push(await measureSignIn(product.url, prepared.passwordHash))
    rows.push(...(await measureBookings(product, prepared, token, settings, databaseUrl, bareFolder)))
    const load = await measurePortalLoad(product.url, STAFF)
    rows.push({
      what: `portal: sign in until the first screen is usable (${load.requests} requests, ${kilobytes(load.allBytes)} in all)`,
      reached: `${kilobytes(load.scriptAndStyleBytes)} of JS and CSS, compressed`,
      limit: '180 kB',
      ratio: load.scriptAndStyleBytes / 180_000,
      aim: '≤ 1',
    })
    return { engine, version: prepared.version, rows }
  } finally {
    await product.stop()
  }
}

async function prepare(settings: Record<string, string>, databaseUrl: string | undefined, dataDir: string) {
  const database = await openDatabase({ databaseUrl, dataDir })
  await migrateToLatest(database.db)
  const config = parseConfig(settings)
  const context = await createContext(config, database)
  await createFirstStaff(database.db, config)
  await loadDemoData(context)
  const date = context.clock.now().toISOString().slice(0, 10)
  const pod = await database.db
    .selectFrom('pods')
    .select('id')
    .where('is_blocked', '=', false)
    .limit(1)
    .executeTakeFirstOrThrow()
  const day = { from: new Date(toWireTime(date, '00:00')), to: new Date(toWireTime(date, '24:00')) }
  const staff = await database.db
    .selectFrom('staff')
    .select(['id', 'password_hash'])
    .where('email', '=', STAFF.email)
    .executeTakeFirstOrThrow()
  const statements = {
    pods: await recordStatements(database.db, (db) => listPods(db, { page: 1, limit: 10 })),
    availability: await recordStatements(database.db, (db) => findHeldSlots(db, pod.id, day.from, day.to)),
  }
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
    database.db,
  )
  await database.maintain('vacuum')
  await database.close()
  return {
    podId: pod.id,
    date,
    staffId: staff.id,
    passwordHash: staff.password_hash,
    statements,
    version: rows[0]?.version ?? '',
  }
}

/** One sign-in after another, beside the comparison of the password alone. */
async function measureSignIn(url: string, passwordHash: string): Promise<Row> {
  const { product, limit } = await alternate(
    ROUNDS,
    async () => median(await timeEach(20, () => signIn(url))),
    async () => median(await timeEach(20, () => verify(passwordHash, STAFF.password))),
  )
  return {
    what: 'sign-in',
    reached: milliseconds(product),
    limit: `${milliseconds(limit)} argon2id alone`,
    ratio: product / limit,
    aim: '≤ 2',
  }
}
