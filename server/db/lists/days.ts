import { toInstant, toWireTime } from '#contract/slots.ts'

/**
 * Returns the instants of a date filter, whose days are those of the business in its `timeZone`. `before` is exclusive.
 */
export function toInstants(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { from?: Date; before?: Date } {
  const toMark = (date: string, mark: string) => toInstant(new Date(toWireTime(toPlausible(date), mark)), timeZone)
  return {
    ...(from === undefined ? {} : { from: toMark(from, '00:00') }),
    ...(to === undefined ? {} : { before: toMark(to, '24:00') }),
  }
}

/** Clamps a date: no row is older or newer, and the driver writes other years in a form the database misreads. */
function toPlausible(date: string): string {
  if (date < '1900') return '1900-01-01'
  return date > '9998' ? '9998-12-31' : date
}
