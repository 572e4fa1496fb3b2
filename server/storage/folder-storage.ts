import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageStorage, isKey, requireKey } from './image-storage.ts'
import { makeFolder, probeFolder, toDataError } from './writable-folder.ts'

/** Images in a local folder. A file gets its name only when it is complete and synced to disk. */
export async function createFolderStorage(folder: string): Promise<ImageStorage> {
  await makeFolder(folder)
  return {
    isRemote: false,
    async put(key, bytes) {
      const path = join(folder, requireKey(key))
      // A unique name: servers that share the folder may store the same image at once, as two first starts do.
      const partial = `${path}.${randomUUID()}.partial`
      try {
        await writeFile(partial, bytes, { flush: true })
        await rename(partial, path)
      } catch (error) {
        // Incomplete files must not fill a disk that is full already.
        await rm(partial, { force: true })
        throw toDataError(folder, error)
      }
    },
    async delete(key) {
      await rm(join(folder, requireKey(key)), { force: true })
    },
    async find(key) {
      if (!isKey(key)) return undefined
      const path = join(folder, key)
      const info = await stat(path).catch(() => undefined)
      return info?.isFile() ? { body: createReadStream(path), bytes: info.size } : undefined
    },
    check: () => probeFolder(folder),
  }
}
