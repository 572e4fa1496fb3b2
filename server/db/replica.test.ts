import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasPrograms, startCluster } from '../testing/postgres-cluster.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { type DatabaseHandle, openDatabase } from './client.ts'

const NO_REPLICA = [{ err: new Error('DATABASE_READ_URL names no replica') }]

/**
 * Reads three times, and as somebody with some locations; returns what was logged, which says so when the second
 * database is read or waited for.
 */
async function logReads(databaseUrl: string | undefined, readUrl: string | undefined): Promise<object[]> {
  const logged: object[] = []
  const note = (details: object) => void logged.push(details)
  const log = { info: note, warn: note, error: note }
  const { db, onReplica, within, close } = await openDatabase({ databaseUrl, readUrl, dataDir: '', log })
  onTestFinished(close)
  for (let read = 0; read < 3; read++) if (!(await onReplica(async (used) => used === db))) logged.push({ read })
  const own = within([])
  if (!(await own.onReplica(async (used) => used === own.db))) logged.push({ read: 'own' })
  return logged
}

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a database that is no replica', () => {
  it('is not read, and nobody waits for it', async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.remove())
    expect(await logReads(database.databaseUrl, database.databaseUrl)).toEqual(NO_REPLICA)
  })
})

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a replica that answers nothing', () => {
  it('is waited for no longer than one that lags', async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.remove())
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // listening on TCP
    const asked = performance.now()
    const logged = await logReads(database.databaseUrl, `postgres://127.0.0.1:${port}/nobody`)
    expect(performance.now() - asked).toBeLessThan(5_000)
    expect(logged).toEqual([{ err: new Error('No answer in time') }])
    // Otherwise closing the database waits for a connection to it.
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

/** Not on the embedded engine, which has no replica. */
describe.runIf(process.env.TEST_ENGINE === 'postgres' && hasPrograms)('a read on a replica', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let database: DatabaseHandle

  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.primary.query('create table notes (id int primary key)')
    database = await openDatabase({ databaseUrl: cluster.primary.url, readUrl: cluster.replica.url, dataDir: '' })
  })
  afterAll(async () => {
    await database?.close()
    await cluster?.stop()
  })

  const write = (id: number) => sql`insert into notes values (${id})`.execute(database.db)
  /** Returns the number of notes, and whether the replica responded. */
  const count = () =>
    database.onReplica(async (db) => {
      const { rows } = await sql<{ notes: number; isReplica: boolean }>`
        select count(*)::int as notes, pg_is_in_recovery() as "isReplica" from notes`.execute(db)
      return rows[0]
    })

  it('sees everything that was written before', async () => {
    for (let id = 1; id <= 50; id++) {
      await write(id)
      expect(await count()).toEqual({ notes: id, isReplica: true })
    }
  })

  it('uses the primary while the replica lags, and the replica again once that has caught up', async () => {
    await cluster.replica.query('select pg_wal_replay_pause()')
    await write(51)
    expect(await count()).toEqual({ notes: 51, isReplica: false })
    await cluster.replica.query('select pg_wal_replay_resume()')
    expect(await count()).toEqual({ notes: 51, isReplica: true })
  })

  it('uses the primary at once when the replica is that of another database', async () => {
    await cluster.primary.query('create database other')
    const other = new URL(cluster.replica.url)
    other.pathname = '/other'
    const wrong = [{ err: new Error('DATABASE_READ_URL names a replica of another database than DATABASE_URL') }]
    // Until the replica has the database, there is nothing to connect to.
    const isThere = () => cluster.replica.query("select datname from pg_database where datname = 'other'")
    await expect.poll(isThere, { timeout: 10_000 }).toHaveLength(1)
    expect(await logReads(cluster.primary.url, other.href)).toEqual(wrong)
  })

  it('uses the primary at once when the replica has been promoted', async () => {
    await cluster.replica.query('select pg_promote()')
    await write(52)
    expect(await logReads(cluster.primary.url, cluster.replica.url)).toEqual(NO_REPLICA)
  })

  it('uses the primary while there is no replica', async () => {
    await cluster.replica.stop()
    expect(await count()).toEqual({ notes: 52, isReplica: false })
    await write(53)
    expect(await count()).toEqual({ notes: 53, isReplica: false })
  })
})
