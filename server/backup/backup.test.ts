import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/client.ts'
import { createFolderStorage } from '../storage/folder-storage.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { emptyDatabase } from '../testing/empty-database.ts'
import { buildBooking, buildFeature, buildPod, buildTransaction, buildUser } from '../testing/factories.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { backupTables } from './backup-format.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'

let database: TestDatabase
let folder: string
let storage: ImageStorage
let other: ImageStorage
const file = () => join(folder, 'backup.jsonl.gz')

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await emptyDatabase(database.db)
  folder = await mkdtemp(join(tmpdir(), 'podkeeper-backup-'))
  storage = await createFolderStorage(join(folder, 'uploads'))
  other = await createFolderStorage(join(folder, 'restored'))
})
afterAll(async () => {
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Every table as the database itself writes it. */
async function dump(db: Db): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const table of backupTables) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(table)} t order by 1`.execute(db)
    tables[table] = rows.map(({ row }) => row)
  }
  return tables
}

async function fill(db: Db): Promise<void> {
  const pod = await buildPod(db, { title: 'Ubuntu “quoted” 🚪 مرحبا', rate: '2.3456' })
  const feature = await buildFeature(db)
  await db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
  const user = await buildUser(db, { deleted_at: new Date('2026-01-02T03:04:05.678Z') })
  const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id })
  await buildTransaction(db, { booking_id: booking.id, amount: '1234567890.12' })
  await db
    .insertInto('images')
    .values({
      id: 'i1',
      url: '/uploads/full.webp',
      thumbnail_url: '/uploads/thumb.webp',
      placeholder: 'data:,',
      width: 3,
      height: 2,
    })
    .execute()
  await storage.put('full.webp', Buffer.from([1, 2, 3]), 'image/webp')
  await storage.put('thumb.webp', Buffer.from([4]), 'image/webp')
}

describe('a backup', () => {
  it('restores every row to the digit and every picture', async () => {
    await fill(database.db)
    const before = await dump(database.db)
    const made = await createBackup({ db: database.db, storage }, file())
    await emptyDatabase(database.db)
    const restored = await restoreBackup({ db: database.db, storage: other }, file())
    expect(await dump(database.db)).toEqual(before)
    expect(restored).toEqual(made)
    expect(restored.images).toBe(2)
    expect((await other.find('full.webp'))?.bytes).toBe(3)
  })

  it('does not overwrite a database that holds something, unless told to', async () => {
    await fill(database.db)
    await createBackup({ db: database.db, storage }, file())
    const before = await dump(database.db)
    await buildUser(database.db)
    await expect(restoreBackup({ db: database.db, storage: other }, file())).rejects.toThrow('not empty')
    await restoreBackup({ db: database.db, storage: other }, file(), { replace: true })
    expect(await dump(database.db)).toEqual(before)
  })

  it('that is cut off or no backup changes nothing', async () => {
    await fill(database.db)
    await createBackup({ db: database.db, storage }, file())
    const before = await dump(database.db)
    const whole = await readFile(file())
    for (const damaged of [whole.subarray(0, whole.length - 40), Buffer.from('not gzipped at all')]) {
      await writeFile(file(), damaged)
      await expect(restoreBackup({ db: database.db, storage: other }, file(), { replace: true })).rejects.toThrow()
      expect(await dump(database.db)).toEqual(before)
    }
  })
})
