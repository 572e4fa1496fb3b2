import type { FastifyRequest } from 'fastify'
import type { authEndpoints } from '#contract/auth.ts'
import { parsePageCode } from '#contract/pages.ts'
import type { Handlers } from '#server/http/handler.ts'
import { changePassword, type From, signIn, signInWithCode, signOut } from './auth.service.ts'
import { commonPasswords } from './common-passwords.ts'
import { toNetwork } from './network.ts'
import { signInWithPasskey, startPasskey } from './passkey-sign-in.ts'
import { readPasswordLink, requestPasswordLink, usePasswordLink } from './password-links.ts'

function toFrom({ ip, headers }: FastifyRequest): From {
  return { network: toNetwork(ip), userAgent: headers['user-agent'] ?? '' }
}

export const authHandlers: Handlers<typeof authEndpoints> = {
  login: ({ context, actor, body, request }) => signIn(context, actor, body, toFrom(request)),

  signInWithCode: ({ context, actor, body, request }) => signInWithCode(context, actor, body, toFrom(request)),

  startPasskey: ({ context, request }) => startPasskey(context, toFrom(request)),

  signInWithPasskey: ({ context, actor, body, request }) => signInWithPasskey(context, actor, body, toFrom(request)),

  /** Answers for the session's own person; another id never has access (rules §2.7). */
  verifyPage: async ({ session, body }) => {
    const page = parsePageCode(body.auth_page)
    const success = page !== undefined && session.pages.includes(page) && body.id === session.staff._id
    return { success, message: success ? 'Access granted' : 'You cannot access this page' }
  },

  signOut: async ({ context, actor, session }) => {
    await signOut(context, actor, session)
    return { message: 'Signed out' }
  },

  changePassword: async ({ context, actor, session, body, request }) => {
    const token = await changePassword(context, actor, session, body, toNetwork(request.ip))
    return { message: 'Password changed. You are signed out everywhere else.', token }
  },

  requestPasswordLink: async ({ context, body, request }) => {
    await requestPasswordLink(context, body, toNetwork(request.ip))
    return { message: 'If an account has this address, a mail with a link is on its way to it.' }
  },

  readPasswordLink: ({ context, body, request }) => readPasswordLink(context, body.token, toNetwork(request.ip)),

  usePasswordLink: async ({ context, actor, body, request }) => {
    await usePasswordLink(context, actor, body, toNetwork(request.ip))
    return { message: 'Your password is set. Log in with it.' }
  },

  commonPasswords: async () => [...commonPasswords()],
}
