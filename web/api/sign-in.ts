import type { PageCode } from '#contract/pages.ts'
import { ApiError } from './api-error.ts'
import { api } from './client.ts'
import { endSession, getSession, getUserId, startSession } from './session.ts'

export async function signIn(email: string, password: string): Promise<void> {
  const { data } = await api('auth', 'login', { body: { email, password } })
  startSession(data)
}

/** Signs in with a code, using the challenge of `second_factor_required`. Returns the server's message. */
export async function signInWithCode(challenge: string, code: string): Promise<string> {
  const { data } = await api('auth', 'signInWithCode', { body: { challenge, code } })
  startSession(data)
  return data.message
}

/** Ends the session here and on the server. If the server cannot be reached, the session expires there later. */
export async function signOut(): Promise<void> {
  const ended = api('auth', 'signOut').catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  // The request above has read the token already.
  endSession('signed-out')
  await ended
}

/** Returns whether the server lets the person open a page (rules §2.6). Throws when there is no response. */
export async function verifyPage(page: PageCode, signal?: AbortSignal): Promise<boolean> {
  const id = getUserId(getSession())
  // The server requires the person's own id (rules §2.7), which comes from the stored login response.
  // The text is the dashboard's (rules §11.4), although this check runs before every screen.
  if (id === undefined) throw new Error('User ID is missing in the auth object. Sign out and log in again.')
  const { data } = await api('auth', 'verifyPage', { body: { id, auth_page: String(page) }, signal })
  return data.success
}
