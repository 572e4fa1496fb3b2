import type { FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'

/** Structured logs, a JSON object a line. Of a request its method and path: the query may hold names, the headers a token. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        url: request.url?.split('?')[0],
        remoteAddress: request.ip,
      }),
    },
  })
}
