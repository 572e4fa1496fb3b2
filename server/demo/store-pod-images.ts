import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { ImagesTable } from '../db/schema.ts'
import { createId } from '../ids.ts'
import { toSlug } from '../modules/pods/slug.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import type { DemoPod } from './demo-pods.ts'

/** The folder of the images: beside this file in the sources, and beside the bundle, where the build copies it. */
const folder = new URL('./images/', import.meta.url)
const IMAGES_PER_POD = 3
const PLACEHOLDER_WIDTH = 16

export type StoredImage = Omit<ImagesTable, 'discarded_at' | 'created_at'>

/** Stores the images of each pod, under the same names on every run. */
export async function storePodImages(
  storage: ImageStorage,
  pods: readonly DemoPod[],
): Promise<Map<DemoPod, StoredImage[]>> {
  const stored = new Map<DemoPod, StoredImage[]>()
  for (const pod of pods) {
    const numbers = Array.from({ length: IMAGES_PER_POD }, (_, index) => index + 1)
    stored.set(pod, await Promise.all(numbers.map((number) => storeImage(storage, `${toSlug(pod.title)}-${number}`))))
  }
  return stored
}

async function storeImage(storage: ImageStorage, file: string): Promise<StoredImage> {
  const full = await readFile(new URL(`${file}.webp`, folder))
  const thumbnail = await readFile(new URL(`${file}-thumbnail.webp`, folder))
  const { width, height } = await sharp(full).metadata()
  const tiny = await sharp(thumbnail).resize({ width: PLACEHOLDER_WIDTH }).webp({ quality: 40 }).toBuffer()
  // Named by a hash of its content: browsers cache images for a year and must not show an outdated one.
  const name = createHash('sha256').update(full).digest('hex').slice(0, 32)
  await storage.put(`${name}.webp`, full, 'image/webp')
  await storage.put(`${name}-thumbnail.webp`, thumbnail, 'image/webp')
  return {
    id: createId(),
    url: `/uploads/${name}.webp`,
    thumbnail_url: `/uploads/${name}-thumbnail.webp`,
    placeholder: `data:image/webp;base64,${tiny.toString('base64')}`,
    width,
    height,
  }
}
