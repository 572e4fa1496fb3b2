import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Endpoint } from '#contract/endpoint.ts'
import { toInView } from '#contract/routes.ts'
import { AppError } from './app-error.ts'

/** Throws a 429 beyond so many requests of one sender in a minute. */
export type RequestLimit = (id: string) => Promise<void>

/**
 * Counted by each server for itself: in the database, as attempts to sign in are, a count would be a write a request. The limit is
 * there to keep a system or a script that has gone wrong from crowding out people, and servers are few.
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

/** Of everything that an API key sends (rules §38.5). */
export const createKeyLimit = (perMinute: number) =>
  createRequestLimit(perMinute, `An API key may send ${perMinute} requests`)

/** Of what one person changes and takes as files, in all of their sessions (rules §33.16). */
export const createStaffLimit = (perMinute: number) =>
  createRequestLimit(perMinute, `One person may make ${perMinute} changes and files`)

/** Older clients read records one by one: what only reads is not limited, unless it is a file of a whole list. */
export const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'csv' || (endpoint.method !== 'GET' && toInView(endpoint) !== 'read')
