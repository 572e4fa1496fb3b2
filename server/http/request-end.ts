import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The status under which requests without a whole response are counted, as nginx does; it is never sent. */
const CLIENT_LEFT = 499

/**
 * Calls `end` once for each request: when its response has been sent, or when the client left before, for which the
 * framework has no hook. Those who left may have waited the longest.
 */
export function onRequestEnd(
  app: FastifyInstance,
  end: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  const ended = new WeakSet<FastifyReply>()
  const endOnce = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (ended.has(reply)) return
    ended.add(reply)
    end(request, reply, status)
  }
  app.addHook('onRequest', async (request, reply) => {
    const onClose = () => endOnce(request, reply, reply.raw.writableFinished ? reply.statusCode : CLIENT_LEFT)
    reply.raw.once('close', onClose)
  })
  app.addHook('onResponse', async (request, reply) => endOnce(request, reply, reply.statusCode))
}
