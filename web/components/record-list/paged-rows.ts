import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'

type PagedRows<Row> = {
  /** Rows of the requested page, or of the previous one until that has loaded. */
  rows: readonly Row[] | undefined
  pageNumber: number
  pageSize: number
  /** Number of rows in the whole list; undefined until it is known. */
  total: number | undefined
}

/**
 * Returns the rows to show. If the page is past the end, because of an old link or a deletion, the URL changes to the
 * last page. Until that has loaded the rows are undefined (still loading) rather than empty.
 */
export function usePagedRows<Row>(
  // Pass the query itself: spreading it would render the screen again whenever any of its fields changes.
  query: Pick<UseQueryResult, 'isFetching' | 'isPlaceholderData'>,
  { rows, pageNumber, pageSize, total }: PagedRows<Row>,
  setUrl: (change: { page: number }, options: { replace: boolean }) => void,
): readonly Row[] | undefined {
  const isEmpty = rows?.length === 0
  const last = total === undefined ? pageNumber : Math.max(1, Math.ceil(total / pageSize))
  const isPastEnd = isEmpty && !query.isFetching && last < pageNumber
  // The URL lives outside React.
  useEffect(() => {
    if (isPastEnd) setUrl({ page: last }, { replace: true })
  }, [isPastEnd, last, setUrl])
  return isEmpty && (isPastEnd || query.isPlaceholderData) ? undefined : rows
}
