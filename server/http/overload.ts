import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { AppError } from './app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests are refused while the server is overloaded: true for the API, not for the health probes. */
    mayBeRefused?: boolean
  }
}

export type OverloadLimits = {
  /**
   * Average delay of the event loop over some seconds: a single long task, such as at the start, is no overload. 0
   * sets no limit.
   */
  eventLoopDelayMs: number
  /** Queries that wait for a connection: some seconds of work, to which new requests would only add. */
  waitingQueries: number
}

export const OVERLOAD_LIMITS: OverloadLimits = { eventLoopDelayMs: 2_000, waitingQueries: 1_000 }
export const AVERAGE_OVER_MS = 5_000
const LOOK_EVERY_MS = 250
const RETRY_AFTER_SECONDS = 3

/**
 * Refuses requests with 503 and Retry-After while the server is overloaded, so that those in progress complete and
 * memory does not grow. A refused request has no effect.
 */
export async function addOverload(
  app: FastifyInstance,
  { databaseLoad }: AppContext,
  limits: OverloadLimits,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelayMs,
    sampleInterval: AVERAGE_OVER_MS,
    healthCheck: async () => databaseLoad().waiting <= limits.waitingQueries,
    healthCheckInterval: LOOK_EVERY_MS,
    pressureHandler: async (request) => {
      if (request.routeOptions.config.mayBeRefused !== true) return
      throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    },
  })
}
