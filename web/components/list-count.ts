import type { ListTotal } from '#web/api/use-list.ts'

/** The count in a list's heading: 'All Bookings (12)', or 'All Bookings (10,000+)'. */
export function toListCount(label: string, { count, isAtLeast }: ListTotal): string | undefined {
  return count === undefined ? undefined : `${label} (${count.toLocaleString('en')}${isAtLeast ? '+' : ''})`
}
