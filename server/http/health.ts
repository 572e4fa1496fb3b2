import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { findOutage } from '../db/database-error.ts'
import { probeWrites } from '../db/probe-writes.ts'
import { inTime } from '../in-time.ts'
import { StoreError } from '../storage/store-error.ts'
import type { Drain } from './drain.ts'
import { AVERAGE_OVER_MS } from './overload.ts'

/** How long a result is reused, so that frequent probes do not write to the disk each time. */
const REMEMBERED_MS = 3_000
const RETRY_AFTER_SECONDS = 5
const LONGEST_MS = 10_000

/**
 * Adds the health endpoints. `/healthz` responds as long as the process runs. `/readyz` responds 200 while the server
 * can read and save, with its load: the average delay of the event loop over the last five seconds, and the connections
 * of the pool. Otherwise, and while the server drains, it is a 503.
 */
export function addHealth(app: FastifyInstance, context: AppContext, drain: Drain): void {
  const findProblems = remember(() => checkWrites(context))
  // With HEAD too, which some load balancers send: otherwise they would get the portal's page, and a 200.
  const options = { logLevel: 'warn', exposeHeadRoute: true } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    const problems = drain.isDraining() ? { all: 'This server is about to stop.' } : await findProblems()
    const message = problems.all
    if (message !== undefined) {
      return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ status: 'unavailable', message })
    }
    return {
      status: 'ready',
      // Infinity, which JSON cannot say, if the loop stood still for the whole time.
      eventLoopDelayMs: Math.round(Math.min(app.memoryUsage().eventLoopDelay, AVERAGE_OVER_MS)),
      database: context.databaseLoad(),
      ...(problems.images !== undefined && { images: problems.images }),
    }
  })
}

type Problems = { all?: string | undefined; images?: string | undefined }

/**
 * Returns why nothing can be saved, in words for an operator. An outage of an image store that all servers share makes
 * none of them unavailable, because bookings need no images.
 */
async function checkWrites({ db, storage }: AppContext): Promise<Problems> {
  const [database, images] = await Promise.all([
    findProblemOf('The database', inTime(probeWrites(db), LONGEST_MS)),
    findProblemOf('The folder of images', inTime(storage.check(), LONGEST_MS)),
  ])
  return storage.isRemote ? { all: database, images } : { all: database ?? images }
}

async function findProblemOf(what: string, work: Promise<void>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof StoreError) return error.message
    const outage = findOutage(error)
    if (outage === 'full') return `${what} cannot be written: its disk is full.`
    if (outage === 'read-only') return `${what} cannot be written: it is read-only.`
    return `${what} does not answer.`
  }
}

/** Shares one call of `ask` among all callers, until shortly after it has settled. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  return () => {
    last ??= ask().finally(() => {
      setTimeout(() => {
        last = undefined
      }, REMEMBERED_MS).unref()
    })
    return last
  }
}
