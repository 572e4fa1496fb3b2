import { TEST_PASSWORD } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const NEW = 'an entirely new one'

test.describe('Change password', () => {
  test('is in everyone’s menu, shows errors beside their fields, and ends every session except this one', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/400/)
    const me = await signIn([2], { email: 'thandi@example.com' })
    const logIn = (password: string) =>
      page.request.post('/api/user/login', { data: { email: me.email, password }, failOnStatusCode: false })
    const elsewhere: { token: string } = await (await logIn(TEST_PASSWORD)).json()
    await page.goto('/features')
    await page.getByRole('button', { name: 'Change password' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    const present = dialog.getByLabel('Current password')
    const next = dialog.getByLabel('New password')
    await expect(present).toBeFocused()
    await expect(present).toHaveAttribute('autocomplete', 'current-password')
    await expect(next).toHaveAttribute('autocomplete', 'new-password')
    await expect(dialog.locator('input[autocomplete=username]')).toHaveValue('thandi@example.com')
    await expectAccessible(page)

    await present.press('Enter')
    await expect(present).toHaveAccessibleDescription('Your current password is required')
    await next.pressSequentially('thandi1234')
    await expect(next).toHaveAccessibleDescription(/Password must not be the email address/)
    await next.fill('password123')
    await expect(next).toHaveAccessibleDescription(/guessed first/)
    await next.fill(NEW)
    await expect(next).not.toHaveAttribute('aria-invalid')

    // The typed text is kept when the change is refused.
    await present.fill('not my password')
    await present.press('Enter')
    await expect(present).toHaveAccessibleDescription('This is not your current password')
    await expect(present).toBeFocused()
    await expect(next).toHaveValue(NEW)

    await present.fill(TEST_PASSWORD)
    await present.press('Enter')
    await expect(page.getByText('Password changed. You are signed out everywhere else.')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBe(me.token)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    const headers = { authorization: `Bearer ${elsewhere.token}` }
    expect((await page.request.get('/api/location/features', { headers })).status()).toBe(401)
    expect((await logIn(TEST_PASSWORD)).status()).toBe(401)
    expect((await logIn(NEW)).status()).toBe(200)
    expect(await server.db.selectFrom('sessions').select('staff_id').execute()).toHaveLength(2)
  })

  test('keeps the typed passwords on a phone when the server cannot be reached', async ({ page, signIn }) => {
    expectConsoleErrors(/ERR_CONNECTION_REFUSED/)
    await page.setViewportSize(PHONE)
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.getByLabel('Current password').fill(TEST_PASSWORD)
    await dialog.getByLabel('New password').fill(NEW)
    await page.route('**/api/user/change-password', (route) => route.abort('connectionrefused'))
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.unroute('**/api/user/change-password')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Password changed.')).toBeVisible()
  })
})
