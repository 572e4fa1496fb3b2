import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/** Whether the live stream reaches the server. `offline`: the browser itself has no network. */
export type Connection = 'connected' | 'offline' | 'unreachable'

let connection: Connection = 'connected'
/** Number of lost requests that are being retried. */
let retrying = 0
const { subscribe, notify } = createListeners()

export function setConnection(next: Connection): void {
  if (next === connection) return
  connection = next
  notify()
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

/** Counts a request as being retried. Returns a function that ends this. */
export function startRetrying(): () => void {
  retrying += 1
  notify()
  return () => {
    retrying -= 1
    notify()
  }
}

export function isRetrying(): boolean {
  return retrying > 0
}

export function useIsRetrying(): boolean {
  return useSyncExternalStore(subscribe, isRetrying)
}
