import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import { laterPage } from '#web/api/live.ts'
import { PREFETCH_STALE_MS, REFRESH_MS } from '#web/api/query.ts'
import type { RequestArguments, RequestOptions } from '#web/api/request-types.ts'
import type { SetUrl } from '#web/lib/url-state.ts'
import type { ExportName, ListDefinition, ListDomain, ListValues, RowOf } from './define-list.ts'
import type { ListTotal } from './list-count.ts'
import { usePagedRows } from './paged-rows.ts'
import { startDownload } from './start-download.ts'
import { type ListState, useListState } from './use-list-state.ts'
import { type Marks, useHeldBack, useShownRows } from './use-live-rows.ts'

/** A list as RecordTable draws it. */
export type RecordList<Row> = {
  /** Undefined during the first load. */
  rows: readonly Row[] | undefined
  total: ListTotal
  /** Rows that someone else has just changed. */
  marks: Marks
  /** Records that someone else has added, held back so that no row moves. */
  newRecords: { nouns: readonly [one: string, many: string]; count: number; show: () => void }
  /** Set when the list is filtered; `all` is the number of records without search and filters, once it is known. */
  narrowed: { all: number | undefined } | undefined
  /** The search, when it has no exact match and the rows are spelled similarly instead. */
  similarTo: string | undefined
  error: Error | null
  isFetching: boolean
  retry: () => void
  pageNumber: number
  pageSize: number
  state: Pick<ListState<ListValues>, 'isFiltered'> & { clear: () => void }
  sort: string
  onSort: (sort: string) => void
  onPage: (pageNumber: number) => void
}

/**
 * Does all that a list screen needs. Search, filters, order and page are in the URL; one page is requested at a time,
 * and the previous page stays until it has loaded.
 */
export function useRecordList<D extends ListDomain, V extends ListValues>(list: ListDefinition<D, V>) {
  const { domain } = list
  const state = useListState(list.params)
  const { values, isFiltered } = state
  // Safe: V extends ListValues, which has a page.
  const setUrl = state.setUrl as unknown as SetUrl<{ page: number }>
  const pageNumber = values.page
  const pageSize = list.toPageSize(values)
  const base = list.toQuery(values)
  const heldBack = useHeldBack({
    entity: list.entity,
    list: JSON.stringify(base.queryKey),
    pageNumber,
    pageSize,
  })
  const query = useQuery({
    ...base,
    queryFn: ({ signal }) => {
      const request = { query: { ...list.toFilters(values), page: pageNumber, limit: heldBack.countRows() }, signal }
      return api(domain, 'list', ...([request] as unknown as RequestArguments<D, 'list'>)) // as in define-list.ts
    },
    ...(pageNumber > 1 && { meta: laterPage }),
    placeholderData: keepPreviousData,
    staleTime: PREFETCH_STALE_MS,
    refetchInterval: list.isTimed(values) && REFRESH_MS,
  })
  const all = useQuery({ ...list.allQuery, enabled: isFiltered })
  const queryClient = useQueryClient()
  const total = { count: query.data?.total, isAtLeast: query.data?.isAtLeast ?? false }
  const found = query.data && toRows<D>(query.data.data)
  const { rows, marks, newRecords } = useShownRows(heldBack, found, {
    updatedAt: query.dataUpdatedAt,
    areOfThisList: !query.isPlaceholderData,
  })
  return {
    marks,
    newRecords: { ...newRecords, nouns: list.nouns },
    rows: usePagedRows(query, { rows, pageNumber, pageSize, total: total.count }, setUrl),
    total,
    narrowed: isFiltered ? { all: all.data?.total } : undefined,
    similarTo: query.data?.similarTo,
    error: query.error,
    isFetching: query.isFetching,
    retry: () => void query.refetch(),
    pageNumber,
    pageSize,
    state,
    sort: values.sort,
    onSort: (sort: string) => state.setText('sort', sort),
    onPage: (next: number) => setUrl({ page: next }),
    reload: () => queryClient.invalidateQueries({ queryKey: [domain] }),
    /** Downloads all records that match the search and the filters. */
    download: (file: ExportName<D>) => {
      const query = list.toFilters(values)
      void startDownload(domain, file, { query } as unknown as RequestOptions<D, ExportName<D>>)
    },
  }
}

/** Returns the rows of a response; two of the lists nest them in a field `data`. */
function toRows<D extends ListDomain>(response: unknown): readonly RowOf<D>[] {
  return (Array.isArray(response) ? response : (response as { data: unknown }).data) as readonly RowOf<D>[]
}
