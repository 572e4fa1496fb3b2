import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { examples } from '#contract/examples.ts'
import { toPagesText } from '#contract/pages.ts'
import { admitsKeys, isEdit, takesKey } from '#contract/routes.ts'
import { delivery } from './openapi-delivery.ts'
import { failureHeaders, idempotencyKey, toHeaders, toSenderHeaders, toIfMatch } from './openapi-headers.ts'
import { errorSchema, type Json, toSchema } from './openapi-schemas.ts'
import { about, notes } from './openapi-texts.ts'

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

const contentTypes = {
  json: 'application/json',
  multipart: 'application/json',
  csv: 'text/csv',
  events: 'text/event-stream',
} as const

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
      ...toIfMatch(endpoint),
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
  const why = viewIsEnough === undefined ? '' : ` ${viewIsEnough}.`
  return `Needs ${who} that may ${isEdit(endpoint) ? 'edit' : 'view'} one of these pages: ${toPagesText(access)}.${why}${all}`
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
