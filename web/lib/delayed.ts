import { useEffect, useState } from 'react'

/** True once `active` has held for `delayMs`, so that what takes a moment is not announced at all; false at once. */
export function useDelayed(active: boolean, delayMs = 150): boolean {
  const [passed, setPassed] = useState(false)
  // Time passes outside React.
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
