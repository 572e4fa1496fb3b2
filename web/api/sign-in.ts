import type { PageCode } from '#contract/pages.ts'
import { ApiError } from './api-error.ts'
import { api } from './client.ts'
import { endSession, getSession, getUserId, startSession } from './session.ts'

export async function signIn(email: string, password: string): Promise<void> {
  const { data } = await api('auth', 'login', { body: { email, password } })
  startSession(data)
}

/** After a `second_factor_required`, whose challenge it takes. Returns what is to be said of it. */
export async function signInWithCode(challenge: string, code: string): Promise<string> {
  const { data } = await api('auth', 'signInWithCode', { body: { challenge, code } })
  startSession(data)
  return data.message
}

/** Ends the session on the server and here; here even when the server cannot be reached, where it then expires. */
export async function signOut(): Promise<void> {
  const ended = api('auth', 'signOut').catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  // The call above has taken its token already.
  endSession('signed-out')
  await ended
}

/** Whether the server lets the signed-in person open a page (rules §2.6). Throws when no response came, which grants nothing. */
export async function verifyPage(page: PageCode, signal?: AbortSignal): Promise<boolean> {
  const id = getUserId(getSession())
  // The server asks for the person's own id (rules §2.7), and the stored login response is where it stands.
  // The text is the dashboard's (rules §11.4): this check comes before every screen.
  if (id === undefined) throw new Error('User ID is missing in the auth object. Sign out and log in again.')
  const { data } = await api('auth', 'verifyPage', { body: { id, auth_page: String(page) }, signal })
  return data.success
}
