import { toCountText } from '#web/lib/format.ts'

/** How many records match in all. */
export type ListTotal = {
  /** Undefined until it is known. */
  count: number | undefined
  /** There are more than that: the server counts no further. */
  isAtLeast: boolean
}

/**
 * The count in a list's heading: 'All Bookings (12)', or 'All Bookings (10,000+)'. Of a list that a filter or a search
 * narrows '20 of 3,603', where `all` is how many there are without them, once that is known.
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

/** For a heading whose count is a button that shows all records: what is found of them stands beside it. */
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
