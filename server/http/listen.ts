import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { findCode } from '#server/error-code.ts'

type Place = { host: string; port: number }

/**
 * Listens on every address of the host: `localhost` has two on many machines. Connections to the further addresses are
 * handed to the app's own server, so that its limits and its responses to malformed requests apply to all of them.
 * Throws an error for the operator when the port or the host cannot be used.
 */
export async function listen(
  app: FastifyInstance,
  place: Place,
  findAddresses: (host: string) => Promise<{ address: string }[]> = (name) => lookup(name, { all: true }),
): Promise<void> {
  try {
    const found = await findAddresses(place.host)
    await listenOn(app, place, [...new Set(found.map(({ address }) => address))])
  } catch (error) {
    const problem = describeProblem(findCode(error), place)
    throw problem === undefined ? error : new Error(problem, { cause: error })
  }
}

async function listenOn(app: FastifyInstance, { host, port }: Place, addresses: string[]): Promise<void> {
  const [first = host, ...others] = addresses
  const mostConnections = Math.floor((await findMostConnections()) / (1 + others.length))
  app.server.maxConnections = mostConnections
  await app.listen({ host: first, port })
  const [bound] = app.addresses()
  // Port 0 asks for any free port; the further addresses use the same one.
  const samePort = typeof bound === 'object' ? bound.port : port
  for (const address of others) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    )
    server.maxConnections = mostConnections
    app.server.once('close', () => server.close())
    server.once('listening', () => app.log.info({ address, port: samePort }, 'server listening'))
    server.listen({ host: address, port: samePort })
    await once(server, 'listening').catch((error: unknown) => {
      // An address that the machine does not have after all is ignored, but another program's would take people there.
      if (port !== 0 && ['EADDRINUSE', 'EACCES'].includes(findCode(error) ?? '')) throw error
    })
  }
}

/** Open files that connections of clients leave to everything else, or half of all where there are fewer. */
const OTHER_FILES = 1_000

/**
 * How many connections may be open at a time. Further ones are closed at once: a process that the system lets open no
 * more files cannot read its own, and ends when it next measures its memory. Only Linux says how many it may open.
 */
async function findMostConnections(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.max(files - OTHER_FILES, Math.floor(files / 2))
}

function describeProblem(code: string | undefined, { host, port }: Place): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Stop it, or set PORT to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by the user that runs this. Set PORT to 1024 or more.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine has no address ${host}. Set HOST to one that it has, such as localhost or 0.0.0.0.`
  }
  return undefined
}
