import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AffectedBooking, ClosureBody } from '#contract/closures.ts'
import { api } from '#web/api/client.ts'
import { isLost } from '#web/api/retry.ts'
import { startDownload } from '#web/components/record-list/start-download.ts'
import { AffectedBookings, areDecided, type Decision, toDecisions } from './affected-bookings.tsx'

/** What to close, and when: from now on if there is no start. */
export type WantedClosure = Omit<ClosureBody, 'reason' | 'decisions'>

/** With more bookings than this, closing takes seconds, as each is moved or cancelled separately. */
const MANY = 50

/** Loads the bookings that a closure would hit, and returns a section of its form to decide on each. */
export function useAffected(wanted: WantedClosure | undefined) {
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [isRefused, setRefused] = useState(false)
  const [lost, setLost] = useState<{ asked: string; bookings: readonly AffectedBooking[] }>()
  const asked = JSON.stringify(wanted)
  const preview = useQuery({
    queryKey: ['closures', 'preview', wanted],
    queryFn: ({ signal }) => api('closures', 'preview', { body: { ...wanted, reason: 'Preview' }, signal }),
    enabled: wanted !== undefined,
    retry: false,
  })
  // A save without a response may have moved and cancelled them: the same decisions are sent again, and count once.
  const bookings = lost && lost.asked === asked ? lost.bookings : (preview.data?.data.bookings ?? [])
  const sent = toDecisions(bookings, decisions)
  const changed = sent.filter(({ action }) => action !== 'leave').length

  function download() {
    if (wanted) void startDownload('closures', 'export', { query: {}, body: wanted })
  }

  /** Sends the form. If that is refused it reloads the bookings, which may have changed meanwhile. */
  async function save<T>(send: (decisions: ClosureBody['decisions']) => Promise<T>): Promise<T> {
    try {
      return await send(sent)
    } catch (error) {
      setLost(isLost(error) ? { asked, bookings } : undefined)
      if (isLost(error)) throw error
      setRefused(true)
      if (wanted) void preview.refetch()
      throw error
    }
  }

  /** Not while they are loaded anew for somebody else's change: the server refuses what does not fit any more. */
  function findMissing(): string | undefined {
    if (preview.isLoading) return 'It is not known yet which bookings it affects.'
    return areDecided(bookings, decisions) ? undefined : 'Decide on each booking that it affects.'
  }

  const section: ReactNode = (
    <AffectedBookings
      isAsked={wanted !== undefined}
      query={preview}
      bookings={bookings}
      decisions={decisions}
      isRefused={isRefused}
      onDecide={setDecisions}
      onDownload={download}
    />
  )

  return {
    section,
    save,
    isTouched: decisions.size > 0,
    /** Why it cannot be closed yet. */
    missing: findMissing(),
    /** Text to show while saving; undefined if that is quick. */
    progress: changed > MANY ? `Moving and cancelling ${changed} bookings. This takes a few seconds…` : undefined,
  }
}
