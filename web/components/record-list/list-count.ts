import { toCountText } from '#web/lib/format.ts'

/** The total of the records that match. */
export type ListTotal = {
  /** Undefined until it is known. */
  count: number | undefined
  /** There are more than `count`: the server stopped counting there. */
  isAtLeast: boolean
}

/**
 * Returns the count in a list's heading: 'All Bookings (12)', or 'All Bookings (10,000+)'. For a list that is filtered
 * or searched it is '20 of 3,603', where `all` is the number of records without that, once it is known.
 */
export function toListCount(
  label: string,
  { count, isAtLeast }: ListTotal,
  narrowed?: { all: number | undefined },
): string | undefined {
  if (count === undefined) return undefined
  const words = `${toCountText(count)}${isAtLeast ? '+' : ''}`
  if (narrowed === undefined) return `${label} (${words})`
  return narrowed.all === undefined ? words : `${words} of ${toCountText(narrowed.all)}`
}

/** Returns props for a heading whose count is a button that shows all records, with the number found beside it. */
export function toAllCount(
  label: string,
  list: { total: ListTotal; narrowed: { all: number | undefined } | undefined; state: { clear: () => void } },
) {
  const { total, narrowed, state } = list
  return {
    count: toListCount(label, narrowed ? { count: narrowed.all, isAtLeast: false } : total),
    found: narrowed && toListCount(label, total, narrowed),
    onShowAll: state.clear,
  }
}
