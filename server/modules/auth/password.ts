import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2' // oxlint-disable-line no-restricted-imports -- here is the queue
import { createBoundedQueue } from '#server/bounded-queue.ts'

/** argon2id: 19 MiB, two passes, one lane (OWASP's smallest recommended set). */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } // algorithm: argon2id is the library's default

/** Leaves one processor, and one of libuv's four threads (also used for files and DNS), to other requests. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3))
export const HASHES_WAITING = 100

/** Queues all hashing of the process: it is expensive by design, and many hashes at once would overload the machine. */
export const hashing = createBoundedQueue({ atOnce: HASHES_AT_ONCE, waiting: HASHES_WAITING })

export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, options))
}

/** Compared with for unknown email addresses, so that they take as long as known ones. */
let dummyHash: Promise<string> | undefined

export async function isPasswordOf(storedHash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no one has this password')
  // Awaited for every account: otherwise the first unknown one after a start would take twice as long.
  const dummy = await dummyHash
  const matches = await hashing(() => verify(storedHash ?? dummy, password))
  return storedHash !== undefined && matches
}
