import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasPrograms, startCluster } from '../testing/postgres-cluster.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { type DatabaseHandle, openDatabase } from './client.ts'

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a database that is no replica, or is one no longer', () => {
  it('is not read, and nobody waits for it', async () => {
    const database = await openTestDatabase()
    const { databaseUrl, dataDir } = database
    const logged: object[] = []
    const note = (details: object) => void logged.push(details)
    const log = { info: note, warn: note, error: note }
    const { db, onReplica, close } = await openDatabase({ databaseUrl, readUrl: databaseUrl, dataDir, log })
    onTestFinished(async () => {
      await close()
      await database.remove()
    })
    const begun = performance.now()
    for (let read = 0; read < 3; read++) expect(await onReplica(async (used) => used === db)).toBe(true)
    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(logged).toEqual([{ err: new Error('DATABASE_READ_URL names no replica') }])
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

  it('uses the primary while there is no replica', async () => {
    await cluster.replica.stop()
    expect(await count()).toEqual({ notes: 51, isReplica: false })
    await write(52)
    expect(await count()).toEqual({ notes: 52, isReplica: false })
  })
})
