import type { webhookEndpoints } from '#contract/webhooks.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { listDeliveries, listWebhooks } from './webhooks.repository.ts'
import { createWebhook, deleteWebhook, replayDelivery, updateWebhook } from './webhooks.service.ts'

export const webhookHandlers: Handlers<typeof webhookEndpoints> = {
  list: ({ context }) => listWebhooks(context.db),

  create: async ({ context, actor, body }) => ({
    ...(await createWebhook(context, actor, body)),
    message: 'Webhook created. Its secret is shown this once.',
  }),

  update: async ({ context, actor, params, body }) => {
    await updateWebhook(context, actor, params.id, body)
    return { message: 'Webhook updated' }
  },

  delete: async ({ context, actor, params }) => {
    await deleteWebhook(context, actor, params.id)
    return { message: 'Webhook deleted' }
  },

  deliveries: async ({ context, query }) => paged(await listDeliveries(context.db, query)),

  replay: async ({ context, actor, params }) => {
    await replayDelivery(context, actor, params.id)
    return { message: 'The delivery is sent again' }
  },
}
