import type { deliveryEndpoints, webhookEndpoints } from '#contract/webhooks.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { listDeliveries, listWebhooks } from './webhooks.repository.ts'
import { createWebhook, deleteWebhook, replayDelivery, updateWebhook } from './webhooks.service.ts'

export const webhookHandlers: Handlers<typeof webhookEndpoints> = {
  list: ({ context }) => listWebhooks(context.db),

  create: ({ context, actor, body }) =>
    createOnce(context, actor, async (inner) => ({
      ...(await createWebhook(inner, actor, body)),
      message: 'Webhook created. Its secret is shown this once.',
    })),

  update: ({ context, actor, params, body }) => updateWebhook(context, actor, params.id, body),

  delete: async ({ context, actor, params }) => {
    await deleteWebhook(context, actor, params.id)
    return { message: 'Webhook deleted' }
  },
}

export const deliveryHandlers: Handlers<typeof deliveryEndpoints> = {
  list: async ({ context, query }) => paged(await listDeliveries(context.db, query)),

  replay: async ({ context, actor, params }) => {
    await replayDelivery(context, actor, params.id)
    return { message: 'The delivery is being sent again' }
  },
}
