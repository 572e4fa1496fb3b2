import { useEffect } from 'react'
import { api } from '#web/api/client.ts'
import { findIdleEnd, onInput, readIdleSeconds } from '#web/api/idle.ts'
import { getKept, getSession, subscribeSession } from '#web/api/session.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { closeToast, showWarning } from '#web/ui/toasts/toasts.ts'

const WARN_BEFORE_MS = 2 * 60_000
const CHECK_EVERY_MS = 30_000
/** Input as recent as this counts as use. */
const IN_USE_SECONDS = 60

/** The response may have said so. A session that has ended may be kept for what was typed. */
const hasEnded = () => getSession() === undefined || getKept() !== undefined

/**
 * Warns before a session ends because nobody uses it (rules §33.5), and lets any input keep it. Afterwards the next
 * check finds out that it has ended, so that nobody's data stay on the screen.
 */
export function useIdleWarning(): void {
  useEffect(() => {
    let warning: number | undefined
    let isChecking = false
    const close = () => {
      if (warning !== undefined) closeToast(warning)
      warning = undefined
    }
    const check = async () => {
      if (isChecking || hasEnded() || !findIdleEnd(WARN_BEFORE_MS)) return
      isChecking = true
      // Reports input that came without a request, and learns of the use of other tabs. Any endpoint would do.
      await api('viewAs', 'get').catch(() => undefined)
      isChecking = false
      const end = findIdleEnd(WARN_BEFORE_MS)
      if (!end || hasEnded() || readIdleSeconds() < IN_USE_SECONDS) return close()
      warning ??= showWarning(`You will be signed out at ${toBusinessTime(end).time} because of inactivity.`, {
        note: 'Any key, click or tap keeps you signed in.',
        action: { label: 'Stay signed in', run: close },
      })
    }
    const timer = setInterval(() => void check(), CHECK_EVERY_MS)
    const stop = onInput(() => {
      if (warning === undefined) return
      close()
      void check()
    })
    // Any other request may find out that the session has ended; then nothing is checked any more.
    const unsubscribe = subscribeSession(() => {
      if (hasEnded()) close()
    })
    return () => {
      clearInterval(timer)
      stop()
      unsubscribe()
      close()
    }
  }, [])
}
