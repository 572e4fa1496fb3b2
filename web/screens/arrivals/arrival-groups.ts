import type { Arrival, Arrivals } from '#contract/booking-actions.ts'
import { type ArrivalGroup, arrivalGroups } from '#contract/booking-statuses.ts'

/**
 * Check-ins that have been sent, by booking: the version that each was made from, and when the server says it was, null
 * while it has not responded.
 */
export type CheckIns = Partial<Record<string, { at: string | null; version: number }>>

/**
 * Returns the groups with anybody in them, each with how many these are, of whom only the first may be listed. Whoever is
 * being checked in is shown as if the server knew of it.
 */
export function groupArrivals({ arrivals, counts }: Pick<Arrivals, 'arrivals' | 'counts'>, checkIns: CheckIns) {
  const count = { ...counts }
  const shown = arrivals.map((arrival): Arrival => {
    const checkIn = checkIns[arrival._id]
    if (checkIn?.version !== arrival.version) return arrival
    count[arrival.group] -= 1
    count.in += 1
    return { ...arrival, checkedInAt: checkIn.at, group: 'in', actions: [] }
  })
  return arrivalGroups
    .filter((group) => count[group] > 0)
    .map((group) => ({
      title: titles[group],
      count: count[group],
      arrivals: shown.filter((arrival) => arrival.group === group),
    }))
}

const titles: Readonly<Record<ArrivalGroup, string>> = {
  late: 'Late',
  expected: 'Expected',
  leaving: 'Leaving',
  in: 'In',
  over: 'Over',
}
