import type { Page } from '@playwright/test'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { PRODUCTION, startTestServer, type TestServer } from './test-server.ts'

const OWN = 'an entirely new one'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('A generated password', () => {
  let production: TestServer

  test.beforeAll(async () => {
    production = await startTestServer({
      ...PRODUCTION,
      BREACHED_PASSWORDS_URL: 'off',
    })
  })
  test.beforeEach(() => production.reset())
  test.afterAll(() => production.close())

  /** Logs in on the way to the features as somebody whose password was generated. */
  async function logIn(page: Page) {
    const { email } = await buildStaff(production.db, { pages: [2], must_replace_password: true })
    await page.goto(`${production.url}/features?search=wifi`)
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(heading(page)).toHaveText('Choose a password')
    return email
  }

  test('is replaced right after the login, before the requested screen opens', async ({ page }) => {
    expectConsoleErrors(/400/, /ERR_CONNECTION_REFUSED/)
    const email = await logIn(page)
    await expect(page).toHaveTitle(/^Choose a password/)
    const present = page.getByLabel('Current password')
    const next = page.getByLabel('New password')
    await expect(present).toBeFocused()
    await expect(page.locator('input[autocomplete=username]')).toHaveValue(email)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)

    await present.press('Enter')
    await expect(present).toHaveAccessibleDescription('Your current password is required')
    await present.fill('not the one')
    await next.fill(OWN)
    await next.press('Enter')
    await expect(present).toHaveAccessibleDescription('This is not your current password')
    await expect(present).toBeFocused()
    await expectAccessible(page)

    await present.fill(TEST_PASSWORD)
    await page.route('**/api/user/change-password', (route) => route.abort('connectionrefused'))
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await expect(next).toHaveValue(OWN)
    await page.unroute('**/api/user/change-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(heading(page)).toHaveText('Features')
    expect(new URL(page.url()).search).toBe('?search=wifi')
  })

  test('is asked for again after a reload, until one signs out', async ({ page }) => {
    expectConsoleErrors(/403/)
    await logIn(page)
    await page.goto(`${production.url}/account`)
    await expect(heading(page)).toHaveText('Choose a password')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(heading(page)).toHaveText(/^Log in/)
    // The login appears without waiting for the server.
    await expect.poll(() => production.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })
})
