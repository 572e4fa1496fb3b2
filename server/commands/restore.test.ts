import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { buildBooking } from '../testing/factories.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { buildCommandProcess, runCommandProcess, startCommandProcess } from '../testing/server-process.ts'
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

  it('migrate a database of an earlier release only when the file is whole and the database may be overwritten', async () => {
    const earlier = await openTestDatabase()
    await buildBooking(earlier.db)
    // The last migration cannot be taken back, but the command goes by its name.
    const { rows } = await sql<{ name: string }>`
      delete from kysely_migration where name = (select max(name) from kysely_migration) returning name`.execute(
      earlier.db,
    )
    await earlier.close()
    const to = join(folder, 'before-migration')
    expect((await run('backup', filled, ['--to', to])).code).toBe(0)
    const [name = ''] = await readdir(to)
    await writeFile(join(to, 'cut.jsonl.gz'), (await readFile(join(to, name))).subarray(0, 100))
    for (const [args, problem] of [
      [[join(to, 'none'), '--replace'], 'There is no such file.'],
      [[join(to, 'cut.jsonl.gz'), '--replace'], 'damaged'],
      [[join(to, name)], 'The database is not empty'],
    ] as const) {
      const { code, output } = await run('restore', earlier, [...args])
      expect([code, output]).toEqual([1, expect.stringContaining(problem)])
    }
    const { db, close } = await openDatabase(earlier)
    const { rows: left } = await sql`select from kysely_migration where name = ${rows[0]?.name ?? ''}`.execute(db)
    expect(left).toEqual([])
    await close()
    await earlier.remove()
  })

  it('name the images that are not where the command looks for them', async () => {
    const { db, close } = await openDatabase(filled)
    const image = { placeholder: 'data:,', width: 3, height: 2, created_at: new Date() }
    const urls = { url: '/uploads/gone.webp', thumbnail_url: '/uploads/gone-too.webp' }
    await db
      .insertInto('images')
      .values({ id: 'gone', ...urls, ...image })
      .execute()
    await close()
    const made = await run('backup', filled, ['--to', join(folder, 'without-images')])
    expect([made.code, made.output]).toEqual([
      0,
      expect.stringContaining('But 2 more images, which the database names'),
    ])
  })

  it('leave nothing behind when a backup is interrupted', async () => {
    const { db, close } = await openDatabase(filled)
    await sql`insert into jobs (kind, key, run_at, done_at) select 'none', n, now(), now() from generate_series(1, 100000) n`.execute(
      db,
    )
    await close()
    const to = join(folder, 'interrupted')
    const { databaseUrl: DATABASE_URL = '', dataDir: DATA_DIR } = filled
    const command = startCommandProcess('backup', { DATA_DIR, DATABASE_URL }, ['--to', to])
    await vi.waitFor(async () => expect(await readdir(to)).toHaveLength(1), { timeout: 60_000, interval: 5 })
    command.child.kill('SIGINT')
    // Progress and errors come through two pipes, in any order.
    expect([await command.ended, command.readOutput()]).toEqual([130, expect.stringMatching(/^Interrupted\.$/m)])
    expect(await readdir(to)).toEqual([])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('refuse to restore while a server is connected', async () => {
    const { databaseUrl = '', dataDir } = empty
    // Whatever name the URL gives the server's connections.
    const server = await openDatabase({ databaseUrl: `${databaseUrl}?application_name=ours`, dataDir })
    const { code, output } = await run('restore', empty, [join(folder, 'none'), '--replace'])
    expect([code, output]).toEqual([1, expect.stringContaining('Stop every server first')])
    await server.close()
  })
})
