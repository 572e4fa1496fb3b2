import { useEffect, useState } from 'react'

/** Returns true once `active` has been true for `delayMs`, so that short waits are not shown, and false at once. */
export function useDelayed(active: boolean, delayMs = 150): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setPassed(true), delayMs)
    return () => {
      clearTimeout(timer)
      setPassed(false)
    }
  }, [active, delayMs])
  return active && passed
}
