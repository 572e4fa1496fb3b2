import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FreeInstead } from '#contract/booking-actions.ts'
import { toWeekday, weekdayCodes, weekdayNames } from '#contract/opening-hours.ts'
import type { Weekday } from '#contract/series.ts'
import type { Selection } from '#contract/slot-selection.ts'
import { api } from '#web/api/client.ts'
import { useChosen, useOccurrenceChoices } from '#web/components/series/occurrence-choices.ts'
import { isDay } from '#web/lib/days.ts'
import { toBookedInterval } from './booking-words.ts'

/** The form's values for how a booking repeats. */
export type Repeats = { weekdays: Weekday[]; everyWeeks: number; until: string }

/** The weekdays, from Monday. */
export const dayNames = weekdayCodes.map((value, index) => ({ value, label: weekdayNames[index] ?? '' }))

export function toWeekdayCode(date: string): Weekday | undefined {
  return isDay(date) ? weekdayCodes[toWeekday(date) - 1] : undefined
}

export type Question = { podId: string; bookingDate: string; startTime: string; endTime: string; repeats: Repeats }

/** Returns every date of a series, with the choices for those that are not free. Sends nothing without a question. */
export function useSeries(question: Question | undefined) {
  const preview = useQuery({
    queryKey: ['series', 'preview', question],
    queryFn: ({ signal }) => api('series', 'preview', { body: question ?? never(), signal }),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
  })
  const occurrences = question && preview.data?.data.occurrences
  const choices = useOccurrenceChoices(occurrences, useChosen())
  // Until the dates have loaded, those of the previous question are shown, with choices that do not fit this one.
  const isLoading = preview.isPending || preview.isPlaceholderData
  return { occurrences, preview, ...choices, isLoading, isComplete: choices.isComplete && !isLoading }
}

/**
 * Returns what is free instead of a chosen time that is taken; undefined until that is known, and without a pod. The
 * preview of a series with this date alone says so.
 */
export function useFreeInstead(podId: string | undefined, date: string, chosen: Selection): FreeInstead | undefined {
  const weekday = toWeekdayCode(date)
  const isWhole = podId !== undefined && weekday !== undefined && chosen.length > 0
  const { occurrences, isLoading } = useSeries(
    isWhole
      ? {
          podId,
          ...toBookedInterval(date, chosen),
          repeats: { weekdays: [weekday], everyWeeks: 1, until: date },
        }
      : undefined,
  )
  return isLoading ? undefined : occurrences?.[0]?.free
}

function never(): never {
  throw new Error('A preview was asked for without a question')
}
