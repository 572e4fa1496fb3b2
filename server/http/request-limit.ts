import type pg from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Endpoint } from '#contract/endpoint.ts'
import { toInView } from '#contract/routes.ts'
import { AppError } from './app-error.ts'
import { createSharedCounts } from './shared-counts.ts'

/** Counts a request of one sender; throws a 429 when they have sent too many within a minute. */
export type RequestLimit = (id: string) => Promise<void>

const WINDOW_SECONDS = 60

/**
 * Each server counts in memory, and adds what it has counted to the count of all servers whenever that is a hundredth of
 * the limit: a write per request would cost too much, and so few requests more do no harm.
 */
function createRequestLimit(pool: pg.Pool, perMinute: number, words: string): RequestLimit {
  const counts = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  const sharedCounts = createSharedCounts(pool, WINDOW_SECONDS)
  const unshared = new Map<string, number>()

  function refuse({ msBeforeNext }: RateLimiterRes): never {
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    const message = `${words} a minute. Try again in ${retryAfterSeconds} s.`
    throw new AppError('too_many_requests', { message, retryAfterSeconds })
  }

  async function share(id: string, count: number) {
    unshared.delete(id)
    // While nothing can be written, as with a full disk, reads go on: then this server's own count limits them.
    const total = await sharedCounts.penalty(`requests:${id}`, count).catch(() => undefined)
    if (!total) return
    const countedMeanwhile = unshared.get(id) ?? 0
    await counts.set(id, total.consumedPoints + countedMeanwhile, Math.max(1, total.msBeforeNext) / 1000)
    if (total.consumedPoints > perMinute) refuse(total)
  }

  return async (id) => {
    await counts.consume(id).catch((count: unknown) => {
      if (count instanceof RateLimiterRes) refuse(count)
      throw count
    })
    const count = (unshared.get(id) ?? 0) + 1
    unshared.set(id, count)
    if (count >= perMinute / 100) await share(id, count)
  }
}

/** Limits all requests of an API key (rules §38.5). */
export const createKeyLimit = (pool: pg.Pool, perMinute: number) =>
  createRequestLimit(pool, perMinute, `An API key may send ${perMinute} requests`)

/** Limits the changes and file downloads of one person, in all of their sessions (rules §33.16). */
export const createStaffLimit = (pool: pg.Pool, perMinute: number) =>
  createRequestLimit(pool, perMinute, `One person may make ${perMinute} changes and files`)

/**
 * Whether an endpoint is limited. Those that only read are not, because older clients read records one by one, but
 * files of whole lists are.
 */
export const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'csv' || (endpoint.method !== 'GET' && toInView(endpoint) !== 'read')
