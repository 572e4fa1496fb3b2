import type { Pool } from 'pg'

/** What the database layer needs of a logger: pino's way of calling. */
export type DatabaseLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLog: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The driver ends the process when a connection breaks and nobody listens, whether it is lent at the time or idle. */
export function logPoolErrors(pool: Pool, log: DatabaseLog): void {
  pool.on('error', (err) => log.error({ err }, 'an idle database connection broke'))
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'a database connection broke')))
}
