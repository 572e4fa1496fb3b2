import { resolve } from 'node:path'
import { Pool } from 'pg'
import { describeFolderProblem, requireWritableFolder } from '#server/storage/writable-folder.ts'
import { findOutage } from '../database-error.ts'
import { type DatabaseLog, logPoolErrors } from '../driver/database-log.ts'
import { sendTogether } from '../driver/send-together.ts'
import { valueTypes } from '../driver/value-types.ts'
import { hasCluster, toClusterFolder } from './cluster-folder.ts'
import { copyCluster } from './copy-cluster.ts'
import { startEngine } from './engine.ts'
import { lockFolder } from './folder-lock.ts'
import { checkpoint, startMaintenance, vacuum } from './maintenance.ts'
import { getWorkerUrl } from './worker-file.ts'

export type EmbeddedDatabase = {
  /**
   * Resolves when the database can be used. Rejects when it can't be opened; the folder is then unlocked again. Queries
   * wait for it.
   */
  opened: Promise<void>
  pool: Pool
  countSyncs: () => number
  maintain: (kind: 'checkpoint' | 'vacuum') => Promise<void>
  /** Copies the database to `dataDir`, which must not exist yet; the copy can be opened there. */
  copyTo: (dataDir: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * How long a query waits for the single session: longer than any query that a person waits for, so that only a jam is
 * reported.
 */
const longestWaitMs = 60_000

/**
 * Starts to open the database in `dataDir`, making both if they do not exist. The folder stays locked for this process
 * until `close`, or until opening has failed.
 */
export async function startEmbedded(dataDir: string, log: DatabaseLog): Promise<EmbeddedDatabase> {
  const workerUrl = getWorkerUrl()
  const home = resolve(dataDir)
  await requireWritableFolder(home)
  const lock = await lockFolder(home)
  try {
    const folder = toClusterFolder(home)
    if (!hasCluster(folder)) log.info({ folder }, 'making a new embedded database')
    const engine = startEngine({ folder, workerUrl, log })
    const pool = new Pool({
      stream: () => sendTogether(engine.openStream()),
      // The engine has a single session, kept for the life of the process.
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: longestWaitMs,
      types: valueTypes,
      // For ../driver/shared-connection.ts; an unshared connection still carries one query at a time.
      pipeline: true,
      // Not used, but without these the driver would take them from the environment (PGHOST, PGSSLMODE, …).
      host: 'embedded',
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      password: 'none',
      ssl: false,
    })
    logPoolErrors(pool, log)
    const release = async () => {
      await pool.end()
      await engine.stop()
      await lock.release()
    }
    let stopMaintenance = async () => {}
    let copies = 0
    const opened = engine.opened.then(
      () => {
        stopMaintenance = startMaintenance({ pool, countSyncs: engine.countSyncs, log, isHeld: () => copies > 0 })
      },
      async (error: unknown) => {
        await release()
        throw toOpeningError(folder, error)
      },
    )
    return {
      opened,
      pool,
      countSyncs: engine.countSyncs,
      async maintain(kind) {
        if (kind === 'vacuum') await vacuum(pool)
        await checkpoint(pool)
      },
      async copyTo(home) {
        copies += 1
        try {
          await copyCluster(pool, folder, toClusterFolder(home))
        } finally {
          copies -= 1
        }
      },
      async close() {
        const failed = await opened.then(
          () => false,
          () => true,
        )
        if (failed) return
        await stopMaintenance()
        await release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Explains a full or read-only disk to whoever starts the server; returns other errors unchanged. */
function toOpeningError(folder: string, error: unknown): unknown {
  const outage = findOutage(error)
  if (outage !== 'full' && outage !== 'read-only') return error
  return new Error(describeFolderProblem(folder, outage === 'full' ? 'ENOSPC' : 'EROFS'), { cause: error })
}
