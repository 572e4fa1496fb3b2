import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../db/client.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { createId } from '../ids.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './postgres-databases.ts'

export type TestDatabase = DatabaseHandle & {
  dataDir: string
  databaseUrl: string | undefined
  remove(): Promise<void>
}

/** Opens a new database, copied from the migrated template, on the engine of the vitest project. */
export function openTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  return openCopy(inject('databaseTemplate'), options)
}

/** Opens an empty database, without migrations. */
export function openEmptyDatabase(): Promise<TestDatabase> {
  return openCopy(undefined, {})
}

async function openCopy(template: string | undefined, options: { poolSize?: number }): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(inject('testFolder'), 'database-'))
  const name = `${template ?? 'podkeeper_test'}_${createId().replaceAll('-', '')}`
  const onPostgres = process.env.TEST_ENGINE === 'postgres'
  if (onPostgres) await createDatabase(name, template)
  else if (template === undefined) copyTestCluster(dataDir)
  else await cp(template, dataDir, { recursive: true })
  const databaseUrl = onPostgres ? toDatabaseUrl(name) : undefined
  const handle = await openDatabase({ databaseUrl, dataDir, ...options })
  return {
    ...handle,
    dataDir,
    databaseUrl,
    async remove() {
      await handle.close()
      if (onPostgres) await dropDatabase(name)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
