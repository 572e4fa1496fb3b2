import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** Also read by public/color-scheme.js before the first paint; tokens.css follows the attribute that both set. */
const KEY = 'color-scheme'

const listeners = createListeners()

/** Returns the scheme chosen in this browser and a function to choose one; 'auto' follows the system. */
export function useColorScheme(): [ColorScheme, (scheme: ColorScheme) => void] {
  return [useSyncExternalStore(subscribe, readScheme), setScheme]
}

function readScheme(): ColorScheme {
  const { colorScheme } = document.documentElement.dataset
  return colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'auto'
}

function setScheme(scheme: ColorScheme): void {
  applyScheme(scheme)
  try {
    localStorage.setItem(KEY, scheme)
  } catch {
    // Storage may be blocked: the choice then lasts until the page is left.
  }
}

function applyScheme(scheme: string | null): void {
  document.documentElement.dataset.colorScheme = scheme ?? 'auto'
  listeners.notify()
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', followOtherTab)
  return listeners.subscribe(listener)
}

function followOtherTab({ key, newValue }: StorageEvent): void {
  if (key === KEY) applyScheme(newValue)
}
