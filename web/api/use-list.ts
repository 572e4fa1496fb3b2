import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallArguments, CallOptions } from './call-types.ts'
import { api } from './client.ts'
import { apiQuery } from './query.ts'

/** Lists of which a search can match so much that counting takes longer than showing a page. */
type CountedDomain = 'bookings' | 'transactions' | 'users'

type ListQuery<D extends CountedDomain> = NonNullable<CallOptions<D, 'list'>['query']>

/** How many records match in all. */
export type ListTotal = {
  /** Undefined until it is known. */
  count: number | undefined
  /** It comes later than the rows. */
  isCounting: boolean
  /** Counts again; undefined unless the counting failed. */
  recount: (() => void) | undefined
}

/**
 * One page of a list, the one before staying until it is there, and the total of the list. While something is searched
 * the two are asked for apart, in parallel, so that the total never delays the rows. What is counted does not depend on
 * page, limit and sort: turning a page does not count again.
 */
export function useList<D extends CountedDomain>(domain: D, query: Omit<ListQuery<D>, 'count'>) {
  const { page: _page, limit: _limit, sort: _sort, ...narrowing } = query
  const countsApart = Boolean(query.search)
  const list = useQuery({
    ...apiQuery(domain, 'list', ...toArguments<D>({ query: countsApart ? { ...query, count: 'no' } : query })),
    placeholderData: keepPreviousData,
  })
  const counted = useQuery({
    queryKey: [domain, 'total', narrowing],
    // The limit is for a server of the release before, which answers rows to this call too.
    queryFn: ({ signal }) =>
      api(domain, 'list', ...toArguments<D>({ query: { ...narrowing, limit: 1, count: 'only' }, signal })),
    enabled: countsApart,
  })
  const total: ListTotal = countsApart
    ? {
        count: counted.data?.total,
        isCounting: counted.isPending,
        recount: counted.isLoadingError ? () => void counted.refetch() : undefined,
      }
    : { count: list.data?.total, isCounting: list.isPlaceholderData, recount: undefined }
  return { list, total }
}

/** Each of the three domains takes these options; the compiler does not see it of D. */
function toArguments<D extends CountedDomain>(options: {
  query: object
  signal?: AbortSignal
}): CallArguments<D, 'list'> {
  return [options] as unknown as CallArguments<D, 'list'>
}
