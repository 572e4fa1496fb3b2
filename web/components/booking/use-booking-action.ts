import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeLive } from '#contract/audit-entities.ts'
import type { BookingPage } from '#contract/booking-actions.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { showChanged } from '#web/components/undo.ts'
import { toProblem } from '#web/ui/problem.ts'
import { listObstacleTexts } from './obstacle-words.ts'

/** Returns whether the person may change this booking: some may change any, others only their own (rules §34.6). */
export function useMayChange({ user, madeBy }: BookingPage): boolean {
  return useMay().changeBooking([user, madeBy?._id])
}

/** Returns a function that shows a changed booking at once wherever it is open, and reloads the lists that show it. */
export function useShowBooking(): (response: ApiResponse<BookingPage>) => Promise<void> {
  const queryClient = useQueryClient()
  return async (response) => {
    const { queryKey } = apiQuery('bookingActions', 'get', { params: { id: response.data._id } })
    queryClient.setQueryData(queryKey, response)
    const isOther = (key: readonly unknown[]) => JSON.stringify(key) !== JSON.stringify(queryKey)
    await queryClient.invalidateQueries({ predicate: ({ queryKey: key }) => shown.has(key[0]) && isOther(key) })
  }
}

/** The domains whose responses contain bookings. */
const shown = new Set<unknown>(describeLive('booking').domains)

/** Returns a function that reloads everything that shows bookings, for changes to several of them. */
export function useReloadBookings(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey: [domain] }) => shown.has(domain) })
}

type Failing = {
  /** If it returns true it has handled the error, for example by opening a dialog, and no failure is shown. */
  ask?: (error: unknown) => boolean
  /** Says what failed, where several may: a toast of the same text would replace another, and with it its Retry. */
  what?: string
}

/**
 * Runs one-tap actions; `pending` has the names of those being sent. A toast says what was done, and offers Undo, or says
 * why it was not done.
 */
export function useBookingAction() {
  const [pending, setPending] = useState<readonly string[]>([])
  const show = useShowBooking()
  const queryClient = useQueryClient()

  async function run(
    name: string,
    said: string | ((booking: BookingPage) => string),
    send: () => Promise<ApiResponse<BookingPage>>,
    more: Failing = {},
  ): Promise<void> {
    if (pending.includes(name)) return
    setPending((others) => [...others, name])
    try {
      const response = await send()
      showChanged(typeof said === 'string' ? said : said(response.data), response)
      await show(response)
    } catch (error) {
      if (more.ask?.(error)) return
      const obstacles = error instanceof ApiError ? listObstacleTexts(error.reasons) : []
      const why = obstacles.join(' ') || toProblem(error).message
      const text = more.what === undefined ? why : `${more.what}: ${why}`
      showFailedAction(error, () => void run(name, said, send, more), { text })
      // Somebody else may have changed the booking, and with it what can be done now.
      await queryClient.invalidateQueries({ queryKey: ['bookingActions'] })
    } finally {
      setPending((all) => all.filter((one) => one !== name))
    }
  }

  return { pending, run }
}
