import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Occurrence, SeriesChoice, Weekday } from '#contract/series.ts'
import { api } from '#web/api/client.ts'
import { isDay } from '#web/lib/days.ts'

/** How the booking repeats, as the form holds it. */
export type Repeats = { weekdays: Weekday[]; everyWeeks: number; until: string }

/** In the order of a week. */
export const dayNames: readonly { value: Weekday; label: string }[] = [
  { value: 'MO', label: 'Monday' },
  { value: 'TU', label: 'Tuesday' },
  { value: 'WE', label: 'Wednesday' },
  { value: 'TH', label: 'Thursday' },
  { value: 'FR', label: 'Friday' },
  { value: 'SA', label: 'Saturday' },
  { value: 'SU', label: 'Sunday' },
]

export function toWeekday(date: string): Weekday | undefined {
  if (!isDay(date)) return undefined
  const day = new Date(`${date}T00:00:00.000Z`).getUTCDay()
  return dayNames[(day + 6) % 7]?.value
}

export type Question = { podId: string; bookingDate: string; startTime: string; endTime: string; repeats: Repeats }

/** Every date of a series, with what was chosen for those that are not free. Nothing is asked without a question. */
export function useSeries(question: Question | undefined) {
  const preview = useQuery({
    queryKey: ['series', 'preview', question],
    queryFn: ({ signal }) => api('series', 'preview', { body: question ?? never(), signal }),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const occurrences = question && preview.data?.data.occurrences
  const conflicts = occurrences?.filter(({ reasons }) => reasons.length > 0) ?? []
  return {
    occurrences,
    preview,
    /** What a choice is written as in the list of choices of a date: 'skip', a start or a pod's id. */
    chosen,
    choose: (date: string, choice: string) => setChosen(new Map(chosen).set(date, choice)),
    skipAll: () => setChosen(new Map([...chosen, ...conflicts.map(({ date }) => [date, 'skip'] as const)])),
    isComplete:
      occurrences !== undefined && conflicts.every((one) => toChoice(one, chosen.get(one.date)) !== undefined),
    choices: conflicts.flatMap((one) => toChoice(one, chosen.get(one.date)) ?? []),
  }
}

function never(): never {
  throw new Error('A preview was asked for without a question')
}

/** Undefined of a choice that was made when other things were free. */
function toChoice({ date, free }: Occurrence, chosen: string | undefined): SeriesChoice | undefined {
  if (chosen === 'skip') return { date, action: 'skip' }
  const time = free.times.find(({ startTime }) => startTime === chosen)
  if (time) return { date, action: 'move', ...time }
  const pod = free.pods.find(({ podId }) => podId === chosen)
  return pod && { date, action: 'move', podId: pod.podId }
}
