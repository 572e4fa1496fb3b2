import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isMarkPassed, type SlotRules } from '#contract/slot-selection.ts'
import { toWallClock } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { apiQuery, REFRESH_MS } from '#web/api/query.ts'
import { isDay } from '#web/lib/days.ts'
import { getServerTime } from '#web/lib/server-time.ts'
import { settings } from '#web/lib/settings.ts'
import { type Problem, toProblem } from '#web/ui/problem.ts'

export type Availability = {
  /** Undefined until it is known which marks are free. */
  rules: SlotRules | undefined
  problem: Problem | undefined
  /** The pod has been deleted, or is at a location that the person does not have any more. */
  isPodGone: boolean
  loading: boolean
  reload: () => void
  /** Marks that could be booked if they were not outside the opening hours. */
  outsideHours: readonly string[]
}

/** Returns which marks of a pod's day are booked or have passed; without a pod only which have passed. */
export function useAvailability(podId: string | null, date: string, ignoresHours: boolean): Availability {
  const enabled = podId !== null && isDay(date)
  const query = useQuery({
    ...apiQuery('bookings', 'availability', { params: { podId: podId ?? '' }, query: { booking_date: date } }),
    enabled,
    refetchInterval: REFRESH_MS,
  })
  const problem = query.error ? toProblem(query.error) : undefined
  const isPodGone = query.error instanceof ApiError && query.error.status === 404
  const response = isPodGone ? undefined : query.data?.data
  const rules = useMemo((): SlotRules | undefined => {
    if (!enabled) return toRules({ slot_bookings: [] }, date, toWallClock(getServerTime(), settings.businessTimeZone))
    // The server's clock decides what has passed (rules §1.2).
    const day = response?.product_availability
    if (!day) return undefined
    const outside = new Set(ignoresHours ? day.outside_hours : [])
    const slot_bookings = day.slot_bookings.filter((mark) => !outside.has(mark))
    return toRules({ ...day, slot_bookings }, date, new Date(response.business_now))
  }, [enabled, response, date, ignoresHours])
  return {
    rules,
    problem,
    isPodGone,
    loading: query.isFetching,
    reload: () => void query.refetch(),
    outsideHours: (enabled && response?.product_availability.outside_hours) || [],
  }
}

type Day = { slot_bookings: string[]; slot_reasons?: Record<string, string>; not_ends?: string[] }

function toRules({ slot_bookings, slot_reasons, not_ends }: Day, date: string, now: Date): SlotRules {
  return {
    booked: new Set(slot_bookings),
    reasons: slot_reasons ?? {},
    notEnds: new Set(not_ends),
    isPassed: (mark) => isDay(date) && isMarkPassed(date, mark, now),
  }
}
