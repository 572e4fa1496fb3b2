import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, and keeps up with it. */
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

/** Under 640 px: tables become cards, dialogs fill the screen. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 639px)')
}
