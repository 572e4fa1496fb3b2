import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

describe('npm run audit:archive', { timeout: 120_000 }, () => {
  let database: TestDatabase

  beforeAll(async () => {
    await buildCommandProcess('archive-audit')
    database = await openTestDatabase()
    await database.close()
  })
  afterAll(() => database.remove())

  it.each(['2024-02-30', '2024', 'yesterday'])('refuses %s, which is no day', async (before) => {
    const { dataDir, databaseUrl } = database
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
    const args = ['--before', before, '--to', join(dataDir, 'changes.jsonl.gz')]
    const { code, output } = await runCommandProcess('archive-audit', env, args)
    expect([code, output]).toEqual([1, expect.stringContaining('Usage: npm run audit:archive -- --before 2024-01-01')])
  })

  it('writes only to this machine, and over no other file', async () => {
    const { dataDir, databaseUrl } = database
    const archive = (to: string) =>
      runCommandProcess('archive-audit', { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }, [
        '--before=2024-01-01',
        `--to=${to}`,
      ])
    expect((await archive('s3://podkeeper/changes.gz')).output).toContain('--to has to be a file on this machine.')
    const file = join(dataDir, 'archives', 'changes.jsonl.gz')
    expect((await archive(file)).output).toContain('Nothing is older than 2024-01-01')
    for (const there of [`${file}.partial`, file]) {
      await writeFile(there, '')
      expect((await archive(file)).output).toContain(`${there} exists already. Choose another name, or move it away.`)
    }
  })
})
