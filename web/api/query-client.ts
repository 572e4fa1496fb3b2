import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { getSession, isSamePerson, subscribeSession } from './session.ts'

const MAX_RETRIES = 2
/** A server that asks for a longer pause is better reported at once: nobody looks at skeletons for a minute. */
const LONGEST_WAIT_SECONDS = 30

/** Server state lives here alone. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What is known is shown at once, and always asked for again: it may have changed a moment ago.
      staleTime: 0,
      retry: (failures, error) => isWorthRetrying(error) && failures < MAX_RETRIES,
      retryDelay: toRetryDelay,
      // Without a connection the default waits for ever and says nothing; a failure can be shown and retried.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A refusal (4xx) stays one however often it is asked again. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return (error.status === 0 || error.status >= 500) && (error.retryAfter ?? 0) <= LONGEST_WAIT_SECONDS
}

/** Milliseconds: what an overloaded server asks for (Retry-After), else half a second and twice that. */
function toRetryDelay(failures: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfter : undefined
  return seconds === undefined ? Math.min(500 * 2 ** failures, 4000) : seconds * 1000
}

/** What one person has read is not for the next one on this machine. */
export function clearQueriesWithSession(): () => void {
  let last = getSession()
  return subscribeSession(() => {
    const session = getSession()
    if (!isSamePerson(session, last)) queryClient.clear()
    last = session
  })
}
