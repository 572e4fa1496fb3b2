import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { Schedule } from '#contract/schedule.ts'
import { CLOSING_HOUR, OPENING_HOUR } from '#contract/slots.ts'
import { addDays } from '#web/lib/days.ts'
import { toDateText } from '#web/lib/format.ts'

/** Start and end of the bookable day, in minutes since midnight on the wall clock. */
export const DAY_START = OPENING_HOUR * 60
export const DAY_END = CLOSING_HOUR * 60
const DAY_MINUTES = 24 * 60

export type Span = { start: number; end: number }

/** A booking in the grid, in minutes since midnight of its row's day. */
export type Booked = Span & {
  /** Pod, day and start, which are unique together. */
  key: string
  podId: string
  date: string
  status: BookingStatus
  who: string
  /** Cleaning time after it, in minutes. */
  buffer: number
  isCheckedIn: boolean
  hasNote: boolean
  /** Shown where it was dropped, until the server has stored that. */
  isSaving?: boolean
}

type Closed = Span & { key: string; reason: string }

/** A row of the grid: a pod on a day. */
export type Row = {
  key: string
  podId: string
  title: string
  /** Shown with the name: the number of seats, or ''. */
  detail: string
  locationName: string
  date: string
  /** The pod's title or, in the week of one pod, the date with its weekday. */
  name: string
  rate: number
  capacity: number | null
  features: readonly string[]
  /** Cleaning time after new bookings, in minutes. */
  buffer: number
  /** Free minutes of each booking. */
  discountMinutes: number
  /** Sorted by start. */
  bookings: readonly Booked[]
  /** Opening hours of the day. */
  open: readonly Span[]
  closures: readonly Closed[]
  /** Whether the pod is free at the time of the filter `free`, according to the server; also when it was not asked. */
  isFree: boolean
  /** Why it cannot be booked at all. Undefined for a blocked pod, which has a closure with a reason. */
  unavailable: string | undefined
}

export type RowGroup = { key: string; name: string; city: string; rows: readonly Row[] }

/** Converts a response to rows: pods by location, or the days of one pod. */
export function toRowGroups(schedule: Schedule): RowGroup[] {
  const byRow = toBookings(schedule)
  const { pods, locations, features, days } = schedule
  const free = schedule.free && new Set(schedule.free)
  const rows = pods.map((pod, index) =>
    Array.from({ length: days }, (_, day): Row => {
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
        discountMinutes: schedule.discountMinutes,
        bookings: byRow.get(index * days + day) ?? [],
        open: toOpen(schedule, index, day),
        closures: schedule.closures
          .filter((closure) => closure.pods.includes(index))
          .map(({ _id, start, end, reason }) => ({
            // A repeating closure may be there twice on a day.
            key: `${_id} ${start}`,
            start: start - day * DAY_MINUTES,
            end: end - day * DAY_MINUTES,
            reason,
          }))
          .filter(({ start, end }) => start < DAY_END && end > DAY_START),
        isFree: free === undefined || free.has(index),
        unavailable: pod.isDeleted ? 'Deleted' : undefined,
      }
    }),
  )
  return locations.map((location, index) => ({
    key: location._id,
    name: location.name,
    city: location.city,
    rows: rows.filter((_, pod) => pods[pod]?.location === index).flat(),
  }))
}

function toBookings({ date, days, pods, bookings }: Schedule): Map<number, Booked[]> {
  const byRow = new Map<number, Booked[]>()
  const [checkedIn, noted] = [new Set(bookings.checkedIn), new Set(bookings.noted)]
  bookings.pod.forEach((pod, index) => {
    const [start = 0, end = 0] = [bookings.start[index], bookings.end[index]]
    const day = Math.floor(start / DAY_MINUTES)
    const podId = pods[pod]?._id ?? ''
    const onDate = days === 1 ? date : addDays(date, day)
    const booked: Booked = {
      key: toBookedKey({ podId, date: onDate }, start - day * DAY_MINUTES),
      podId,
      date: onDate,
      start: start - day * DAY_MINUTES,
      end: end - day * DAY_MINUTES,
      status: bookings.status[index] ?? 'Pending',
      who: bookings.who[index] ?? '',
      buffer: bookings.buffer[index] ?? 0,
      isCheckedIn: checkedIn.has(index),
      hasNote: noted.has(index),
    }
    const row = byRow.get(pod * days + day)
    if (row) row.push(booked)
    else byRow.set(pod * days + day, [booked])
  })
  return byRow
}

const ALWAYS: readonly Span[] = [{ start: DAY_START, end: DAY_END }]

function toOpen({ hours }: Schedule, pod: number, day: number): readonly Span[] {
  const own = hours.find((one) => one.day === day && one.pods.includes(pod))
  return own?.spans.map(({ from, to }) => ({ start: from - day * DAY_MINUTES, end: to - day * DAY_MINUTES })) ?? ALWAYS
}

/** Returns the parts of the day outside the opening hours. */
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

/** Returns spans that do not overlap, each with all reasons why it is closed, so that none is drawn over another. */
export function toClosedSpans(closures: readonly Closed[]): (Span & { reasons: string })[] {
  const times = [...new Set(closures.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  return times.flatMap((start, index) => {
    const end = times[index + 1] ?? start
    const closed = closures.filter((one) => overlaps(one, { start, end }))
    const reasons = [...new Set(closed.map(({ reason }) => reason))].join('; ')
    return closed.length === 0 ? [] : { start, end, reasons }
  })
}

/** Returns the groups with a booking moved to its new place. */
export function moveBooking(groups: readonly RowGroup[], { booked, row: to, start, end }: Move): RowGroup[] {
  const key = toBookedKey(to, start)
  const moved = { ...booked, podId: to.podId, date: to.date, start, end, key, isSaving: true }
  return groups.map((group) => ({
    ...group,
    rows: group.rows.map((row) => {
      const isLeft = row.bookings.some((one) => one.key === booked.key)
      if (!isLeft && row.key !== to.key) return row
      const others = row.bookings.filter((one) => one.key !== booked.key && one.key !== key)
      const bookings = row.key === to.key ? [...others, moved].sort((a, b) => a.start - b.start) : others
      return { ...row, bookings }
    }),
  }))
}

type Move = Span & { booked: Booked; row: Row }

export function toBookedKey({ podId, date }: { podId: string; date: string }, start: number): string {
  return `${podId} ${date} ${start}`
}

export type RowFilter = {
  feature: string
  seats: number | undefined
  free: number | undefined
  for: number | undefined
}

/** Returns the groups with the rows that match, without empty groups. */
export function filterRows(groups: readonly RowGroup[], { feature, seats, free }: RowFilter): readonly RowGroup[] {
  if (feature === '' && seats === undefined && free === undefined) return groups
  const matches = (row: Row) =>
    (feature === '' || row.features.includes(feature)) &&
    (seats === undefined || (row.capacity ?? 0) >= seats) &&
    (free === undefined || row.isFree)
  return groups.map((group) => ({ ...group, rows: group.rows.filter(matches) })).filter(({ rows }) => rows.length > 0)
}

export function isOpen({ open }: Row, { start, end }: Span): boolean {
  return open.some((one) => one.start <= start && one.end >= end)
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start
}

export function withBuffer(booked: Booked): Span {
  return { start: booked.start, end: booked.end + booked.buffer }
}
