import type { Page, Route } from '@playwright/test'

/** Holds the answers to a call back, as a slow network does, until the function it returns is called. */
export async function holdRoute(page: Page, url: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  await page.route(url, (route) => {
    held.push(route)
  })
  return async () => {
    await page.unroute(url)
    for (const route of held) await route.continue()
  }
}
