import type { uploadEndpoints } from '#contract/uploads.ts'
import { createBoundedQueue } from '#server/bounded-queue.ts'
import type { Handlers } from '#server/http/handler.ts'
import { recordEvent } from '../audit/record-event.ts'
import { receiveImages } from './receive-images.ts'
import { createImages } from './uploads.service.ts'

/** An upload holds an image in memory until its turn to be decoded, as one is at a time; the rest of it is not read. */
const receiving = createBoundedQueue({ atOnce: 8, waiting: 24 })

export const uploadHandlers: Handlers<typeof uploadEndpoints> = {
  create: async ({ context, actor, request, admitAgain }) => {
    const isClientGone = () => request.raw.socket.destroyed
    const files = await receiving(() => createImages(context, receiveImages(request, admitAgain), isClientGone))
    await recordEvent(context.db, actor, {
      action: 'upload',
      entity: 'image',
      after: { images: files.map(({ url }) => url) },
    })
    return { message: files.length === 1 ? 'Image uploaded' : `${files.length} images uploaded`, files }
  },
}
