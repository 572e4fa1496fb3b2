import type { Duplex } from 'node:stream'

/**
 * The driver corks its socket around each query. Here that lasts until the turn of the event loop ends, so that queries
 * of one turn are sent in one piece: a system call, and waking the database, cost as much as a short read.
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
