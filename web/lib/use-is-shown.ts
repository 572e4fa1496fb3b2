import { type RefObject, useEffect, useRef } from 'react'

/** Returns whether the component is still shown: it may have been left by the time a response comes. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
