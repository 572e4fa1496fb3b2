import { useEffect } from 'react'
import { settings } from './settings.ts'

/** Names the browser's tab: 'Features · Podkeeper'; undefined leaves it to who else names it. */
export function useDocumentTitle(name: string | undefined): void {
  // The title lives outside React's tree.
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${settings.productName}`
  }, [name])
}
