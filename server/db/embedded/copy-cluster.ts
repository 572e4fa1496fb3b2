import { constants } from 'node:fs'
import { access, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { findCode } from '#server/error-code.ts'

const LOG_FOLDER = 'pg_wal'
/** Files of the running engine rather than of the data; the log is copied separately. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', LOG_FOLDER])

/**
 * Copies the cluster while it is in use, with PostgreSQL's own online backup: changes made while a file is copied are
 * repaired from the log, which is copied last. The copy opens in the state of the end of the copying. Queries wait only
 * for a checkpoint at the beginning; there must be no other checkpoint until the end, as it would remove a part of the
 * log.
 */
export async function copyCluster(pool: Pool, folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  await pool.query(`select pg_backup_start('podkeeper', fast => true)`)
  const { label } = await copyFiles(folder, target, LEFT_OUT).then(
    () => endBackup(pool),
    async (error: unknown) => {
      await endBackup(pool).catch(() => undefined)
      throw error
    },
  )
  await copyFiles(join(folder, LOG_FOLDER), join(target, LOG_FOLDER))
  await requireLog(target, label)
  await writeFile(join(target, 'backup_label'), label)
}

async function endBackup(pool: Pool): Promise<{ label: string }> {
  const { rows } = await pool.query<{ label: string }>(
    'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
  )
  if (!rows[0]) throw new Error('The database has not ended its copy')
  return rows[0]
}

async function copyFiles(from: string, to: string, leftOut: ReadonlySet<string> = new Set()): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    try {
      if (entry.isDirectory()) await copyFiles(source, target)
      else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE)
    } catch (error) {
      // The log does not need files that are deleted meanwhile.
      if (findCode(error) !== 'ENOENT') throw error
    }
  }
}

/** Throws unless the copied log reaches back to the beginning of the copy. */
async function requireLog(target: string, label: string): Promise<void> {
  const segment = /^START WAL LOCATION: \S+ \(file ([0-9A-F]+)\)$/m.exec(label)?.[1] ?? ''
  await access(join(target, LOG_FOLDER, segment || 'unknown')).catch((cause: unknown) => {
    throw new Error('A checkpoint came between while the database was copied', { cause })
  })
}
