import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'
import type { EndpointName, RequestArguments, RequestOptions, ResponseOf } from '#web/api/request-types.ts'
import type { SetUrl, UrlParams } from '#web/lib/url-state.ts'
import type { ListTotal } from './list-count.ts'
import { usePagedRows } from './paged-rows.ts'
import { startDownload } from './start-download.ts'
import { type ListState, useListState } from './use-list-state.ts'

type ListDomain = 'bookings' | 'locations' | 'pods' | 'staff' | 'transactions' | 'users'
type ListQuery<D extends ListDomain> = NonNullable<RequestOptions<D, 'list'>['query']>
type Filters<D extends ListDomain> = Omit<ListQuery<D>, 'page' | 'limit'>
type ExportName<D extends ListDomain> = Extract<EndpointName<D>, 'export' | 'exportBookings'>
type RowsIn<Response> = Response extends { data: infer Rows } ? Rows : Response
type RowOf<D extends ListDomain> = RowsIn<ResponseOf<D, 'list'>> extends readonly (infer Row)[] ? Row : never

type ListValues = { page: number; search: string; sort: string }

type ListOptions<D extends ListDomain, V> = { pageSize: number | ((values: V) => number) } & ([
  Exclude<keyof V, 'page' | keyof Filters<D>>,
] extends [never]
  ? { toFilters?: undefined }
  : {
      /** What the API is asked for, where the URL keeps something else. */
      toFilters: (values: V) => Filters<D>
    })

/** A list as RecordTable draws it. */
export type RecordList<Row> = {
  /** Undefined while they load for the first time. */
  rows: readonly Row[] | undefined
  total: ListTotal
  /** Of a list that is narrowed: how many records there are without the search and the filters, once that is known. */
  narrowed: { all: number | undefined } | undefined
  /** The words searched for, when nothing has them and what is listed is spelled like them. */
  alike: string | undefined
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
 * All that a list screen does with its records: search, filters, order and page are in the URL, one page is asked for at
 * a time, and the one before stays until it is there. `params` is a module constant:
 *
 *     const params = { page: pageParam(), search: textParam(), sort: choiceParamOr(['name', '-name'], 'name') }
 *     const list = useRecordList('users', params, { pageSize: 10 })
 */
export function useRecordList<D extends ListDomain, V extends ListValues>(
  domain: D,
  params: UrlParams<V>,
  options: ListOptions<D, V>,
) {
  const state = useListState(params)
  const { values, isFiltered } = state
  // V has a page.
  const setUrl = state.setUrl as unknown as SetUrl<{ page: number }>
  const { page: pageNumber, ...others } = values
  const pageSize = typeof options.pageSize === 'number' ? options.pageSize : options.pageSize(values)
  // Without `toFilters` the values have the names and types of the query.
  const filters = options.toFilters?.(values) ?? (others as unknown as Filters<D>)
  const query = useQuery({
    ...listQuery(domain, { ...filters, page: pageNumber, limit: pageSize } as unknown as ListQuery<D>),
    placeholderData: keepPreviousData,
  })
  const all = useQuery({
    ...listQuery(domain, { page: 1, limit: 1 } as unknown as ListQuery<D>),
    enabled: isFiltered,
  })
  const queryClient = useQueryClient()
  const total = { count: query.data?.total, isAtLeast: query.data?.isAtLeast ?? false }
  const found = query.data && toRows<D>(query.data.data)
  return {
    rows: usePagedRows(query, { rows: found, pageNumber, pageSize, total: total.count }, setUrl),
    total,
    narrowed: isFiltered ? { all: all.data?.total } : undefined,
    alike: query.data?.alike,
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
    /** Downloads all that the search and the filters leave. */
    download: (file: ExportName<D>) =>
      void startDownload(domain, file, { query: filters } as unknown as RequestOptions<D, ExportName<D>>),
  }
}

/** Each of the domains takes these options; the compiler does not see it of D. */
function listQuery<D extends ListDomain>(domain: D, query: ListQuery<D>) {
  return apiQuery(domain, 'list', ...([{ query }] as unknown as RequestArguments<D, 'list'>))
}

/** Two of the lists come in a field `data`. */
function toRows<D extends ListDomain>(response: unknown): readonly RowOf<D>[] {
  return (Array.isArray(response) ? response : (response as { data: unknown }).data) as readonly RowOf<D>[]
}
