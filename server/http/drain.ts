import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * The stages in which a server stops: first it reports itself not ready but still responds, then idle connections are
 * closed.
 */
export type Drain = ReturnType<typeof createDrain>

export function createDrain() {
  let isDraining = false
  let closeIdle = () => undefined as void
  return {
    begin() {
      isDraining = true
    },
    isDraining: () => isDraining,
    closeIdle: () => closeIdle(),

    watch(app: FastifyInstance): void {
      const sockets = new Set<Socket>()
      app.server.on('connection', (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      closeIdle = () => {
        app.server.closeIdleConnections()
        // Node does not count connections as idle that browsers and proxies opened in advance and never used.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      // Makes clients with an open connection open a new one, which leads to another server.
      app.addHook('onRequest', async (_request, reply) => {
        if (isDraining) reply.header('connection', 'close')
      })
    },
  }
}
