import { useEffect, useState } from 'react'

const SHORT_WAIT_MS = 150

/** Returns true once `active` has been true for a while, so that short waits are not shown, and false at once. */
export function useDelayed(active: boolean): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setPassed(true), SHORT_WAIT_MS)
    return () => {
      clearTimeout(timer)
      setPassed(false)
    }
  }, [active])
  return active && passed
}

/** Returns the last value that has not changed for `delayMs`. */
export function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
