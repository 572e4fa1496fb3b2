import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { notFound } from './app-error.ts'

/** Serves stored images. A name is never used twice, so browsers may cache them for a year (rules §17.3). */
export function addStoredImages(app: FastifyInstance, context: AppContext): void {
  // With HEAD too, which caches and other sites send to learn whether an image is there.
  app.get('/uploads/:key', { logLevel: 'warn', exposeHeadRoute: true }, async (request, reply) => {
    const { key } = request.params as { key: string }
    const file = await context.storage.find(key)
    if (!file) throw notFound('Image')
    return reply
      .header('content-type', 'image/webp')
      .header('content-length', file.bytes)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(file.body)
  })
}
