import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type PageCode, pageCodes } from '#contract/pages.ts'
import { toTokenHash } from '#server/http/session.ts'
import { ALWAYS_IN_USE, buildStaff } from '#server/testing/factories.ts'
import { interceptAtOnce } from './intercept-at-once.ts'
import { watchRequests } from './quiet.ts'
import { startTestServer, type TestServer } from './test-server.ts'

export { expect } from '@playwright/test'

export type SignedIn = { _id: string; email: string; token: string }

declare global {
  interface Window {
    /** Defined in pages in which axe's source has been run. */
    axe: typeof axe
  }
}

type Fixtures = {
  /**
   * Signs in a new staff member with these pages (all nine by default), as in a browser that was signed in before: the
   * test's own page, or the page `on`.
   */
  signIn: (pages?: readonly PageCode[], overrides?: Parameters<typeof buildStaff>[1], on?: Page) => Promise<SignedIn>
  quietConsole: void
  emptied: void
}

/** Of the test that is running: a worker runs one at a time. */
let expectedErrors: RegExp[] = []

/** Declares console errors that the test provokes; any other fails it. */
export function expectConsoleErrors(...patterns: RegExp[]): void {
  expectedErrors.push(...patterns)
}

export const test = base.extend<Fixtures, { server: TestServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const server = await startTestServer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  emptied: [
    async ({ server }, use) => {
      await server.reset()
      await use()
    },
    { auto: true },
  ],

  quietConsole: [
    async ({ page, server }, use, testInfo) => {
      expectedErrors = []
      const seen: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') seen.push(`${message.text()} ${message.location().url}`)
      })
      page.on('pageerror', (error) => seen.push(String(error)))
      watchRequests(page)
      interceptAtOnce(page)
      await use()
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('database', { body: JSON.stringify(server.load()), contentType: 'text/plain' })
        if (!page.isClosed())
          await testInfo.attach('screenshot', { body: await page.screenshot(), contentType: 'image/png' })
      }
      expect(
        seen.filter((text) => !expectedErrors.some((pattern) => pattern.test(text))),
        'errors on the console',
      ).toEqual([])
    },
    { auto: true },
  ],

  signIn: async ({ page, server }, use) => {
    await use((pages, overrides, on = page) => signInAs(on, server, pages, overrides))
  },
})

/** Does what `signIn` does, in a page of another browser. */
export async function signInAs(
  page: Page,
  server: TestServer,
  pages: readonly PageCode[] = pageCodes,
  overrides: Parameters<typeof buildStaff>[1] = {},
): Promise<SignedIn> {
  const staff = await buildStaff(server.db, { pages: [...pages], ...overrides })
  const token = randomBytes(32).toString('base64url')
  // Long enough for a test that sets the server's clock to a later time of the same day.
  const expires_at = new Date(Date.now() + 48 * 3_600_000)
  await server.db
    .insertInto('sessions')
    .values({
      token_hash: toTokenHash(token),
      staff_id: staff.id,
      expires_at,
      last_used_at: ALWAYS_IN_USE,
      confirmed_at: ALWAYS_IN_USE,
    })
    .execute()
  const user = {
    _id: staff.id,
    firstname: staff.firstname,
    lastname: staff.lastname,
    email: staff.email,
    phoneNumber: staff.phone_number,
    role: staff.role,
  }
  const auth_page = pages.map(String)
  const viewOnlyPages = staff.view_only_pages.map(String)
  await storeSession(page, { ...user, user, token, auth_page, viewOnlyPages, message: 'Signed in' })
  return { _id: staff.id, email: staff.email, token }
}

/** Stores the session's three items before the portal's first script runs; only once, so that a sign-out lasts. */
async function storeSession(
  page: Page,
  login: { token: string; auth_page: string[]; [field: string]: unknown },
): Promise<void> {
  await page.addInitScript(
    ({ token, auth_page, whole }) => {
      if (sessionStorage.getItem('session-stored') === token) return
      sessionStorage.setItem('session-stored', token)
      localStorage.setItem('token', token)
      localStorage.setItem('auth_page', auth_page)
      localStorage.setItem('user', whole)
    },
    { token: login.token, auth_page: JSON.stringify(login.auth_page), whole: JSON.stringify(login) },
  )
}

/** Minified: what the package exports is twice as large. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose result depends on the colour scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Expects no accessibility violation of any impact, in light and in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half a megabyte, so it is sent only once per loaded page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      // A transition begins in the frame after the change that triggers it.
      await nextFrame()
      await nextFrame()
      await Promise.allSettled(
        document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : [])),
      )
    })
    // All other rules give the same result in both schemes.
    const rules = colorScheme === 'dark' ? COLOR_RULES : undefined
    const violations = await page.evaluate(async (runOnly) => {
      const results = await window.axe.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) })
      return results.violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }))
    }, rules)
    const found = violations.map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}): ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    )
    expect(found, `accessibility in ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

/** Expects that nothing on the page is wider than the window, once the layout has adapted to its width. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // Not the window's own width, which on a phone grows with what is in it.
  const width = page.viewportSize()?.width ?? 0
  const readExcess = () => page.evaluate((most) => document.documentElement.scrollWidth - most, width)
  await expect.poll(readExcess, 'pixels wider than the window').toBeLessThanOrEqual(0)
}

export const PHONE = { width: 390, height: 844 }
