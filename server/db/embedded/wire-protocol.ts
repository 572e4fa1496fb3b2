/**
 * The few messages of PostgreSQL's wire protocol that the embedded engine has to know itself:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

const code = (letter: string): number => letter.charCodeAt(0)

/** AuthenticationOk: no password is needed, as only this process can reach the embedded database. */
export const authenticationOk = Uint8Array.of(code('R'), 0, 0, 0, 8, 0, 0, 0, 0)

/** ReadyForQuery, outside a transaction. */
export const readyForQuery = Uint8Array.of(code('Z'), 0, 0, 0, 5, code('I'))

const sync = Uint8Array.of(code('S'), 0, 0, 0, 4)
const terminate = code('X')

export function simpleQuery(sql: string): Uint8Array {
  const text = new TextEncoder().encode(sql)
  const message = new Uint8Array(text.length + 6)
  message[0] = code('Q')
  new DataView(message.buffer).setInt32(1, text.length + 5)
  message.set(text, 5)
  return message
}

export function isTerminate(message: Uint8Array): boolean {
  return message[0] === terminate
}

/** Whether a response ends with ReadyForQuery. */
export function endsReady(response: Uint8Array): boolean {
  const at = response.length - readyForQuery.length
  return at >= 0 && readyForQuery.subarray(0, 5).every((byte, index) => response[at + index] === byte)
}

/** Whether the response to a request must end with ReadyForQuery: a simple query, or a batch that ends with Sync. */
export function expectsReady(request: Uint8Array): boolean {
  const at = request.length - sync.length
  return request[0] === code('Q') || (at >= 0 && sync.every((byte, index) => request[at + index] === byte))
}

/**
 * Joins the parts into one array with its own memory, so that it can be transferred to another thread without a copy.
 */
export function joinBytes(
  parts: readonly Uint8Array[],
  size = parts.reduce((sum, part) => sum + part.length, 0),
): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
