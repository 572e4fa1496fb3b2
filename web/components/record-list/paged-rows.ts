import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'

type PagedRows<Row> = {
  /** Of the page that was asked for, or of the one before until it is there. */
  rows: readonly Row[] | undefined
  pageNumber: number
  pageSize: number
  /** Of the whole list; undefined until it is known. */
  total: number | undefined
}

/**
 * The rows to show. A page past the end, as an old link or a deletion leaves one, gives way to the last page: meanwhile
 * there are no rows yet, rather than none at all.
 */
export function usePagedRows<Row>(
  // The query itself: to spread it would draw the screen anew whenever anything of it changes.
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
