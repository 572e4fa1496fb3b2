import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../context.ts'

/**
 * Who called lately, by the hash of the token. Only a guess at who calls now, by which reading may begin while the
 * session is looked up: nothing is answered, and nothing changed, on its strength.
 */
export type KnownSessions = {
  guess(tokenHash: Buffer): SignedIn | undefined
  /** What the look-up found, undefined for nobody. */
  note(tokenHash: Buffer, session: SignedIn | undefined): void
}

const MOST_KEPT = 1_000

export function createKnownSessions(most = MOST_KEPT): KnownSessions {
  const sessions = new Map<string, SignedIn>()
  return {
    guess: (tokenHash) => sessions.get(tokenHash.toString('base64')),
    note(tokenHash, session) {
      const key = tokenHash.toString('base64')
      // Set anew, the last that called is last in the map, and the first is who has not called for longest.
      sessions.delete(key)
      if (session) sessions.set(key, session)
      for (const oldest of sessions.keys()) {
        if (sessions.size <= most) break
        sessions.delete(oldest)
      }
    },
  }
}

/** Whether a guess was right in everything that a handler can see: who it is, and which pages they have. */
export function isSameSession(guess: SignedIn, found: SignedIn | undefined): boolean {
  return isDeepStrictEqual(guess, found)
}
