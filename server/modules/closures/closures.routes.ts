import type { closureEndpoints } from '#contract/closures.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { exportAffected } from './closures.export.ts'
import { listClosures } from './closures.repository.ts'
import { createClosure, endClosure, previewClosure, updateClosure } from './closures.service.ts'

export const closureHandlers: Handlers<typeof closureEndpoints> = {
  list: async ({ context, query }) =>
    paged(await listClosures(context.db, { page: 1, limit: 10, ...query }, toBusinessNow(context))),
  preview: async ({ context, session, body }) => ({ bookings: await previewClosure(context, session, body) }),
  create: ({ context, actor, session, body }) =>
    createOnce(context, actor, (context) => createClosure(context, actor, session, body)),
  update: ({ context, actor, session, params, body }) => updateClosure(context, actor, session, params.id, body),
  delete: async ({ context, actor, params }) => {
    await endClosure(context, actor, params.id)
    return { message: 'Closure ended' }
  },
  export: exportAffected,
}
