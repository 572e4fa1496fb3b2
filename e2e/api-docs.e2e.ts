import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { PRODUCTION, startTestServer, type TestServer } from './test-server.ts'

/** In production the API documentation needs a session, and a browser sends no token when it opens a page. */
test.describe('API documentation in production', () => {
  let production: TestServer

  test.beforeAll(async () => {
    production = await startTestServer({
      ...PRODUCTION,
    })
  })
  test.afterAll(() => production.close())

  test('links to the login when signed out, and is readable once signed in', async ({ page }) => {
    expectConsoleErrors(/401/)
    await page.goto(`${production.url}/api/docs`)
    await expect(page.getByRole('heading', { name: 'API documentation' })).toBeVisible()
    await expect(page.getByText('/api/user/login')).toHaveCount(0)

    await page.getByRole('link', { name: 'go to the login' }).click()
    await expect(page.getByLabel('Email Address')).toBeVisible()
    const staff = await buildStaff(production.db)
    await page.getByLabel('Email Address').fill(staff.email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')

    await page.goto(`${production.url}/api/docs`)
    await page.getByRole('heading', { name: /^auth/ }).click()
    await expect(page.getByText('/api/user/login')).toBeVisible()
  })
})
