import { Duplex } from 'node:stream'
import { isTerminate, joinBytes } from './wire-protocol.ts'

type WorkerLink = {
  /** Starts a session in the worker, and the worker itself if none runs; the response is pushed to the stream. */
  connect(): Promise<void>
  send(bytes: Uint8Array<ArrayBuffer>): void
  closed(): void
}

/**
 * Creates a stream over a message port that the PostgreSQL driver takes for a socket. The driver corks what belongs
 * together, so that a query is one message there and one back.
 */
export function createWorkerStream(link: WorkerLink): Duplex {
  let connected = false

  function write(chunks: readonly Uint8Array[], done: (error?: Error | null) => void): void {
    const bytes = joinBytes(chunks)
    if (!connected) {
      // The driver's startup message, which the worker does not need.
      connected = true
      void connect(done)
      return
    }
    if (!isTerminate(bytes)) link.send(bytes)
    done()
  }

  async function connect(done: (error?: Error | null) => void): Promise<void> {
    try {
      await link.connect()
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => write([chunk], done),
    writev: (chunks, done) =>
      write(
        chunks.map(({ chunk }) => chunk as Uint8Array), // the driver writes nothing else
        done,
      ),
    final: (done) => {
      stream.push(null)
      done()
    },
    destroy: (error, done) => {
      link.closed()
      done(error)
    },
  })
  // The other methods of a socket that the driver calls.
  return Object.assign(stream, {
    connect: () => process.nextTick(() => stream.emit('connect')),
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  })
}
