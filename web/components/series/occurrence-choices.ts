import { useState } from 'react'
import type { Occurrence, SeriesChoice } from '#contract/series.ts'

/** Returns the id of an existing booking, as two may be on one date, or the date of a new one. */
export function toOccurrenceKey(occurrence: Occurrence & { bookingId?: string }): string {
  return occurrence.bookingId ?? occurrence.date
}

/** By the key of an occurrence: 'skip', a start time or a pod's id. */
type Chosen = ReadonlyMap<string, string>

/** Holds the choices. Call it in a component that stays mounted while other dates of the series are previewed. */
export function useChosen() {
  return useState<Chosen>(new Map())
}

/** Handles the choices for the dates of a series that are not free. */
export function useOccurrenceChoices<One extends Occurrence>(
  occurrences: readonly One[] | undefined,
  [chosen, setChosen]: ReturnType<typeof useChosen>,
) {
  const conflicts = occurrences?.filter(({ reasons }) => reasons.length > 0) ?? []
  const made = conflicts.flatMap((occurrence) => {
    const choice = toChoice(occurrence, chosen.get(toOccurrenceKey(occurrence)))
    return choice ? [{ occurrence, choice }] : []
  })
  return {
    conflicts,
    chosen,
    choose: (key: string, choice: string) => setChosen(new Map(chosen).set(key, choice)),
    skipAll: () => setChosen(new Map([...chosen, ...conflicts.map((one) => [toOccurrenceKey(one), 'skip'] as const)])),
    /** The choices that are still valid. */
    made,
    isComplete: occurrences !== undefined && made.length === conflicts.length,
  }
}

export type OccurrenceChoices = ReturnType<typeof useOccurrenceChoices>

/**
 * Returns undefined if nothing was chosen, or if what was chosen is no longer offered. It names the price that was
 * shown: another time costs the same, as it is as long.
 */
function toChoice(
  { date, free, newPrice }: Occurrence & { newPrice?: number | null },
  chosen: string | undefined,
): SeriesChoice | undefined {
  if (chosen === 'skip') return { date, action: 'skip' }
  const time = free.times.find(({ startTime }) => startTime === chosen)
  if (time) return { date, action: 'move', ...time, newPrice: newPrice ?? undefined }
  const pod = free.pods.find(({ podId }) => podId === chosen)
  return pod && { date, action: 'move', podId: pod.podId, newPrice: pod.price ?? undefined }
}
