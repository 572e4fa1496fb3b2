import { toInstant, toWireTime } from '#contract/slots.ts'

/** The instants of a filter by date: its days are of the business, in its `timeZone`. `before` is exclusive. */
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

/** Nothing is older or younger, and the driver writes no other years as the database reads them. */
function toPlausible(date: string): string {
  if (date < '1900') return '1900-01-01'
  return date > '9998' ? '9998-12-31' : date
}
