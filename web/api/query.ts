import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Domain, EndpointName, RequestArguments } from './request-types.ts'

/** For queries whose response changes as time passes, without a change of any record that would be announced. */
export const REFRESH_MS = 60_000

/**
 * The `staleTime` of what the router requests when a screen is entered (routes.tsx), so that the screen does not request
 * it once more when its code has loaded.
 */
export const PREFETCH_STALE_MS = 2_000

/**
 * Returns query options for a request: `useQuery(apiQuery('pods', 'list', { query: { page, limit: 10 } }))`. The data
 * is an ApiResponse. The key begins with the domain: `queryClient.invalidateQueries({ queryKey: ['pods'] })` refetches
 * all queries of pods.
 */
export function apiQuery<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  ...args: RequestArguments<D, N>
) {
  return queryOptions({
    queryKey: [domain, name, args[0] ?? {}] as const,
    // These are the endpoint's own options and a signal, which every endpoint accepts.
    queryFn: ({ signal }) => api(domain, name, ...([{ ...args[0], signal }] as unknown as RequestArguments<D, N>)),
  })
}
