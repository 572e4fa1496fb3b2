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

/** How long a request may take to arrive whole, its head and its body together. */
export type ArrivalLimits = { requestMs: number; uploadMs: number }

export const ARRIVAL_LIMITS: ArrivalLimits = { requestMs: 30_000, uploadMs: 120_000 }

/** Of a body that nobody wants, this much is read past: as much as anyone sends in good faith. */
const MAX_REST_BYTES = MAX_IMAGES_PER_UPLOAD * MAX_IMAGE_BYTES + 1024 * 1024
/** … while it keeps coming. */
const REST_IDLE_MS = 1_000

/** What is read from a connection now, or was last. */
type Exchange = {
  raw: IncomingMessage
  response: ServerResponse
  /** Not there in the moment of arrival. */
  reply?: FastifyReply
  /** There while the rest of an unwanted body is read past: ends that. */
  endRest?: () => void
  /** An upload whose longer time runs. */
  isLate?: boolean
  /** Refused from here: nothing more is read. */
  isRefused?: boolean
  /** The response is on its way, although the body is not all there. */
  isAnswered?: boolean
}

/**
 * What lies beneath requests: those that do not arrive, bytes that are none, and bodies that nobody reads. Whatever a client
 * does, its connection is either free for the next request or closed, and every error is JSON with the headers of all
 * other responses.
 */
export function createConnections(
  limits: ArrivalLimits,
  securityHeaders: OutgoingHttpHeaders,
  log: Pick<FastifyBaseLogger, 'info'>,
) {
  /** Of each request, and the newest of each connection. */
  const exchanges = new WeakMap<Duplex | IncomingMessage, Exchange>()
  const failed = new WeakSet<Duplex>()

  /** Of the parser: what came is no request, or did not come in time. */
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
    // Once: whatever else comes is no better.
    if (failed.has(socket)) return
    failed.add(socket)
    const appError = toAppError(error)
    if (reading?.reply) return refuse(reading, reading.reply, appError)
    const close = () => endWith(socket, appError)
    // Requests before it get their responses first.
    if (exchange && !reading && !exchange.response.writableFinished) exchange.response.once('finish', close)
    else close()
  }

  /** The parser tells once of a request that is late, by the shorter of the limits. */
  const isEarlyForUpload = (error: ConnectionError, { reply, isLate }: Exchange) =>
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && reply?.request.routeOptions.config.isUpload === true && !isLate

  function refuse(exchange: Exchange, reply: FastifyReply, appError: AppError): void {
    const { raw, response, endRest } = exchange
    if (endRest) return endRest()
    if (exchange.isAnswered || reply.sent || response.headersSent) return void raw.socket.destroy()
    exchange.isRefused = true
    // Who still waits for the body learns that it will not come.
    raw.socket.once('close', () => raw.destroy())
    reply.header('connection', 'close').send(appError)
  }

  /** A response where the framework has none to give. */
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
    // Destroyed when that is written: a client that goes on sending would keep it open.
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
  }

  const serverOptions = {
    requestTimeout: limits.requestMs,
    clientErrorHandler: onClientError,
    http: {
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs / 10),
      // Refused by watch(), with a body.
      requireHostHeader: false,
    },
  } satisfies FastifyHttpOptions<Server>

  function watch(app: FastifyInstance): void {
    app.server.prependListener('request', (raw, response) => {
      const exchange = { raw, response }
      exchanges.set(raw, exchange).set(raw.socket, exchange)
      // Nothing is upgraded here, and after a request that asked for it Node reports no malformed one on its connection.
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
    // A body that stays unread would stop the connection for whoever uses it next, as behind a proxy that keeps it.
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

/** Reads and forgets the rest of a body; true when all of it came. */
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
