import { type ImageStorage, isKey, requireKey } from './image-storage.ts'
import type { S3Bucket } from './s3-bucket.ts'

const FOLDER = 'uploads/'

/** Images in a bucket, under the same names as in a folder. An object becomes visible only when it is complete. */
export function createS3Storage(bucket: S3Bucket): ImageStorage {
  return {
    isRemote: true,
    put: async (key, bytes, contentType) => bucket.put(FOLDER + requireKey(key), bytes, contentType),
    delete: async (key) => bucket.delete(FOLDER + requireKey(key)),
    find: async (key) => (isKey(key) ? bucket.find(FOLDER + key) : undefined),
    check: () => bucket.check(),
  }
}
