import type { BrowserContext, Locator, Page } from '@playwright/test'
import { buildFeature, buildLocation, buildStaff } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, test } from './fixtures.ts'
import { moveClock, waitUntilQuiet } from './quiet.ts'

const WARNING = /You will be signed out at \d+:\d\d [AP]M/

/**
 * Lets all responses say that the session ends within a minute, as they do when nobody has used it for almost two hours.
 * Returns a function that ends this. The live stream stays without a response: it would say when the session really
 * ends, at any moment, and again after each jump of the clock.
 */
async function endSessionSoon(page: Page): Promise<() => Promise<void>> {
  const calls = /\/api\/(?!live)/
  const soon = new Date(Date.now() + 60_000).toISOString()
  await page.route(/\/api\/live$/, () => {})
  await page.route(calls, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-auth-idle-until': soon } })
  })
  return () => page.unroute(calls)
}

/** Types into a form until the portal warns that the session ends. Returns the warning. */
async function typeUntilWarned(page: Page): Promise<Locator> {
  await page.clock.install()
  await endSessionSoon(page)
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature' }).click()
  await page.getByRole('dialog').getByLabel('Feature Name').fill('Wi-Fi')
  await moveClock(page, '01:30')
  const warning = page.getByText(WARNING)
  await expect(warning).toBeVisible()
  return warning
}

/** Opens the login in another tab and fills it in. Returns that tab. */
async function fillInLogin(context: BrowserContext, link: Locator, email: string): Promise<Page> {
  const opened = context.waitForEvent('page')
  await link.click()
  const other = await opened
  await other.getByLabel('Email Address').fill(email)
  await other.getByLabel('Password', { exact: true }).fill('correct horse battery')
  return other
}

test.describe('The portal', () => {
  test('restores a session only when token and pages are stored, even if the user data is broken', async ({
    page,
    signIn,
  }) => {
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.evaluate(() => localStorage.setItem('user', '{broken'))
    await page.reload()
    await expect(page.getByText('Sign out and log in again.')).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('auth_page'))
    await page.reload()
    await expect(page).toHaveURL('/login')
  })

  test('redirects an expired session to the login, and returns to the same screen afterwards', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    const { email } = await signIn([2, 7])
    const listening = page.waitForResponse(/\/api\/live$/)
    await page.goto('/location?status=active')
    await expect(page.getByRole('button', { name: 'Add Location' }).first()).toBeVisible()
    await listening
    // Requests that the screen sends by itself would also notice that the session has ended.
    await waitUntilQuiet(page)
    await server.db.deleteFrom('sessions').execute()
    await page.getByLabel('Status').selectOption('blocked')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/location?status=blocked')
  })

  test('keeps what was typed when the session expires, until one has signed in again in another tab', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    const { email } = await signIn([7])
    await buildLocation(server.db, { name: 'Dock' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Location' })
    await form.getByLabel('Name').fill('Dock House')
    await server.db.deleteFrom('sessions').execute()
    await form.getByRole('button', { name: 'Save changes' }).click()
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' })
    const link = ended.getByRole('link', { name: 'Log in again' })
    await expect(link).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const other = await fillInLogin(context, link, email)
    await expect(ended).toBeVisible()
    await other.getByRole('button', { name: 'Log in' }).click()
    await expect(ended).toBeHidden()
    await expect(form.getByLabel('Name')).toHaveValue('Dock House')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Location updated successfully')).toBeVisible()
  })

  test('leaves nothing that was typed to somebody else who signs in, in another tab, once it has expired', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    const { email } = await buildStaff(server.db, { pages: [2], email: 'thandi@example.com' })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Edit details' }).click()
    const form = page.getByRole('dialog', { name: 'Edit details' })
    await form.getByLabel('First name').fill('Lerato')
    await server.db.deleteFrom('sessions').execute()
    await form.getByRole('button', { name: 'Save changes' }).click()
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' })
    const other = await fillInLogin(context, ended.getByRole('link', { name: 'Log in again' }), email)
    await other.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText(email)
    await expect(ended).toBeHidden()
    await expect(form).toBeHidden()
    await expect(page.getByRole('region', { name: 'Details' })).toContainText(email)
  })

  test('warns before an unused session ends, keeps it on any input, and shows nothing once it has ended', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    await page.clock.install()
    const goOn = await endSessionSoon(page)
    const reload = async () => {
      await page.goto('/features')
      await expect(page.getByRole('button', { name: 'Create Feature' })).toBeVisible()
      await waitUntilQuiet(page)
    }
    await reload()
    const warning = page.getByRole('alert').filter({ hasText: WARNING })
    // Nobody has touched anything for as long.
    await moveClock(page, '01:30')
    await expect(warning).toBeVisible()
    await expectAccessible(page)
    await goOn()
    const used = page.waitForRequest(/\/api\/view-as$/)
    await page.keyboard.press('Shift')
    expect((await used).headers()).not.toHaveProperty('x-idle-seconds')
    await expect(warning).toBeHidden()
    await moveClock(page, '01:30')
    await waitUntilQuiet(page)
    await expect(warning).toBeHidden()

    await endSessionSoon(page)
    await reload()
    await server.db.deleteFrom('sessions').execute()
    await moveClock(page, '01:30')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await waitUntilQuiet(page)
    await expect(warning).toBeHidden()
  })

  test('takes the warning back when the session has ended, and keeps what was typed', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    const warning = await typeUntilWarned(page)
    await server.db.deleteFrom('sessions').execute()
    await moveClock(page, '00:30')
    await expect(page.getByRole('alertdialog', { name: 'Your session has ended' })).toBeVisible()
    await expect(warning).toBeHidden()
  })

  test('takes the warning back when another request finds that the session has ended', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    const warning = await typeUntilWarned(page)
    await server.db.deleteFrom('sessions').execute()
    // The list is fetched again, as when one returns to the tab.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByRole('alertdialog', { name: 'Your session has ended' })).toBeVisible()
    await expect(warning).toBeHidden()
  })

  test('expires in all tabs, which are where they were once one has signed in again in one of them', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    const { email } = await signIn([2, 7])
    await buildLocation(server.db, { name: 'Dock' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Location' })
    await form.getByLabel('Name').fill('Dock House')
    const [list, noticing] = [await context.newPage(), await context.newPage()]
    await list.goto('/location?status=active')
    await noticing.goto('/features?status=active')
    await expect(list.getByRole('heading', { name: 'Dock' })).toBeVisible()
    await expect(noticing.getByRole('heading', { level: 1 })).toHaveText('Features')
    await waitUntilQuiet(page)

    await server.db.deleteFrom('sessions').execute()
    await noticing.getByLabel('Status').selectOption('blocked')
    await expect(noticing).toHaveURL('/login')
    await expect(list).toHaveURL('/login')
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' })
    await expect(ended).toBeVisible()

    await noticing.getByLabel('Email Address').fill(email)
    await noticing.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await noticing.getByRole('button', { name: 'Log in' }).click()
    await expect(noticing).toHaveURL('/features?status=blocked')
    await expect(list).toHaveURL('/location?status=active')
    await expect(ended).toBeHidden()
    await expect(form.getByLabel('Name')).toHaveValue('Dock House')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Location updated successfully')).toBeVisible()
  })

  test('reads no live stream while an expired session is kept, and does not call the connection lost', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/, /ERR_INTERNET_DISCONNECTED/)
    await signIn([7])
    await page.clock.install()
    const listening = page.waitForResponse(/\/api\/live$/)
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add Location' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Dock House')
    await listening
    await server.db.deleteFrom('sessions').execute()
    // The stream is broken, and the next one is refused.
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await context.setOffline(false)
    await page.clock.runFor(5_000)
    await expect(page.getByRole('alertdialog', { name: 'Your session has ended' })).toBeVisible()
    let attempts = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/live')) attempts += 1
    })
    await page.clock.runFor(20_000)
    await expect(page.getByText('There is no connection to the server.')).toBeHidden()
    expect(attempts).toBe(0)
  })

  test('leads to the login from an expired session whose unsaved input is discarded', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/401/)
    await signIn([7])
    await buildLocation(server.db, { name: 'Dock' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    await page.getByLabel('Name').fill('Dock House')
    await server.db.deleteFrom('sessions').execute()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

  test('signs out in the browser and on the server', async ({ page, server, signIn }) => {
    await signIn([2, 7])
    await page.goto('/location')
    await page.getByRole('link', { name: 'Features' }).click()
    await expect(page).toHaveURL('/features')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your session has ended.')).toBeHidden()
    expect(await page.evaluate(() => ['token', 'auth_page', 'user'].map((item) => localStorage.getItem(item)))).toEqual(
      [null, null, null],
    )
    await expect.poll(() => server.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
  })

  test('takes the messages of whoever signs out away from the screen', async ({ page, server, signIn }) => {
    await signIn([2])
    await buildFeature(server.db, { name: 'Sauna' })
    await page.goto('/features')
    await page.getByRole('button', { name: 'Block Sauna' }).click()
    const message = page.getByText('Feature blocked successfully')
    await expect(message).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(message).toBeHidden()
  })

  test('signs in and out together with other tabs of the browser', async ({ page, context, signIn }) => {
    expectConsoleErrors(/401/)
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    const other = await context.newPage()
    await other.goto('/features')
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Features')
    const stored = await other.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
    const ended = other.waitForResponse('**/api/user/logout')
    await other.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL('/login')
    await ended
    const asked = page.waitForRequest('**/api/user/verify-page')
    await other.evaluate((items) => {
      for (const [name, value] of Object.entries(items)) localStorage.setItem(name, String(value))
    }, stored)
    // That session has ended on the server: the portal follows the other tab in, checks it, and is refused.
    await asked
    await expect(page).toHaveURL(/\/login/)
  })
})
