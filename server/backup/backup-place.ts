import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import { findCode } from '../error-code.ts'
import type { S3Bucket } from '../storage/s3-bucket.ts'
import { makeNamedFolder, toWriteError } from '../storage/writable-folder.ts'

type StoredFile = { name: string; bytes: number }

/** Where backups are kept: a folder, or a prefix of a bucket. */
export type BackupPlace = {
  /** Lists the complete files whose names begin with `prefix`. */
  list(prefix: string): Promise<StoredFile[]>
  /** Writes a file, which gets its name only when it is complete and safely stored. */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  read(name: string): Promise<Readable>
  delete(name: string): Promise<void>
  /** Deletes incomplete files that a killed server left behind. No backup may be in progress. */
  deleteUnfinished(prefix: string): Promise<void>
}

const PARTIAL = '.partial'
const NO_SUCH_FILE = 'There is no such file.'

/** Opens a folder, or `s3://bucket/prefix` in the store that the settings name. */
export async function openBackupPlace(target: string, config: Pick<Config, 's3Store'>): Promise<BackupPlace> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  if (bucket === undefined || prefix === undefined) return createFolderPlace(target)
  if (!config.s3Store) {
    throw new Error(`${target} needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to be set.`)
  }
  const { openS3Bucket } = await import('../storage/s3-bucket.ts')
  const settings = { ...config.s3Store, bucket, prefix: prefix.replace(/\/*$/, prefix === '' ? '' : '/') }
  return createS3Place(openS3Bucket(settings, { responseMs: PART_RESPONSE_MS, name: 'The backup store' }))
}

/** A part of eight megabytes takes half a minute at two megabits per second. */
const PART_RESPONSE_MS = 120_000

export function createFolderPlace(folder: string): BackupPlace {
  return {
    async list(prefix) {
      const names = await listNames(folder)
      const ours = names.filter((name) => name.startsWith(prefix) && !name.endsWith(PARTIAL))
      return Promise.all(ours.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    async write(name, bytes) {
      await makeNamedFolder(folder)
      const path = join(folder, name)
      const partial = `${path}${PARTIAL}`
      try {
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600, flush: true }))
        await rename(partial, path)
        await syncFolder(folder)
      } catch (error) {
        await rm(partial, { force: true })
        throw toWriteError(folder, error)
      }
    },
    async read(name) {
      const path = join(folder, name)
      const info = await stat(path).catch((error: unknown) => {
        throw isMissing(error) ? new Error(NO_SUCH_FILE, { cause: error }) : error
      })
      if (!info.isFile()) throw new Error(NO_SUCH_FILE)
      return createReadStream(path)
    },
    delete: (name) => rm(join(folder, name), { force: true }),
    async deleteUnfinished(prefix) {
      for (const name of await listNames(folder)) {
        if (name.startsWith(prefix) && name.endsWith(PARTIAL)) await rm(join(folder, name), { force: true })
      }
    },
  }
}

/** Backups in a bucket, where an object becomes visible only when it is complete. */
function createS3Place(bucket: S3Bucket): BackupPlace {
  return {
    list: (prefix) => bucket.list(prefix),
    write: (name, bytes) => bucket.putLong(name, bytes),
    async read(name) {
      const found = await bucket.find(name)
      if (!found) throw new Error(NO_SUCH_FILE)
      return found.body
    },
    delete: (name) => bucket.delete(name),
    // Parts of an unfinished upload cannot be listed here; a rule of the bucket deletes them.
    deleteUnfinished: async () => {},
  }
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
}

/** Syncs a folder to disk; before that, the new name of a file in it could be lost. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown) => findCode(error) === 'ENOENT'
