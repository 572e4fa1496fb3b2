import { once } from 'node:events'
import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Record<string, string>; body: string }

/** Connects a client that sends arbitrary bytes and reads the responses one after the other. */
export async function connectRaw(port: number, host = '127.0.0.1') {
  // Half-open, so that only the server closes the connection, which is what tests look at.
  const socket = connect({ port, host, allowHalfOpen: true })
  let received = Buffer.alloc(0)
  const state = { isClosed: false, wake: () => {} }
  const change = () => state.wake()
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    change()
  })
  const onEnd = () => {
    state.isClosed = true
    change()
  }
  socket.on('end', onEnd).on('close', onEnd).on('error', onEnd)
  await once(socket, 'connect')
  return {
    send: (...parts: (string | Buffer)[]) => {
      for (const part of parts) socket.write(part)
    },
    /**
     * Reads the next response; undefined when the connection has ended without one. `withoutBody`: for a HEAD request.
     */
    async read({ withoutBody = false } = {}): Promise<RawResponse | undefined> {
      for (;;) {
        const found = parseResponse(received, state.isClosed, withoutBody)
        if (found) {
          received = received.subarray(found.length)
          // 100 Continue is not the response yet.
          if (found.response.status < 200) continue
          return found.response
        }
        if (state.isClosed) return undefined
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      }
    },
    isClosed: () => state.isClosed || socket.destroyed,
    /** Ends the sending half of the connection and goes on reading. */
    end: () => socket.end(),
    close: () => socket.destroy(),
  }
}

function parseResponse(bytes: Buffer, isClosed: boolean, withoutBody: boolean) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const start = headEnd + 4
  const isEmpty = withoutBody || status < 200 || status === 204 || status === 304
  const body = isEmpty ? { text: '', length: 0 } : parseBody(bytes.subarray(start), headers, isClosed)
  if (!body) return undefined
  return { response: { status, headers, body: body.text }, length: start + body.length }
}

function parseBody(bytes: Buffer, headers: Record<string, string>, isClosed: boolean) {
  if (headers['transfer-encoding'] === 'chunked') return parseChunks(bytes)
  const length = headers['content-length']
  if (length === undefined) return isClosed ? { text: bytes.toString(), length: bytes.length } : undefined
  if (bytes.length < Number(length)) return undefined
  return { text: bytes.subarray(0, Number(length)).toString(), length: Number(length) }
}

function parseChunks(bytes: Buffer) {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { text: Buffer.concat(parts).toString(), length: next }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}
