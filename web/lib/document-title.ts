import { useEffect } from 'react'
import { settings } from './settings.ts'

/** Sets the title of the browser's tab: 'Features · Podkeeper'. Undefined leaves it unchanged. */
export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${settings.productName}`
  }, [name])
}
