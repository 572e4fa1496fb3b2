import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { subscribePerson } from './session.ts'

const MAX_RETRIES = 2
/** When the server asks for a longer pause, the error is shown at once: nobody watches skeletons for a minute. */
const LONGEST_WAIT_SECONDS = 30

/** The only place for server state. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Cached data is shown at once and always refetched, because it may just have changed.
      staleTime: 0,
      retry: (failures, error) => isWorthRetrying(error) && failures < MAX_RETRIES,
      retryDelay: toRetryDelay,
      // The default would wait silently while offline; a failure can be shown and retried.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** Returns whether a retry may succeed: not after a refusal (4xx), nor when the server asks for a long pause. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return (error.status === 0 || error.status >= 500) && (error.retryAfter ?? 0) <= LONGEST_WAIT_SECONDS
}

/** Returns milliseconds: what an overloaded server asks for (Retry-After), else 500, doubled with each failure. */
function toRetryDelay(failures: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfter : undefined
  return seconds === undefined ? Math.min(500 * 2 ** failures, 4000) : seconds * 1000
}

/** Clears the cache when the person changes, so that nobody sees the data of someone else who used this machine. */
export function clearQueriesWithSession(): () => void {
  return subscribePerson(() => queryClient.clear())
}
