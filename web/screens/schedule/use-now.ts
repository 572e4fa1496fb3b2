import { useEffect, useMemo, useState } from 'react'
import { toMinutes, toWallClock } from '#contract/slots.ts'
import { getServerTime } from '#web/lib/server-time.ts'
import { settings } from '#web/lib/settings.ts'
import type { Now } from './proposal.ts'

const TICK_MS = 10_000

/** Returns the server's time in the business time zone, and follows it. */
export function useNow(): Now {
  const [, redraw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const wall = toWallClock(getServerTime(), settings.businessTimeZone).toISOString().slice(0, 16)
  // Stays the same object within a minute.
  return useMemo(() => ({ date: wall.slice(0, 10), minute: toMinutes(wall.slice(11)) }), [wall])
}
