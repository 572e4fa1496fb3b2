import type { z } from 'zod'
import type { Endpoints } from '#contract/endpoints.ts'

/** The types of every call, read off the contract; nothing of this is left at run time. */

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

/** In the types of the parsed query (page is a number); what is undefined or empty is not sent. */
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
    /** Of the record as the person has seen it: the change is refused when there is a newer one (rules §22.4). */
    version?: number | undefined
    signal?: AbortSignal | undefined
  }

/** Options may be left out where the call needs none. */
export type RequestArguments<D extends Domain, N extends EndpointName<D>> =
  object extends RequestOptions<D, N> ? [options?: RequestOptions<D, N>] : [options: RequestOptions<D, N>]

export type ResponseOf<D extends Domain, N extends EndpointName<D>> = Endpoints[D][N] extends {
  response: infer R extends z.core.$ZodType
}
  ? z.output<R>
  : never

export type ApiResponse<T> = {
  data: T
  /** How many records match in all (X-Total-Count); undefined where the response does not say. */
  total: number | undefined
  /** There are more than that: the server counts no further. */
  isAtLeast: boolean
  /** The words searched for, when nothing has them literally and what is listed is spelled similarly (X-Search-Match). */
  similarTo: string | undefined
  /** Of a record (ETag): what a change of it is made from. */
  version: number | undefined
  /** The change that this was, when it can be taken back (X-Undo-Id). */
  undoId: string | undefined
}
