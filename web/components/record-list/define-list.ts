import type { z } from 'zod'
import type { LiveEntity } from '#contract/audit-entities.ts'
import type { Endpoints } from '#contract/endpoints.ts'
import { queryClient } from '#web/api/query-client.ts'
import { apiQuery } from '#web/api/query.ts'
import type { Domain, EndpointName, RequestArguments, RequestOptions, ResponseOf } from '#web/api/request-types.ts'
import { parseParams, type UrlParams } from '#web/lib/url-state.ts'

/** The domains whose list can be requested page by page. */
export type ListDomain = {
  [D in Domain]: Endpoints[D] extends { list: { query: infer Query extends z.core.$ZodType } }
    ? 'page' extends keyof z.output<Query>
      ? D
      : never
    : never
}[Domain]
type ListQuery<D extends ListDomain> = NonNullable<RequestOptions<D, 'list'>['query']>
type Filters<D extends ListDomain> = Omit<ListQuery<D>, 'page' | 'limit'>
type RowsIn<Response> = Response extends { data: infer Rows } ? Rows : Response
export type RowOf<D extends ListDomain> = RowsIn<ResponseOf<D, 'list'>> extends readonly (infer Row)[] ? Row : never
export type ExportName<D extends ListDomain> = Extract<EndpointName<D>, 'export' | 'exportBookings'>

export type ListValues = { page: number; sort: string }

/** What live updates need to know of a list. */
type LiveList = {
  /** What one row and several are called: 'pod', 'pods'. */
  nouns: readonly [one: string, many: string]
  /**
   * The kind of its records, whose hints say which row is new or changed. Undefined for logs, whose hints do not say:
   * rows are only added to them, at the top when the newest come first.
   */
  entity: LiveEntity | undefined
}

type ListOptions<D extends ListDomain, V> = LiveList & {
  pageSize: number | ((values: V) => number)
  /** Whether the rows change as time passes. */
  isTimed?: (values: V) => boolean
} & ([Exclude<keyof V, 'page' | keyof Filters<D>>] extends [never]
    ? { toFilters?: undefined }
    : {
        /** Converts the URL's values to the endpoint's filters, where the two differ. */
        toFilters: (values: V) => Filters<D>
      })

/** How a list screen turns its URL into requests. */
export type ListDefinition<D extends ListDomain, V> = LiveList & {
  domain: D
  params: UrlParams<V>
  toPageSize: (values: V) => number
  isTimed: (values: V) => boolean
  toFilters: (values: V) => Filters<D>
  /** Returns the query for the list page in the URL. */
  toQuery: (values: V) => ReturnType<typeof listQuery<D>>
  /** The query for one record without search and filters; its response has the total of all records. */
  allQuery: ReturnType<typeof listQuery<D>>
  /** Starts to load the list page for these search parameters, before the screen is rendered. */
  prefetch: (search: Record<string, string | undefined>) => Promise<void>
}

/**
 * Defines a list of records separately from its screen, so that the router can send the request while the screen's code
 * is still loading. The parameters have the names and types of the endpoint's query, unless `toFilters` converts them.
 *
 *     export const userList = defineList(
 *       'users',
 *       { page: pageParam(), search: textParam(), sort: choiceParamOr(['name', '-name'], 'name') },
 *       { nouns: ['user', 'users'], entity: 'customer', pageSize: 10 },
 *     )
 */
export function defineList<D extends ListDomain, V extends ListValues>(
  domain: D,
  params: UrlParams<V>,
  options: ListOptions<D, V>,
): ListDefinition<D, V> {
  const { nouns, entity, pageSize, isTimed = () => false } = options
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
    nouns,
    entity,
    params,
    toPageSize,
    isTimed,
    toFilters,
    toQuery,
    allQuery: listQuery(domain, { page: 1, limit: 1 } as unknown as ListQuery<D>), // every list is paged
    prefetch: (search) => queryClient.prefetchQuery(toQuery(parseParams(params, search))),
  }
}

/** Casts, because the compiler cannot see that every list domain takes these options. */
function listQuery<D extends ListDomain>(domain: D, query: ListQuery<D>) {
  return apiQuery(domain, 'list', ...([{ query }] as unknown as RequestArguments<D, 'list'>))
}
