import type { featureEndpoints } from '#contract/features.ts'
import type { Handler, Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { exportFeatures } from './features.export.ts'
import { listFeatures } from './features.repository.ts'
import * as service from './features.service.ts'

const block: Handler<typeof featureEndpoints.block> = async ({ context, actor, params }) => {
  await service.setFeatureBlocked(context.db, actor, params.id, true)
  return { message: 'Feature blocked successfully' }
}

const unblock: Handler<typeof featureEndpoints.unblock> = async ({ context, actor, params }) => {
  await service.setFeatureBlocked(context.db, actor, params.id, false)
  return { message: 'Feature unblocked successfully' }
}

export const featureHandlers: Handlers<typeof featureEndpoints> = {
  list: ({ context, query }) => listed(query, listFeatures(context.db, query)),

  create: ({ context, actor, body }) => createOnce(context, actor, ({ db }) => service.createFeature(db, actor, body)),

  update: ({ context, actor, params, body }) => service.updateFeature(context.db, actor, params.id, body),

  block,
  unblock,
  blockSingular: block,
  unblockSingular: unblock,

  delete: async ({ context, actor, params }) => {
    await service.deleteFeature(context.db, actor, params.id)
    return { message: 'Feature deleted successfully' }
  },

  reorder: async ({ context, actor, body }) => {
    await service.reorderFeatures(context.db, actor, body)
    return { message: 'Features reordered successfully' }
  },

  usage: async ({ context, params }) => ({ pods: await service.countPodsOfFeature(context.db, params.id) }),

  export: exportFeatures,
}
