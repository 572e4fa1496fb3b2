import { type ErrorBody, type ErrorCode, errors, type FieldError } from '#contract/errors.ts'
import type { Outage } from '../db/database-error.ts'

type Details = {
  fields?: FieldError[]
  retryAfterSeconds?: number
  /** The record as it is now, for record_changed. */
  current?: unknown
  /** Why a booking is refused, and what is free instead. */
  refusal?: Pick<ErrorBody, 'reasons' | 'free'>
} & Pick<ErrorBody, 'challenge' | 'passkey'>

/**
 * A deliberate error, which http/error-handler.ts turns into a response. Without `message`, it has the code's own text.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Details

  constructor(code: ErrorCode, { message, ...details }: Details & { message?: string } = {}) {
    super(message ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Returns the error of one of several bookings with its date in front; errors of other kinds unchanged. */
export function withDate(error: unknown, date: string): unknown {
  if (!(error instanceof AppError)) return error
  const { refusal, fields } = error.details
  const message = `${date}: ${error.message}`
  return new AppError(error.code, { message, ...(refusal && { refusal }), ...(fields && { fields }) })
}

/** Returns a 400 for one field. */
export function fieldError(path: string, message: string): AppError {
  return new AppError('invalid_input', { message, fields: [{ path, message }] })
}

export function notFound(noun: string): AppError {
  return new AppError('not_found', { message: `${noun} not found` })
}

const outageErrors: Record<Outage, () => AppError> = {
  busy: () => new AppError('overloaded', { retryAfterSeconds: 5 }),
  away: () => new AppError('unavailable', { retryAfterSeconds: 3 }),
  // These two do not pass within seconds. The delay is longer than the portal waits before it shows the error.
  full: () =>
    new AppError('unavailable', {
      message:
        'Nothing can be saved: the disk is full. Ask whoever runs the server to free some space, then try again.',
      retryAfterSeconds: 60,
    }),
  'read-only': () =>
    new AppError('unavailable', {
      message:
        'Nothing can be saved: the database is read-only at the moment. Ask whoever runs the server, then try again.',
      retryAfterSeconds: 60,
    }),
}

/** Returns the 503 for an outage, which says when to try again. */
export function toOutageError(outage: Outage): AppError {
  return outageErrors[outage]()
}

/** Returns a 503 for images alone, when their store is unavailable; everything else keeps working. */
export function storeAway(): AppError {
  return new AppError('unavailable', {
    message: 'Images cannot be stored or shown at the moment. Try again in a moment.',
    retryAfterSeconds: 5,
  })
}
