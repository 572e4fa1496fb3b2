import { toTokenHash } from '#server/http/session.ts'
import { buildStaff } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'
import { PUBLIC_URL, type TestServer } from './test-server.ts'

const NEW = 'otter lamp 2026 quiet'

/** Inserts a link for a colleague that works for an hour, and returns its path. */
async function buildLink({ db, clock }: TestServer, { id, firstname }: { id: string; firstname: string }) {
  const token = firstname.padEnd(43, '-')
  const expires_at = new Date(clock.now().getTime() + 3_600_000)
  await db
    .insertInto('password_links')
    .values({ staff_id: id, token_hash: toTokenHash(token), expires_at })
    .execute()
  return `/choose-password#${token}`
}

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
    await other.getByRole('button', { name: 'Set password' }).click()
    await expect(password).toBeFocused()
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
    await page.goto(await buildLink(server, await buildStaff(server.db, { firstname: 'Thandi' })))
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
    await page.goto(await buildLink(server, await buildStaff(server.db, { firstname: 'Thandi' })))
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
    const [first, second] = [await buildLink(server, thandi), await buildLink(server, sipho)]
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
    await page.goto(await buildLink(server, await buildStaff(server.db, { firstname: 'Thandi' })))
    await expect(page.getByText(`${me.email} is signed in here, and will be signed out.`)).toBeVisible()
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
    await expect(page.getByLabel('Email Address')).toHaveAccessibleDescription('Email Address is required')
    await expect(page.getByLabel('Email Address')).toBeFocused()
    await page.getByLabel('Email Address').fill('thandi@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await expect(page.getByRole('alert')).toContainText('Ask a colleague with access to Assign Role')
    await expect(page.getByLabel('Email Address')).toHaveValue('thandi@example.com')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to log in' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  })
})
