import { apiQuery } from '#web/api/query.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { EndpointName, RequestArguments, RequestOptions, ResponseOf } from '#web/api/request-types.ts'
import { parseParams, type UrlParams } from '#web/lib/url-state.ts'

export type ListDomain =
  | 'apiKeys'
  | 'audit'
  | 'bookings'
  | 'closures'
  | 'companies'
  | 'deliveries'
  | 'failedJobs'
  | 'locations'
  | 'mails'
  | 'pods'
  | 'rolePresets'
  | 'staff'
  | 'transactions'
  | 'users'
type ListQuery<D extends ListDomain> = NonNullable<RequestOptions<D, 'list'>['query']>
type Filters<D extends ListDomain> = Omit<ListQuery<D>, 'page' | 'limit'>
type RowsIn<Response> = Response extends { data: infer Rows } ? Rows : Response
export type RowOf<D extends ListDomain> = RowsIn<ResponseOf<D, 'list'>> extends readonly (infer Row)[] ? Row : never
export type ExportName<D extends ListDomain> = Extract<EndpointName<D>, 'export' | 'exportBookings'>

export type ListValues = { page: number; sort: string }

type ListOptions<D extends ListDomain, V> = { pageSize: number | ((values: V) => number) } & ([
  Exclude<keyof V, 'page' | keyof Filters<D>>,
] extends [never]
  ? { toFilters?: undefined }
  : {
      /** What the API is asked for, where the URL keeps something else. */
      toFilters: (values: V) => Filters<D>
    })

/** What a list screen asks for, by what is in its URL. */
export type ListDefinition<D extends ListDomain, V> = {
  domain: D
  params: UrlParams<V>
  toPageSize: (values: V) => number
  toFilters: (values: V) => Filters<D>
  /** The query of the page in the URL. */
  toQuery: (values: V) => ReturnType<typeof listQuery<D>>
  /** A single record, without search and filters: how many there are in all comes with it. */
  allQuery: ReturnType<typeof listQuery<D>>
  /** Asks for the page that these search parameters name, so that it is on its way before the screen is drawn. */
  prefetch: (search: Record<string, string | undefined>) => Promise<void>
}

/**
 * A list of records, apart from the screen that shows it: the router begins its request while the screen's code is still
 * loading. The parameters have the names and types of the endpoint's query, unless `toFilters` says otherwise.
 *
 *     export const userList = defineList(
 *       'users',
 *       { page: pageParam(), search: textParam(), sort: choiceParamOr(['name', '-name'], 'name') },
 *       { pageSize: 10 },
 *     )
 */
export function defineList<D extends ListDomain, V extends ListValues>(
  domain: D,
  params: UrlParams<V>,
  options: ListOptions<D, V>,
): ListDefinition<D, V> {
  const { pageSize } = options
  const toPageSize = typeof pageSize === 'number' ? () => pageSize : pageSize
  // Without `toFilters` the values have the names and types of the query.
  const withoutPage = (values: V) => ({ ...values, page: undefined }) as unknown as Filters<D>
  const toFilters: (values: V) => Filters<D> = options.toFilters ?? withoutPage
  const toQuery = (values: V) => {
    const query = { ...toFilters(values), page: values.page, limit: toPageSize(values) }
    return listQuery(domain, query as unknown as ListQuery<D>) // made of the endpoint's own filters
  }
  return {
    domain,
    params,
    toPageSize,
    toFilters,
    toQuery,
    allQuery: listQuery(domain, { page: 1, limit: 1 } as unknown as ListQuery<D>), // every list is paged
    prefetch: (search) => queryClient.prefetchQuery(toQuery(parseParams(params, search))),
  }
}

/** Each of the domains takes these options; the compiler does not see it of D. */
function listQuery<D extends ListDomain>(domain: D, query: ListQuery<D>) {
  return apiQuery(domain, 'list', ...([{ query }] as unknown as RequestArguments<D, 'list'>))
}
