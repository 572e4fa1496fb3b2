import type { FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'

/** Of a request its method and path: the query may hold names, the headers a token. */
export const serializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    url: request.url?.split('?')[0],
    remoteAddress: request.ip,
  }),
}

/** Structured logs, a JSON object a line; in a terminal a line for people. */
export async function createLogger(level: string, { forPeople = false } = {}): Promise<Logger> {
  return forPeople ? pino({ level, serializers }, await toPeople()) : pino({ level, serializers })
}

/** Written at once, so that nothing is lost when the process ends; a stream of the library would write later. */
async function toPeople() {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    colorize: process.stdout.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    singleLine: true,
  })
  return { write: (line: string) => void process.stdout.write(format(line)) }
}
