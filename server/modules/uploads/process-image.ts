import sharp, { type OutputInfo } from 'sharp'
import { AppError } from '#server/http/app-error.ts'
import { findImageType } from './image-type.ts'

/** Neither side of the full picture is longer; smaller pictures keep their size. */
const FULL_SIZE = 2000
/** The widest place for one, twice over for fine screens; a hundred of them load in a megabyte. */
const THUMBNAIL_WIDTH = 400
const PLACEHOLDER_SIZE = 16
/** 4 bytes each once decoded: a quarter of a gigabyte at the very most, and one picture at a time. */
export const MAX_PIXELS = 64_000_000

// The other processor keeps answering requests, and decoded pictures are not kept: none is read twice.
sharp.concurrency(1)
sharp.cache(false)

export type ReceivedImage = { name: string; index: number; bytes: Buffer }

export type ProcessedImage = { full: Buffer; thumbnail: Buffer; placeholder: string; width: number; height: number }

let last: Promise<unknown> = Promise.resolve()

/**
 * Decodes a picture whole and makes the WebP files that are kept: turned upright, without metadata, the first frame of
 * an animation alone. One picture at a time in this process, however many are sent.
 */
export function processImage(image: ReceivedImage): Promise<ProcessedImage> {
  const result = last.then(() => decodeAndEncode(image))
  last = result.catch(() => undefined)
  return result
}

async function decodeAndEncode(image: ReceivedImage): Promise<ProcessedImage> {
  if (image.bytes.length === 0) throw toRefusal(image, 'invalid_input', 'is empty.')
  if (!findImageType(image.bytes)) {
    throw toRefusal(image, 'unsupported_type', 'is not a JPEG, PNG, WebP, GIF or AVIF image.')
  }
  const { data: full, info } = await decode(image)
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

async function decode(image: ReceivedImage): Promise<{ data: Buffer; info: OutputInfo }> {
  try {
    // The header is enough to refuse a picture that is small as a file and enormous in memory.
    const { width, height } = await sharp(image.bytes, { limitInputPixels: false }).metadata()
    if (width * height > MAX_PIXELS) {
      throw toRefusal(image, 'payload_too_large', `has more than ${MAX_PIXELS / 1e6} million pixels.`)
    }
    return await sharp(image.bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: FULL_SIZE, height: FULL_SIZE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw toRefusal(image, 'invalid_input', 'is broken or incomplete. Save it again and retry.')
  }
}

export function toRefusal(
  { name, index }: Pick<ReceivedImage, 'name' | 'index'>,
  code: 'invalid_input' | 'payload_too_large' | 'unsupported_type',
  problem: string,
): AppError {
  const message = `${name} ${problem}`
  return new AppError(code, { message, fields: [{ path: `images.${index}`, message }] })
}
