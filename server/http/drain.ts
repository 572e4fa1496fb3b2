import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const CLOSE_IDLE_EVERY_MS = 100

/**
 * The stages in which a server stops: first it reports itself not ready but still responds, then, once it is closed,
 * every connection is closed as soon as it is idle.
 */
export type Drain = ReturnType<typeof createDrain>

export function createDrain() {
  let isDraining = false
  return {
    begin() {
      isDraining = true
    },
    isDraining: () => isDraining,

    watch(app: FastifyInstance): void {
      const sockets = new Set<Socket>()
      app.server.on('connection', (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      const closeIdle = () => {
        app.server.closeIdleConnections()
        // Node does not count connections as idle that browsers and proxies opened in advance and never used.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      // Node closes only the connections that are idle when closing begins, and waits for all others.
      app.addHook('preClose', async () => {
        if (!app.server.listening) return
        const timer = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS)
        timer.unref()
        app.server.once('close', () => clearInterval(timer))
      })
      // Makes clients with an open connection open a new one, which leads to another server.
      app.addHook('onRequest', async (_request, reply) => {
        if (isDraining) reply.header('connection', 'close')
      })
    },
  }
}
