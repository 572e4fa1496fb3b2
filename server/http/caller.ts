import type { FastifyRequest } from 'fastify'
import type { Caller } from '#server/db/awaited.ts'

/** Who made the call, for what may take long: the signal is aborted when they go away, or have gone already. */
export function callerOf(request: FastifyRequest): Caller {
  return {
    get signal() {
      // The framework listens from here on alone.
      return request.raw.socket.destroyed ? AbortSignal.abort() : request.signal
    },
  }
}
