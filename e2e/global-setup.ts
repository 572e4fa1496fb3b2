import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/client.ts'
import { buildDatabaseWorker } from '#server/db/embedded/build-worker.ts'
import { copyTestCluster, prepareTestCluster } from '#server/db/embedded/test-cluster.ts'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'

/** Prepares a migrated database that each worker copies. The portal must be built beforehand, as `npm test` does. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!existsSync('dist/web/index.html')) throw new Error('Run `npm run build` before the browser tests.')
  await buildDatabaseWorker()
  await prepareTestCluster()
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-e2e-'))
  copyTestCluster(folder)
  const database = await openDatabase({ dataDir: folder })
  await migrateToLatest(database.db)
  await database.close()
  process.env.E2E_DATABASE_TEMPLATE = folder
  return () => rm(folder, { recursive: true, force: true })
}
