import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** Logs two lines per request. The second says how it ended: with a response, or because the client left. */
export class RequestLog extends LogController {
  /** Responses that the server itself broke off, for which it logs a line of its own. */
  readonly #broken = new WeakSet<FastifyReply>()

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    super.incomingRequest(request, reply)
    if (this.isLogDisabled(request)) return
    const onClose = () => {
      if (this.#broken.has(reply)) return
      request.log.info({ req: request, responseTime: reply.elapsedTime }, 'client left')
    }
    reply.raw.once('close', onClose)
    reply.raw.once('finish', () => reply.raw.off('close', onClose))
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    this.#broken.add(reply)
    super.streamError(error, request, reply)
  }
}
