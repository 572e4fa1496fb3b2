import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2' // oxlint-disable-line no-restricted-imports -- here is the queue
import { createBoundedQueue } from '#server/bounded-queue.ts'

/** argon2id: 19 MiB, two passes, one lane (OWASP's smallest recommended set). */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } // algorithm: argon2id is the library's default

/** One processor, and one of the four threads that read files and look up names too, are left to everyone else. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3))
export const HASHES_WAITING = 100

/** Every password of the process passes here: hashing is made to be dear, and many at once would take all there is. */
export const hashing = createBoundedQueue({ atOnce: HASHES_AT_ONCE, waiting: HASHES_WAITING })

export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, options))
}

/** Of no password at all: what an unknown email address is compared with, so that it takes as long as a known one. */
let dummyHash: Promise<string> | undefined

export async function isPasswordOf(storedHash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no one has this password')
  // Awaited for every account: the first of a server would take twice as long for an unknown one.
  const dummy = await dummyHash
  const matches = await hashing(() => verify(storedHash ?? dummy, password))
  return storedHash !== undefined && matches
}
