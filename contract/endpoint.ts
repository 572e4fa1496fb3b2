import type * as z from 'zod/mini'
import type { Route } from './routes.ts'

export type EndpointSchemas = {
  /** Path parameters that are ids need no schema: a malformed id is a 404 like an unknown one (rules §16.4). */
  params?: z.ZodMiniType
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  response: z.ZodMiniType
  /** Status of success; 200 unless said otherwise. */
  status?: 200 | 201
  /**
   * PUT and DELETE need `If-Match` with the version that the change was made from, so that nobody overwrites what they have
   * not seen. Only calls that older clients know do without (rules §22.4).
   */
  ifMatch?: 'optional'
  /** `multipart`: the handler reads the parts itself. `csv` and `events`: the response is a stream, `response` its text. */
  kind?: 'json' | 'multipart' | 'csv' | 'events'
}

export type Endpoint = Route & EndpointSchemas

/** Joins a route with its schemas, keeping both literal types. */
export function endpoint<R extends Route, const S extends EndpointSchemas>(route: R, schemas: S): R & S {
  return { ...route, ...schemas }
}
