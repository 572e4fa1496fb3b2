import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type DatabaseHandle, openDatabase } from './client.ts'
import { copyTestCluster } from './embedded/test-cluster.ts'

export type TestDatabase = { handle: DatabaseHandle; databaseUrl?: string; remove: () => Promise<void> }
type TestEngine = { engine: DatabaseHandle['engine']; create: () => Promise<TestDatabase> }

const serverUrl = process.env.TEST_DATABASE_URL

/**
 * The engines that shared tests run on: the embedded one, and PostgreSQL when TEST_DATABASE_URL is set. TEST_ENGINE
 * restricts them to one.
 */
export const testEngines: TestEngine[] = [
  { engine: 'embedded' as const, create: createEmbedded },
  ...(serverUrl ? [{ engine: 'postgres' as const, create: () => createPostgres(serverUrl) }] : []),
].filter(({ engine }) => (process.env.TEST_ENGINE ?? engine) === engine)

export const hasPostgres = testEngines.some(({ engine }) => engine === 'postgres')

export function createTestFolder(): string {
  return mkdtempSync(join(tmpdir(), 'podkeeper-test-'))
}

async function createEmbedded(): Promise<TestDatabase> {
  const dataDir = createTestFolder()
  copyTestCluster(dataDir)
  const handle = await openDatabase({ dataDir })
  return {
    handle,
    async remove() {
      await handle.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates a separate database on the server, so that test files can run at the same time. */
async function createPostgres(url: string): Promise<TestDatabase> {
  const name = `podkeeper_test_${randomBytes(6).toString('hex')}`
  await runOnServer(url, `create database ${name}`)
  const databaseUrl = new URL(url)
  databaseUrl.pathname = `/${name}`
  const handle = await openDatabase({ databaseUrl: databaseUrl.href, dataDir: tmpdir() })
  return {
    handle,
    databaseUrl: databaseUrl.href,
    async remove() {
      await handle.close()
      await runOnServer(url, `drop database ${name} with (force)`)
    },
  }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
