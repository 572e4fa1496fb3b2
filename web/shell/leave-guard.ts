import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { isRetrying } from '#web/api/connection.ts'
import { getSession } from '#web/api/session.ts'
import { askToDiscard, hasUnsaved } from '#web/ui/unsaved.ts'

/**
 * Asks before unsaved input is lost by navigating, going back or forward, or closing the tab, and before a change is that
 * has not reached the server yet, by a reload or closing the tab.
 */
export function useLeaveGuard(): void {
  // With other functions in each render it would be registered again, and asked after a drawer that Back has closed.
  useBlocker({ shouldBlockFn: shouldStay, enableBeforeUnload: hasUnsavedOrUnsent })
}

const hasUnsavedOrUnsent = () => hasUnsaved() || isRetrying()

/** Asks the same question before leaving without the router. Returns whether leaving is fine. */
export async function mayLeave(): Promise<boolean> {
  return !hasUnsaved() || askToDiscard()
}

const shouldStay: ShouldBlockFn = async ({ current, next, action }) => {
  // The session has ended, and the screen is gone.
  if (getSession() === undefined) return false
  const isElsewhere = current.pathname !== next.pathname
  const isTurned = action !== 'PUSH' && action !== 'REPLACE'
  // Staying on the screen, such as with another filter, keeps its input. People also use Back to close a dialog.
  if (!isElsewhere && !isTurned) return false
  if (!hasUnsaved({ inDialogs: !isElsewhere })) return false
  return !(await askToDiscard())
}
