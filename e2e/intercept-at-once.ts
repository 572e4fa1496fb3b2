import { expect, type Page } from '@playwright/test'

const PROBE = '/intercepted'

/**
 * Makes `page.route` wait until requests of the open page are intercepted. Chromium tells a page of its first
 * interception asynchronously: on a busy machine, a request that was made right after `page.route` got through.
 */
export function interceptAtOnce(page: Page): void {
  const route = page.route.bind(page)
  let isIntercepting = false
  page.route = async (...args) => {
    const added = await route(...args)
    if (isIntercepting) return added
    isIntercepting = true
    // A page that is opened later is told in time.
    if (page.url() === 'about:blank') return added
    await route(`**${PROBE}`, (request) => request.fulfill({ status: 204 }))
    const probe = (url: string) => fetch(url).then(({ status }) => status)
    await expect.poll(() => page.evaluate(probe, PROBE).catch(() => 0)).toBe(204)
    return added
  }
}
