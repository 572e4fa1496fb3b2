import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'
import type { ListTotal } from '#web/api/use-list.ts'
import { toCountText } from '#web/lib/format.ts'

/**
 * The count in a list's heading: 'All Bookings (12)', or 'All Bookings (10,000+)'. Of a list that a filter or a search
 * narrows '20 of 3,603', where `all` is how many there are without them, once that is known.
 */
export function toListCount(
  label: string,
  { count, isAtLeast }: ListTotal,
  narrowed?: { all: number | undefined },
): string | undefined {
  if (count === undefined) return undefined
  const words = `${toCountText(count)}${isAtLeast ? '+' : ''}`
  if (narrowed === undefined) return `${label} (${words})`
  return narrowed.all === undefined ? words : `${words} of ${toCountText(narrowed.all)}`
}

type CountedDomain = 'bookings' | 'transactions' | 'users' | 'pods' | 'locations' | 'staff'

/** What `toListCount` wants of a narrowed list; undefined of one that shows all. Asked for once, and cheap to count. */
export function useNarrowed(domain: CountedDomain, isNarrowed: boolean): { all: number | undefined } | undefined {
  // Each of the domains takes these options; the compiler does not see it of all at once.
  const query = apiQuery(domain as 'pods', 'list', { query: { page: 1, limit: 1 } })
  const all = useQuery({ ...query, enabled: isNarrowed })
  return isNarrowed ? { all: all.data?.total } : undefined
}
