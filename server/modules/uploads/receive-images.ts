import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGE_BYTES, MAX_IMAGES_PER_UPLOAD } from '#contract/image-limits.ts'
import { findCode } from '#server/error-code.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { type ReceivedImage, toImageError } from './process-image.ts'

const MEGABYTE = 1024 * 1024

/**
 * Yields the images of an upload, each read on demand, so that only one is in memory. Skips other parts. Throws an
 * AppError that says what is wrong with the upload, or that of `admitAgain` when all of it has arrived.
 */
export async function* receiveImages(
  request: FastifyRequest,
  admitAgain: () => Promise<void>,
): AsyncGenerator<ReceivedImage, void, void> {
  requireMultipart(request)
  let index = 0
  const current = { name: '', index }
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      if (part.fieldname !== 'images' && part.fieldname !== 'images[]') {
        part.file.resume()
        continue
      }
      current.name = toFileName(part, index)
      current.index = index
      yield { name: current.name, index, bytes: await part.toBuffer() }
      index += 1
    }
  } catch (error) {
    throw toAppError(error, current)
  }
  await admitAgain()
}

function requireMultipart(request: FastifyRequest): void {
  if (request.isMultipart()) return
  if (request.body === undefined) throw fieldError('images', 'At least one image is required')
  throw new AppError('unsupported_type', {
    message: 'Send the images as multipart/form-data, each as a part "images".',
  })
}

/** Returns a name for messages. The file is never stored under it. */
function toFileName(part: MultipartFile, index: number): string {
  return part.filename === '' || part.filename === undefined ? `Image ${index + 1}` : part.filename.slice(0, 200)
}

function toAppError(error: unknown, current: Pick<ReceivedImage, 'name' | 'index'>): AppError {
  const code = findCode(error)
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return toImageError(current, 'payload_too_large', `is larger than ${MAX_IMAGE_BYTES / MEGABYTE} MB.`)
  }
  if (code === 'FST_FILES_LIMIT') {
    const message = `At most ${MAX_IMAGES_PER_UPLOAD} images can be uploaded at once.`
    return new AppError('payload_too_large', { message, fields: [{ path: 'images', message }] })
  }
  return fieldError('images', 'The upload broke off or is not well-formed. Try again.')
}
