/** Where a person goes on after signing in: a path of this portal alone, whatever the URL says. */
export function parseReturnPath(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('/')) return undefined
  try {
    const url = new URL(text, window.location.origin)
    const isOurs = url.origin === window.location.origin && url.pathname !== '/login'
    return isOurs ? `${url.pathname}${url.search}${url.hash}` : undefined
  } catch {
    return undefined
  }
}
