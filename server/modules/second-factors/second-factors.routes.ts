import type { secondFactorEndpoints } from '#contract/second-factors.ts'
import type { Handlers } from '#server/http/handler.ts'
import { toNetwork } from '../auth/network.ts'
import { confirmNewKey, getSecondFactor, offerKey, renewRecoveryCodes, turnOff } from './second-factors.service.ts'

export const secondFactorHandlers: Handlers<typeof secondFactorEndpoints> = {
  get: ({ context, session }) => getSecondFactor(context, session),

  create: ({ context, session }) => offerKey(context, session),

  confirm: async ({ context, actor, session, body, request }) => {
    const recoveryCodes = await confirmNewKey(context, actor, session, body.code, toNetwork(request.ip))
    return { recoveryCodes, message: 'Second factor set up. You are signed out everywhere else.' }
  },

  createRecoveryCodes: async ({ context, actor, session }) => ({
    recoveryCodes: await renewRecoveryCodes(context, actor, session),
    message: 'New recovery codes made. Those of before do not work any more.',
  }),

  delete: async ({ context, actor, session }) => {
    await turnOff(context, actor, session)
    return { message: 'Second factor turned off' }
  },
}
