import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/** Creates a choice that is kept in this browser rather than for the person. The first value is the default. */
function createBrowserChoice<Value extends string>(key: string, values: readonly [Value, ...Value[]]) {
  const { subscribe, notify } = createListeners()
  let chosen: string | null = null
  function read(): Value {
    try {
      chosen = localStorage.getItem(key)
    } catch {
      // Storage may be blocked: the choice then lasts until the page is left.
    }
    return values.find((value) => value === chosen) ?? values[0]
  }
  function choose(value: Value) {
    chosen = value
    try {
      localStorage.setItem(key, value)
    } catch {
      // Blocked, or full.
    }
    notify()
  }
  return { read, choose, useValue: () => useSyncExternalStore(subscribe, read) }
}

/** The separator of files, which depends on the machine's spreadsheets (rules §13.5). */
export const csvSeparatorChoice = createBrowserChoice('csv-separator', ['comma', 'semicolon'])

/** Whether `/` alone moves to the search. Speech input may type it by accident (rules §14.2). */
export const searchKeyChoice = createBrowserChoice('search-key', ['on', 'off'])
