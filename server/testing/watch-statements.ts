import { Client } from 'pg'
import { onTestFinished, vi } from 'vitest'

/**
 * Tells of each statement of the product that the driver is given, in that order, until the test ends or `stop` is
 * called; a text that `onStatement` answers is sent in its place.
 */
export function watchStatements(onStatement: (statement: { text: string; values: unknown[] }) => string | undefined) {
  const query = Reflect.get(Client.prototype, 'query') as (...request: unknown[]) => unknown // as a function, to call it on any
  const watch = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...request: unknown[]) {
    const [statement] = request
    const instead = isOfProduct(statement) ? onStatement(statement) : undefined
    return Reflect.apply(query, this, instead === undefined ? request : [instead])
  })
  const stop = () => watch.mockRestore()
  onTestFinished(stop)
  return { stop }
}

/** They have a name; what looks after the embedded database has none. */
function isOfProduct(statement: unknown): statement is { text: string; values: unknown[] } {
  return typeof statement === 'object' && statement !== null && 'name' in statement
}
