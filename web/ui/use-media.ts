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

/** Too narrow for a table's columns: on a phone, and on a common laptop zoomed to 200 %. Rows are cards there. */
export function useIsTooNarrowForTables(): boolean {
  return useMedia('(max-width: 767px)')
}
