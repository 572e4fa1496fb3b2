import { Client } from 'pg'
import { onTestFinished, vi } from 'vitest'

/**
 * Reports each statement that the product passes to the driver, in order, until the test ends or `stop` is called. A
 * text that `onStatement` returns is sent instead.
 */
export function watchStatements(onStatement: (statement: { text: string; values: unknown[] }) => string | undefined) {
  const query = Reflect.get(Client.prototype, 'query') as (...request: unknown[]) => unknown // to call it on any client
  const watch = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...request: unknown[]) {
    const [statement] = request
    const instead = isOfProduct(statement) ? onStatement(statement) : undefined
    return Reflect.apply(query, this, instead === undefined ? request : [instead])
  })
  const stop = () => watch.mockRestore()
  onTestFinished(stop)
  return { stop }
}

/** The product's statements are named; those of the embedded engine's maintenance are not. */
function isOfProduct(statement: unknown): statement is { text: string; values: unknown[] } {
  return typeof statement === 'object' && statement !== null && 'name' in statement
}
