import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { getSession } from '#web/api/session.ts'
import { askToDiscard, hasUnsaved } from '#web/ui/unsaved.ts'

/** Nothing that was typed is lost by going elsewhere, back or forth, or by closing the tab, without a question. */
export function useLeaveGuard(): void {
  useBlocker({ shouldBlockFn: shouldStay, enableBeforeUnload: () => hasUnsaved() })
}

/** The same question before what leaves without the router. */
export async function mayLeave(): Promise<boolean> {
  return !hasUnsaved() || askToDiscard()
}

const shouldStay: ShouldBlockFn = async ({ current, next, action }) => {
  // Without a session there is no screen any more.
  if (getSession() === undefined) return false
  const isElsewhere = current.pathname !== next.pathname
  const isTurned = action !== 'PUSH' && action !== 'REPLACE'
  // A screen that stays, with another filter say, keeps what was typed in it. Back is also how people close a dialog.
  if (!isElsewhere && !isTurned) return false
  if (!hasUnsaved({ inDialogs: !isElsewhere })) return false
  return !(await askToDiscard())
}
