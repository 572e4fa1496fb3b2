import type { ListTotal } from '#web/api/use-list.ts'

/** The count in a list's heading: 'All Bookings (12)', or 'All Bookings (…)' while it is still counted. */
export function toListCount(label: string, { count, isCounting }: ListTotal): string | undefined {
  if (count !== undefined) return `${label} (${count.toLocaleString('en')})`
  return isCounting ? `${label} (…)` : undefined
}
