import { type ErrorCode, errors, type FieldError } from '#contract/errors.ts'

/** A refusal on purpose; http/error-handler.ts turns it into an answer. Without `message`, the code's own text is used. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: { message?: string; fields?: FieldError[]; retryAfterSeconds?: number } = {}) {
    super(options.message ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A 400 for one field. */
export function fieldError(path: string, message: string): AppError {
  return new AppError('invalid_input', { message, fields: [{ path, message }] })
}

export function notFound(noun: string): AppError {
  return new AppError('not_found', { message: `${noun} not found` })
}
