import { useElementScrollRestoration, useLocation } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'

const WAIT_MS = 3_000
const OWN_SCROLLING = ['wheel', 'touchmove', 'pointerdown', 'keydown']

/**
 * Scrolls to where the person was on this screen. The router scrolls once, when it renders a screen: after a reload,
 * or long after, that shows placeholders, which are not as high as the records that take their place.
 */
export function useReturnToScroll(): void {
  const top = useElementScrollRestoration({ getElement: () => window })?.scrollY ?? 0
  const href = useLocation({ select: ({ href }) => href })
  // A layout effect, so that no scrolling by the person goes unnoticed.
  useLayoutEffect(() => {
    if (top === 0) return
    const stopped = new AbortController()
    const stop = () => stopped.abort()
    const resized = new ResizeObserver(() => window.scrollTo(0, top))
    resized.observe(document.body)
    const timer = setTimeout(stop, WAIT_MS)
    for (const name of OWN_SCROLLING) window.addEventListener(name, stop, { signal: stopped.signal, passive: true })
    stopped.signal.addEventListener('abort', () => {
      resized.disconnect()
      clearTimeout(timer)
    })
    return stop
    // oxlint-disable-next-line react/exhaustive-deps -- `top` changes when the screen is left, which is no return to it
  }, [href])
}
