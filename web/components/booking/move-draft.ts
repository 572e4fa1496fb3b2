import { useEffect } from 'react'
import type { useChosen } from '#web/components/series/occurrence-choices.ts'
import type { Scope } from '#web/components/series/series-scope.tsx'

/** What moving one booking and moving several of a series ask alike. */
export type SeriesValues = {
  podId: string | null
  podTitle: string
  startTime: string
  endTime: string
  causedByUs: boolean
}

/** Of one booking alone. */
export type MoveValues = SeriesValues & {
  bookingDate: string
  /** Why outside opening hours, where nothing else is in the way. */
  overrideReason: string
}

/** What was typed and chosen, kept while other bookings of the series are asked about. */
export type Draft = {
  /** Undefined until the scope is changed. */
  values: MoveValues | undefined
  chosen: ReturnType<typeof useChosen>
  change: (scope: Scope, typed: SeriesValues) => void
}

/** Fills the form of another scope with what was typed before; it still begins from what the booking is. */
export function useDraft(draft: Draft | undefined, fill: (values: MoveValues) => void): void {
  const values = draft?.values
  useEffect(() => {
    if (values) fill(values)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as the form opens
  }, [])
}
