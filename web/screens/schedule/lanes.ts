import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { Schedule } from '#contract/schedule.ts'
import { CLOSING_HOUR, OPENING_HOUR } from '#contract/slots.ts'
import { addDays } from '#web/lib/days.ts'
import { toDateText } from '#web/lib/format.ts'

/** Minutes of a day, wall clock. */
export const DAY_START = OPENING_HOUR * 60
export const DAY_END = CLOSING_HOUR * 60
const DAY_MINUTES = 24 * 60

export type Span = { start: number; end: number }

/** A booking as it is drawn: minutes of its lane's day. */
export type Booked = Span & {
  /** Its pod, day and start, which no two have in common. */
  key: string
  podId: string
  date: string
  status: BookingStatus
  who: string
  /** Minutes after it that are kept free. */
  buffer: number
  isCheckedIn: boolean
  hasNote: boolean
}

type Closed = Span & { reason: string }

/** One line of the grid: a pod on a day. */
export type Lane = {
  key: string
  podId: string
  title: string
  /** Beside the title: how many it seats, or nothing. */
  detail: string
  locationName: string
  date: string
  /** 'YYYY-MM-DD', or the pod: what tells it from the lanes around it. */
  name: string
  rate: number
  capacity: number | null
  features: readonly string[]
  /** Minutes kept free after a booking that is made now. */
  buffer: number
  /** By their start. */
  bookings: readonly Booked[]
  /** When it is open. */
  open: readonly Span[]
  closures: readonly Closed[]
  /** Why it cannot be booked at all. */
  unavailable: string | undefined
}

export type LaneGroup = { key: string; name: string; city: string; lanes: readonly Lane[] }

/** The lanes of a response: pods by location, or the days of one pod. */
export function toLaneGroups(schedule: Schedule): LaneGroup[] {
  const byLane = toBookings(schedule)
  const { pods, locations, features, days } = schedule
  const lanes = pods.map((pod, place) =>
    Array.from({ length: days }, (_, day): Lane => {
      const date = addDays(schedule.date, day)
      const location = locations[pod.location]
      return {
        key: `${pod._id} ${date}`,
        podId: pod._id,
        title: pod.title,
        name: days === 1 ? pod.title : toDateText(date),
        detail: days === 1 && pod.capacity !== null ? `${pod.capacity} ${pod.capacity === 1 ? 'seat' : 'seats'}` : '',
        locationName: location?.name ?? '',
        date,
        rate: pod.rate,
        capacity: pod.capacity,
        features: pod.features.flatMap((at) => features[at]?._id ?? []),
        buffer: pod.buffer,
        bookings: byLane.get(place * days + day) ?? [],
        open: toOpen(schedule, place, day),
        closures: schedule.closures
          .filter((closure) => closure.pods.includes(place))
          .map(({ start, end, reason }) => ({ start: start - day * DAY_MINUTES, end: end - day * DAY_MINUTES, reason }))
          .filter(({ start, end }) => start < DAY_END && end > DAY_START),
        unavailable: pod.isDeleted
          ? 'Deleted'
          : pod.isBlocked
            ? 'Blocked'
            : location?.isBlocked
              ? 'Location blocked'
              : undefined,
      }
    }),
  )
  return locations.map((location, place) => ({
    key: location._id,
    name: location.name,
    city: location.city,
    lanes: lanes.filter((_, pod) => pods[pod]?.location === place).flat(),
  }))
}

function toBookings({ date, days, pods, bookings }: Schedule): Map<number, Booked[]> {
  const byLane = new Map<number, Booked[]>()
  const [checkedIn, noted] = [new Set(bookings.checkedIn), new Set(bookings.noted)]
  bookings.pod.forEach((pod, row) => {
    const [start = 0, end = 0] = [bookings.start[row], bookings.end[row]]
    const day = Math.floor(start / DAY_MINUTES)
    const podId = pods[pod]?._id ?? ''
    const onDate = days === 1 ? date : addDays(date, day)
    const booked: Booked = {
      key: toBookedKey({ podId, date: onDate }, start - day * DAY_MINUTES),
      podId,
      date: onDate,
      start: start - day * DAY_MINUTES,
      end: end - day * DAY_MINUTES,
      status: bookings.status[row] ?? 'Pending',
      who: bookings.who[row] ?? '',
      buffer: bookings.buffer[row] ?? 0,
      isCheckedIn: checkedIn.has(row),
      hasNote: noted.has(row),
    }
    const lane = byLane.get(pod * days + day)
    if (lane) lane.push(booked)
    else byLane.set(pod * days + day, [booked])
  })
  return byLane
}

const ALWAYS: readonly Span[] = [{ start: DAY_START, end: DAY_END }]

function toOpen({ hours }: Schedule, pod: number, day: number): readonly Span[] {
  const own = hours.find((one) => one.day === day && one.pods.includes(pod))
  return own?.spans.map(({ from, to }) => ({ start: from - day * DAY_MINUTES, end: to - day * DAY_MINUTES })) ?? ALWAYS
}

/** The parts of the day outside of the open ones. */
export function toShut(open: readonly Span[]): Span[] {
  const shut: Span[] = []
  let from = DAY_START
  for (const span of open) {
    if (span.start > from) shut.push({ start: from, end: span.start })
    from = Math.max(from, span.end)
  }
  if (from < DAY_END) shut.push({ start: from, end: DAY_END })
  return shut
}

/** The groups with a booking where it is being moved to. */
export function moveBooking(groups: readonly LaneGroup[], { booked, lane: to, start, end }: Move): LaneGroup[] {
  const moved = { ...booked, podId: to.podId, date: to.date, start, end, key: toBookedKey(to, start) }
  return groups.map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => {
      const isLeft = lane.bookings.some(({ key }) => key === booked.key)
      if (!isLeft && lane.key !== to.key) return lane
      const others = lane.bookings.filter(({ key }) => key !== booked.key && key !== moved.key)
      const bookings = lane.key === to.key ? [...others, moved].sort((a, b) => a.start - b.start) : others
      return { ...lane, bookings }
    }),
  }))
}

type Move = Span & { booked: Booked; lane: Lane }

export function toBookedKey({ podId, date }: { podId: string; date: string }, start: number): string {
  return `${podId} ${date} ${start}`
}

export type LaneFilter = {
  feature: string
  seats: number | undefined
  free: number | undefined
  for: number | undefined
}

export const FREE_FOR_MINUTES = 60

/** The groups with the lanes that match; those without any are left out. */
export function filterLanes(groups: readonly LaneGroup[], filter: LaneFilter): readonly LaneGroup[] {
  const { feature, seats, free, for: length = FREE_FOR_MINUTES } = filter
  if (feature === '' && seats === undefined && free === undefined) return groups
  const matches = (lane: Lane) =>
    (feature === '' || lane.features.includes(feature)) &&
    (seats === undefined || (lane.capacity ?? 0) >= seats) &&
    (free === undefined || isFree(lane, { start: free, end: free + length }))
  return groups
    .map((group) => ({ ...group, lanes: group.lanes.filter(matches) }))
    .filter(({ lanes }) => lanes.length > 0)
}

/** Whether nothing is in the way of a span, whatever the clock says. */
function isFree(lane: Lane, span: Span): boolean {
  return (
    lane.unavailable === undefined &&
    isOpen(lane, span) &&
    !lane.closures.some((closure) => overlaps(closure, span)) &&
    !lane.bookings.some((booked) => overlaps(withBuffer(booked), { start: span.start, end: span.end + lane.buffer }))
  )
}

export function isOpen({ open }: Lane, { start, end }: Span): boolean {
  return open.some((one) => one.start <= start && one.end >= end)
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start
}

export function withBuffer(booked: Booked): Span {
  return { start: booked.start, end: booked.end + booked.buffer }
}
