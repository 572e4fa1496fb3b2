import pLimit from 'p-limit'
import { AppError } from './http/app-error.ts'

const RETRY_AFTER_SECONDS = 2

type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs up to `atOnce` tasks at a time, in order of arrival, and queues up to `waiting` more; throws a 503 beyond that.
 */
export function createBoundedQueue({ atOnce, waiting }: { atOnce: number; waiting: number }): BoundedQueue {
  const limit = pLimit(atOnce)
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= atOnce + waiting) throw toOverloadError()
    return limit(work)
  }
}

export function toOverloadError(): AppError {
  return new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
