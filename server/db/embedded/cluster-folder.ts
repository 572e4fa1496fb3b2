import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findCode } from '#server/error-code.ts'
import { describeFolderProblem } from '#server/storage/writable-folder.ts'

/** Returns the folder of the cluster in a data folder. */
export const toClusterFolder = (dataDir: string) => join(dataDir, 'database')

/** The major version of PostgreSQL in @electric-sql/pglite; a test compares it with a cluster that it made. */
export const embeddedMajor = '18'

/**
 * Returns false when the folder holds no cluster yet; throws when it holds one that this engine, or the user that runs
 * it, cannot read.
 */
export function hasCluster(folder: string): boolean {
  const major = readVersion(folder)
  if (major === undefined) return false
  if (major === embeddedMajor) return true
  throw new Error(
    `The database in ${folder} was made by PostgreSQL ${major}; this version of Podkeeper carries PostgreSQL ` +
      `${embeddedMajor} and cannot read it. Make a backup with the version of Podkeeper that made it, then restore ` +
      'that backup with this one into an empty data folder.',
  )
}

function readVersion(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    const code = findCode(error) ?? String(error)
    if (code === 'ENOENT') return undefined
    throw new Error(describeFolderProblem(folder, code), { cause: error })
  }
}

/**
 * Makes a cluster in a temporary folder and renames it when complete: a start that is killed half-way leaves nothing
 * that the next start could take for a database.
 */
export async function createCluster(folder: string, initialise: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${folder}.new`
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  await initialise(temporary)
  syncTree(temporary)
  renameSync(temporary, folder)
  sync(dirname(folder))
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else sync(path)
  }
  sync(folder)
}

/** Syncs a file or folder to disk; a folder too, because the names of its files are only safe once it is synced. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
