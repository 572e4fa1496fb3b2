import { queryOptions } from '@tanstack/react-query'
import type { CallArguments, CallName, Domain } from './call-types.ts'
import { api } from './client.ts'

/**
 * A call as a query: `useQuery(apiQuery('pods', 'list', { query: { page, limit: 10 } }))`, whose data is `{ data, total }`.
 * Its key begins with the domain: `queryClient.invalidateQueries({ queryKey: ['pods'] })` reloads all that is known of it.
 */
export function apiQuery<D extends Domain, N extends CallName<D>>(domain: D, name: N, ...args: CallArguments<D, N>) {
  return queryOptions({
    queryKey: [domain, name, args[0] ?? {}] as const,
    // The options are those of the call and a signal, which every call takes.
    queryFn: ({ signal }) => api(domain, name, ...([{ ...args[0], signal }] as unknown as CallArguments<D, N>)),
  })
}
