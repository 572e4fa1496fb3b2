import type { Arrivals } from '#contract/booking-actions.ts'
import { isOpen } from '#contract/booking-statuses.ts'
import { hasWords } from '#web/lib/has-words.ts'

export type Arrival = Arrivals['arrivals'][number]

const LEAVING_MS = 15 * 60_000

/**
 * Groups arrivals, late ones first because staff look for them. Leaves out empty groups, and what does not have the words
 * of the search, in any order. `now` is wall-clock time.
 */
export function groupArrivals(arrivals: readonly Arrival[], now: string, search = '') {
  const groups = { Late: [], Expected: [], Leaving: [], In: [], Over: [] } as Record<string, Arrival[]>
  for (const arrival of arrivals) {
    if (search !== '' && !hasWords(`${arrival.name} ${arrival.podTitle}`, search)) continue
    groups[toGroup(arrival, now)]?.push(arrival)
  }
  return Object.entries(groups)
    .map(([title, members]) => ({ title, arrivals: members }))
    .filter((group) => group.arrivals.length > 0)
}

function toGroup(arrival: Arrival, now: string): string {
  const { startTime, endTime, checkedInAt } = arrival
  if (!isOpen(arrival) || endTime <= now) return 'Over'
  if (checkedInAt === null) return startTime <= now ? 'Late' : 'Expected'
  return Date.parse(endTime) - Date.parse(now) <= LEAVING_MS ? 'Leaving' : 'In'
}
