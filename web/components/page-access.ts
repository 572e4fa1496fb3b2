import { queryOptions } from '@tanstack/react-query'
import type { PageCode } from '#contract/pages.ts'
import { verifyPage } from '#web/api/sign-in.ts'

/**
 * Query for the access check that each screen runs first (rules §2.6). Once granted, access is not checked again during
 * the session, so that no spinner flashes between screens; if refused, it is checked each time. The server checks every
 * request anyway (rules §2.2).
 */
export function pageAccessQuery(page: PageCode) {
  return queryOptions({
    queryKey: ['page-access', page],
    queryFn: ({ signal }) => verifyPage(page, signal),
    staleTime: (query) => (query.state.data === true ? Number.POSITIVE_INFINITY : 0),
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
