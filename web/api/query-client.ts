import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { getSession, subscribeSession } from './session.ts'

const MAX_RETRIES = 2

/** Server state lives here alone. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => isWorthRetrying(error) && failures < MAX_RETRIES,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4000),
      // Without a connection the default waits for ever and says nothing; a failure can be shown and retried.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** A refusal (4xx) stays one however often it is asked again. */
function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** What one person has read is not for the next one on this machine. */
export function clearQueriesWithSession(): () => void {
  let token = getSession()?.token
  return subscribeSession(() => {
    if (getSession()?.token === token) return
    token = getSession()?.token
    queryClient.clear()
  })
}
