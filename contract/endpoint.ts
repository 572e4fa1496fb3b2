import type * as z from 'zod/mini'
import type { Route } from './routes.ts'

type EndpointSchemas = {
  /** Path parameters that are ids need no schema: a malformed id is a 404 like an unknown one (rules §16.4). */
  params?: z.ZodMiniType
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  response: z.ZodMiniType
  /** Status of a successful response; 200 by default. */
  status?: 200 | 201
  /**
   * PUT and DELETE need `If-Match` with the version that the change is based on, so that nobody overwrites changes that
   * they have not seen. It is optional for endpoints that older clients use, and a few others (rules §22.4). `unused`:
   * what they change has no version, such as a session or a second factor, or it is in the body.
   */
  ifMatch?: 'optional' | 'unused'
  /**
   * `multipart`: the handler reads the parts itself. `csv` and `events`: the response is streamed, and `response`
   * describes its text.
   */
  kind?: 'json' | 'multipart' | 'csv' | 'events'
  /** With `multipart`: the part that holds the file, or each of several files. */
  files?: { part: string; several: boolean }
}

export type Endpoint = Route & EndpointSchemas

/** Joins a route with its schemas, keeping the literal types of both. */
export function endpoint<R extends Route, const S extends EndpointSchemas>(route: R, schemas: S): R & S {
  return { ...route, ...schemas }
}
