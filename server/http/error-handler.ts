import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts'
import { findOutage } from '../db/database-error.ts'
import { isUniqueViolation } from '../db/transaction.ts'
import { StoreError } from '../storage/store-error.ts'
import { AppError, storeAway, toOutageError } from './app-error.ts'

/** The error codes of unique constraints that a person can violate. This is the only place that maps them to 409s. */
const uniqueCodes: Record<string, ErrorCode> = {
  booking_slots_pkey: 'slot_taken',
  staff_email_key: 'email_taken',
  users_email_key: 'email_taken',
}

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
}

/** Statuses that are logged with the sender's id, so that attempts to gain access can be found (rules §35.4). */
const deniedStatuses: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Sends every error as `{ message, code, errors?, requestId }`; an unexpected one as `internal`, with its cause only in
 * the log.
 */
export function addErrorHandler(app: FastifyInstance, { logsRequests }: { logsRequests: boolean }): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toAppError(error)
    if (!known) request.log.error({ err: error }, 'request failed')
    else if (known.code === 'unavailable')
      request.log.warn({ err: error }, 'request refused: nothing can be read or saved')
    else if (logsRequests && deniedStatuses.has(errors[known.code].status))
      request.log.info({ code: known.code, actorId: request.actorId }, 'request denied')
    return sendError(request, reply, known ?? new AppError('internal'))
  })
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const { message, code } = error
  const { fields, retryAfterSeconds, refusal, ...more } = error.details
  const body: ErrorBody = {
    message,
    code,
    ...refusal,
    requestId: request.id,
    ...(fields && { errors: fields }),
    ...more,
  }
  // Already set when a file or a streamed list fails before its first byte.
  reply.removeHeader('content-disposition')
  reply.removeHeader('content-encoding')
  // HTTP asks for it, and some clients report a 401 without it as a broken connection.
  if (errors[code].status === 401) reply.header('www-authenticate', 'Bearer')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(errors[code].status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(body)
}

function toAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  if (isUniqueViolation(error)) {
    const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
    return new AppError(uniqueCodes[constraint] ?? 'conflict')
  }
  if (error instanceof StoreError) return storeAway()
  const outage = findOutage(error)
  if (outage) return toOutageError(outage)
  const code = frameworkCodes[error.code]
  if (code) return new AppError(code)
  // Any other 4xx of the framework is the client's fault; its message describes the request and reveals nothing about
  // us.
  const status = error.statusCode
  if (status === 413) return new AppError('payload_too_large')
  if (status === 415) return new AppError('unsupported_type')
  if (status === 429) return new AppError('too_many_requests')
  if (status !== undefined && status >= 400 && status < 500)
    return new AppError('invalid_input', { message: error.message })
  return undefined
}
