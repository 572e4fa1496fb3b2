import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTime } from '../in-time.ts'
import type { Db } from './client.ts'
import type { DatabaseLog } from './driver/database-log.ts'
import { IDENTITY } from './postgres/identity.ts'

/** Runs a read, on the replica if possible. */
export type ReadElsewhere = <T>(read: (db: Db) => Promise<T>) => Promise<T>

/** How long a read waits for the replica to catch up before it goes to the database itself. */
const CATCH_UP_MS = 1_000
const LOOK_EVERY_MS = 25
/** How long no read is sent to a replica that has failed. */
const AWAY_MS = 10_000

/**
 * Creates reads on a replica that never miss what the reader has just written (rules §36.5): the replica is used only
 * once it has everything that was committed when the read began. If it lags too far or fails, the database itself is
 * read. All handles of the two, which are narrowed for each request, know when it is away.
 */
export function createReplicaReads(log: DatabaseLog): (db: Db, replica: Db) => ReadElsewhere {
  let awayUntil = 0
  return (db, replica) => async (read) => {
    if (performance.now() < awayUntil) return read(db)
    try {
      if (await hasCaughtUp(db, replica)) return await read(replica)
      log.info({}, 'the read replica lags: its reads go to the database itself')
    } catch (err) {
      awayUntil = performance.now() + AWAY_MS
      log.warn({ err }, 'the read replica failed: its reads go to the database itself')
    }
    return read(db)
  }
}

const identity = sql.raw<string>(IDENTITY)

async function hasCaughtUp(db: Db, replica: Db): Promise<boolean> {
  const written = await sql<{ lsn: string; wanted: string }>`
    select pg_current_wal_insert_lsn()::text as lsn, ${identity} as wanted`.execute(db)
  const { lsn, wanted } = written.rows[0] ?? {}
  const until = performance.now() + CATCH_UP_MS
  for (;;) {
    const look = sql<{ isReplica: boolean; isThere: boolean | null; isSame: boolean }>`
      select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as "isThere",
             ${identity} = ${wanted} as "isSame"`
    const { rows } = await inTime(look.execute(replica), CATCH_UP_MS)
    // After a failover it may be the primary itself, or one that has been replaced.
    if (!rows[0]?.isReplica) throw new Error('DATABASE_READ_URL names no replica')
    if (!rows[0].isSame) throw new Error('DATABASE_READ_URL names a replica of another database than DATABASE_URL')
    if (rows[0].isThere) return true
    if (performance.now() > until) return false
    await pause(LOOK_EVERY_MS)
  }
}
