import { Readable } from 'node:stream'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEventStream, isFileDownload, isPaged, isStreamed } from './results.ts'

/** Sends what a handler has returned, as the schema of its endpoint says. */
export function sendResult(
  endpoint: Endpoint,
  reply: FastifyReply,
  result: unknown,
  toItemText: (item: unknown) => string,
) {
  reply.header('cache-control', 'no-store')
  if (isFileDownload(result)) {
    return reply
      .header('content-type', result.contentType)
      .header('content-disposition', `attachment; filename="${result.filename}"`)
      .send(result.body)
  }
  if (isEventStream(result)) {
    return (
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        // Keeps proxies from buffering or compressing the events.
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
        // A connection kept for another request would delay a server that is closing.
        .header('connection', 'close')
        .send(result.body)
    )
  }
  const wrapped = findWrappedList(endpoint.response) !== undefined
  if (isPaged(result)) {
    if (result.total !== undefined) reply.header('x-total-count', String(result.total))
    if (result.isFuzzy) reply.header('x-search-match', 'alike')
    return reply.send(wrapped ? { data: result.rows } : result.rows)
  }
  if (isStreamed(result)) {
    const parts = wrapped ? (['{"data":[', ']}'] as const) : (['[', ']'] as const)
    return (
      reply
        .header('content-type', 'application/json; charset=utf-8')
        // A byte stream, because in object mode sixteen batches would be read ahead of the client.
        .send(Readable.from(toJsonParts(result.batches, toItemText, parts), { objectMode: false }))
    )
  }
  const version = findVersion(result)
  if (version !== undefined) reply.header('etag', `"${version}"`)
  return reply.send(result)
}

/** Returns the record's version, which clients send back as `If-Match`. Undefined when the result has none. */
function findVersion(result: unknown): number | undefined {
  const isRecord = typeof result === 'object' && result !== null && 'version' in result
  return isRecord && typeof result.version === 'number' ? result.version : undefined
}

async function* toJsonParts(
  batches: AsyncIterable<unknown[]>,
  toItemText: (item: unknown) => string,
  [open, close]: readonly [string, string],
): AsyncGenerator<string> {
  let separator = open
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield separator + batch.map(toItemText).join(',')
    separator = ','
  }
  yield (separator === open ? open : '') + close
}

/** Returns the list schema of a response `{ data: [...] }`; undefined for any other response. */
function findWrappedList(response: z.core.$ZodType): z.core.$ZodArray | undefined {
  const data = response instanceof z.core.$ZodObject ? response._zod.def.shape.data : undefined
  return data instanceof z.core.$ZodArray ? data : undefined
}

export function createItemSerialiser({ response }: Endpoint): (item: unknown) => string {
  const list = findWrappedList(response) ?? response
  return list instanceof z.core.$ZodArray ? createSerialiser(list._zod.def.element) : JSON.stringify
}

/**
 * Returns a serialiser that drops whatever the schema does not name, so that no other column is ever sent. It is built
 * when it is first used, because building those of all endpoints would delay the server's start.
 */
export function createSerialiser(schema: z.core.$ZodType): (value: unknown) => string {
  let serialise: ((value: unknown) => string) | undefined
  return (value) => {
    serialise ??= fastJsonStringify(toJsonSchema(schema))
    return serialise(value)
  }
}

function toJsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    override: ({ jsonSchema: part }) => {
      // An array of texts or numbers has nothing to drop. Without a type, JSON.stringify writes it, with less garbage.
      if (part.type === 'array' && isPlain(part.items)) for (const key of Object.keys(part)) delete part[key]
    },
  })
  return jsonSchema
}

const plainTypes = ['string', 'integer', 'number', 'boolean']
const isPlain = (items: unknown) =>
  items instanceof Object && 'type' in items && plainTypes.some((type) => type === items.type)
