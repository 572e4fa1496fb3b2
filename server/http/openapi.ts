import { z } from 'zod'
import { FreeInsteadSchema } from '#contract/booking-actions.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { type ErrorBody, errors } from '#contract/errors.ts'
import { examples } from '#contract/examples.ts'
import { pages } from '#contract/pages.ts'
import { admitsKeys, isEdit, takesKey } from '#contract/routes.ts'
import { webhookEvents } from '#contract/webhook-events.ts'
import { about, notes } from './openapi-texts.ts'

type Json = Record<string, unknown>

/** Creates the OpenAPI 3.1 document from the contract, so that it cannot differ from what the server does. */
export function createOpenApiDocument(productName: string): Json {
  const paths: Record<string, Json> = {}
  for (const [tag, group] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(group)) {
      const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(tag, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1.0.0',
      description: about,
    },
    paths,
    webhooks: { change: { post: delivery } },
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The `token` of POST /api/user/login: of a person.' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'podkey_…',
          description:
            'Of another system: made under Messages, API keys, with pages of its own. 429 with Retry-After beyond 600 requests a minute, or as many as the operator has set.',
        },
      },
      schemas: { Error: errorSchema },
    },
  }
}

const text = { type: 'string' }
const toObject = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
})

const errorSchema: Json = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'What is wrong and what to do, for people.' },
    code: {
      type: 'string',
      description: Object.entries(errors)
        .map(([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`)
        .join('\n'),
    },
    errors: {
      type: 'array',
      description: 'Of invalid_input and others of one field: `path` such as `images.0.url`; empty for the whole body.',
      items: toObject({ path: text, message: text }),
    },
    reasons: {
      type: 'array',
      description:
        'Of a booking that is refused: everything that is in the way, with the booking or closure for who may see it.',
      items: toObject(
        {
          code: text,
          message: text,
          booking: toObject({ _id: text, username: text, company: text, startTime: text, endTime: text }, [
            '_id',
            'username',
            'startTime',
            'endTime',
          ]),
          closure: toObject({ _id: text, reason: text, starts: text, ends: { type: ['string', 'null'] } }),
        },
        ['code', 'message'],
      ),
    },
    current: { type: 'object', description: 'Of record_changed: the record as it is now.' },
    free: {
      ...toSchema(FreeInsteadSchema, 'output'),
      description: 'Of a booking that is refused: `times` in the same pod and `pods` at the same time.',
    },
    challenge: {
      type: 'string',
      description: 'Of second_factor_required: what the code is sent with, to POST /sessions within five minutes.',
    },
    passkey: {
      type: 'object',
      description:
        'Of second_factor_required, for who has passkeys: `options` for navigator.credentials.get(), whose result is sent with the challenge to POST /sessions/passkeys; `isOnlyOne` where there is no authenticator app.',
    },
    requestId: { type: 'string', description: 'As in the header X-Request-Id: support finds the request by it.' },
  } satisfies Record<keyof ErrorBody, Json>,
}

const fields: Json = {
  type: ['object', 'null'],
  description:
    'The fields that have changed, by column, as in GET /api/history; null when there are none. Wall clocks end in +00:00 here.',
}

const delivery: Json = {
  tags: ['webhooks'],
  summary: 'What is posted to the URL of a webhook for each event that it is subscribed to, at least once',
  description:
    'Any status of 2XX within 10 seconds takes it; otherwise it is sent again, with pauses that grow to an hour, ten times in all. `changed` are all changes without a word of their own, such as a move, a check-in, or a status that the clock sets. Changes of a record may arrive in another order than they were made in: `data.version` says which is newer.',
  parameters: [
    toHeaderParameter('webhook-id', 'The delivery: the same whenever it is sent again.'),
    toHeaderParameter('webhook-timestamp', 'When it is sent, in seconds since 1970.'),
    toHeaderParameter('webhook-signature', 'Made with the secret of the webhook, as Standard Webhooks specifies.'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: {
              type: 'string',
              enum: Object.entries(webhookEvents).flatMap(([kind, words]) => words.map((word) => `${kind}.${word}`)),
            },
            timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
            data: {
              type: 'object',
              required: ['id', 'version', 'before', 'after'],
              properties: {
                id: { type: 'string' },
                version: { type: 'integer', description: 'Of the record after the change.' },
                before: fields,
                after: fields,
              },
            },
          },
        },
      },
    },
  },
  responses: { '2XX': { description: 'Taken' } },
}

function toHeaderParameter(name: string, description: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

const contentTypes = {
  json: 'application/json',
  multipart: 'application/json',
  csv: 'text/csv',
  events: 'text/event-stream',
} as const

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the request, best as a UUID: sent again within 24 hours with the same key it changes nothing more and gets the first response, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function toVersion({ method, ifMatch }: Endpoint): Json[] {
  if (ifMatch === 'unused' || !(method === 'PUT' || method === 'DELETE' || ifMatch)) return []
  const description =
    'The version that the change is made from, such as `"3"`, or `*` for any: an outdated one is a 409 with the record as it is now.'
  return [{ name: 'If-Match', in: 'header', required: ifMatch !== 'optional', description, schema: { type: 'string' } }]
}

const toHeader = (description: string): Json => ({ description, schema: { type: 'string' } })

/** Of every response, also of errors. */
const commonHeaders: Json = { 'X-Request-Id': toHeader('That of the request, or one that it was given.') }
const accessHeaders: Json = {
  'X-Auth-Pages': toHeader('The pages that the sender holds now, such as `6,9`.'),
  'X-Auth-View-Only': toHeader('Those of them that they may view, but not edit.'),
  'X-Auth-Locations': toHeader('The ids of their locations, or a hash of more than 50; absent when they have all.'),
  'X-Auth-View-As': toHeader('The id of the colleague whose portal they see.'),
}
const failureHeaders: Json = {
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

function toHeaders(tag: string, endpoint: Endpoint): Json {
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

const toSenderHeaders = ({ access }: Endpoint): Json => ({
  ...commonHeaders,
  ...(access !== 'public' && accessHeaders),
})

type Example = { query?: Json; body?: unknown; response?: unknown }

/** Returns the example of an endpoint; undefined when it has none. */
function findExample(tag: string, name: string): Example | undefined {
  const groups: Partial<Record<string, Partial<Record<string, Example>>>> = examples
  return groups[tag]?.[name]
}

function toOperation(tag: string, name: string, endpoint: Endpoint): Json {
  const example = findExample(tag, name)
  const failure = (description: string) => ({
    description,
    headers: { ...toSenderHeaders(endpoint), ...failureHeaders },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  return {
    tags: [tag],
    operationId: `${tag}.${name}`,
    summary: endpoint.summary,
    description: [`${toAccessText(endpoint)}${endpoint.sensitive ? SENSITIVE : ''}`, toNote(tag, name)]
      .join('\n\n')
      .trim(),
    parameters: [
      ...toPathParameters(endpoint.path),
      ...toQueryParameters(endpoint, example?.query),
      ...(takesKey(endpoint) ? [idempotencyKey] : []),
      ...toVersion(endpoint),
    ],
    ...toRequestBody(endpoint, example?.body),
    security: toSecurity(endpoint),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Success',
        headers: toHeaders(tag, endpoint),
        content: {
          [contentTypes[endpoint.kind ?? 'json']]: {
            schema: toSchema(endpoint.response, 'output'),
            ...(example && { example: example.response }),
          },
        },
      },
      '4XX': failure('Refused: the message says what to do'),
      '5XX': failure('Failed on our side'),
    },
  }
}

function toNote(tag: string, name: string): string {
  const ofAll: Partial<Record<string, string>> = notes
  return ofAll[`${tag}.${name}`] ?? ''
}

function toSecurity(endpoint: Endpoint): Json[] {
  if (endpoint.access === 'public') return []
  return [{ session: [] }, ...(admitsKeys(endpoint) ? [{ apiKey: [] }] : [])]
}

const SENSITIVE =
  ' 403 confirmation_required when the password was last given in this session more than 15 minutes ago: give it by POST /sessions/confirmations, then send this again.'

function toAccessText(endpoint: Endpoint): string {
  const { access, edits, viewIsEnough, locations } = endpoint
  if (access === 'public') return 'Open to everyone.'
  const who = admitsKeys(endpoint) ? 'a session or an API key' : 'a session'
  if (access === 'session') return `Needs ${who}${edits ? ' that may edit a page of the record' : ''}.`
  const all = locations === 'all' ? ' Takes all locations, or is 403 all_locations_required.' : ''
  const names = access.map((code) => `${pages.find((page) => page.id === code)?.name} (${code})`)
  const why = viewIsEnough === undefined ? '' : ` ${viewIsEnough}.`
  return `Needs ${who} that may ${isEdit(endpoint) ? 'edit' : 'view'} one of these pages: ${names.join(', ')}.${why}${all}`
}

function toPathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function toQueryParameters({ query, kind }: Endpoint, example: Json = {}): Json[] {
  if (query === undefined) return []
  // Files have the whole list.
  const isUsed = (name: string) => kind !== 'csv' || (name !== 'page' && name !== 'limit')
  // The schema of every query is an object.
  const { properties, required = [] } = toSchema(query, 'input') as { properties: Json; required?: string[] }
  const used = Object.entries(properties).filter(([name]) => isUsed(name))
  return used.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    // An integer is text in the query that the example is for.
    example: (schema as Json).type === 'integer' && name in example ? Number(example[name]) : example[name],
  }))
}

function toRequestBody(endpoint: Endpoint, example: unknown): Json {
  if (endpoint.files) {
    const { part, several } = endpoint.files
    const file = { type: 'string', format: 'binary' }
    const properties = { [part]: several ? { type: 'array', items: file } : file }
    const schema = { type: 'object', properties, required: [part] }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  if (!endpoint.body) return {}
  const content = { schema: toSchema(endpoint.body, 'input'), ...(example === undefined ? {} : { example }) }
  const required = !z.safeParse(endpoint.body, undefined).success
  return { requestBody: { required, content: { 'application/json': content } } }
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // What every integer of JavaScript is.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}
