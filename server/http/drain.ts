import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How a server stops: first it is not ready for new clients, and still answers; then idle connections are closed. */
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
        // Not idle by Node's measure: those that browsers and proxies have opened ahead, and never sent anything on.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      // Whoever holds a connection open makes the next one, which leads to another server.
      app.addHook('onRequest', async (_request, reply) => {
        if (isDraining) reply.header('connection', 'close')
      })
    },
  }
}
