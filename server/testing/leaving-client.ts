import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { useTestApp } from './test-app.ts'

/** A client that can leave in the middle of a request, on a connection of its own. */
export async function connectClient(test: Pick<ReturnType<typeof useTestApp>, 'app' | 'listen'>) {
  const port = await test.listen()
  const served = once(test.app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  const [ofServer] = (await served) as [Socket]
  return {
    /** Bytes of a request, including its head. */
    send: (...parts: (string | Buffer)[]) => {
      for (const part of parts) socket.write(part)
    },
    /** Waits until the server has noticed: one that is quicker than the network would still respond. */
    leave: async () => {
      const told = once(ofServer, 'close')
      socket.destroy()
      await told
    },
  }
}
