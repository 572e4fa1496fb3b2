/** Returns the path to open after signing in; undefined when the text is no path of this portal, or its login. */
export function parseReturnPath(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('/')) return undefined
  try {
    const url = new URL(text, window.location.origin)
    const isOurs = url.origin === window.location.origin && url.pathname !== '/login'
    // '/.//example.com' is a path of ours, but what is left of it names another site, where the router cannot go.
    return isOurs && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : undefined
  } catch {
    return undefined
  }
}
