import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { settings } from './settings.ts'

const { subscribe, notify } = createListeners()
let told: string | undefined

/** Sets the title of the browser's tab: 'Features · Podkeeper'. Undefined leaves it unchanged. */
export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    document.title = `${name} · ${settings.productName}`
    // A focus on the screen moves to the heading of the next, which is read then.
    const active = document.activeElement
    told = active === document.body || active?.closest('main') ? undefined : name
    notify()
  }, [name])
}

/** Returns the name of a screen that opens while the focus stays elsewhere, as on the menu: screen readers are told it. */
export function useToldTitle(): string | undefined {
  return useSyncExternalStore(subscribe, () => told)
}
