import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '#web/api/client.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import type { Booked } from './rows.ts'

/** Fetches a booking's id and version, which the schedule of a pod's day has, but that of all pods does not. */
export function useBookingId() {
  const queryClient = useQueryClient()
  return useCallback(
    async ({ podId, date, start }: Pick<Booked, 'podId' | 'date' | 'start'>) => {
      // Not through the query cache: useQuote runs the same query, which is cancelled when its proposal ends.
      const { data } = await api('schedule', 'get', { query: { date, pod: podId } })
      const place = data.bookings.start.indexOf(start)
      const [_id, version] = [data.bookings._id?.[place], data.bookings.version?.[place]]
      if (_id !== undefined && version !== undefined) return { _id, version }
      showFailure('This booking has just been changed by somebody else.')
      await queryClient.invalidateQueries({ queryKey: ['schedule'] })
      return undefined
    },
    [queryClient],
  )
}
