import { useState } from 'react'
import type { Occurrence, SeriesChoice } from '#contract/series.ts'

/** What becomes of the dates of a series that are not free. */
export function useOccurrenceChoices<One extends Occurrence>(occurrences: readonly One[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const conflicts = occurrences?.filter(({ reasons }) => reasons.length > 0) ?? []
  const made = conflicts.flatMap((occurrence) => {
    const choice = toChoice(occurrence, chosen.get(occurrence.date))
    return choice ? [{ occurrence, choice }] : []
  })
  return {
    conflicts,
    /** 'skip', a start or a pod's id, by date: as the list of choices of a date writes it. */
    chosen,
    choose: (date: string, choice: string) => setChosen(new Map(chosen).set(date, choice)),
    skipAll: () => setChosen(new Map([...chosen, ...conflicts.map(({ date }) => [date, 'skip'] as const)])),
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
