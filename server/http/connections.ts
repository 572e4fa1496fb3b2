import { randomUUID } from 'node:crypto'
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type {
  ConnectionError,
  FastifyBaseLogger,
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import { type ErrorBody, errors } from '#contract/errors.ts'
import { MAX_IMAGE_BYTES, MAX_IMAGES_PER_UPLOAD } from '#contract/image-limits.ts'
import { AppError } from './app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body holds files, which take longer to arrive. */
    isUpload?: boolean
  }
}

/** The time within which a whole request must arrive, head and body together. */
export type ArrivalLimits = { requestMs: number; uploadMs: number }

export const ARRIVAL_LIMITS: ArrivalLimits = { requestMs: 30_000, uploadMs: 120_000 }

/** The most bytes of an unread body that are read and discarded: more than a well-behaved client sends. */
const MAX_REST_BYTES = MAX_IMAGES_PER_UPLOAD * MAX_IMAGE_BYTES + 1024 * 1024
/** How long to wait for more of an unread body before giving up. */
const REST_IDLE_MS = 1_000

/** The request that is being read from a connection, or the last one that was. */
type Exchange = {
  raw: IncomingMessage
  response: ServerResponse
  /** Undefined until the framework handles the request. */
  reply?: FastifyReply
  /** Set while the rest of an unread body is being discarded; stops that. */
  endRest?: () => void
  /** Set for an upload that has exceeded the ordinary limit, so that its longer limit applies. */
  isLate?: boolean
  /** Set when the request was refused here: nothing more of it is read. */
  isRefused?: boolean
  /** Set when the response is sent although the body has not arrived completely. */
  isAnswered?: boolean
}

/**
 * Handles what happens below the framework: requests that do not arrive, bytes that are not HTTP, and bodies that no
 * handler reads. Whatever a client does, its connection ends up either free for the next request or closed, and every
 * error is JSON with the headers of all other responses.
 */
export function createConnections(
  limits: ArrivalLimits,
  securityHeaders: OutgoingHttpHeaders,
  log: Pick<FastifyBaseLogger, 'info'>,
) {
  /** The exchange of each request, and the newest one of each connection. */
  const exchanges = new WeakMap<Duplex | IncomingMessage, Exchange>()
  const failed = new WeakSet<Duplex>()

  /** Called by the HTTP parser when the bytes are not a request, or did not arrive in time. */
  function onClientError(error: ConnectionError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const exchange = exchanges.get(socket)
    const reading = exchange?.raw.complete === false ? exchange : undefined
    if (reading && isEarlyForUpload(error, reading)) {
      reading.isLate = true
      const isStillReading = () => exchanges.get(socket) === reading && !reading.raw.complete
      const refuseLate = () => isStillReading() && onClientError(error, socket)
      setTimeout(refuseLate, limits.uploadMs - limits.requestMs).unref()
      return
    }
    // Only once per connection: nothing that follows can be parsed either.
    if (failed.has(socket)) return
    failed.add(socket)
    const appError = toAppError(error)
    if (reading?.reply) return refuse(reading, reading.reply, appError)
    const close = () => endWith(socket, appError)
    // Earlier requests on the connection get their responses first.
    if (exchange && !reading && !exchange.response.writableFinished) exchange.response.once('finish', close)
    else close()
  }

  /** The parser reports a late request only once, after the shorter of the two limits. */
  const isEarlyForUpload = (error: ConnectionError, { reply, isLate }: Exchange) =>
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && reply?.request.routeOptions.config.isUpload === true && !isLate

  function refuse(exchange: Exchange, reply: FastifyReply, appError: AppError): void {
    const { raw, response, endRest } = exchange
    if (endRest) return endRest()
    if (exchange.isAnswered || reply.sent || response.headersSent) return void raw.socket.destroy()
    exchange.isRefused = true
    // Whoever is still reading the body learns that no more will arrive.
    raw.socket.once('close', () => raw.destroy())
    reply.header('connection', 'close').send(appError)
  }

  /** Responds and closes the connection, where the framework cannot send a response. */
  function endWith(socket: Duplex, appError: AppError): void {
    if (!socket.writable) return void socket.destroy()
    const requestId = randomUUID()
    const status = errors[appError.code].status
    log.info({ reqId: requestId, res: { statusCode: status } }, 'refused what is no request')
    const body: ErrorBody = { message: appError.message, code: appError.code, requestId }
    const text = JSON.stringify(body)
    const headers = {
      ...securityHeaders,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    socket.on('error', () => socket.destroy())
    // Destroyed once the response is written: a client that keeps sending would keep the connection open.
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
  }

  const serverOptions = {
    requestTimeout: limits.requestMs,
    clientErrorHandler: onClientError,
    http: {
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs / 10),
      // watch() refuses requests without a Host header itself, to send an error body.
      requireHostHeader: false,
    },
  } satisfies FastifyHttpOptions<Server>

  function watch(app: FastifyInstance): void {
    app.server.prependListener('request', (raw, response) => {
      const exchange = { raw, response }
      exchanges.set(raw, exchange).set(raw.socket, exchange)
      // No request is upgraded, and after one that asks for it Node reports no parse errors on its connection.
      if (raw.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    })
    app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
    app.server.on('connect', (_request, socket) =>
      endWith(socket, new AppError('invalid_input', { message: 'This server is no proxy.' })),
    )
    app.addHook('onRequest', async (request, reply) => {
      const exchange = exchanges.get(request.raw)
      if (exchange) exchange.reply = reply
      const { host, expect } = request.headers
      if (host === undefined && request.raw.httpVersion === '1.1') {
        throw new AppError('invalid_input', { message: 'The request has no Host header.' })
      }
      if (expect !== undefined && !/\b100-continue\b/i.test(expect)) throw new AppError('expectation_failed')
    })
    // An unread body would block the connection for its next user, such as behind a proxy that keeps connections open.
    app.addHook('onSend', async (request, reply, payload) => {
      const exchange = exchanges.get(request.raw)
      if (!exchange || exchange.isRefused || !isUnread(request)) return payload
      if (await readRest(exchange)) return payload
      exchange.isAnswered = true
      reply.header('connection', 'close')
      return payload
    })
  }

  return { serverOptions, watch }
}

function toAppError({ code }: ConnectionError): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new AppError('payload_too_large')
  return new AppError('invalid_input', { message: 'This is not a well-formed HTTP request.' })
}

export function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function isUnread(request: FastifyRequest): boolean {
  return hasBody(request) && !request.raw.readableEnded && !request.raw.destroyed
}

/** Reads and discards the rest of a body; resolves to true when all of it arrived. */
function readRest(exchange: Exchange): Promise<boolean> {
  const { raw } = exchange
  return new Promise((resolve) => {
    let bytes = 0
    const end = (isWhole: boolean) => {
      clearTimeout(idle)
      delete exchange.endRest
      resolve(isWhole)
    }
    const giveUp = () => end(false)
    const idle = setTimeout(giveUp, REST_IDLE_MS)
    exchange.endRest = giveUp
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_REST_BYTES) giveUp()
      else idle.refresh()
    })
    raw.once('end', () => end(true))
    raw.once('close', giveUp)
    raw.unpipe()
    raw.resume()
  })
}
