import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase } from '../testing/test-database.ts'

const NEW_SECRET_KEY = 'a key of some length'
const onlyExisting: [name: string, args: string[]][] = [
  ['backup', []],
  ['archive-audit', ['--before', '2024-01-01', '--to', 'changes.jsonl.gz']],
  ['reset-second-factor', ['--email', 'lerato@example.com']],
  ['change-secret', []],
]
const others = ['migrate', 'create-staff', 'seed', 'restore']

describe('a terminal command', { timeout: 120_000 }, () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podkeeper-commands-'))
    await Promise.all([...onlyExisting.map(([name]) => name), ...others].map(buildCommandProcess))
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each([...onlyExisting.map(([name]) => name), ...others])(
    'reads its arguments before it opens or makes a database: %s',
    async (name) => {
      const { code, output } = await runCommandProcess(name, { DATA_DIR: join(folder, 'data'), NEW_SECRET_KEY }, [
        '--too',
      ])
      expect([code, output]).toEqual([1, expect.stringMatching(/^Unknown option '--too'[^]*\n\nUsage: /)])
      expect(await readdir(folder)).toEqual([])
    },
  )

  it.each(onlyExisting)('does not take a database that is not there for an empty one: %s', async (name, args) => {
    const { code, output } = await runCommandProcess(name, { DATA_DIR: join(folder, 'data'), NEW_SECRET_KEY }, args)
    expect([code, output]).toEqual([1, expect.stringContaining(`There is no Podkeeper data in the folder ${folder}`)])
    expect(await readdir(folder)).toEqual([])
  })

  it.each(onlyExisting)('leaves a database of an earlier release to that release: %s', async (name, args) => {
    const database = await openTestDatabase()
    const { databaseUrl = '', dataDir, db } = database
    // The last migration cannot be taken back, but the commands go by its name.
    const last = db
      .selectFrom(sql<{ name: string }>`kysely_migration`.as('migration'))
      .select(sql<string>`max(name)`.as('name'))
    const { name: migration } = await last.executeTakeFirstOrThrow()
    await sql`delete from kysely_migration where name = ${migration}`.execute(db)
    await database.close()
    const { code, output } = await runCommandProcess(
      name,
      { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, NEW_SECRET_KEY },
      args,
    )
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(
        ` is from an earlier release (it lacks ${migration}). Make a backup with that release first`,
      ),
    ])
    const again = await openDatabase({ databaseUrl, dataDir })
    const { rows } = await sql`select from kysely_migration where name = ${migration}`.execute(again.db)
    expect(rows).toEqual([])
    await again.close()
    await database.remove()
  })
})
