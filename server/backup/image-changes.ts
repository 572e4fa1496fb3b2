import { buffer } from 'node:stream/consumers'
import type { ImageStorage } from '../storage/image-storage.ts'

export type ImageChanges = {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Restores the state before the first `put`. */
  undo(): Promise<void>
  /** Deletes images; returns the number that could not be deleted. */
  remove(keys: string[]): Promise<number>
}

/** Stores images such that this can be undone, until `remove` has deleted some. */
export function createImageChanges(storage: ImageStorage): ImageChanges {
  const added = new Set<string>()
  /** The previous content under the same name, if different. Names are never used twice, so it was damaged. */
  const overwritten = new Map<string, { bytes: Buffer; contentType: string }>()
  return {
    async put(key, bytes, contentType) {
      const found = await storage.find(key)
      const before = found && (await buffer(found.body))
      if (before?.equals(bytes)) return
      if (!before) added.add(key)
      else if (!added.has(key)) overwritten.set(key, { bytes: before, contentType })
      await storage.put(key, bytes, contentType)
    },
    async undo() {
      for (const key of added) await storage.delete(key).catch(() => undefined)
      for (const [key, { bytes, contentType }] of overwritten) {
        await storage.put(key, bytes, contentType).catch(() => undefined)
      }
    },
    async remove(keys) {
      let left = 0
      for (const key of keys) {
        await storage.delete(key).catch(() => {
          left += 1
        })
      }
      return left
    },
  }
}
