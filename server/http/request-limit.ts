import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Endpoint } from '#contract/endpoint.ts'
import { toInView } from '#contract/routes.ts'
import { AppError } from './app-error.ts'

/** Counts a request of one sender; throws a 429 when they have sent too many within a minute. */
export type RequestLimit = (id: string) => Promise<void>

/**
 * Each server counts for itself: counting in the database, as for attempts to sign in, would cost a write per request.
 * The limit only keeps a faulty system or script from crowding out people, and there are few servers.
 */
function createRequestLimit(perMinute: number, words: string): RequestLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (id) => {
    await limiter.consume(id).catch((count: unknown) => {
      if (!(count instanceof RateLimiterRes)) throw count
      const retryAfterSeconds = Math.max(1, Math.ceil(count.msBeforeNext / 1000))
      const message = `${words} a minute. Try again in ${retryAfterSeconds} s.`
      throw new AppError('too_many_requests', { message, retryAfterSeconds })
    })
  }
}

/** Limits all requests of an API key (rules §38.5). */
export const createKeyLimit = (perMinute: number) =>
  createRequestLimit(perMinute, `An API key may send ${perMinute} requests`)

/** Limits the changes and file downloads of one person, in all of their sessions (rules §33.16). */
export const createStaffLimit = (perMinute: number) =>
  createRequestLimit(perMinute, `One person may make ${perMinute} changes and files`)

/**
 * Whether an endpoint is limited. Those that only read are not, because older clients read records one by one, but
 * files of whole lists are.
 */
export const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'csv' || (endpoint.method !== 'GET' && toInView(endpoint) !== 'read')
