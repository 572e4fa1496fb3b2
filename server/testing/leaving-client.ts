import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { useTestApp } from './test-app.ts'

/** Connects a client that can leave in the middle of a request. */
export async function connectClient(test: Pick<ReturnType<typeof useTestApp>, 'app' | 'listen'>) {
  const port = await test.listen()
  const served = once(test.app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  const [ofServer] = (await served) as [Socket]
  return {
    /** Sends bytes of a request, including its head. */
    send: (...parts: (string | Buffer)[]) => {
      for (const part of parts) socket.write(part)
    },
    /** Leaves, and waits until the server has noticed, which might still respond before. */
    leave: async () => {
      const told = once(ofServer, 'close')
      socket.destroy()
      await told
    },
  }
}
