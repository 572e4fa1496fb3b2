import type { passkeyEndpoints } from '#contract/passkeys.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listPasskeys, toPasskey } from './passkeys.repository.ts'
import { addPasskey, changeName, offerPasskey, removePasskey } from './passkeys.service.ts'

export const passkeyHandlers: Handlers<typeof passkeyEndpoints> = {
  list: async ({ context, session }) => (await listPasskeys(context.db, session.staff._id)).map(toPasskey),

  createOptions: ({ context, session, request }) => offerPasskey(context, session, request.headers['user-agent']),

  create: ({ context, actor, session, body, request }) =>
    addPasskey(context, actor, session, body, request.headers['user-agent']),

  update: async ({ context, actor, session, params, body }) => {
    const passkey = await changeName(context, actor, session, params.id, body.name)
    return { ...passkey, message: 'Passkey renamed' }
  },

  delete: async ({ context, actor, session, params }) => {
    await removePasskey(context, actor, session, params.id)
    return { message: 'Passkey removed' }
  },
}
