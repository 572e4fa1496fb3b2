import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { buildBooking } from '../testing/factories.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const store = await startS3Server()

describe('npm run backup and npm run restore', { timeout: 180_000 }, () => {
  let folder: string
  let filled: TestDatabase
  let empty: TestDatabase
  const run = (name: string, { dataDir, databaseUrl = '' }: TestDatabase, args: string[]) => {
    const settings = { ...store.settings, S3_BUCKET: '', BACKUP_TO: 's3://podkeeper/kept' }
    return runCommandProcess(name, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...settings }, args)
  }
  const countBookings = async ({ databaseUrl, dataDir }: TestDatabase) => {
    const { db, close } = await openDatabase({ databaseUrl, dataDir })
    const rows = await db.selectFrom('bookings').select('id').execute()
    await close()
    return rows.length
  }

  beforeAll(async () => {
    await Promise.all(['backup', 'restore'].map(buildCommandProcess))
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-commands-'))
    filled = await openTestDatabase()
    await buildBooking(filled.db)
    await filled.close()
    empty = await openTestDatabase()
    await empty.close()
  }, 120_000)
  afterAll(async () => {
    await filled.remove()
    await empty.remove()
    await store.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['a folder', 'a bucket'])(
    'make a backup, announce and do the restore, and refuse a database that is not empty: %s',
    async (kind) => {
      const to = kind === 'a folder' ? folder : 's3://podkeeper/kept/here'
      const made = await run('backup', filled, ['--to', to])
      expect(made.output).toContain('read back and found whole')
      expect(made.code).toBe(0)
      const names =
        kind === 'a folder'
          ? await readdir(folder)
          : (await store.listKeys()).map((key) => key.replace('kept/here/', ''))
      const [name = '', checksum] = names.sort()
      expect(checksum).toBe(`${name}.sha256`)

      const file = `${to}/${name}`
      const refused = await run('restore', filled, [file])
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('The database is not empty')])
      const missing = await run('restore', empty, [`${to}/none`])
      expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('There is no such file.')])
      const restored = await run('restore', empty, [file, '--replace'])
      expect(restored.output).toContain(
        `${file} will be restored into the ${empty.databaseUrl ? 'database' : 'folder'} `,
      )
      expect(restored.output).toContain(', and replace all that is there.')
      expect(restored.output).toMatch(
        /it is whole: [\d,]+ rows, 1 of them bookings, and 0 images, as they were on \d{4}-/,
      )
      expect(restored.code).toBe(0)
      expect(await countBookings(empty)).toBe(1)
    },
  )
})
