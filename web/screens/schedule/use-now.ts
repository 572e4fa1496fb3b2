import { useMemo } from 'react'
import { toMinutes, toWallClock } from '#contract/slots.ts'
import { useClock } from '#web/lib/clock.ts'
import { getServerTime } from '#web/lib/server-time.ts'
import { settings } from '#web/lib/settings.ts'
import type { Now } from './proposal.ts'

/** '2026-11-21T09:00' */
const getMinute = () => toWallClock(getServerTime(), settings.businessTimeZone).toISOString().slice(0, 16)

/** Returns the server's time in the business time zone, and follows it. */
export function useNow(): Now {
  const wall = useClock(getMinute)
  // Stays the same object within a minute.
  return useMemo(() => ({ date: wall.slice(0, 10), minute: toMinutes(wall.slice(11)) }), [wall])
}
