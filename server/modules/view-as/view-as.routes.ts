import type { viewAsEndpoints } from '#contract/view-as.ts'
import type { Handlers } from '#server/http/handler.ts'
import { endView, getView, startView } from './view-as.service.ts'

export const viewAsHandlers: Handlers<typeof viewAsEndpoints> = {
  get: async ({ context, session }) => ({ viewed: await getView(context, session) }),

  start: async ({ context, actor, session, params }) => ({
    message: await startView(context, actor, session, params.id),
  }),

  stop: async ({ context, actor, session }) => {
    await endView(context, actor, session)
    return { message: 'You see your own portal' }
  },
}
