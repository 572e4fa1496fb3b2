import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { useBookingAction } from '#web/components/booking/use-booking-action.ts'
import { getServerTime } from '#web/lib/server-time.ts'
import type { Arrival } from './arrival-groups.ts'

/** Refetched regularly, because customers become late or due to leave as time passes. */
const REFRESH_MS = 30_000

/** A check-in that has been sent: the version of the booking that it was made from, and when. */
type CheckIn = { version: number; at: string }

/** Today's arrivals at a location, or at all if it is '', and what can be done with each by one tap. */
export function useArrivals(location: string) {
  const [sent, setSent] = useState<Partial<Record<string, CheckIn>>>({})
  const { run, pending } = useBookingAction()
  const query = useQuery({
    ...apiQuery('bookingActions', 'arrivals', { query: { location } }),
    refetchInterval: REFRESH_MS,
  })

  /**
   * Checks in, and shows it before the server has responded, so that a queue at the door does not wait. Whatever is
   * fetched meanwhile does not know of it yet.
   */
  function checkIn(arrival: Arrival) {
    const { _id: id, version } = arrival
    const show = (one?: CheckIn) => setSent((others) => ({ ...others, [id]: one }))
    void run(`check-in ${id}`, `${arrival.name} is checked in`, async () => {
      show({ version, at: getServerTime().toISOString() })
      try {
        return await api('bookingActions', 'checkIn', { params: { id }, body: { version, method: 'staff' } })
      } catch (error) {
        show(undefined)
        throw error
      }
    })
  }

  function send(action: 'noShow' | 'end', arrival: Arrival) {
    const said = action === 'noShow' ? `Noted that ${arrival.name} did not come` : `${arrival.podTitle} is ended`
    void run(`${action} ${arrival._id}`, said, () =>
      api('bookingActions', action, { params: { id: arrival._id }, body: { version: arrival.version } }),
    )
  }

  const arrivals = query.data?.data.arrivals.map((arrival) => {
    const checkedIn = sent[arrival._id]
    if (checkedIn?.version !== arrival.version) return arrival
    return { ...arrival, checkedInAt: checkedIn.at, actions: [] }
  })
  return { query, arrivals, now: query.data?.data.businessNow, pending, checkIn, send }
}

export type ArrivalActions = Pick<ReturnType<typeof useArrivals>, 'pending' | 'checkIn' | 'send'>
