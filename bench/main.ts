import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureEngine } from './measure-engine.ts'
import { type EngineReport, writeReport } from './report.ts'

/**
 * `npm run bench`: each path that matters, beside its limit, in the same run. Always on the embedded database; on
 * PostgreSQL too when BENCH_DATABASE_URL names a server (a database of its own is made there and dropped).
 */
const serverUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
const reports: EngineReport[] = []
const folder = await mkdtemp(join(tmpdir(), 'podkeeper-bench-'))
try {
  if (serverUrl) reports.push(await measureEngine('PostgreSQL', join(folder, 'postgres'), serverUrl))
  reports.push(await measureEngine('embedded', join(folder, 'embedded'), undefined))
  await writeReport(reports)
} finally {
  await rm(folder, { recursive: true, force: true })
}
