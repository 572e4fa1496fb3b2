import type { FastifyRequest } from 'fastify'
import { type Logger, pino, type SerializedError, stdSerializers } from 'pino'

export const serializers = {
  /** Logs a request without its query and headers, which may hold names and a token. */
  req: (request: FastifyRequest) => ({
    method: request.method,
    url: request.url?.split('?')[0],
    remoteAddress: request.ip,
  }),
  /**
   * Logs an error without the row that PostgreSQL quotes when it refuses one, which may hold names and hashes, and
   * without the address that a mail server quotes when it refuses a mail.
   */
  err: (error: Error) => {
    // Something else than an error may have been thrown, without a message or a stack.
    const logged: Partial<SerializedError> = { ...stdSerializers.err(error) }
    const [message, stack] = [logged.message, logged.stack].map(withoutAddresses)
    return { ...logged, message, stack, detail: undefined, where: undefined }
  },
}

/** An email address; with a limit, without which a long word would take seconds. */
const ADDRESS = /[\w.+%'-]{1,64}@[\w-]+(?:\.[\w-]+)+/g
const withoutAddresses = (text?: string) => text?.replaceAll(ADDRESS, '…@…')

/** Creates a logger that writes one JSON object per line, or one readable line with `forPeople`. */
export async function createLogger(level: string, { forPeople = false } = {}): Promise<Logger> {
  return forPeople ? pino({ level, serializers }, await toPeople()) : pino({ level, serializers })
}

/**
 * Writes each line at once, so that nothing is lost when the process ends; pino-pretty's own stream would write it
 * later.
 */
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
