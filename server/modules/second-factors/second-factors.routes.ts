import type { secondFactorEndpoints } from '#contract/second-factors.ts'
import type { Handlers } from '#server/http/handler.ts'
import { toNetwork } from '../auth/network.ts'
import { getRequirement } from './second-factors.repository.ts'
import {
  confirmNewKey,
  getSecondFactor,
  offerKey,
  removeApp,
  renewRecoveryCodes,
  setRequirement,
} from './second-factors.service.ts'

export const secondFactorHandlers: Handlers<typeof secondFactorEndpoints> = {
  get: ({ context, session }) => getSecondFactor(context, session),

  create: ({ context, session }) => offerKey(context, session),

  confirm: async ({ context, actor, session, body, request }) => {
    const recoveryCodes = await confirmNewKey(context, actor, session, body.code, toNetwork(request.ip))
    return { recoveryCodes, message: 'Second factor set up. You are signed out everywhere else.' }
  },

  createRecoveryCodes: async ({ context, actor, session }) => ({
    recoveryCodes: await renewRecoveryCodes(context, actor, session),
    message: 'New recovery codes created. The previous ones no longer work.',
  }),

  delete: async ({ context, actor, session }) => {
    await removeApp(context, actor, session)
    return { message: 'Second factor turned off' }
  },

  getRequirement: ({ context, session }) => getRequirement(context.db, session.staff._id),

  setRequirement: async ({ context, actor, session, body }) => {
    const requirement = await setRequirement(context, actor, session, body.isRequired)
    const message = body.isRequired
      ? 'A second factor is required of everyone now'
      : 'A second factor is not required any more'
    return { ...requirement, message }
  },
}
