import type { Page } from '@playwright/test'
import { expect, type SignedIn } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

/** Sends requests as a colleague in another browser, through the API that the portal uses. */
export function asColleague(server: Pick<TestServer, 'url'>, { token }: Pick<SignedIn, 'token'>) {
  return async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    expect(response.status, await response.text()).toBeLessThan(300)
  }
}

/** Resolves once the page, or another tab of its browser, listens to the live stream. */
export function whenListening(page: Page) {
  return page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
}

export const openList = async (page: Page, path: string) => {
  await Promise.all([whenListening(page), page.goto(path)])
}

/** Rows of a table that is loading are hidden from screen readers, and not among these. */
export const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr:not([aria-hidden])')

/**
 * Expects that a change is on the screen within a second in one of several runs, as the machine may be busy during some.
 * `run` makes a change and returns the milliseconds until it is shown.
 */
export async function expectWithinASecond<T>(page: Page, rounds: readonly T[], run: (round: T) => Promise<number>) {
  let time = Number.POSITIVE_INFINITY
  for (const round of rounds) {
    time = await run(round)
    if (time < 1_000) break
    // The portal shows the next change at once only after the pause that follows a slow update.
    await page.waitForTimeout(2 * time)
  }
  expect(time).toBeLessThan(1_000)
}
