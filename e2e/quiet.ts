import type { Page, Request } from '@playwright/test'

/** Longer than the pause in typing after which a search is sent. */
const QUIET_MS = 300

const isEndless = (request: Request) => new URL(request.url()).pathname === '/api/live'

/** The pending requests of each page. */
const underWay = new WeakMap<Page, Set<Request>>()

export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => !isEndless(request) && requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/**
 * Waits until no request is pending for `forMs`. Playwright's `networkidle` never happens while the live stream is
 * open.
 */
export async function waitUntilQuiet(page: Page, forMs = QUIET_MS): Promise<void> {
  const requests = underWay.get(page)
  if (!requests) throw new Error('The requests of this page are not watched')
  for (let quietSince = Date.now(); Date.now() - quietSince < forMs;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (requests.size > 0) quietSince = Date.now()
  }
}

/**
 * Moves the page's clock forward. A request that is pending would be given up by then, as nothing has come back for a
 * minute.
 */
export async function moveClock(page: Page, by: string): Promise<void> {
  await waitUntilQuiet(page)
  await page.clock.fastForward(by)
}
