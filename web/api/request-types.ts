import type { z } from 'zod'
import type { Endpoints } from '#contract/endpoints.ts'

/** Types of every request, inferred from the contract. They add nothing at run time. */

export type Domain = keyof Endpoints
export type EndpointName<D extends Domain> = keyof Endpoints[D] & string

type PathParams<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<E> = E extends { path: infer Path }
  ? [PathParams<Path>] extends [never]
    ? { params?: undefined }
    : { params: Record<PathParams<Path>, string> }
  : never

/** Has the types of the parsed query (page is a number); undefined, null and empty values are not sent. */
type QueryOf<E> = E extends { query: infer Q extends z.core.$ZodType }
  ? object extends z.output<Q>
    ? { query?: Loose<z.output<Q>> | undefined }
    : { query: Loose<z.output<Q>> }
  : { query?: undefined }

type Loose<T> = { [K in keyof T]: T[K] | undefined }

type BodyOf<E> = E extends { body: infer B extends z.core.$ZodType } ? { body: z.input<B> } : { body?: undefined }

export type RequestOptions<D extends Domain, N extends EndpointName<D>> = ParamsOf<Endpoints[D][N]> &
  QueryOf<Endpoints[D][N]> &
  BodyOf<Endpoints[D][N]> & {
    /** Version of the record as the person saw it; the server refuses the change if it is outdated (rules §22.4). */
    version?: number | undefined
    signal?: AbortSignal | undefined
  }

/** Options are optional when the endpoint requires none. */
export type RequestArguments<D extends Domain, N extends EndpointName<D>> =
  object extends RequestOptions<D, N> ? [options?: RequestOptions<D, N>] : [options: RequestOptions<D, N>]

export type ResponseOf<D extends Domain, N extends EndpointName<D>> = Endpoints[D][N] extends {
  response: infer R extends z.core.$ZodType
}
  ? z.output<R>
  : never

/** With the scope `request`, the other changes of the request are undone too, as those of a series. */
export type Undo = { id: string; scope: 'request' | undefined }

export type ApiResponse<T> = {
  data: T
  /** Total number of matching records (X-Total-Count); undefined when the response does not say. */
  total: number | undefined
  /** True when there are more than `total`: the server stopped counting there. */
  isAtLeast: boolean
  /** The search, when nothing matches it exactly and the rows are fuzzy matches (X-Search-Match). */
  similarTo: string | undefined
  /** The record's version (ETag), to be sent as `version` with a change of it. */
  version: number | undefined
  /** The id in the path of the request. */
  recordId: string | undefined
  /** The change that this request made, when it can be undone (X-Undo-Id, X-Undo-Scope). */
  undo: Undo | undefined
}
