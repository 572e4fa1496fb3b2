import { routes } from '#contract/routes.ts'
import { buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('The User Details screen', () => {
  test('lists customers with N/A for a missing email address, role or number, newest first, ten per page', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([5])
    for (let index = 1; index <= 12; index++) {
      await buildUser(server.db, {
        firstname: 'User',
        lastname: `Number ${index}`,
        ...(index === 11 && { firstname: '', lastname: '', username: 'thandi.n' }),
        mobile: index === 12 ? '' : '+27 82 555 0101',
        ...(index === 10 && { email: '', role: '' }),
        created_at: new Date(Date.UTC(2026, 0, index)),
      })
    }
    await page.goto('/user-details')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Details')
    await expect(page.getByText('All Users (12)')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await expect(rows).toHaveCount(11)
    await expect(rows.nth(1)).toContainText('User Number 12')
    await expect(rows.nth(1).getByText('N/A')).toHaveCount(1)
    await expect(rows.nth(3).getByText('N/A')).toHaveCount(2)
    await expect(rows.nth(2).getByRole('button', { name: 'Delete thandi.n' })).toBeVisible()
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(rows).toHaveCount(3)
    await expect(page).toHaveURL(/page=2/)
    await page.reload()
    await expect(rows).toHaveCount(3)
    await page.goBack()
    await expect(rows).toHaveCount(11)
  })

  test('searches customers, and filters them by status, both in the URL', async ({ page, server, signIn }) => {
    await signIn([5])
    await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini', is_blocked: true })
    await buildUser(server.db, { firstname: 'Pieter', lastname: 'van Wyk' })
    await page.goto('/user-details')
    await page.getByLabel('Search users').fill('zanel')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(page).toHaveURL('/user-details?search=zanel')
    await expect(page.getByRole('table').getByText('Inactive', { exact: true })).toBeVisible()
    await page.getByLabel('Search users').fill('nobody at all')
    await expect(page.getByText('No user matches. Try other words or another status.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByLabel('Search users')).toHaveValue('')
    await expect(page.getByText('All Users (2)')).toBeVisible()
    await page.getByLabel('Status').selectOption('blocked')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(page).toHaveURL('/user-details?status=blocked')
  })

  test('blocks and unblocks a customer, and shows the server’s message', async ({ page, server, signIn }) => {
    await signIn([5])
    const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.goto('/user-details')
    await page.getByRole('button', { name: /^Block/ }).click()
    const message = page.getByRole('region', { name: 'Messages' })
    await expect(message).toContainText('User blocked successfully')
    await expect(page.getByRole('table').getByText('Inactive', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Unblock/ }).click()
    await expect(message).toContainText('User unblocked successfully')
    const row = await server.db.selectFrom('users').select('is_blocked').where('id', '=', user.id).executeTakeFirst()
    expect(row?.is_blocked).toBe(false)
    await page.route(`**${routes.users.block.path.replace(':id', user.id)}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: {} })
    })
    await page.getByRole('button', { name: /^Block/ }).click()
    await expect(message).toContainText('Operation successful')
  })

  test('deletes a customer after a confirmation that explains the consequences', async ({ page, server, signIn }) => {
    await signIn([5])
    await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.goto('/user-details')
    await page.getByRole('button', { name: /^Delete/ }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Are you sure you want to delete Zanele Dlamini?')
    await expect(dialog).toContainText('Past bookings and transactions keep the name.')
    await expect(dialog).toContainText('The personal data stay until you erase them, on the page of the deleted user.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('All Users (1)')).toBeVisible()
    await page.getByRole('button', { name: /^Delete/ }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('User deleted successfully')).toBeVisible()
    await expect(page.getByText('Customers appear here once they sign up, or somebody books for them.')).toBeVisible()
  })

  test('shows why loading or blocking failed, and retries loading', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED|500|Failed to load/)
    await signIn([5])
    await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.route('**/api/user/all-users**', (route) => route.abort())
    await page.goto('/user-details')
    await expect(
      page.getByText('The server cannot be reached. Check your internet connection and try again.'),
    ).toBeVisible()
    await page.unroute('**/api/user/all-users**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Zanele Dlamini')).toBeVisible()

    await page.route('**/api/user/block-user/**', (route) =>
      route.fulfill({
        status: 500,
        json: { message: 'Something went wrong on our side.', code: 'internal', requestId: 'r-12345678' },
      }),
    )
    await page.getByRole('button', { name: /^Block/ }).click()
    await expect(page.getByText('Something went wrong on our side.')).toBeVisible()
    await expect(page.getByText('r-12345678')).toBeVisible()
  })

  test('is accessible with and without rows, on a phone too', async ({ page, server, signIn }) => {
    await signIn()
    await page.goto('/user-details')
    await expect(page.getByText('Customers appear here once they sign up, or somebody books for them.')).toBeVisible()
    await expectAccessible(page)
    await buildUser(server.db, {
      firstname: 'م'.repeat(120),
      lastname: '<b>"bold"</b> 🚪',
      email: `${'x'.repeat(60)}@example.com`,
    })
    await page.reload()
    await expect(page.getByText('All Users (1)')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expect(page.getByText('All Users (1)')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
