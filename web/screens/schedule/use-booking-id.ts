import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Schedule } from '#contract/schedule.ts'
import { api } from '#web/api/client.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import type { Booked } from './rows.ts'

/** Fetches a booking's id and version, which the schedule of a pod's day has, but that of all pods does not. */
export function useBookingId() {
  const queryClient = useQueryClient()
  return useCallback(
    async ({ podId, date, start }: Pick<Booked, 'podId' | 'date' | 'start'>) => {
      // Not through the query cache: useQuote runs the same query, which is cancelled when its proposal ends.
      const found = findStored((await api('schedule', 'get', { query: { date, pod: podId } })).data, start)
      if (found) return found
      showFailure('This booking has just been changed by somebody else.')
      await queryClient.invalidateQueries({ queryKey: ['schedule'] })
      return undefined
    },
    [queryClient],
  )
}

/** Returns the id and version of the booking that begins at `start`, from the schedule of its pod's day. */
export function findStored({ bookings }: Schedule, start: number): { _id: string; version: number } | undefined {
  const index = bookings.start.indexOf(start)
  const [_id, version] = [bookings._id?.[index], bookings.version?.[index]]
  return _id === undefined || version === undefined ? undefined : { _id, version }
}
