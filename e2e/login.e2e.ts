import type { Page } from '@playwright/test'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

async function logIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test.describe('Login', () => {
  test('signs in and opens the first page', async ({ page, server }) => {
    const staff = await buildStaff(server.db, { email: 'thandi@example.com' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in to the Podkeeper Admin Portal')
    await expect(page.getByLabel('Email Address')).toBeFocused()
    await logIn(page, ' Thandi@example.com ', TEST_PASSWORD)
    await expect(page).toHaveURL('/')
    await expect(page.getByText('Welcome Podkeeper')).toBeVisible()
    const stored = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
    expect(stored.token).toMatch(/^[\w-]{20,}$/)
    expect(JSON.parse(stored.auth_page ?? '')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(JSON.parse(stored.user ?? '')).toMatchObject({ token: stored.token, user: { _id: staff.id } })
  })

  test('requires both fields, with an error beneath each', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText('Email Address is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByLabel('Email Address')).toBeFocused()
    await page.getByLabel('Email Address').fill('thandi@example.com')
    await expect(page.getByText('Email Address is required')).toBeHidden()
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page).toHaveURL('/login')
  })

  test('shows the server’s error beneath the fields, and keeps the email address', async ({ page, server }) => {
    expectConsoleErrors(/401/)
    await buildStaff(server.db, { email: 'thandi@example.com' })
    await page.goto('/login')
    await logIn(page, 'thandi@example.com', 'wrong')
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Wrong email address or password.')
    const [field, message] = [
      await page.getByLabel('Password', { exact: true }).boundingBox(),
      await alert.boundingBox(),
    ]
    expect(message?.y).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0))
    await expect(page.getByLabel('Email Address')).toHaveValue('thandi@example.com')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
  })

  test('refuses a blocked account, says whom to ask, and stores no session', async ({ page, server }) => {
    expectConsoleErrors(/403|401/)
    await buildStaff(server.db, { email: 'blocked@example.com', is_blocked: true })
    await page.goto('/login')
    await logIn(page, 'blocked@example.com', TEST_PASSWORD)
    await expect(page.getByRole('alert')).toHaveText(
      'This account is blocked. Ask a colleague with access to Assign Role.',
    )
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test('shows “Login failed” when the server cannot be reached or the response is not from the API', async ({
    page,
  }) => {
    expectConsoleErrors(/ERR_FAILED|502/)
    await page.goto('/login')
    await page.route('**/api/user/login', (route) => route.abort())
    await logIn(page, 'thandi@example.com', TEST_PASSWORD)
    await expect(page.getByRole('alert')).toHaveText(/^Login failed\. The server cannot be reached\./)
    await page.route('**/api/user/login', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toHaveText(/^Login failed\. .*502/)
    await expect(page.getByLabel('Email Address')).toHaveValue('thandi@example.com')
  })

  test('shows a validation error of the server beneath its field', async ({ page }) => {
    expectConsoleErrors(/400/)
    await page.goto('/login')
    await page.route('**/api/user/login', (route) =>
      route.fulfill({
        status: 400,
        json: { message: 'Too long', code: 'invalid_input', errors: [{ path: 'email', message: 'Too long' }] },
      }),
    )
    await logIn(page, 'thandi@example.com', TEST_PASSWORD)
    await expect(page.getByLabel('Email Address')).toHaveAccessibleDescription('Too long')
    await expect(page.getByLabel('Email Address')).toBeFocused()
  })

  test('shows and hides the password', async ({ page }) => {
    await page.goto('/login')
    // Found by part of its label too: the toggle is not labelled, but named by its text.
    const password = page.getByLabel('Password')
    await password.fill('secret')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(password).toHaveAttribute('type', 'password')
    await expect(password).toHaveValue('secret')
  })

  test('works by keyboard alone', async ({ page, server }) => {
    await buildStaff(server.db, { email: 'thandi@example.com' })
    await page.goto('/login')
    await expect(page.getByLabel('Email Address')).toBeFocused()
    await page.keyboard.type('thandi@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type(TEST_PASSWORD)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/')
  })

  test('returns to the requested page after signing in, and never to another site', async ({ page, server }) => {
    await buildStaff(server.db, { email: 'thandi@example.com' })
    await page.goto('/location?search=dock')
    await expect(page).toHaveURL('/login')
    await page.reload()
    await logIn(page, 'thandi@example.com', TEST_PASSWORD)
    await expect(page).toHaveURL('/location?search=dock')
    await expect(page.getByLabel('Search locations')).toHaveValue('dock')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    for (const path of ['/.//evil.example.com', '/x/..//evil.example.com', '/login']) {
      await page.goto(path)
      await expect(page).toHaveURL('/login')
      await logIn(page, 'thandi@example.com', TEST_PASSWORD)
      await expect(page).toHaveURL('/')
      await page.getByRole('button', { name: 'Sign Out' }).click()
      await expect(page).toHaveURL('/login')
    }
  })

  test('redirects signed-in staff to their first page', async ({ page, signIn }) => {
    await signIn([7])
    await page.goto('/login')
    await expect(page).toHaveURL('/location')
  })

  test('is accessible and fits a phone', async ({ page }) => {
    await page.setViewportSize(PHONE)
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectAccessible(page)
  })
})
