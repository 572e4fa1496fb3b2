import { createHash } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../db/client.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { BackupError } from './backup-format.ts'
import type { BackupPlace } from './backup-place.ts'
import { checkBackup } from './read-backup.ts'
import { type BackupResult, streamBackup } from './stream-backup.ts'

/** Suffix of the checksum file beside a backup that was read back whole, for `sha256sum -c`. */
export const CHECKED = '.sha256'

type KeptBackup = BackupResult & {
  bytes: number
  sha256: string
  /** The number of images that the database names and the storage does not have. */
  missingImages: number
}

type KeepOptions = {
  /** Runs `work` with a database that it may read from for minutes. */
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  storage: ImageStorage
  place: BackupPlace
  name: string
  onProgress?: (text: string) => void
  signal?: AbortSignal
}

/** Writes a backup, reads all of it back, and only then stores its checksum beside it. A damaged backup is deleted. */
export async function keepBackup({
  read,
  storage,
  place,
  name,
  onProgress = () => undefined,
  signal,
}: KeepOptions): Promise<KeptBackup> {
  const written = createHasher()
  let missingImages = 0
  const onMissing = () => {
    missingImages += 1
  }
  const result = await read((db) =>
    streamBackup({ db, storage }, (bytes) => place.write(name, written.pass(bytes)), { onProgress, onMissing, signal }),
  )
  try {
    onProgress('reading it back')
    const found = createHasher()
    const { counts } = await checkBackup(async () => {
      const file = await place.read(name)
      if (signal) addAbortSignal(signal, file)
      return Readable.from(found.pass(file))
    })
    const isSame = isDeepStrictEqual(found.result(), written.result()) && isDeepStrictEqual(counts, result)
    if (!isSame) throw new BackupError('what is read back is not what was written')
  } catch (error) {
    if (!signal?.aborted) await place.delete(name)
    throw error
  }
  const { bytes, sha256 } = written.result()
  await place.write(`${name}${CHECKED}`, only(Buffer.from(`${sha256}  ${name}\n`)))
  return { ...result, bytes, sha256, missingImages }
}

/** Determines the checksum and number of the bytes that pass through. */
function createHasher() {
  const hash = createHash('sha256')
  let bytes = 0
  let sha256: string | undefined
  return {
    async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        bytes += chunk.length
        hash.update(chunk)
        yield chunk
      }
    },
    result: () => ({ bytes, sha256: (sha256 ??= hash.digest('hex')) }),
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
