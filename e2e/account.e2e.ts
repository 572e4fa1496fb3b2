import type { Page } from '@playwright/test'
import { buildStaff, buildTransaction, TEST_PASSWORD } from '#server/testing/factories.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('Your account', () => {
  test('chooses how files are written in this browser, and whether the key / searches', async ({
    page,
    signIn,
    server,
  }) => {
    await signIn([4])
    await buildTransaction(server.db, { amount: '99.50' })
    await page.goto('/Transactions')
    const readFile = async () => (await downloadBy(page, page.getByRole('button', { name: 'Download All' }))).body
    expect((await readFile()).toString()).toContain(',99.5,ZAR,')
    await expect(page.getByText('If it opens as a single column, choose semicolons')).toBeVisible()
    await page.getByRole('link', { name: 'Your account' }).click()
    const separator = page.getByLabel('Columns are separated by')
    await expect(separator).toHaveValue('comma')
    await separator.selectOption('Semicolons, with decimal commas')
    const searchKey = page.getByRole('switch', { name: 'The key / goes to the search' })
    await searchKey.uncheck()
    await page.reload()
    await expect(separator).toHaveValue('semicolon')
    await expect(searchKey).not.toBeChecked()
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search...')).not.toBeFocused()
    await searchKey.check()
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search...')).toBeFocused()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Transactions' }).click()
    expect((await readFile()).toString()).toContain(';99,5;ZAR;')
  })

  test('changes a staff member’s own details, and lists and ends their sessions', async ({
    page,
    signIn,
    server,
    browser,
  }) => {
    const me = await signIn([2], { firstname: 'Thandi', lastname: 'Nkosi' })
    const logIn = async () => {
      const other = await browser.newPage({ viewport: PHONE })
      await other.goto(`${server.url}/login`)
      await other.getByLabel('Email Address').fill(me.email)
      await other.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      await other.getByRole('button', { name: 'Log in' }).click()
      await expect(other.getByRole('heading', { level: 1 })).toHaveText('Features')
      return other
    }
    const [first, second] = [await logIn(), await logIn()]
    await server.db.updateTable('sessions').set({ address: '196.25.1.1' }).execute()
    await page.goto('/features')
    await page.getByRole('link', { name: 'Your account' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account')
    await page.getByRole('button', { name: 'Edit details' }).click()
    const form = page.getByRole('dialog', { name: 'Edit details' })
    await form.getByLabel('First name').fill('')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(form.getByText('First name is required')).toBeVisible()
    await form.getByLabel('First name').fill('Thandeka')
    await form.getByLabel('Phone number').fill('082 555 0199')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('complementary').getByText('Thandeka Nkosi')).toBeVisible()
    await expect(page.getByText('082 555 0199')).toBeVisible()

    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
    await expect(rows).toHaveCount(4)
    await expect(rows.nth(1)).toContainText('This one')
    await expect(rows.nth(1).getByRole('button', { name: /End session/ })).toBeDisabled()
    await expect(rows.nth(2)).toContainText('Chrome')
    await expect(rows.nth(2)).toContainText('South Africa (196.25.1.1)')
    await expectAccessible(page)
    await rows
      .nth(2)
      .getByRole('button', { name: /End session/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
    await expect(page.getByText('Session ended')).toBeVisible()
    await expect(rows).toHaveCount(3)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
    await expect(rows).toHaveCount(2)
    for (const other of [first, second]) {
      await other.reload()
      await expect(other.getByText('Your session has ended.')).toBeVisible()
      await other.close()
    }
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})

test.describe('A sensitive action', () => {
  test('is given up, and not asked of the next person, when the session ends', async ({ page, signIn, server }) => {
    expectConsoleErrors(/403/)
    await signIn()
    const { email } = await buildStaff(server.db, { pages: [5] })
    await server.db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 16 * 60_000) })
      .execute()
    const tab = await page.context().newPage()
    await tab.goto('/features')
    await page.goto('/user-details')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: /Users.csv/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter your password again' })
    await expect(dialog).toBeVisible()
    await tab.getByRole('button', { name: 'Sign Out' }).click()
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'User Details' })).toBeVisible()
    expect(await dialog.count()).toBe(0)
  })

  test('requires the password again after a while, then continues with the input intact', async ({
    page,
    signIn,
    server,
  }) => {
    expectConsoleErrors(/40[03]/)
    const me = await signIn()
    const colleague = await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [1] })
    const grow = () =>
      server.db
        .updateTable('sessions')
        .set({ confirmed_at: new Date(Date.now() - 16 * 60_000) })
        .where('staff_id', '=', me._id)
        .execute()
    await grow()
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Edit Sipho Zulu' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Staff' })
    await form.getByLabel('Role', { exact: true }).fill('Night shift')
    await form.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter your password again' })
    const password = dialog.getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await expectAccessible(page)
    // Cancelling loses nothing.
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(form.getByText('This was not done, because it needs your password again.')).toBeVisible()
    await expect(form.getByText('Request')).toHaveCount(0)
    await expect(form.getByLabel('Role', { exact: true })).toHaveValue('Night shift')

    await form.getByRole('button', { name: 'Save changes' }).click()
    await password.fill('not my password')
    await password.press('Enter')
    await expect(password).toHaveAccessibleDescription('This is not your password')
    const tab = await page.context().newPage()
    await tab.goto('/features')
    const readToken = (of: Page) => of.evaluate(() => localStorage.getItem('token'))
    const before = await readToken(tab)
    await password.fill(TEST_PASSWORD)
    await password.press('Enter')
    await expect(page.getByText('Staff updated successfully')).toBeVisible()
    await expect(form).toBeHidden()
    // The session now has a new token, which other tabs pick up; the previous one no longer works.
    expect(await readToken(tab)).not.toBe(before)
    await server.db.updateTable('sessions').set({ previous_until: new Date() }).where('staff_id', '=', me._id).execute()
    for (const one of [tab, page]) {
      await one.getByRole('link', { name: 'Pods', exact: true }).click()
      await expect(one.getByRole('heading', { level: 1, name: 'Pods' })).toBeVisible()
      await expect(one.getByText('All Pods (0)')).toBeVisible()
    }
    await page.goBack()
    const stored = server.db.selectFrom('staff').select('role').where('id', '=', colleague.id)
    expect(await stored.executeTakeFirst()).toEqual({ role: 'Night shift' })

    await grow()
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Download All' }).click()
    const started = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /Staff\.csv/ }).click()
    await expectNoSidewaysScroll(page)
    await password.fill(TEST_PASSWORD)
    await password.press('Enter')
    expect((await started).suggestedFilename()).toBe('Staff.csv')
  })
})
