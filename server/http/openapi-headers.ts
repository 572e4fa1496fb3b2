import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { takesKey } from '#contract/routes.ts'
import type { Json } from './openapi-schemas.ts'

export function toHeaderParameter(name: string, description: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the request, best as a UUID: sent again within 24 hours with the same key it changes nothing more and gets the first response, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export function toIfMatch({ method, ifMatch }: Endpoint): Json[] {
  if (ifMatch === 'unused' || !(method === 'PUT' || method === 'DELETE' || ifMatch)) return []
  const description =
    'The version that the change is made from, such as `"3"`, or `*` for any: an outdated one is a 409 with the record as it is now.'
  return [{ name: 'If-Match', in: 'header', required: ifMatch !== 'optional', description, schema: { type: 'string' } }]
}

const toHeader = (description: string): Json => ({ description, schema: { type: 'string' } })

/** Of every response, also of errors. */
const commonHeaders: Json = {
  'X-Request-Id': toHeader(
    'That of the request, if it has 8 to 64 letters, digits, `-` or `_`; otherwise one that it was given.',
  ),
}
const accessHeaders: Json = {
  'X-Auth-Pages': toHeader('The pages that the sender holds now, such as `6,9`.'),
  'X-Auth-View-Only': toHeader('Those of them that they may view, but not edit.'),
  'X-Auth-Locations': toHeader('The ids of their locations, or a hash of more than 50; absent when they have all.'),
  'X-Auth-View-As': toHeader('The id of the colleague whose portal they see.'),
  'X-Auth-Idle-Until': toHeader('When their session ends unless it is used; absent with an API key.'),
}
export const failureHeaders: Json = {
  'Retry-After': toHeader('Seconds to wait, of every 429 and 503.'),
  'WWW-Authenticate': toHeader('`Bearer`, of every 401.'),
}
const listHeaders: Json = {
  'X-Total-Count': toHeader('Of a page: how many there are on all pages. `10000+` for more than are counted.'),
  'X-Search-Match': toHeader('`alike` when nothing matches the search as it is spelled, and these match with a typo.'),
}
const versionHeader: Json = { ETag: toHeader('The version of the record, to be sent back as If-Match.') }
const changeHeaders: Json = {
  'Idempotency-Replayed': toHeader('`true` for the first response, given again.'),
  'X-Undo-Id': toHeader('The change, if POST /api/activity/{id}/undo can take it back.'),
  'X-Undo-Scope': toHeader('`request` when the request made several such changes, to be taken back together.'),
}
/** Also of requests that take no key, such as sign-ins and downloads. */
const historyHeader: Json = { 'X-Change-Id': toHeader('The change in the history.') }
const fileHeaders: Json = { 'Content-Disposition': toHeader('`attachment`, with the name of the file.') }

export function toHeaders(tag: string, endpoint: Endpoint): Json {
  const { method, query, response, kind } = endpoint
  const has = (schema: z.core.$ZodType | undefined, name: string) =>
    schema instanceof z.core.$ZodObject && name in schema._zod.def.shape
  return {
    ...toSenderHeaders(endpoint),
    ...(kind === 'csv' && fileHeaders),
    ...(kind !== 'csv' && has(query, 'page') && listHeaders),
    // The bodies of the pricing have no version.
    ...((has(response, 'version') || tag === 'pricing') && versionHeader),
    ...((method !== 'GET' || kind === 'csv') && historyHeader),
    ...(takesKey(endpoint) && changeHeaders),
  }
}

export const toSenderHeaders = ({ access }: Endpoint): Json => ({
  ...commonHeaders,
  ...(access !== 'public' && accessHeaders),
})
