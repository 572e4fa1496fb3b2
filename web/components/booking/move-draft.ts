import { useEffect } from 'react'
import type { useChosen } from '#web/components/series/occurrence-choices.ts'
import type { Scope } from '#web/components/series/series-scope.tsx'

/** The values that the forms for moving one booking and for moving several have in common. */
export type SeriesValues = {
  podId: string | null
  podTitle: string
  /** Tells apart pods that have the same title. */
  podLocation: string
  startTime: string
  endTime: string
  causedByUs: boolean
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
