import { useEffect } from 'react'
import { settings } from './settings.ts'

/** Names the browser's tab: 'Features · Podkeeper'. */
export function useDocumentTitle(name: string | undefined): void {
  // The title lives outside React's tree.
  useEffect(() => {
    document.title = name === undefined ? settings.productName : `${name} · ${settings.productName}`
  }, [name])
}
