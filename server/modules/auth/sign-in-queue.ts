import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedQueue, toRefusal } from '#server/bounded-queue.ts'
import { AppError } from '#server/http/app-error.ts'
import { HASHES_AT_ONCE } from './password.ts'

/** One asks the database while the others hash: a flood takes no more of its connections. */
const AT_ONCE = HASHES_AT_ONCE + 1
const PLACES = 100
const PLACES_OF_ADDRESS = 50
/** More than these is a flood: who is refused at once would be back at once, and each call costs everyone time. */
const CALM = 10
const REFUSE_AFTER_MS = 1_000

export type SignInQueue = <T>(address: string, work: () => Promise<T>) => Promise<T>

/**
 * Sign-ins are done by a few at a time; whoever would have to wait too long is refused with 503 before anything is asked
 * of the database. Half of the places are left to other addresses than the one that floods.
 */
export function createSignInQueue(): SignInQueue {
  const queue = createBoundedQueue({ atOnce: AT_ONCE, waiting: PLACES - AT_ONCE })
  const taken = new Map<string, number>()
  let inside = 0

  const run: SignInQueue = async (address, work) => {
    const here = taken.get(address) ?? 0
    if (here >= PLACES_OF_ADDRESS) throw toRefusal()
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
      const isRefusal = error instanceof AppError && error.retryAfterSeconds !== undefined
      if (isRefusal && inside > CALM) await sleep(REFUSE_AFTER_MS)
      throw error
    } finally {
      inside -= 1
    }
  }
}
