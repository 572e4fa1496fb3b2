import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { settings } from './settings.ts'

const { subscribe, notify } = createListeners()
let announced: string | undefined

/** Sets the title of the browser's tab: 'Features · Podkeeper'. Undefined leaves it unchanged. */
export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} · ${settings.productName}`
    // Focus inside the old screen moves to the heading of the new one, which is then read anyway.
    const active = document.activeElement
    announced = active === document.body || active?.closest('main') ? undefined : name
    notify()
  }, [name])
}

/** Returns the name of a screen that was opened while the focus stays elsewhere, as on the menu, to be announced. */
export function useAnnouncedTitle(): string | undefined {
  return useSyncExternalStore(subscribe, () => announced)
}
