import { DAY } from '#contract/durations.ts'
import { createRandom } from './seeded-random.ts'
import { shareOut } from './share-out.ts'

/** Maximum number of bookings per pod and day: more would leave no time for an hour's meeting. */
const MOST_A_POD_AND_DAY = 12
/** Demand by day of the week, Sunday first. */
const weekdayDemand = [0.3, 0.95, 1.1, 1.15, 1.1, 0.9, 0.4]
/** Bookings are made up to four weeks ahead, mostly a few days: later days are emptier. */
const AHEAD_FADES_AFTER_DAYS = 9
const LEAST_DEMAND_AHEAD = 0.1
/** A blocked pod was booked until this many days ago. */
const BLOCKED_SINCE_DAYS = 12

export type PlanOptions = {
  /** Numbers of the blocked pods, from 1. They have no recent bookings. */
  blockedPods: ReadonlySet<number>
  podCount: number
  bookings: number
  /** 'YYYY-MM-DD' of the business's wall clock. */
  today: string
  daysBehind: number
  daysAhead: number
  batchSize: number
  seed: string
}

/** Number of bookings for each pod and day: three columns, as they are passed to the database. */
export type PlanBatch = { pods: number[]; days: string[]; counts: number[]; bookings: number }

/** Distributes the bookings over days and pods, busy and quiet ones, in batches, oldest first. */
export function* planBookings(options: PlanOptions): Generator<PlanBatch> {
  const random = createRandom(options.seed)
  const popularity = Array.from({ length: options.podCount }, () => random.between(0.45, 1.55))
  const days = Array.from(
    { length: options.daysBehind + 1 + options.daysAhead },
    (_, index) => index - options.daysBehind,
  )
  const dayCapacity = (day: number) =>
    (day > -BLOCKED_SINCE_DAYS ? options.podCount - options.blockedPods.size : options.podCount) * MOST_A_POD_AND_DAY
  const smallestCapacity = Math.min(...days.map(dayCapacity))
  const perDay = shareOut(
    options.bookings,
    days.map((day) => toDemand(options.today, day) * random.between(0.9, 1.1)),
    smallestCapacity,
  )

  let batch: PlanBatch = { pods: [], days: [], counts: [], bookings: 0 }
  for (const [index, day] of days.entries()) {
    const weights = popularity.map((weight, pod) =>
      day > -BLOCKED_SINCE_DAYS && options.blockedPods.has(pod + 1) ? 0 : weight * random.between(0.35, 1.65),
    )
    const date = toDate(options.today, day)
    for (const [pod, count] of shareOut(perDay[index] ?? 0, weights, MOST_A_POD_AND_DAY).entries()) {
      if (count === 0) continue
      batch.pods.push(pod + 1)
      batch.days.push(date)
      batch.counts.push(count)
      batch.bookings += count
      if (batch.bookings < options.batchSize) continue
      yield batch
      batch = { pods: [], days: [], counts: [], bookings: 0 }
    }
  }
  if (batch.bookings > 0) yield batch
}

/** Returns the maximum number of bookings, so that more are refused before anything is written. */
export function toCapacity(podCount: number, days: number): number {
  return podCount * days * MOST_A_POD_AND_DAY
}

function toDate(today: string, day: number): string {
  return new Date(Date.parse(`${today}T00:00:00.000Z`) + day * DAY).toISOString().slice(0, 10)
}

function toDemand(today: string, day: number): number {
  const weekday = new Date(`${toDate(today, day)}T00:00:00.000Z`).getUTCDay()
  // The current day should be busy, also on a Sunday.
  if (day === 0) return 1.25
  const ahead = day < 0 ? 1 : Math.max(LEAST_DEMAND_AHEAD, Math.exp(-day / AHEAD_FADES_AFTER_DAYS))
  return (weekdayDemand[weekday] ?? 1) * ahead
}
