import type { Page } from '@playwright/test'
import { TEST_PASSWORD } from '#server/testing/factories.ts'
import { expect, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'

/** In bytes (rules §14.13). */
const FIRST_SCREEN = 180_000
const FURTHER_SCREEN = 60_000

/** Returns the URLs and compressed sizes, in bytes, of the scripts and styles that the page has loaded, cached or not. */
async function codeOf(page: Page): Promise<Map<string, number>> {
  await waitUntilQuiet(page)
  const loaded = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, encodedBodySize }): [string, number] => [name, encodedBodySize],
    ),
  )
  return new Map(loaded.filter(([url]) => /\.(js|css)$/.test(url)))
}

/** Runs in the page. Holds back what is loaded some time after a screen, such as the command palette. */
function holdBackTimers() {
  const begin = window.setTimeout.bind(window)
  const later = (run: TimerHandler, delay = 0, ...values: unknown[]) =>
    begin(run, delay < 1000 ? delay : delay + 60_000, ...values)
  Object.assign(window, { setTimeout: later })
}

const total = (code: Iterable<[string, number]>) => [...code].reduce((sum, [, bytes]) => sum + bytes, 0)

test('signing in until the first screen loads at most 180 kB of code, any further screen at most 60 kB', async ({
  page,
  signIn,
}) => {
  test.slow()
  await page.addInitScript(holdBackTimers)
  const { email } = await signIn(undefined, undefined, await page.context().newPage())
  await page.goto('/login')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const first = await codeOf(page)
  expect(total(first), 'first screen').toBeGreaterThan(0)
  expect(total(first), 'first screen').toBeLessThanOrEqual(FIRST_SCREEN)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const path of [...paths, '/account']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const added = [...(await codeOf(page))].filter(([url]) => !first.has(url))
    expect(total(added), path).toBeLessThanOrEqual(FURTHER_SCREEN)
  }
})
