import { randomBytes } from 'node:crypto'
import type { UploadedImage } from '#contract/uploads.ts'
import type { AppContext } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ProcessedImage, processImage, type ReceivedImage } from './process-image.ts'
import { createImage, deleteImages, discardUnusedImages, listDiscardedImages } from './uploads.repository.ts'

const FOLDER = '/uploads/'
const SWEEP_BATCH = 100

/**
 * Stores all images of a request, or none: when one is rejected, or the client disconnects before the response, those
 * that were stored already are deleted.
 */
export async function createImages(
  context: AppContext,
  images: AsyncIterable<ReceivedImage>,
  isClientGone: () => boolean,
): Promise<UploadedImage[]> {
  const kept: UploadedImage[] = []
  try {
    for await (const image of images) {
      const processed = await processImage(image)
      const names = toNames(processed)
      // Added before it is stored, so that a partly stored image is deleted too.
      kept.push(names)
      await keepImage(context, names, processed)
    }
    if (kept.length === 0) throw fieldError('images', 'At least one image is required')
    if (isClientGone()) throw new AppError('invalid_input', { message: 'The upload was interrupted.' })
    return kept
  } catch (error) {
    // If this fails too, the clean-up finds the rows, as they are written before the files.
    await removeImages(context, kept).catch(() => undefined)
    throw error
  }
}

/** Names are random: nobody can guess the images of others, and a name is never used twice (rules §17.3). */
function toNames({ placeholder, width, height }: ProcessedImage): UploadedImage {
  const name = `${FOLDER}${randomBytes(16).toString('hex')}`
  return {
    public_id: createId(),
    url: `${name}.webp`,
    thumbnail: `${name}-thumbnail.webp`,
    placeholder,
    width,
    height,
  }
}

/** Returns whether a url without a host has the form of an image stored here, as made by `toNames`. */
export function isOwnImagePath(url: string): boolean {
  return /^\/?(api\/)?uploads\/[0-9a-f]{32}(-thumbnail)?\.webp([?#].*)?$/.test(url)
}

async function keepImage(context: AppContext, names: UploadedImage, processed: ProcessedImage): Promise<void> {
  const { public_id, url, thumbnail, placeholder, width, height } = names
  await createImage(context.db, {
    id: public_id,
    url,
    thumbnail_url: thumbnail,
    placeholder,
    width,
    height,
    created_at: context.clock.now(),
  })
  await context.storage.put(toKey(url), processed.full, 'image/webp')
  await context.storage.put(toKey(thumbnail), processed.thumbnail, 'image/webp')
}

const toKey = (url: string) => url.slice(FOLDER.length)

/** Deletes the files first, so that any file left by a crash still has a row, which the clean-up finds. */
async function removeImages(context: AppContext, images: Pick<UploadedImage, 'public_id' | 'url' | 'thumbnail'>[]) {
  if (images.length === 0) return
  for (const { url, thumbnail } of images) {
    await context.storage.delete(toKey(url))
    await context.storage.delete(toKey(thumbnail))
  }
  await deleteImages(
    context.db,
    images.map(({ public_id }) => public_id),
  )
}

/**
 * Deletes the images that were stored before `olderThan`, and that no pod has or has lost since, in batches. Returns
 * their number. Safe when other servers do the same or a pod takes such an image meanwhile. The next run continues an
 * interrupted one.
 */
export async function deleteUnusedImages(context: AppContext, olderThan: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const now = context.clock.now()
    await inTransaction(context.db, (tx) => discardUnusedImages(tx, olderThan, now, SWEEP_BATCH))
    const rows = await listDiscardedImages(context.db, SWEEP_BATCH)
    if (rows.length === 0) return removed
    await removeImages(
      context,
      rows.map(({ id, url, thumbnail_url }) => ({ public_id: id, url, thumbnail: thumbnail_url })),
    )
    removed += rows.length
  }
}
