import type { Duplex } from 'node:stream'

/**
 * Keeps the socket corked until the end of the event loop's turn, so that all queries of one turn are sent in one
 * piece; the driver itself corks only around each query. A system call and waking the database cost as much as a short
 * read.
 */
export function sendTogether<Socket extends Duplex>(socket: Socket): Socket {
  const cork = socket.cork.bind(socket)
  let isHeld = false
  socket.cork = () => {
    cork()
    if (isHeld) return
    isHeld = true
    cork()
    setImmediate(() => {
      isHeld = false
      socket.uncork()
    })
  }
  return socket
}
