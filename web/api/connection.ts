import { useSyncExternalStore } from 'react'

/** Whether the server can be reached, as the live stream finds; `offline` when the browser itself has no network. */
export type Connection = 'connected' | 'offline' | 'unreachable'

let connection: Connection = 'connected'
/** Requests that were lost and are sent again. */
let retrying = 0
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setConnection(next: Connection): void {
  if (next === connection) return
  connection = next
  notify()
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

/** Returns what ends it. */
export function startRetrying(): () => void {
  retrying += 1
  notify()
  return () => {
    retrying -= 1
    notify()
  }
}

export function useIsRetrying(): boolean {
  return useSyncExternalStore(subscribe, () => retrying > 0)
}
