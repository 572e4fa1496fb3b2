/** What a person is told when something failed. `requestId` lets an operator find it in the log. */
export type Problem = {
  /** What failed, when the message alone does not say it. */
  title?: string
  message: string
  requestId?: string | undefined
  /** Trying again cannot help, so that no Retry is offered. */
  isRefusal?: boolean
}

/** Converts anything thrown to a Problem; keeps `requestId` and `isRefusal` of errors that have them, as the API's do. */
export function toProblem(error: unknown): Problem {
  const message = error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.'
  const requestId =
    typeof error === 'object' && error !== null && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : undefined
  const isRefusal = error instanceof Error && 'isRefusal' in error && error.isRefusal === true
  return { message, requestId, isRefusal }
}
