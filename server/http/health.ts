import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { AppContext } from '../context.ts'

/**
 * `/healthz`: the process answers. `/readyz`: it can serve, the database too, and how busy both are: how late the event
 * loop was on the average of the last five seconds, and the pool's connections; 503 otherwise.
 */
export function addHealth(app: FastifyInstance, context: AppContext): void {
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(context.db)
      return {
        status: 'ready',
        eventLoopDelayMs: Math.round(app.memoryUsage().eventLoopDelay),
        database: context.databaseLoad(),
      }
    } catch {
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ status: 'unavailable', message: 'The database does not answer.' })
    }
  })
}
