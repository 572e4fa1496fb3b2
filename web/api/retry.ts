import { ApiError } from './api-error.ts'
import { startRetrying } from './connection.ts'

/** Half a minute in all: creations have idempotency keys, so retrying never creates twice. */
export const CREATION_RETRIES_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000, 14_000]
/** Long enough for a server to restart. */
export const CHANGE_RETRIES_AFTER_MS = [500, 1_000, 2_000]

/** Returns whether the request may or may not have arrived: there was no response, or only one from a proxy. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'network' || (error.code === 'unreadable' && error.status > 500))
}

/** Sends a request, and again after each pause until a response comes. Throws as `send` does. */
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
    // The length varies, so that not all clients retry at once.
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

/** Waits for the network, at most 30 seconds, so that no retry is wasted while offline. */
function waitUntilOnline(signal: AbortSignal | undefined): Promise<unknown> {
  if (navigator.onLine) return Promise.resolve()
  const back = new Promise<void>((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true })
  })
  return Promise.race([back, pause(LONGEST_OFFLINE_MS, signal)])
}
