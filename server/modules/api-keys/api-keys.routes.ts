import type { apiKeyEndpoints } from '#contract/api-keys.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { createApiKey, listApiKeys, revokeApiKey, updateApiKey } from './api-keys.service.ts'

export const apiKeyHandlers: Handlers<typeof apiKeyEndpoints> = {
  list: async ({ context, query }) => paged(await listApiKeys(context, query)),

  create: ({ context, actor, session, body }) =>
    createOnce(context, actor, async (inner) => ({
      ...(await createApiKey(inner, actor, session, body)),
      message: 'API key created. It is shown this once.',
    })),

  update: ({ context, actor, session, params, body }) => updateApiKey(context, actor, session, params.id, body),

  revoke: async ({ context, actor, params }) => {
    await revokeApiKey(context, actor, params.id)
    return { message: 'API key revoked' }
  },
}
