import { useState } from 'react'
import type { Occurrence, SeriesChoice } from '#contract/series.ts'

/** A new booking of a series is told by its date; of those that are there two may be on one date. */
export function toOccurrenceKey(occurrence: Occurrence & { bookingId?: string }): string {
  return occurrence.bookingId ?? occurrence.date
}

/** 'skip', a start or a pod's id, by the key of an occurrence. */
type Chosen = ReadonlyMap<string, string>

/** What was chosen, kept by whoever asks for other dates of the series meanwhile. */
export function useChosen() {
  return useState<Chosen>(new Map())
}

/** What becomes of the dates of a series that are not free. */
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
    /** The choices that can still be made. */
    made,
    isComplete: occurrences !== undefined && made.length === conflicts.length,
  }
}

export type OccurrenceChoices = ReturnType<typeof useOccurrenceChoices>

/** Undefined of a choice that was made when other things were free. */
function toChoice({ date, free }: Occurrence, chosen: string | undefined): SeriesChoice | undefined {
  if (chosen === 'skip') return { date, action: 'skip' }
  const time = free.times.find(({ startTime }) => startTime === chosen)
  if (time) return { date, action: 'move', ...time }
  const pod = free.pods.find(({ podId }) => podId === chosen)
  return pod && { date, action: 'move', podId: pod.podId }
}
