import { useEffect } from 'react'

const EVERY_MS = 3_000

/** Asks anew every few seconds while something is under way. */
export function useReloadWhile(isUnderWay: boolean, reload: () => Promise<unknown>): void {
  // A timer must not outlive what it waits for.
  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = window.setInterval(() => void reload(), EVERY_MS)
    return () => window.clearInterval(timer)
  })
}
