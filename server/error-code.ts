/** Returns the code of an error of the system, the database or a library; undefined when it has none. */
export function findCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
