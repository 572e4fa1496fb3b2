import { useState } from 'react'
import type { Occurrence, SeriesChoice } from '#contract/series.ts'

/** Returns the id of an existing booking, as two may be on one date, or the date of a new one. */
export function toOccurrenceKey(occurrence: Occurrence & { bookingId?: string }): string {
  return occurrence.bookingId ?? occurrence.date
}

/** The choice to skip a date that is free. Apart from 'skip', which no longer holds once the date has become free. */
const SKIP_FREE = 'skip free'

/** By the key of an occurrence: 'skip', SKIP_FREE, a start time or a pod's id. */
type Chosen = ReadonlyMap<string, string>

/** Holds the choices. Call it in a component that stays mounted while other dates of the series are previewed. */
export function useChosen() {
  return useState<Chosen>(new Map())
}

/** Handles the choices for the dates of a series: what to do about those that are not free, and which others to skip. */
export function useOccurrenceChoices<One extends Occurrence>(
  occurrences: readonly One[] | undefined,
  [chosen, setChosen]: ReturnType<typeof useChosen>,
) {
  const conflicts = occurrences?.filter(({ reasons }) => reasons.length > 0) ?? []
  const getChosen = (one: Occurrence) => {
    const choice = chosen.get(toOccurrenceKey(one))
    return choice === SKIP_FREE ? 'skip' : choice
  }
  const isSkippedFree = (one: Occurrence) => one.reasons.length === 0 && chosen.get(toOccurrenceKey(one)) === SKIP_FREE
  const toMade = (occurrence: One) => {
    const choice = toChoice(occurrence, getChosen(occurrence))
    return choice ? [{ occurrence, choice }] : []
  }
  const skippedFree = occurrences?.filter(isSkippedFree) ?? []
  const resolved = conflicts.flatMap(toMade)
  return {
    conflicts,
    skippedFree,
    /** What was chosen for a date that is not free. */
    getChosen,
    isSkippedFree,
    choose: (key: string, choice: string) => setChosen(new Map(chosen).set(key, choice)),
    /** Skips a free date, or books it after all. */
    setSkippedFree: (key: string, isSkipped: boolean) => {
      const next = new Map(chosen)
      if (isSkipped) next.set(key, SKIP_FREE)
      else next.delete(key)
      setChosen(next)
    },
    skipAll: () => setChosen(new Map([...chosen, ...conflicts.map((one) => [toOccurrenceKey(one), 'skip'] as const)])),
    /** The choices that are still valid. */
    made: [...resolved, ...skippedFree.flatMap(toMade)],
    isComplete: occurrences !== undefined && resolved.length === conflicts.length,
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
