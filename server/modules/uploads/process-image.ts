import type { Metadata, OutputInfo } from 'sharp'
import { AppError } from '#server/http/app-error.ts'
import { findImageType } from './image-type.ts'

/** Maximum length of a side; smaller images keep their size. */
const FULL_SIZE = 2000
/** Twice the widest use of a thumbnail, for high-density screens. A hundred thumbnails take about a megabyte. */
const THUMBNAIL_WIDTH = 400
const PLACEHOLDER_SIZE = 16
/** How many pixels an image may have, so that decoding it takes at most half a gigabyte. Only one is decoded at a time. */
const mostPixels = {
  /** Read line by line, or at 6 bytes a pixel. */
  lines: 64_000_000,
  /** A progressive JPEG or an interlaced PNG is read as a whole, at up to 10 bytes a pixel. */
  whole: 50_000_000,
  /** The decoder keeps several copies, up to 26 bytes a pixel. */
  avif: 16_000_000,
}

function toMostPixels({ format, isProgressive }: Metadata): number {
  if (format === 'heif') return mostPixels.avif
  return isProgressive ? mostPixels.whole : mostPixels.lines
}

/** Loads the library at the first image, as it would hold memory for nothing until then. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Leaves the other processor to requests; decoded images are not cached because none is read twice.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

export type ReceivedImage = { name: string; index: number; bytes: Buffer }

export type ProcessedImage = { full: Buffer; thumbnail: Buffer; placeholder: string; width: number; height: number }

let last: Promise<unknown> = Promise.resolve()

/**
 * Decodes an image and makes the WebP files that are stored: upright, without metadata, and only the first frame of an
 * animation. Processes one image at a time.
 */
export function processImage(image: ReceivedImage): Promise<ProcessedImage> {
  const result = last.then(() => decodeAndEncode(image))
  last = result.catch(() => undefined)
  return result
}

async function decodeAndEncode(image: ReceivedImage): Promise<ProcessedImage> {
  if (image.bytes.length === 0) throw toImageError(image, 'invalid_input', 'is empty.')
  if (!findImageType(image.bytes)) {
    throw toImageError(image, 'unsupported_type', 'is not a JPEG, PNG, WebP, GIF or AVIF image.')
  }
  const sharp = await loadSharp()
  const { data: full, info } = await decode(sharp, image)
  const thumbnail = await sharp(full)
    .resize({ width: THUMBNAIL_WIDTH, height: 2 * THUMBNAIL_WIDTH, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 64, effort: 5 })
    .toBuffer()
  const tiny = await sharp(thumbnail)
    .resize({ width: PLACEHOLDER_SIZE, height: PLACEHOLDER_SIZE, fit: 'inside' })
    .blur(1)
    .webp({ quality: 30 })
    .toBuffer()
  const placeholder = `data:image/webp;base64,${tiny.toString('base64')}`
  return { full, thumbnail, placeholder, width: info.width, height: info.height }
}

async function decode(
  sharp: Awaited<ReturnType<typeof loadSharp>>,
  image: ReceivedImage,
): Promise<{ data: Buffer; info: OutputInfo }> {
  try {
    // The header is enough to reject an image that is a small file but enormous in memory.
    const metadata = await sharp(image.bytes, { limitInputPixels: false }).metadata()
    const most = toMostPixels(metadata)
    if (metadata.width * metadata.height > most) {
      throw toImageError(image, 'payload_too_large', `has more than ${most / 1e6} million pixels.`)
    }
    return await sharp(image.bytes, { limitInputPixels: most, failOn: 'error' })
      .autoOrient()
      .resize({ width: FULL_SIZE, height: FULL_SIZE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw toImageError(image, 'invalid_input', 'is broken or incomplete. Save it again and retry.')
  }
}

export function toImageError(
  { name, index }: Pick<ReceivedImage, 'name' | 'index'>,
  code: 'invalid_input' | 'payload_too_large' | 'unsupported_type',
  problem: string,
): AppError {
  const message = `${name} ${problem}`
  return new AppError(code, { message, fields: [{ path: `images.${index}`, message }] })
}
