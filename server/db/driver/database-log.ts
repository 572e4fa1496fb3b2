import type { Pool } from 'pg'

/** The logger that the database layer needs; called like pino. */
export type DatabaseLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLog: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Logs broken connections, both idle and in use. Without a listener for these errors they would end the process. */
export function logPoolErrors(pool: Pool, log: DatabaseLog): void {
  pool.on('error', (err: Error & { client?: unknown }) => {
    // The driver adds its client, with the texts of all prepared statements: up to 25 kB for each connection.
    delete err.client
    log.error({ err }, 'an idle database connection broke')
  })
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'a database connection broke')))
}
