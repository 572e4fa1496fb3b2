import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { toProblem } from '#web/ui/problem.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import type { Booked } from './lanes.ts'

/** Asks for the id and version of a booking: a whole day comes without them, a pod's day with them. */
export function useBookingId() {
  const queryClient = useQueryClient()
  return useCallback(
    async ({ podId, date, start }: Pick<Booked, 'podId' | 'date' | 'start'>) => {
      const query = apiQuery('schedule', 'get', { query: { date, pod: podId, location: undefined, days: undefined } })
      try {
        const { data } = await queryClient.fetchQuery({ ...query, staleTime: 0 })
        const row = data.bookings.start.indexOf(start)
        const [_id, version] = [data.bookings._id?.[row], data.bookings.version?.[row]]
        if (_id !== undefined && version !== undefined) return { _id, version }
        showFailure('This booking has just been changed by somebody else.')
        await queryClient.invalidateQueries({ queryKey: ['schedule'] })
      } catch (error) {
        const { message, requestId } = toProblem(error)
        showFailure(message, { requestId })
      }
      return undefined
    },
    [queryClient],
  )
}
