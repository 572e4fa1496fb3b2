import { useState } from 'react'
import type { Schedule } from '#contract/schedule.ts'
import type { RowGroup } from './rows.ts'

type Seen = { day: string; bookings: ReadonlyMap<string, string>; schedule: Schedule; changed: ReadonlySet<string> }

const NONE: ReadonlySet<string> = new Set()

/** Returns the keys of bookings that are new or changed since the same day was last read, except `own` changes. */
export function useChanged(
  schedule: Schedule | undefined,
  groups: readonly RowGroup[],
  own: ReadonlySet<string>,
): ReadonlySet<string> {
  const [seen, setSeen] = useState<Seen>()
  if (!schedule || seen?.schedule === schedule) return seen?.changed ?? NONE
  const day = `${schedule.date} ${schedule.days} ${schedule.pods.length === 1 ? schedule.pods[0]?._id : ''}`
  const bookings = new Map(
    groups.flatMap(({ rows }) =>
      rows.flatMap((row) => row.bookings.map((one) => [one.key, `${one.end} ${one.who} ${one.status}`] as const)),
    ),
  )
  const before = seen?.day === day ? seen.bookings : undefined
  const changed = before
    ? new Set([...bookings].flatMap(([key, text]) => (before.get(key) === text || own.has(key) ? [] : [key])))
    : NONE
  setSeen({ day, bookings, schedule, changed })
  return changed
}
