import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Arrival } from '#contract/booking-actions.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import type { RequestOptions } from '#web/api/request-types.ts'
import { useBookingAction } from '#web/components/booking/use-booking-action.ts'
import { type CheckIns, groupArrivals } from './arrival-groups.ts'

/** Refetched regularly, because customers become late or due to leave as time passes. */
const REFRESH_MS = 30_000

/** How many of a group are fetched until all are asked for, as a day at hundreds of locations has thousands. */
const FIRST = 200

/** Whom the search finds of today's arrivals at a location, or at all if it is '', and what one tap can do with each. */
export function useArrivals(location: string, search: string) {
  const [isWhole, setWhole] = useState(false)
  const [sent, setSent] = useState<CheckIns>({})
  const { run, pending } = useBookingAction()
  const mayChange = useMay().changeRecords('booking')
  const query = useQuery({
    ...apiQuery('bookingActions', 'arrivals', { query: { location, search, limit: isWhole ? undefined : FIRST } }),
    refetchInterval: REFRESH_MS,
    // The rows stay while more of them are fetched or others are searched for, but not those of another location.
    placeholderData: (previous, of) => {
      const options: RequestOptions<'bookingActions', 'arrivals'> | undefined = of?.queryKey[2]
      return options?.query?.location === location ? previous : undefined
    },
  })

  /**
   * Checks in, and moves the row before the server has responded, so that a queue at the door does not wait. Whatever is
   * fetched meanwhile does not know of it yet.
   */
  function checkIn(arrival: Arrival) {
    const { _id: id, version, name } = arrival
    const show = (one?: CheckIns[string]) => setSent((others) => ({ ...others, [id]: one }))
    const request = async () => {
      show({ version, at: null })
      try {
        const response = await api('bookingActions', 'checkIn', { params: { id }, body: { version, method: 'staff' } })
        show({ version, at: response.data.checkedInAt })
        return response
      } catch (error) {
        show(undefined)
        throw error
      }
    }
    void run(`check-in ${id}`, `${name} is checked in`, request, { what: `Check-in of ${name}` })
  }

  function send(action: 'noShow' | 'end', arrival: Arrival) {
    const { _id: id, version, name, podTitle } = arrival
    const [said, what] =
      action === 'noShow'
        ? [`Noted that ${name} did not come`, `No-show of ${name}`]
        : [`${podTitle} is ended`, `End of ${podTitle}`]
    const change = { params: { id }, body: { version } }
    void run(`${action} ${id}`, said, () => api('bookingActions', action, change), { what })
  }

  const loaded = query.data?.data
  const toShown = (arrival: Arrival) => (mayChange ? arrival : { ...arrival, actions: [] })
  return {
    query,
    groups: loaded && groupArrivals({ ...loaded, arrivals: loaded.arrivals.map(toShown) }, sent),
    now: loaded?.businessNow,
    isWhole,
    showAll: () => setWhole(true),
    pending,
    checkIn,
    send,
  }
}

export type ArrivalActions = Omit<ReturnType<typeof useArrivals>, 'query' | 'groups' | 'now'>
