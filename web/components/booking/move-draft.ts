import { useEffect } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { toMarks } from '#contract/slots.ts'
import type { useChosen } from '#web/components/series/occurrence-choices.ts'
import type { Scope } from '#web/components/series/series-scope.tsx'
import type { ChosenPod, ChosenTimes } from './interval-fields.tsx'

/** The values that the forms for moving one booking and for moving several have in common. */
export type SeriesValues = ChosenPod & ChosenTimes & { causedByUs: boolean }

/** Returns them for where the booking is. */
export function toSeriesValues(booking: BookingPage): SeriesValues {
  const { podId, podTitle, locationName, locationDetails } = booking
  const [startTime, endTime] = toMarks(booking)
  return {
    podId,
    podTitle,
    podLocation: `${locationName}, ${locationDetails.city}`,
    startTime,
    endTime,
    causedByUs: false,
  }
}

/** The values of the form for moving one booking. */
export type MoveValues = SeriesValues & {
  bookingDate: string
  /** Why the booking may be outside opening hours; asked for when nothing else is in the way. */
  overrideReason: string
}

/** What was typed and chosen so far, kept while the scope is changed. */
export type Draft = {
  /** Undefined until the scope is changed. */
  values: MoveValues | undefined
  chosen: ReturnType<typeof useChosen>
  change: (scope: Scope, typed: SeriesValues) => void
}

/** Fills the form with what was typed under another scope. Its initial values remain those of the booking. */
export function useDraft(draft: Draft | undefined, fill: (values: MoveValues) => void): void {
  const values = draft?.values
  useEffect(() => {
    if (values) fill(values)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as the form opens
  }, [])
}
