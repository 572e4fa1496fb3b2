import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/** Opens and closes a screen's dialogs. Kept apart from the screen's own state, so that it does not render again. */
export type Dialogs<Shown> = {
  show: (dialog: Shown) => void
  close: () => void
  get: () => Shown | undefined
  subscribe: (listener: () => void) => () => void
}

/** Tracks which of a screen's dialogs is open. Only the DialogOutlet renders again, not the list behind the dialog. */
export function useDialogs<Shown>(): Dialogs<Shown> {
  const [dialogs] = useState(createDialogs<Shown>)
  return dialogs
}

export function DialogOutlet<Shown>(props: { dialogs: Dialogs<Shown>; children: (shown: Shown) => ReactNode }) {
  const shown = useSyncExternalStore(props.dialogs.subscribe, props.dialogs.get)
  return shown === undefined ? null : props.children(shown)
}

function createDialogs<Shown>(): Dialogs<Shown> {
  let shown: Shown | undefined
  const { subscribe, notify } = createListeners()
  const set = (next: Shown | undefined) => {
    shown = next
    notify()
  }
  return {
    show: set,
    close: () => set(undefined),
    get: () => shown,
    subscribe,
  }
}
