import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { AppError } from './app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is refused while the server is overloaded: requests to the API, not the probes of its health. */
    mayBeRefused?: boolean
  }
}

export type OverloadLimits = {
  /** How late the event loop is on the average of some seconds: a single long step, as of a start, is no overload. */
  eventLoopDelayMs: number
  /** Queries that wait for a connection: some seconds of work, of which new requests would only make more. */
  waitingQueries: number
}

export const OVERLOAD_LIMITS: OverloadLimits = { eventLoopDelayMs: 2_000, waitingQueries: 1_000 }
const AVERAGE_OVER_MS = 5_000
const LOOK_EVERY_MS = 250
const RETRY_AFTER_SECONDS = 3

/**
 * Refuses requests with 503 and Retry-After while more is asked than can be done: those that are under way get done, and
 * memory stays what it is. A refused request was not carried out.
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
