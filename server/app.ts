import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { endpoints } from '#contract/endpoints.ts'
import { MAX_IMAGE_BYTES, MAX_IMAGES_PER_UPLOAD } from '#contract/image-limits.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import { domainHandlers } from './domains.ts'
import { AppError, notFound } from './http/app-error.ts'
import { addBodyParsers } from './http/body-parsers.ts'
import { ARRIVAL_LIMITS, type ArrivalLimits, createConnections } from './http/connections.ts'
import { addDocs, DOCS_PATH, OPENAPI_PATH } from './http/docs.ts'
import { createDrain, type Drain } from './http/drain.ts'
import { addErrorHandler, sendError } from './http/error-handler.ts'
import { addHealth } from './http/health.ts'
import { addMetrics } from './http/metrics.ts'
import { addOverload, OVERLOAD_LIMITS, type OverloadLimits } from './http/overload.ts'
import { addPortal } from './http/portal.ts'
import { registerEndpoints } from './http/register.ts'
import { RequestLog } from './http/request-log.ts'
import { addSecurityHeaders, createSecurityHeaders } from './http/security-headers.ts'
import { addStoredImages } from './http/stored-images.ts'

export type AppOptions = {
  context: AppContext
  logger: FastifyBaseLogger
  /** Folder of the built portal. Undefined in tests and development, where only the API is served. */
  portalFolder?: string | undefined
  arrivalLimits?: ArrivalLimits
  overloadLimits?: OverloadLimits
  logRequests?: boolean
  drain?: Drain
  /** Adds hooks before all others. */
  watch?: ((app: FastifyInstance) => void) | undefined
}

/**
 * Creates the whole server without listening. It reads no environment and opens no port, so tests can inject requests.
 */
export async function createApp({
  context,
  logger,
  portalFolder,
  arrivalLimits = ARRIVAL_LIMITS,
  overloadLimits = OVERLOAD_LIMITS,
  logRequests = true,
  drain = createDrain(),
  watch,
}: AppOptions): Promise<FastifyInstance> {
  const { config } = context
  const securityHeaders = createSecurityHeaders({ overHttps: config.publicUrl?.startsWith('https:') ?? false })
  const connections = createConnections(arrivalLimits, securityHeaders, logger)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new RequestLog({ disableRequestLogging: !logRequests }),
    bodyLimit: 1024 * 1024,
    trustProxy: toTrust(config.trustProxy),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => toRequestId(request.headers['x-request-id']),
    rewriteUrl: (request) => withoutApiPrefix(request.url ?? '/'),
    // Called for paths that the router rejects, for which no hook runs.
    frameworkErrors: (error, request, reply) => {
      const isLongId = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      const refusal = isLongId
        ? notFound('Record')
        : new AppError('invalid_input', { message: 'This path is malformed.' })
      sendError(request, reply.headers({ ...securityHeaders, 'x-request-id': request.id }), refusal)
      request.log.info({ res: reply }, 'request completed')
    },
    ...connections.serverOptions,
  })
  watch?.(app)
  app.decorateRequest('session', undefined)
  app.decorateRequest('actorId', undefined)
  app.decorateRequest('bookingsMade', 0)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  // The portal learns the time from it (rules §1.2).
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', context.clock.now().toUTCString())
  })
  drain.watch(app)
  addErrorHandler(app, { logsRequests: logRequests })
  addSecurityHeaders(app, securityHeaders)
  connections.watch(app)
  addBodyParsers(app)
  await app.register(cors, {
    origin: config.corsOrigins.includes('*') ? true : config.corsOrigins,
    // The methods of the contract: the plugin's default excludes PUT and DELETE.
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: [
      'etag',
      'x-total-count',
      'x-search-match',
      'x-request-id',
      'x-auth-pages',
      'x-auth-view-only',
      'x-auth-locations',
      'x-auth-view-as',
      'x-auth-idle-until',
      'x-change-id',
      'idempotency-replayed',
      'x-undo-id',
      'x-undo-scope',
      'content-disposition',
      'retry-after',
    ],
    maxAge: 86_400,
    // An OPTIONS request that is not a preflight gets the same response as one that is, instead of a plain-text error.
    strictPreflight: false,
  })
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], globalDecompression: false })
  await app.register(multipart, {
    limits: { fileSize: MAX_IMAGE_BYTES, files: MAX_IMAGES_PER_UPLOAD, fields: 20, fieldSize: 10_000 },
  })
  await addOverload(app, context, overloadLimits)
  addHealth(app, context, drain)
  addMetrics(app, context)
  addStoredImages(app, context)
  await addDocs(app, context)
  registerEndpoints(app, context, endpoints, domainHandlers)
  // Event streams never end by themselves, and closing the server waits for them.
  app.addHook('preClose', async () => context.live.close())
  // Requests under way are finished, and other servers are told what they have changed.
  app.addHook('onClose', () => context.live.flush())
  await addPortal(app, config, portalFolder)
  return app
}

/** Strips `/api`, so that `/api/user/login` and `/user/login` reach the same route (rules §16.1). */
function withoutApiPrefix(url: string): string {
  if (url.startsWith(DOCS_PATH) || url.startsWith(OPENAPI_PATH)) return url
  return url.startsWith('/api/') ? url.slice('/api'.length) : url
}

/**
 * Turns a number of proxies into a function. Given a number, the framework trusts no proxy at all, because a client that
 * connects directly could act as one.
 */
function toTrust(trustProxy: Config['trustProxy']) {
  return typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy
}

/** Keeps the client's request id if it is well-formed, so that a request can be traced through several systems. */
function toRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : randomUUID()
}
