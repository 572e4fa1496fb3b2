import type { FreeInstead } from '#contract/booking-actions.ts'
import type { Obstacle } from '#contract/errors.ts'
import type { Occurrence } from '#contract/series.ts'
import { toDate } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { notFound } from '#server/http/app-error.ts'
import { listPodsLike, type PodLike } from '../availability/availability.repository.ts'
import { findObstaclesOfEach } from '../availability/availability.ts'
import { findAlternatives } from '../availability/free-instead.ts'
import type { AvailabilityOptions, Interval, WantedInterval } from '../availability/obstacles.ts'
import { type BookingTerms, getBookingTerms } from '../bookings/booking-terms.repository.ts'

/** The most dates that alternatives are looked for, as each takes several queries. */
const MOST_OFFERED = 40

/** Returns the price of an interval by the terms of its pod, or null when it is not sold. */
export type Quote = (terms: ReadonlyMap<string, BookingTerms>, interval: WantedInterval) => number | null

/** Returns each interval with what is in its way, and what is free instead on its date; `quote` prices other pods. */
export async function explainOccurrences(
  db: Db,
  intervals: readonly WantedInterval[],
  options: AvailabilityOptions,
  quote: Quote,
): Promise<Occurrence[]> {
  const obstacles = await findObstaclesOfEach(db, intervals, { ...options, isTogether: true })
  if (obstacles[0]?.some(({ code }) => code === 'not_found')) throw notFound('Pod')
  const taken = intervals.filter((_, index) => obstacles[index]?.length === 0)
  let offered = 0
  const podsLike = new Map<string, PodLike[]>()
  const found: { interval: WantedInterval; reasons: Obstacle[]; free: FreeInstead }[] = []
  for (const [index, interval] of intervals.entries()) {
    const reasons = obstacles[index] ?? []
    const isOffered = reasons.length > 0 && offered < MOST_OFFERED
    if (!isOffered) {
      found.push({ interval, reasons, free: { times: [], pods: [] } })
      continue
    }
    offered += 1
    const like = podsLike.get(interval.podId) ?? (await listPodsLike(db, interval.podId))
    podsLike.set(interval.podId, like)
    const free = await findAlternatives(db, interval, { ...options, taken, searchedDays: 1 }, like)
    found.push({ interval, reasons, free })
  }
  const offers = new Set(found.flatMap(({ free }) => free.pods.map(({ podId }) => podId)))
  const terms = await getBookingTerms(db, [...offers])
  return found.map(({ interval, reasons, free: { times, pods } }) =>
    Object.assign(toFree(interval), {
      reasons: reasons.map(({ code, message }) => ({ code, message })),
      free: {
        times,
        pods: pods.map((pod) => Object.assign(pod, { price: quote(terms, { ...interval, podId: pod.podId }) })),
      },
    }),
  )
}

export const toFree = (interval: Interval): Occurrence => ({
  date: toDate(interval.start),
  ...toTimes(interval),
  reasons: [],
  free: { times: [], pods: [] },
})

const toTimes = ({ start, end }: Interval) => ({ startTime: start.toISOString(), endTime: end.toISOString() })
