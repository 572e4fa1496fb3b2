import { useEffect, useMemo, useState } from 'react'
import { toMinutes } from '#contract/slots.ts'
import type { Now } from './proposal.ts'

const TICK_MS = 10_000

/** Returns the server's time in the business time zone. `readAt` is when `serverNow` was read, in epoch ms. */
export function useNow(serverNow: string | undefined, readAt: number): Now | undefined {
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const wall =
    serverNow === undefined
      ? undefined
      : new Date(Date.parse(serverNow) + Math.max(0, at - readAt)).toISOString().slice(0, 16)
  // Stays the same object within a minute.
  return useMemo(
    () => (wall === undefined ? undefined : { date: wall.slice(0, 10), minute: toMinutes(wall.slice(11)) }),
    [wall],
  )
}
