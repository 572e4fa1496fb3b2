/**
 * Whether PostgreSQL (or the engine's door) gave this error code. By code and never by class: an error may come from
 * another copy of the driver. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
