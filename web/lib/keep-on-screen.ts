import { useBlocker } from '@tanstack/react-router'

/** Keeps what is shown only once from being lost by mistake: Back does nothing, and a reload asks first. */
export function useKeepOnScreen(): void {
  // A session that ends leads to the login with REPLACE.
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE', enableBeforeUnload: true })
}
