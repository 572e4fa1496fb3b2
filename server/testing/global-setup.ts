import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { openDatabase } from '../db/client.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { createDatabase, dropDatabase, toDatabaseUrl } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that each test file copies: a folder (embedded) or the name of a database (PostgreSQL). */
    databaseTemplate: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.config.env?.TEST_ENGINE === 'postgres' ? preparePostgres(project) : prepareEmbedded(project)
}

async function prepareEmbedded(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-template-'))
  copyTestCluster(folder)
  const database = await openDatabase({ dataDir: folder })
  await migrateToLatest(database.db)
  await database.close()
  project.provide('databaseTemplate', folder)
  return () => rm(folder, { recursive: true, force: true })
}

async function preparePostgres(project: TestProject) {
  const name = `podkeeper_template_${process.pid}`
  await createDatabase(name)
  const database = await openDatabase({ databaseUrl: toDatabaseUrl(name), dataDir: tmpdir() })
  await migrateToLatest(database.db)
  await database.close()
  project.provide('databaseTemplate', name)
  return () => dropDatabase(name)
}
