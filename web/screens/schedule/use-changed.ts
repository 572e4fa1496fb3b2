import { useState } from 'react'
import type { Schedule } from '#contract/schedule.ts'
import type { RowGroup } from './rows.ts'

type Seen = { day: string; groups: readonly RowGroup[]; schedule: Schedule; changed: ReadonlySet<string> }

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
  const changed = seen?.day === day ? findChanged(seen.groups, groups, own) : NONE
  setSeen({ day, groups, schedule, changed })
  return changed
}

function findChanged(before: readonly RowGroup[], after: readonly RowGroup[], own: ReadonlySet<string>) {
  const texts = toTexts(before)
  return new Set([...toTexts(after)].flatMap(([key, text]) => (texts.get(key) === text || own.has(key) ? [] : [key])))
}

function toTexts(groups: readonly RowGroup[]): ReadonlyMap<string, string> {
  return new Map(
    groups.flatMap(({ rows }) =>
      rows.flatMap((row) => row.bookings.map((one) => [one.key, `${one.end} ${one.who} ${one.status}`] as const)),
    ),
  )
}
