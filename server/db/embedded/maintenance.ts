import type { Pool } from 'pg'
import type { DatabaseLog } from '../driver/database-log.ts'

const minute = 60_000

/** The embedded engine has none of PostgreSQL's background processes: checkpoints and vacuums have to be requested. */
const defaults = {
  lookEveryMs: minute / 2,
  checkpointAfterMs: 5 * minute,
  checkpointAfterBytes: 64 * 1024 * 1024,
  firstVacuumAfterMs: 10 * minute,
  vacuumEveryMs: 24 * 60 * minute,
}

type MaintenanceOptions = {
  pool: Pool
  countSyncs: () => number
  log: DatabaseLog
  /** Whether maintenance, and so any checkpoint, has to wait for now. */
  isHeld?: () => boolean
  times?: Partial<typeof defaults>
}

/** Starts the maintenance and returns a function that stops it, which waits for a step that is under way. */
export function startMaintenance({ pool, countSyncs, log, isHeld, times }: MaintenanceOptions): () => Promise<void> {
  const { lookEveryMs, checkpointAfterMs, checkpointAfterBytes, firstVacuumAfterMs, vacuumEveryMs } = {
    ...defaults,
    ...times,
  }
  let checkpointedAt = performance.now()
  let syncsAtCheckpoint = countSyncs()
  let vacuumAt = performance.now() + firstVacuumAfterMs
  let underWay: Promise<void> | undefined
  let stopped = false

  async function look(): Promise<void> {
    if (isHeld?.()) return
    if (performance.now() >= vacuumAt) {
      vacuumAt = performance.now() + vacuumEveryMs
      await vacuum(pool, () => stopped)
      log.info({}, 'the embedded database was vacuumed and analysed')
    }
    // Every commit that wrote has synced: without a sync since the last checkpoint, there is nothing to do.
    if (countSyncs() === syncsAtCheckpoint) return
    if (performance.now() - checkpointedAt < checkpointAfterMs && (await countLogBytes(pool)) < checkpointAfterBytes)
      return
    await checkpoint(pool)
    checkpointedAt = performance.now()
    syncsAtCheckpoint = countSyncs()
  }

  const timer = setInterval(() => {
    underWay ??= look()
      .catch((err: unknown) => log.error({ err }, 'the maintenance of the embedded database failed'))
      .finally(() => {
        underWay = undefined
      })
  }, lookEveryMs).unref()

  return async () => {
    stopped = true
    clearInterval(timer)
    await underWay
  }
}

/** Writes the log's changes to the tables, so that the log stays short and the next start is quick. */
export async function checkpoint(pool: Pool): Promise<void> {
  await pool.query('checkpoint')
}

/** Vacuums and analyses table by table, so that other queries get their turn in between. */
export async function vacuum(pool: Pool, isStopped: () => boolean = () => false): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and c.relpersistence = 'p' and n.nspname <> 'information_schema'
      order by name`,
  )
  for (const { name } of rows) {
    if (isStopped()) return
    await pool.query(`vacuum (analyze) ${name}`)
  }
}

async function countLogBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  )
  return Number(rows[0]?.bytes)
}
