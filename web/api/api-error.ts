import type { FreeInstead } from '#contract/booking-actions.ts'
import type { ErrorBody, ErrorCode, FieldError, Obstacle } from '#contract/errors.ts'

type Details = {
  /** HTTP status; 0 when no response came. */
  status: number
  /** `network`: no response came. `unreadable`: a response came, but not from the API (a proxy's page, say). */
  code: ErrorCode | 'network' | 'unreadable'
  message: string
  fields?: readonly FieldError[] | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  current?: unknown
  challenge?: string | undefined
  passkey?: ErrorBody['passkey'] | undefined
  reasons?: readonly Obstacle[] | undefined
  free?: FreeInstead | undefined
}

/** The error of a failed request; its message tells a person what to do. */
export class ApiError extends Error {
  readonly status: number
  readonly code: Details['code']
  /** The invalid fields, each with its path in the contract. */
  readonly fields: readonly FieldError[]
  readonly requestId: string | undefined
  /** Seconds to wait, when the server sent Retry-After. */
  readonly retryAfter: number | undefined
  /** The record as it is now, when the code is `record_changed`. */
  readonly current: unknown
  readonly challenge: string | undefined
  readonly passkey: ErrorBody['passkey']
  /** Everything that prevents a refused booking; `free` is what can be booked instead. */
  readonly reasons: readonly Obstacle[]
  readonly free: FreeInstead | undefined

  constructor({
    status,
    code,
    message,
    fields = [],
    requestId,
    retryAfterSeconds,
    current,
    challenge,
    passkey,
    reasons = [],
    free,
  }: Details) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.requestId = requestId
    this.retryAfter = retryAfterSeconds
    this.current = current
    this.challenge = challenge
    this.passkey = passkey
    this.reasons = reasons
    this.free = free
  }

  /** Whether the server would refuse the same request again, so that no Retry is offered. */
  get isRefusal(): boolean {
    if (this.status < 400 || this.status >= 500 || this.status === 408 || this.status === 429) return false
    return this.code !== 'confirmation_required' && this.code !== 'unreadable'
  }
}

/** For a request that was given up because the person did not give their password again. */
export function confirmationCancelled(): ApiError {
  const message = 'This was not done, because it needs your password again.'
  return new ApiError({ status: 403, code: 'confirmation_required', message })
}

export function networkError(): ApiError {
  const message = 'The server cannot be reached. Check your internet connection and try again.'
  return new ApiError({ status: 0, code: 'network', message })
}

/** Converts an unsuccessful response: to the API's own error when it sent one, else to an `unreadable` one. */
export function toApiError(status: number, text: string, header: (name: string) => string | null): ApiError {
  const body = parseErrorBody(text)
  const retryAfterSeconds = Number(header('retry-after') ?? Number.NaN)
  return new ApiError({
    status,
    code: body?.code ?? 'unreadable',
    message: body?.message ?? `The server gave no valid response (status ${status}). Try again in a moment.`,
    fields: body?.errors,
    requestId: body?.requestId,
    current: body?.current,
    challenge: body?.challenge,
    passkey: body?.passkey,
    reasons: body?.reasons,
    free: body?.free,
    retryAfterSeconds: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : undefined,
  })
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const isKnown =
      typeof body === 'object' &&
      body !== null &&
      'message' in body &&
      typeof body.message === 'string' &&
      'code' in body &&
      typeof body.code === 'string'
    // A message and a code show that the API itself sent this, so the rest follows the contract.
    return isKnown ? (body as ErrorBody) : undefined
  } catch {
    return undefined
  }
}
