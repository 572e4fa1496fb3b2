const LONGEST_PAUSE_MS = 60_000

/**
 * Retries style sheets that have failed to load, with growing pauses. Vite does not load them again, so that their part
 * of the portal would be shown without them once its code is there.
 */
export function reloadFailedStyles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const href = /^Unable to preload CSS for (\S+)$/.exec(payload.message)?.[1]
    if (href !== undefined) loadStyles(href, 500)
  })
}

function loadStyles(href: string, pauseMs: number): void {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = href
  link.addEventListener('error', () => {
    link.remove()
    setTimeout(() => loadStyles(href, Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs)
  })
  document.head.append(link)
}
