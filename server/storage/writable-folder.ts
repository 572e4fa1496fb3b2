import { randomBytes } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findCode } from '../error-code.ts'

const PROBE_BYTES = 16 * 1024

/** Writes a small file to disk and deletes it; throws the operating system's error. */
export async function probeFolder(folder: string): Promise<void> {
  const path = join(folder, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(path, randomBytes(PROBE_BYTES), { flag: 'wx', flush: true })
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Creates a folder if missing, and throws an error for the operator when nothing can be stored in it. */
export async function requireWritableFolder(folder: string): Promise<void> {
  try {
    const isNew = await makeFolder(folder)
    await probeFolder(folder).catch((error: unknown) => {
      // A full disk does not prevent reading an existing folder: only a first start is useless.
      if (isNew || !isFull(error)) throw error
    })
  } catch (error) {
    throw new Error(describeFolderProblem(folder, findCode(error) ?? String(error)), { cause: error })
  }
}

/**
 * Creates a folder and returns whether it was missing. Creates one level at a time: Node's recursive mkdir reports
 * every failure as ENOENT, and loops forever where the kernel itself returns that (/proc).
 */
export async function makeFolder(folder: string): Promise<boolean> {
  if (await isFolder(folder)) return false
  const above = dirname(folder)
  if (above !== folder) await makeFolder(above)
  try {
    await mkdir(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(folder))) throw error
  }
  return true
}

async function isFolder(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined)
  return info?.isDirectory() ?? false
}

const OTHER_DATA_DIR = 'set DATA_DIR to another folder'
const OTHER_FOLDER = 'name another folder'

export function describeFolderProblem(folder: string, code: string, otherwise = OTHER_DATA_DIR): string {
  return `${toProblem(folder, code)}, or ${otherwise}.`
}

/** As `makeFolder`, but throws an error for the operator, who has named the folder. */
export async function makeNamedFolder(folder: string): Promise<void> {
  // As in --to=~/backups, where a shell leaves it as it is.
  if (folder.startsWith('~')) {
    throw new Error(`${folder} is replaced by a shell only where it begins a word: write out the path.`)
  }
  await makeFolder(folder).catch((error: unknown) => {
    throw toOperatorError(folder, error, OTHER_FOLDER)
  })
}

const FOLDER_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])

/**
 * Returns an error for the operator if `error` comes from writing in `folder`: the system's own error for a full disk
 * names no file. Returns any other error unchanged, for example one from reading what is to be written.
 */
export function toWriteError(folder: string, error: unknown, otherwise = OTHER_FOLDER): unknown {
  if (!FOLDER_ERRORS.has(findCode(error) ?? '')) return error
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined
  const isInFolder = path === undefined || dirname(resolve(path)) === resolve(folder)
  return isInFolder ? toOperatorError(folder, error, otherwise) : error
}

/** As `toWriteError`, for a folder in DATA_DIR. */
export const toDataError = (folder: string, error: unknown) => toWriteError(folder, error, OTHER_DATA_DIR)

function toOperatorError(folder: string, error: unknown, otherwise: string): Error {
  const code = findCode(error) ?? String(error)
  return Object.assign(new Error(describeFolderProblem(folder, code, otherwise), { cause: error }), { code })
}

function toProblem(folder: string, code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk that holds ${folder} is full. Free some space`
  if (code === 'EROFS') {
    return `The disk that holds ${folder} is read-only. Mount it so that it can be written (under systemd: ReadWritePaths)`
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `The folder ${folder} may not be written by the user that runs this. Change its owner or its permissions`
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `The folder ${folder} cannot be made: a file stands in its place. Move the file away`
  }
  return `The folder ${folder} cannot be made or written (${code}). Check the path and the disk`
}

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(findCode(error) ?? '')
