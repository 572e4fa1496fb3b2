import { ApiError } from './api-error.ts'
import { startRetrying } from './connection.ts'

/** What is created is created once, whatever the connection did: it is worth half a minute. */
export const CREATION_RETRIES_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000, 14_000]
/** A server that restarts is back by then. */
export const CHANGE_RETRIES_AFTER_MS = [500, 1_000, 2_000]

/** Whether it is unknown if a request arrived: no response came, or a proxy's. The API's own refusals are responses. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || (error.code === 'unreadable' && error.status > 500))
}

/** Sends a request until a response comes, at most once more for each pause. Throws as `send` does. */
export async function sendWithRetries(
  send: () => Promise<Response>,
  [pauseMs, ...otherPauses]: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    if (pauseMs === undefined || !isLost(error)) throw error
  }
  const endRetrying = startRetrying()
  try {
    // Of no exact length, so that not all come back at once.
    await pause(pauseMs * (0.75 + Math.random() / 2), signal)
    await waitUntilOnline(signal)
    return await sendWithRetries(send, otherPauses, signal)
  } finally {
    endRetrying()
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const LONGEST_OFFLINE_MS = 30_000

/** A try without network would be one less when it is back. */
function waitUntilOnline(signal: AbortSignal | undefined): Promise<unknown> {
  if (navigator.onLine) return Promise.resolve()
  const back = new Promise<void>((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true })
  })
  return Promise.race([back, pause(LONGEST_OFFLINE_MS, signal)])
}
