import type { Page } from '@playwright/test'
import { toTokenHash } from '#server/http/session.ts'
import { buildStaff, buildTransaction, TEST_PASSWORD } from '#server/testing/factories.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'
import { PUBLIC_URL } from './test-server.ts'

const NEW = 'otter lamp 2026 quiet'

test.describe('Password links', () => {
  test('let a new staff member choose their own password and sign in, and work only once', async ({
    page,
    browser,
    signIn,
    server,
  }) => {
    expectConsoleErrors(/410/)
    await signIn()
    await page.goto('/features')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assign Role' }).click()
    await page.getByRole('button', { name: 'Add Staff' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Staff' })
    await form.getByLabel('First name').fill('Lerato')
    await form.getByLabel('Email').fill('lerato@example.com')
    await form.getByLabel('Features', { exact: true }).check()
    await form.getByRole('button', { name: 'Add Staff' }).click()
    const dialog = page.getByRole('dialog', { name: 'Password link' })
    await expect(dialog).toContainText('With a link Lerato chooses a password that nobody else knows.')
    await expect(dialog).toContainText('Until it is used, nothing changes.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByLabel('Password link').textContent()
    expect(link).toContain(`${PUBLIC_URL}/choose-password#`)
    await expectAccessible(page)
    // It is shown only now: neither Escape, a click beside the dialog nor Back takes it away.
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.evaluate(() => history.back())
    await expect(dialog).toContainText(link ?? '')
    await dialog.getByRole('button', { name: 'Done' }).click()

    const other = await browser.newPage({ viewport: PHONE })
    const address = `${server.url}${(link ?? '').slice(PUBLIC_URL.length)}`
    await other.goto(address)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Welcome to Podkeeper, Lerato')
    await expectNoSidewaysScroll(other)
    await expectAccessible(other)
    const password = other.getByLabel('New password')
    await expect(password).toHaveAccessibleDescription('At least 10 characters.')
    for (const [typed, problem] of [
      ['short', 'Password needs at least 10 characters'],
      ['Lerato@Example.com', 'Password must not be the email address'],
      ['podkeeper-2026', 'Password must not be the name Podkeeper'],
      ['Password1!', 'Password is one of those that are guessed first'],
    ] as const) {
      await password.fill(typed)
      await expect(password).toHaveAccessibleDescription(new RegExp(problem))
    }
    // The typed text is kept when the server cannot be reached.
    await password.fill(NEW)
    await other.route('**/api/password-links/use', (route) => route.abort('connectionrefused'))
    await other.getByRole('button', { name: 'Set password' }).click()
    await expect(other.getByText('The server cannot be reached.')).toBeVisible()
    await expect(password).toHaveValue(NEW)
    await other.unroute('**/api/password-links/use')
    await other.getByRole('button', { name: 'Set password' }).click()
    await expect(other.getByText('Your password is set. Log in with it.')).toBeVisible()
    await expect(other).toHaveURL(/\/login$/)
    await other.getByLabel('Email Address').fill('lerato@example.com')
    await other.getByLabel('Password', { exact: true }).fill(NEW)
    await other.getByRole('button', { name: 'Log in' }).click()
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Features')

    await other.goto('/')
    await other.goto(address)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('This link does not work any more')
    await expectAccessible(other)
    await expect(other.getByRole('link', { name: 'Mail me a new link' })).toBeVisible()
    await other.close()
  })

  test('keep what was typed when a phone wakes up before its network does', async ({ page, server }) => {
    expectConsoleErrors(/ERR_FAILED/)
    const { id } = await buildStaff(server.db, { firstname: 'Thandi' })
    const token = 'Thandi'.padEnd(43, '-')
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000)
    await server.db
      .insertInto('password_links')
      .values({ staff_id: id, token_hash: toTokenHash(token), expires_at })
      .execute()
    await page.goto(`/choose-password#${token}`)
    const field = page.getByLabel('New password')
    await field.fill(NEW)
    let failed = 0
    await page.route('**/api/password-links/read', (route) => {
      failed += 1
      return route.abort()
    })
    // The browser lets a tab go on that it had frozen in the background, and everything in it is asked for again.
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    // At once and with both retries.
    await expect.poll(() => failed).toBe(3)
    await waitUntilQuiet(page)
    await expect(field).toHaveValue(NEW)
  })

  test('say that the password may be set when the response was lost', async ({ page, server }) => {
    expectConsoleErrors(/ERR_FAILED/, /410/)
    const { id } = await buildStaff(server.db, { firstname: 'Thandi' })
    const token = 'Thandi'.padEnd(43, '-')
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000)
    await server.db
      .insertInto('password_links')
      .values({ staff_id: id, token_hash: toTokenHash(token), expires_at })
      .execute()
    await page.goto(`/choose-password#${token}`)
    await page.getByLabel('New password').fill(NEW)
    await page.route('**/api/password-links/use', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const set = page.getByRole('button', { name: 'Set password' })
    await set.click()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/api/password-links/use')
    await set.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link does not work any more')
    await expect(page.getByText('Your new password may be set')).toBeVisible()
  })

  test('replace each other when they are opened in the same tab', async ({ page, server }) => {
    expectConsoleErrors(/410/)
    const [thandi, sipho] = [
      await buildStaff(server.db, { firstname: 'Thandi', email: 'thandi@example.com' }),
      await buildStaff(server.db, { firstname: 'Sipho', email: 'sipho@example.com' }),
    ]
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000)
    const links = [thandi, sipho].map(({ id, firstname }) => ({ staff_id: id, token: firstname.padEnd(43, '-') }))
    for (const { staff_id, token } of links)
      await server.db
        .insertInto('password_links')
        .values({ staff_id, token_hash: toTokenHash(token), expires_at })
        .execute()
    const [first = '', second = ''] = links.map(({ token }) => `/choose-password#${token}`)
    await page.goto('/choose-password#used-long-ago')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link does not work any more')
    await page.goto(first)
    await expect(page.getByText('thandi@example.com')).toBeVisible()
    await page.getByLabel('New password').fill(NEW)
    await page.goto(second)
    await expect(page.getByText('sipho@example.com')).toBeVisible()
    await expect(page.getByLabel('New password')).toHaveValue('')
    await page.getByLabel('New password').fill(NEW)
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL(/\/login$/)
    const left = await server.db.selectFrom('password_links').select('staff_id').execute()
    expect(left).toEqual([{ staff_id: thandi.id }])
  })

  test('end the session of somebody else who is signed in there, on the server too', async ({
    page,
    server,
    signIn,
  }) => {
    const me = await signIn()
    const { id } = await buildStaff(server.db, { firstname: 'Thandi' })
    const token = 'Thandi'.padEnd(43, '-')
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000)
    await server.db
      .insertInto('password_links')
      .values({ staff_id: id, token_hash: toTokenHash(token), expires_at })
      .execute()
    await page.goto(`/choose-password#${token}`)
    await page.getByLabel('New password').fill(NEW)
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByText('Your password is set. Log in with it.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    const left = server.db.selectFrom('sessions').select('id').where('staff_id', '=', me._id)
    expect(await left.execute()).toEqual([])
  })

  test('cannot be requested by mail when mail is not configured; the form says to ask a colleague', async ({
    page,
    server,
  }) => {
    expectConsoleErrors(/409/)
    await buildStaff(server.db, { email: 'thandi@example.com' })
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password?')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await expect(page.getByText('Email Address is required')).toBeVisible()
    await page.getByLabel('Email Address').fill('thandi@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await expect(page.getByRole('alert')).toContainText('Ask a colleague with access to Assign Role')
    await expect(page.getByLabel('Email Address')).toHaveValue('thandi@example.com')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to log in' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  })
})

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
