import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createFolderStorage } from './folder-storage.ts'
import type { ImageStorage } from './image-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import { requireWritableFolder } from './writable-folder.ts'

/**
 * Opens the storage that the settings name. Throws an error for the operator when nothing could ever be stored in it.
 */
export async function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<ImageStorage> {
  if (s3) {
    const { openS3Bucket } = await import('./s3-bucket.ts')
    const bucket = openS3Bucket(s3)
    await bucket.requireUsable()
    return createS3Storage(bucket)
  }
  const folder = join(dataDir, 'uploads')
  await requireWritableFolder(folder)
  return createFolderStorage(folder)
}
