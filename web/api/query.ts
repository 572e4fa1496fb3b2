import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Domain, EndpointName, RequestArguments } from './request-types.ts'

/**
 * A call as a query: `useQuery(apiQuery('pods', 'list', { query: { page, limit: 10 } }))`, whose data is `{ data, total }`.
 * Its key begins with the domain: `queryClient.invalidateQueries({ queryKey: ['pods'] })` reloads all that is known of it.
 */
export function apiQuery<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  ...args: RequestArguments<D, N>
) {
  return queryOptions({
    queryKey: [domain, name, args[0] ?? {}] as const,
    // The options are those of the call and a signal, which every call takes.
    queryFn: ({ signal }) => api(domain, name, ...([{ ...args[0], signal }] as unknown as RequestArguments<D, N>)),
  })
}
