import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedQueue, toOverloadError } from '#server/bounded-queue.ts'
import { AppError } from '#server/http/app-error.ts'
import { HASHES_AT_ONCE } from './password.ts'

/** One sign-in queries the database while the others hash, so that a flood takes few database connections. */
const AT_ONCE = HASHES_AT_ONCE + 1
const PLACES = 100
const PLACES_OF_ADDRESS = 50
/** With more sign-ins than this, errors are delayed: in a flood, clients that are rejected at once retry at once. */
const CALM = 10
const ERROR_DELAY_MS = 1_000

export type SignInQueue = <T>(address: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs a few sign-ins at a time. Sign-ins that would wait too long get a 503 before they query the database. One
 * address can take at most half of the places.
 */
export function createSignInQueue(): SignInQueue {
  const queue = createBoundedQueue({ atOnce: AT_ONCE, waiting: PLACES - AT_ONCE })
  const taken = new Map<string, number>()
  let inside = 0

  const run: SignInQueue = async (address, work) => {
    const here = taken.get(address) ?? 0
    if (here >= PLACES_OF_ADDRESS) throw toOverloadError()
    taken.set(address, here + 1)
    try {
      return await queue(work)
    } finally {
      const left = (taken.get(address) ?? 1) - 1
      if (left > 0) taken.set(address, left)
      else taken.delete(address)
    }
  }

  return async (address, work) => {
    inside += 1
    try {
      return await run(address, work)
    } catch (error) {
      const isOverload = error instanceof AppError && error.details.retryAfterSeconds !== undefined
      if (isOverload && inside > CALM) await sleep(ERROR_DELAY_MS)
      throw error
    } finally {
      inside -= 1
    }
  }
}
