const RESPONDS_WITHIN_MS = 10_000

/** Returns whether the page can be loaded again. Otherwise, a reload would leave only an error page of the browser. */
export async function canReload(): Promise<boolean> {
  try {
    const response = await fetch('/', {
      method: 'HEAD',
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: AbortSignal.timeout(RESPONDS_WITHIN_MS),
    })
    return response.ok
  } catch {
    return false
  }
}
