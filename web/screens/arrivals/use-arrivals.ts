import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Arrival } from '#contract/booking-actions.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import type { RequestOptions } from '#web/api/request-types.ts'
import { useBookingAction } from '#web/components/booking/use-booking-action.ts'
import { getServerTime } from '#web/lib/server-time.ts'
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
   * Checks in, and shows it before the server has responded, so that a queue at the door does not wait. Whatever is
   * fetched meanwhile does not know of it yet.
   */
  function checkIn(arrival: Arrival) {
    const { _id: id, version } = arrival
    const show = (one?: CheckIns[string]) => setSent((others) => ({ ...others, [id]: one }))
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

export type ArrivalActions = Pick<
  ReturnType<typeof useArrivals>,
  'pending' | 'checkIn' | 'send' | 'isWhole' | 'showAll'
>
