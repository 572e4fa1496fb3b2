import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { migrateToLatest } from '#server/db/migrations/migrate.ts'
import { type Db, openDatabase } from '../db/client.ts'
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
  await turnOffAutovacuum(database.db)
  await database.close()
  return name
}

/**
 * Autovacuum may come by when a test has just emptied a table. Plans of the next test then expect it to stay empty, and
 * take half a minute for ten thousand rows. The embedded engine has no autovacuum either.
 */
async function turnOffAutovacuum(db: Db): Promise<void> {
  await sql
    .raw(
      `do $$
       declare name regclass;
       begin
         for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
           execute format('alter table %s set (autovacuum_enabled = off)', name);
         end loop;
       end $$`,
    )
    .execute(db)
}
