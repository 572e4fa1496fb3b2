/** What a person is told when something failed. `requestId` lets an operator find it in the log. */
export type Problem = {
  /** What failed, when the message alone does not say it. */
  title?: string
  message: string
  requestId?: string | undefined
}

/** Converts anything thrown to a Problem; keeps the `requestId` of errors that have one, as the API's do. */
export function toProblem(error: unknown): Problem {
  const message = error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.'
  const requestId =
    typeof error === 'object' && error !== null && 'requestId' in error && typeof error.requestId === 'string'
      ? error.requestId
      : undefined
  return { message, requestId }
}
