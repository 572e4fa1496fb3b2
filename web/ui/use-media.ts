import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and renders again when that changes. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/**
 * Returns whether tables become cards: on a phone, and on a common laptop zoomed to 200 %. As everywhere, in em: a
 * larger text size that is set in the browser needs as much room as a zoom.
 */
export function useIsTooNarrowForTables(): boolean {
  return useMedia('(max-width: 47.9375em)')
}
