import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { takesKey } from '#contract/routes.ts'
import type { IdempotentRequest } from '../context.ts'
import { AppError } from './app-error.ts'

/** Reads the `Idempotency-Key` of a request; undefined when there is none, or when the endpoint does not take one. */
export function readIdempotency(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  const { method, path, status = 200 } = endpoint
  if (!takesKey(endpoint) || key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new AppError('invalid_input', { message: 'Idempotency-Key must be 1 to 255 printable characters.' })
  }
  const asked = toText([method, path, request.params, request.query, request.body, request.headers['if-match']])
  return {
    key,
    isSecret: endpoint.showsSecret === true,
    requestHash: createHmac('sha256', key).update(asked).digest(),
    // Every endpoint that takes a key responds with an object.
    serialise: (result) => String(reply.serializeInput(result as Record<string, unknown>, String(status))),
  }
}

/** Unlike reading JSON, writing it takes a stack as deep as it is nested. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new AppError('invalid_input', { message: 'This JSON is nested too deeply.' })
  }
}
