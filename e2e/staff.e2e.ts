import { buildLocation, buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { startTestServer } from './test-server.ts'

test.describe('The Assign Role screen', () => {
  test('lists staff with N/A for missing values, and clears its filters', async ({ page, server, signIn }) => {
    await signIn([8])
    const { id } = await buildLocation(server.db, { name: 'Rosebank' })
    const sipho = { firstname: 'Sipho', lastname: 'Zulu', role: '', phone_number: '', is_blocked: true }
    await buildStaff(server.db, { ...sipho, location_ids: [id] })
    await page.goto('/assign-role')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Assign a role')
    await expect(page.getByText('All Members (2)')).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'Sipho Zulu' })
    await expect(row.getByText('N/A')).toHaveCount(2)
    await expect(row).toContainText('Inactive')
    await page.getByLabel('Status').selectOption('blocked')
    await choose(page.getByRole('combobox', { name: 'Location' }), 'rosebank', 'Rosebank')
    await page.getByRole('searchbox', { name: 'Search staff' }).fill('sipho')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    // The name of the chosen location is loaded with page 8 alone.
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Rosebank')
    await page.getByRole('button', { name: 'All Members (2)', exact: true }).click()
    await expect(page.getByRole('button', { name: 'All Members (2)', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/assign-role')
    await expect(page.getByRole('searchbox', { name: 'Search staff' })).toHaveValue('')
  })

  test('adds a colleague with the chosen pages, and shows the password link', async ({ page, server, signIn }) => {
    await signIn()
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Add Staff' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
    await dialog.getByRole('button', { name: 'Add Staff' }).click()
    await expect(dialog.getByText('First name is required')).toBeVisible()
    await expect(dialog.getByText('Email is required')).toBeVisible()
    await expect(dialog.getByLabel(/Password/)).toHaveCount(0)
    await dialog.getByLabel('First name').fill('Lerato')
    await dialog.getByLabel('Last name').fill('Mokoena')
    await dialog.getByLabel('Email').fill('lerato@example.com')
    // The label is the readable name, followed by the code name when that differs.
    await dialog.getByLabel('Transactions Trasactions', { exact: true }).check()
    await dialog.getByLabel('Corporate Booking VipBooking', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Add Staff' }).click()
    await expect(page.getByText('Staff added successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
    // The link is shown because no mail server is configured.
    await expect(page.getByRole('dialog', { name: 'Password link' })).toBeVisible()
    const staff = await server.db
      .selectFrom('staff')
      .select('pages')
      .where('email', '=', 'lerato@example.com')
      .executeTakeFirstOrThrow()
    expect(staff.pages).toEqual([4, 9])
  })

  test('says to whom the invitation of a new colleague is mailed', async ({ page }) => {
    // Nothing listens on that port; it is enough that a mail server is configured.
    const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pods@example.com' })
    try {
      await signInAs(page, server, [8])
      await page.goto(`${server.url}/assign-role`)
      await page.getByRole('button', { name: 'Add Staff' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
      await dialog.getByLabel('First name').fill('Lerato')
      await dialog.getByLabel('Email').fill('lerato@example.com')
      await dialog.getByRole('button', { name: 'Add Staff' }).click()
      await expect(page.getByText('The invitation is mailed to lerato@example.com.')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    } finally {
      await page.close()
      await server.close()
    }
  })

  test('edits a colleague from the current values, and leaves the password unchanged', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const colleague = await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [1, 2] })
    await page.goto('/assign-role')
    await page.getByRole('row').filter({ hasText: 'Sipho Zulu' }).getByRole('button', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Staff' })
    await expect(dialog.getByLabel('First name')).toHaveValue('Sipho')
    await expect(dialog.getByLabel(/Password/)).toHaveCount(0)
    await expect(dialog.getByLabel('Dashboard')).toBeChecked()
    await expect(dialog.getByLabel('Pods')).not.toBeChecked()
    await dialog.getByLabel('Last name').fill('Khumalo')
    await dialog.getByLabel('Pods').check()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Staff updated successfully')).toBeVisible()
    await expect(page.getByText('Sipho Khumalo')).toBeVisible()
    const after = await server.db
      .selectFrom('staff')
      .select(['pages', 'password_hash'])
      .where('id', '=', colleague.id)
      .executeTakeFirstOrThrow()
    expect(after).toEqual({ pages: [1, 2, 3], password_hash: colleague.password_hash })
  })

  test('shows beside its field that an email address is in use, and keeps the typed text', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn()
    await buildStaff(server.db, { email: 'taken@example.com' })
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Add Staff' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
    await dialog.getByLabel('First name').fill('Lerato')
    await dialog.getByLabel('Email').fill('taken@example.com')
    await dialog.getByRole('button', { name: 'Add Staff' }).click()
    await expect(dialog.getByText('This email address is already in use.')).toBeVisible()
    await expect(dialog.getByLabel('First name')).toHaveValue('Lerato')
  })

  test('lets staff grant only the pages that they have themselves', async ({ page, signIn }) => {
    await signIn([1, 8])
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Add Staff' }).click()
    await expect(page.getByLabel('Dashboard', { exact: true })).toBeEnabled()
    await expect(page.getByLabel('Location Locations', { exact: true })).toBeDisabled()
  })

  test('grants view or edit page by page, but never more than one has oneself', async ({ page, server, signIn }) => {
    await signIn([1, 3, 8], { view_only_pages: [3] })
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Add Staff' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
    await dialog.getByLabel('First name').fill('Lerato')
    await dialog.getByLabel('Email').fill('lerato@example.com')
    await expect(dialog.getByRole('radio')).toHaveCount(0)
    await dialog.getByLabel('Dashboard', { exact: true }).check()
    await expect(dialog.getByRole('radio', { name: 'Edit' })).toBeChecked()
    await expect(dialog.getByRole('radiogroup', { name: 'View or edit' })).toBeVisible()
    await dialog.getByRole('radio', { name: 'View' }).check()
    await dialog.getByLabel('Pods', { exact: true }).check()
    // People who may only view a page can only grant it for viewing.
    const edit = dialog.getByRole('radio', { name: 'Edit' }).nth(1)
    await expect(edit).toBeDisabled()
    await expect(edit).toHaveAccessibleDescription('Pods You only view it')
    await expect(dialog.getByRole('radio', { name: 'View' }).nth(1)).toBeChecked()
    await dialog.getByLabel('Assign Role Assignrole', { exact: true }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add Staff' }).click()
    await expect(page.getByText('Staff added successfully')).toBeVisible()
    const staff = await server.db
      .selectFrom('staff')
      .select(['pages', 'view_only_pages'])
      .where('email', '=', 'lerato@example.com')
      .executeTakeFirstOrThrow()
    expect(staff).toEqual({ pages: [1, 3, 8], view_only_pages: [1, 3] })
    await page
      .getByRole('button', { name: 'Done' })
      .or(page.getByRole('button', { name: 'Cancel' }))
      .click()
    const row = page.getByRole('row').filter({ hasText: 'lerato@example.com' })
    await expect(row).toContainText('3 pages, 2 view only')
    await page.getByLabel('Page access').selectOption('Dashboard')
    await page.getByLabel('Level').selectOption('View only')
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(row).toBeVisible()
  })

  test('disables changes to a colleague who has more pages, and says why', async ({ page, server, signIn }) => {
    await signIn([1, 8], { firstname: 'Me' })
    await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [1, 4, 6] })
    await buildStaff(server.db, { firstname: 'Lerato', lastname: 'Molefe', pages: [1], is_blocked: true })
    await page.goto('/assign-role')
    const reason =
      'Sipho Zulu has access to Transactions and Booking, which you do not hold. Ask someone who holds all of their pages.'
    for (const name of ['Block Sipho Zulu', 'Edit Sipho Zulu', 'Delete Sipho Zulu']) {
      const action = page.getByRole('button', { name })
      await expect(action).toBeDisabled()
      await expect(action).toHaveAccessibleDescription(reason)
    }
    for (const name of ['Unblock Lerato Molefe', 'Edit Lerato Molefe', 'Delete Lerato Molefe'])
      await expect(page.getByRole('button', { name })).toBeEnabled()
    // The button can still be reached by keyboard, and shows why it does nothing.
    const edit = page.getByRole('button', { name: 'Edit Sipho Zulu' })
    await page.getByRole('button', { name: 'Block Sipho Zulu' }).focus()
    await page.keyboard.press('Tab')
    await expect(edit).toBeFocused()
    await expect(page.locator('[aria-hidden]').getByText(reason)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Actions for Sipho Zulu' }).click()
    const item = page.getByRole('menuitem', { name: 'Delete' })
    await expect(item).toContainText(reason)
    await expect(item).toBeDisabled()
    await expectAccessible(page)
  })

  test('puts rarely used actions into a menu of the row, which works by keyboard too', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const email = 'francois.malherbe@podkeeper.example'
    await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', email })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/assign-role')
    const row = page.getByRole('row').filter({ hasText: email })
    const often = ['Block', 'Edit', 'History', 'More actions for', 'Delete']
    const buttons = row.getByRole('cell').last().getByRole('button')
    await expect.poll(() => buttons.evaluateAll(toNames)).toEqual(often.map((label) => `${label} Sipho Zulu`))
    const address = row.getByRole('cell', { name: email }).locator('span')
    expect(await address.evaluate((text) => text.scrollHeight <= text.clientHeight), 'the address is whole').toBe(true)

    const more = row.getByRole('button', { name: 'More actions for Sipho Zulu' })
    await more.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'More actions for Sipho Zulu' })
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Password link',
      'Reset second factorThey have no second factor.',
      'View as',
    ])
    await expectAccessible(page)
    await expect(menu.getByRole('menuitem', { name: 'Password link' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Password link' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()

    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Actions for Sipho Zulu' }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      'Block',
      'Edit',
      'Password link',
      'Reset second factorThey have no second factor.',
      'View as',
      'History',
      'Delete',
    ])
    await expectNoSidewaysScroll(page)
  })

  test('refuses what cannot be done to one’s own account, and says why', async ({ page, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn()
    await page.goto('/assign-role')
    await page.getByRole('button', { name: /^Block/ }).click()
    await expect(page.getByText('You cannot do this to your own account.')).toBeVisible()
    await page.getByRole('button', { name: /^More actions for/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Reset second factor' })).toContainText('under Your account')
    await expect(page.getByRole('menuitem', { name: 'View as' })).toContainText('This is your own account.')
  })

  test('requires the password again before it lets a blocked colleague back in', async ({ page, server, signIn }) => {
    expectConsoleErrors(/403/)
    const me = await signIn()
    await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', is_blocked: true })
    const confirmed_at = new Date(Date.now() - 16 * 60_000)
    await server.db.updateTable('sessions').set({ confirmed_at }).where('staff_id', '=', me._id).execute()
    await page.goto('/assign-role')
    const row = page.getByRole('row').filter({ hasText: 'Sipho Zulu' })
    const dialog = page.getByRole('dialog', { name: 'Enter your password again' })
    await row.getByRole('button', { name: 'Unblock Sipho Zulu' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('This was not done, because it needs your password again.')).toBeVisible()
    await expect(row).toContainText('Inactive')
    await page.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText('User unblocked successfully')).toBeVisible()
    await expect(row).toContainText('Active')
  })

  test('deletes a colleague after a confirmation', async ({ page, server, signIn }) => {
    await signIn()
    await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu' })
    await page.goto('/assign-role')
    await page
      .getByRole('row')
      .filter({ hasText: 'Sipho Zulu' })
      .getByRole('button', { name: /^Delete/ })
      .click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Are you sure you want to delete this user?')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('User deleted successfully')).toBeVisible()
    await expect(page.getByText('All Members (1)')).toBeVisible()
  })

  test('is accessible, on a phone too', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/assign-role')
    await expect(page.getByText('All Members (1)')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add Staff' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})

const toNames = (buttons: Element[]) => buttons.map((button) => button.getAttribute('aria-label'))
