import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { createContext } from '../create-context.ts'
import { type Db, type Engine, openDatabase, type Tx } from '../db/client.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { migrateToLatest } from '../db/migrations/migrate.ts'
import { loadDemoData } from '../demo/load-demo-data.ts'
import { createId } from '../ids.ts'
import { createFolderStorage } from '../storage/folder-storage.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { buildBooking, buildCompany, buildPod, buildTransaction, buildUser } from '../testing/factories.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from '../testing/postgres-databases.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { backupTables, toImageKey } from './backup-format.ts'
import { createFolderPlace } from './backup-place.ts'
import { keepBackup } from './keep-backup.ts'
import { restoreBackup } from './restore-backup.ts'

/** Different data on each run: a failure names the seed, and `BACKUP_SEED` repeats it. */
const seed = Number(process.env.BACKUP_SEED ?? Date.now() % 1_000_000)
const RECORDS = 40

let database: TestDatabase
let context: AppContext
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podkeeper-round-trip-'))
  database = await openTestDatabase()
  const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: database.dataDir })
  context = await createContext(config, database, systemClock)
})
afterAll(async () => {
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

type Content = { tables: Record<string, string[]>; images: Record<string, string> }

/** Reads every row of every table that backups hold, as the database serialises it, and every image. */
async function readAll(db: Db | Tx, storage: ImageStorage): Promise<Content> {
  const content: Content = { tables: {}, images: {} }
  for (const table of backupTables) {
    const rows = sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`
    content.tables[table] = (await rows.execute(db)).rows.map(({ row }) => row).sort()
  }
  const images = await db.selectFrom('images').select(['url', 'thumbnail_url']).orderBy('id').execute()
  for (const url of images.flatMap((image) => [image.url, image.thumbnail_url])) {
    const found = await storage.find(toImageKey(url))
    content.images[url] = found ? (await buffer(found.body)).toString('base64') : 'missing'
  }
  return content
}

/** Lists only a few of the rows that differ: thousands would be of no use to anybody. */
function listDifferences(before: Content, after: Content): string[] {
  const lines = ({ tables, images }: Content) => [
    ...Object.entries(tables).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`)),
    ...Object.entries(images).map(([url, bytes]) => `${url} ${bytes}`),
  ]
  const [old, now] = [lines(before), lines(after)]
  const [wasThere, isThere] = [new Set(old), new Set(now)]
  const lost = old.filter((line) => !isThere.has(line)).map((line) => `lost: ${line.slice(0, 2_000)}`)
  const added = now.filter((line) => !wasThere.has(line)).map((line) => `added: ${line.slice(0, 2_000)}`)
  return [...lost.slice(0, 3), ...added.slice(0, 3), ...(old.length === now.length ? [] : ['not as many'])]
}

/** Adds records with texts and amounts of every kind that the columns accept. */
async function addRandomRecords(db: Db): Promise<void> {
  const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  const names = fc.sample(texts, { seed, numRuns: RECORDS })
  const amounts = fc.sample(fc.integer({ min: 0, max: 10_000_000 }), { seed, numRuns: RECORDS })
  for (const [n, name] of names.entries()) {
    const cents = amounts[n] ?? 0
    const user = await buildUser(db, { firstname: name, created_at: new Date(1_700_000_000_000 + cents) })
    const pod = await buildPod(db, { title: name, rate: (cents / 10_000).toFixed(4) })
    const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id })
    await buildTransaction(db, { booking_id: booking.id, amount: (cents / 100).toFixed(2) })
    await buildCompany(db, { name: `${name} ${n}` })
  }
}

/** Adds, changes and deletes until told to stop, and counts how often. */
function keepWriting(db: Db) {
  const progress = { writes: 0, isOver: false }
  const work = async () => {
    for (; !progress.isOver; progress.writes++) {
      const { id } = await buildUser(db, { firstname: `Meanwhile ${progress.writes}` })
      await sql`update pods set title = title || '.' where id = (select id from pods limit 1)`.execute(db)
      await sql`update bookings set version = version where id in (select id from bookings limit 5)`.execute(db)
      if (progress.writes % 2 === 0) await db.deleteFrom('users').where('id', '=', id).execute()
    }
  }
  const working = work()
  const stop = () => {
    progress.isOver = true
    return working
  }
  return { progress, stop }
}

/** Returns the same database, but with `see` called in its one transaction before anything else. */
function watchTransaction(db: Db, see: (tx: Tx) => Promise<void>): Db {
  const transaction = () => ({
    setIsolationLevel: (level: 'repeatable read') => ({
      execute: <T>(work: (tx: Tx) => Promise<T>) =>
        db
          .transaction()
          .setIsolationLevel(level)
          .execute(async (tx) => {
            await see(tx)
            return work(tx)
          }),
    }),
  })
  return { transaction } as unknown as Db // a backup uses nothing else
}

async function openEmpty(engine: Engine) {
  const dataDir = await mkdtemp(join(tmpdir(), 'podkeeper-restored-'))
  const name = `podkeeper_test_${createId().replaceAll('-', '')}`
  if (engine === 'embedded') copyTestCluster(dataDir)
  else await createDatabase(name)
  const handle = await openDatabase({ dataDir, databaseUrl: engine === 'postgres' ? toDatabaseUrl(name) : undefined })
  await migrateToLatest(handle.db)
  return {
    db: handle.db,
    storage: await createFolderStorage(join(dataDir, 'uploads')),
    async remove() {
      await handle.close()
      if (engine === 'postgres') await dropDatabase(name)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** With both engines there, each restores what the other has backed up; in `npm run test:long` its own backup too. */
function listTargets(source: Engine): Engine[] {
  if (!process.env.TEST_DATABASE_URL) return ['embedded']
  if (process.env.TEST_LONG) return ['embedded', 'postgres']
  return [source === 'embedded' ? 'postgres' : 'embedded']
}

it(
  'a backup of random data made during writes is restored to its point in time on every engine',
  {
    timeout: 600_000,
  },
  async () => {
    await loadDemoData(context)
    await addRandomRecords(context.db)
    const place = createFolderPlace(folder)
    const moment: { content?: Content; writes?: number } = {}
    const { progress, stop } = keepWriting(context.db)
    const made = await keepBackup({
      storage: context.storage,
      place,
      name: 'backup.jsonl.gz',
      read: (work) =>
        context.readAtLength((db) =>
          work(
            watchTransaction(db, async (tx) => {
              moment.writes = progress.writes
              moment.content = await readAll(tx, context.storage)
            }),
          ),
        ),
    })
    await stop()
    expect(progress.writes).toBeGreaterThan(moment.writes ?? Number.POSITIVE_INFINITY)
    const content = moment.content ?? { tables: {}, images: {} }
    expect(made.rows).toBe(Object.values(content.tables).flat().length)
    expect(made.images).toBe(Object.keys(content.images).length)
    expect(made.images).toBeGreaterThan(20)
    // The database has changed since.
    expect((await readAll(context.db, context.storage)).tables.users).not.toEqual(content.tables.users)

    for (const engine of listTargets(database.databaseUrl ? 'postgres' : 'embedded')) {
      const restored = await openEmpty(engine)
      try {
        await restoreBackup(restored, () => place.read('backup.jsonl.gz'))
        expect(
          listDifferences(content, await readAll(restored.db, restored.storage)),
          `${engine}, seed ${seed}`,
        ).toEqual([])
      } finally {
        await restored.remove()
      }
    }
  },
)
