/** Creates the list of those who follow a state outside of React, which `useSyncExternalStore` needs. */
export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>()
  return {
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (...args: Args) => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    notify: (...args: Args) => {
      for (const listener of listeners) listener(...args)
    },
  }
}
