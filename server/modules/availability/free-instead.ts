import type { FreeInstead } from '#contract/booking-actions.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { CLOSING_HOUR, OPENING_HOUR, SLOT_MS, toDate } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { listPodsLike, type PodLike, readPodTimes } from './availability.repository.ts'
import { type AvailabilityOptions, explain, type Interval, isSameInterval, type WantedInterval } from './obstacles.ts'

/** How many free times and pods are offered instead, and how many days are searched for times. */
const OFFERED = 3
const SEARCHED_DAYS = 7
/** How many similar pods are checked first. While too few of them are free, each further step checks more. */
const CHECKED_FIRST = 50

/**
 * Returns what is free instead: the nearest times of the same length in that pod, and similar pods at that time. Nothing
 * for a booking that has begun, which stays in its pod and keeps its start (rules §27.5). `podsLike` are the pods like
 * its own, for those who ask about many times.
 */
export async function findAlternatives(
  db: Db | Tx,
  interval: WantedInterval,
  options: AvailabilityOptions,
  podsLike?: readonly PodLike[],
): Promise<FreeInstead> {
  if (options.mayHavePassed && interval.start <= options.now) return { times: [], pods: [] }
  return {
    times: await findFreeTimes(db, interval, options),
    pods: await findFreePods(db, interval, options, podsLike),
  }
}

async function findFreeTimes(db: Db | Tx, interval: WantedInterval, options: AvailabilityOptions) {
  const { podId, start, end } = interval
  const { searchedDays = SEARCHED_DAYS } = options
  const length = end.getTime() - start.getTime()
  const midnight = toMidnight(start)
  const wholeDays = { ...interval, start: new Date(midnight), end: new Date(midnight + searchedDays * DAY) }
  const [time] = await readPodTimes(db, [wholeDays])
  if (!time) return []
  const free = []
  for (const from of listStarts(midnight, searchedDays, start.getTime(), length)) {
    const found = { podId, start: new Date(from), end: new Date(from + length) }
    if (isSameInterval(found, options.current) || explain(time, found, { ...options, mayHavePassed: false }).length > 0)
      continue
    free.push({ startTime: found.start.toISOString(), endTime: found.end.toISOString() })
    if (free.length === OFFERED) break
  }
  return free
}

/** Lists possible starts, nearest first; of two equally near ones the earlier first. */
function listStarts(midnight: number, days: number, wanted: number, length: number): number[] {
  const starts: number[] = []
  for (let day = 0; day < days; day++) {
    const opens = midnight + day * DAY + OPENING_HOUR * HOUR
    const closes = midnight + day * DAY + CLOSING_HOUR * HOUR
    for (let start = opens; start + length <= closes; start += SLOT_MS) starts.push(start)
  }
  return starts.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
}

/** Finds similar pods that are free in the interval, most similar first. */
export async function findFreePods(
  db: Db | Tx,
  interval: WantedInterval,
  options: AvailabilityOptions,
  podsLike?: readonly PodLike[],
): Promise<FreeInstead['pods']> {
  const like = podsLike ?? (await listPodsLike(db, interval.podId))
  const free: PodLike[] = []
  for (let checked = 0, next = CHECKED_FIRST; checked < like.length && free.length < OFFERED; next *= 3) {
    const pods = like.slice(checked, checked + next)
    const places = pods.map(({ podId }) => ({ ...interval, podId }))
    const times = await readPodTimes(db, places)
    const isFree = places.map(
      (place, index) => !isSameInterval(place, options.current) && explain(times[index], place, options).length === 0,
    )
    free.push(...pods.filter((_, index) => isFree[index]))
    checked += pods.length
  }
  return free
    .slice(0, OFFERED)
    .map(({ podId, podTitle, locationName, fewerSeats }) => ({ podId, podTitle, locationName, fewerSeats }))
}

/** Chooses the first free interval of each list, so that no two conflict; undefined where none is free. */
export async function chooseFree(
  db: Db | Tx,
  lists: readonly (readonly Interval[])[],
  options: AvailabilityOptions,
): Promise<(Interval | undefined)[]> {
  const isFree = await readFree(db, lists.flat(), options)
  const taken: Interval[] = [...(options.taken ?? [])]
  return lists.map((intervals) => {
    const free = intervals.find((one) => isFree(one, taken))
    if (free) taken.push(free)
    return free
  })
}

/** Returns what tells which of the intervals are free. Reads each pod's day only once, however many of them lie in it. */
export async function readFree(
  db: Db | Tx,
  intervals: readonly Interval[],
  options: AvailabilityOptions,
): Promise<(interval: Interval, taken?: readonly Interval[]) => boolean> {
  const days = new Map<string, Interval>()
  const toKey = ({ podId, start }: Interval) => `${podId} ${toDate(start)}`
  for (const interval of intervals) {
    const midnight = toMidnight(interval.start)
    days.set(toKey(interval), { podId: interval.podId, start: new Date(midnight), end: new Date(midnight + DAY) })
  }
  const times = await readPodTimes(db, [...days.values()])
  const byDay = new Map([...days.keys()].map((key, index) => [key, times[index]]))
  return (interval, taken = []) => explain(byDay.get(toKey(interval)), interval, { ...options, taken }).length === 0
}

function toMidnight(wallClock: Date): number {
  return Date.parse(`${toDate(wallClock)}T00:00:00.000Z`)
}
