/** Returns the result of `read`, or of the same read that another request has queued. */
export type ShareRead = <T>(key: readonly unknown[], read: () => Promise<T>) => Promise<T>

/**
 * Lets requests that arrive while a read runs share the next one with the same key, as many screens ask for the same
 * when they hear of a change. They cannot share the running one, which may have begun before the change. The key must
 * hold everything that the result depends on: also the sender's pages and locations.
 */
export function createSharedReads(): ShareRead {
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<unknown>>()

  function start<T>(id: string, read: () => Promise<T>): Promise<T> {
    waiting.delete(id)
    const result = read()
    running.set(id, result)
    const end = () => running.delete(id)
    result.then(end, end)
    return result
  }

  return <T>(key: readonly unknown[], read: () => Promise<T>) => {
    const id = JSON.stringify(key)
    const shared = waiting.get(id) as Promise<T> | undefined // the key identifies the read
    const current = running.get(id)
    if (shared || !current) return shared ?? start(id, read)
    const startNext = () => start(id, read)
    const next = current.then(startNext, startNext)
    waiting.set(id, next)
    return next
  }
}
