import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { openDatabase } from '../db/client.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { createDatabase, dropDatabases, toDatabaseUrl } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that tests copy: a folder (embedded) or the name of a database (PostgreSQL). */
    databaseTemplate: string
    /** Removed after all tests. */
    testFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-run-'))
  project.provide('testFolder', folder)
  const isPostgres = project.config.env?.TEST_ENGINE === 'postgres'
  const databases = `podkeeper_test_${process.pid}`
  project.provide('databaseTemplate', isPostgres ? await preparePostgres(databases) : await prepareEmbedded(folder))
  return async () => {
    if (isPostgres) await dropDatabases(databases)
    await rm(folder, { recursive: true, force: true })
  }
}

async function prepareEmbedded(folder: string): Promise<string> {
  const template = join(folder, 'template')
  copyTestCluster(template)
  const database = await openDatabase({ dataDir: template })
  await migrateToLatest(database.db)
  await database.close()
  return template
}

async function preparePostgres(name: string): Promise<string> {
  await createDatabase(name)
  const database = await openDatabase({ databaseUrl: toDatabaseUrl(name), dataDir: tmpdir() })
  await migrateToLatest(database.db)
  await database.close()
  return name
}
