import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from './query.ts'
import type { RequestArguments, RequestOptions } from './request-types.ts'

/** The lists of which a search can find more than is counted. */
type LongDomain = 'bookings' | 'transactions' | 'users'

type ListQuery<D extends LongDomain> = NonNullable<RequestOptions<D, 'list'>['query']>

/** How many records match in all. */
export type ListTotal = {
  /** Undefined until it is known. */
  count: number | undefined
  /** There are more than that. */
  isAtLeast: boolean
}

/** One page of a list, the one before staying until it is there, and the total of the list. */
export function useList<D extends LongDomain>(domain: D, query: ListQuery<D>) {
  // Each of the domains takes these options; the compiler does not see it of D.
  const list = useQuery({
    ...apiQuery(domain, 'list', ...([{ query }] as unknown as RequestArguments<D, 'list'>)),
    placeholderData: keepPreviousData,
  })
  const { total: count, isAtLeast = false } = list.data ?? {}
  const total: ListTotal = { count, isAtLeast }
  return { list, total }
}
