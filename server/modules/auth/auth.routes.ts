import type { authEndpoints } from '#contract/auth.ts'
import { parsePageCode } from '#contract/pages.ts'
import type { Handlers } from '#server/http/handler.ts'
import { deleteSession } from './auth.repository.ts'
import { changePassword, signIn } from './auth.service.ts'
import { commonPasswords } from './common-passwords.ts'
import { toNetwork } from './network.ts'

export const authHandlers: Handlers<typeof authEndpoints> = {
  login: ({ context, body, request }) => signIn(context, body, toNetwork(request.ip)),

  /** About the person of the session; another id is never permitted (rules §2.7). */
  verifyPage: async ({ session, body }) => {
    const page = parsePageCode(body.auth_page)
    const success = page !== undefined && session.pages.includes(page) && body.id === session.staff._id
    return { success, message: success ? 'Access granted' : 'You cannot access this page' }
  },

  signOut: async ({ context, session }) => {
    await deleteSession(context.db, session.tokenHash)
    return { message: 'Signed out' }
  },

  changePassword: async ({ context, session, body, request }) => {
    await changePassword(context, session, body, toNetwork(request.ip))
    return { message: 'Password changed. You are signed out everywhere else.' }
  },

  commonPasswords: async () => [...commonPasswords()],
}
