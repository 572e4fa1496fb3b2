import type { Page, Route } from '@playwright/test'

/** Holds back the responses for a URL, as a slow network does, until the returned function is called. */
export async function holdRoute(page: Page, url: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  let holds = true
  await page.route(url, (route) => {
    if (!holds) return route.continue()
    held.push(route)
  })
  return async () => {
    holds = false
    await Promise.all(held.splice(0).map((route) => route.continue()))
  }
}
