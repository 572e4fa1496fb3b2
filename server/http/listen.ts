import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Listens on every address of the host: `localhost` has two on many machines. Connections to the further addresses are
 * handed to the app's own server, so that its limits and its responses to malformed requests apply to all of them.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  findAddresses: (host: string) => Promise<{ address: string }[]> = (name) => lookup(name, { all: true }),
): Promise<void> {
  const [first, ...others] = await findAddresses(host)
  await app.listen({ host: first?.address ?? host, port })
  const [bound] = app.addresses()
  // Port 0 asks for any free port; the further addresses use the same one.
  const samePort = typeof bound === 'object' ? bound.port : port
  for (const { address } of others) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    )
    app.server.once('close', () => server.close())
    server.listen({ host: address, port: samePort })
    // An address that the machine does not have after all is ignored.
    await once(server, 'listening').catch(() => undefined)
  }
}
