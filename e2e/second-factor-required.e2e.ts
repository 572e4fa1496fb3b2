import type { Page } from '@playwright/test'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Goes through the setup up to the recovery codes, without confirming that they were kept. */
async function setUp(page: Page) {
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await expect(heading(page)).toHaveText('Scan this with your app')
  const key = ((await page.getByLabel('Key', { exact: true }).textContent()) ?? '').replaceAll(' ', '')
  const code = page.getByLabel('Code', { exact: true })
  await expect(code).toBeFocused()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(code).toHaveAccessibleDescription(/Code is required/)
  await expectAccessible(page)
  await code.fill(toCode(key, new Date()))
  await code.press('Enter')
  await expect(heading(page)).toHaveText('Keep your recovery codes')
}

test.describe('A second factor that is required of everyone', () => {
  test('is required under Policies by a person who has one, and the staff list shows who has none', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn()
    await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu' })
    await page.goto('/policies')
    const panel = page.getByRole('region', { name: 'Signing in' })
    await expect(panel).toContainText('Not required')
    await expect(panel).toContainText('0 of 2 active staff members have one.')
    await expect(panel.getByRole('button', { name: 'Require of everyone' })).toBeDisabled()
    await expect(panel.getByRole('link', { name: 'set up your own' })).toBeVisible()
    await expectAccessible(page)

    await buildSecondFactor(server.db, _id)
    await page.reload()
    await panel.getByRole('button', { name: 'Require of everyone' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('1 colleague has none')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Require of everyone' }).click()
    await expect(page.getByText('A second factor is required of everyone now')).toBeVisible()
    await expect(panel).toContainText('1 of 2 active staff members have one.')
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 720 })

    await panel.getByRole('link', { name: 'Show who has none' }).click()
    const mark = page.getByTitle('Has a second factor')
    await expect(page.getByRole('row', { name: /Sipho Zulu/ })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(mark).toHaveCount(0)
    await page.getByLabel('Second factor', { exact: true }).selectOption('With a second factor')
    await expect(mark).toHaveCount(1)
    await expect(page.getByRole('row', { name: /Sipho Zulu/ })).toHaveCount(0)
    await page.goto('/account')
    const own = page.getByRole('region', { name: 'Second factor' })
    await expect(own).toContainText('It is required of everyone here.')
    await expect(own.getByRole('button', { name: 'Turn off' })).toHaveCount(0)

    await page.goto('/policies')
    await panel.getByRole('button', { name: 'No longer require' }).click()
    await dialog.getByRole('button', { name: 'No longer require' }).click()
    await expect(panel).toContainText('Not required')
  })

  test('is set up right after the password, before the requested screen opens', async ({ page, server }) => {
    const staff = await buildStaff(server.db, { pages: [2] })
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    await page.goto('/features?search=wifi')
    await page.getByLabel('Email Address').fill(staff.email)
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(heading(page)).toHaveText('Set up a second factor')
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await setUp(page)
    await expect(page.getByRole('listitem')).toHaveCount(10)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect(heading(page)).toHaveText('Features')
    expect(new URL(page.url()).search).toBe('?search=wifi')
  })

  test('must be set up by signed-in staff at their next click, with the password again if given long ago', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/403/)
    const { _id } = await signIn([2, 5])
    await page.goto('/features')
    await expect(heading(page)).toHaveText('Features')
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    const longAgo = new Date(Date.now() - 3_600_000)
    await server.db.updateTable('sessions').set({ confirmed_at: longAgo }).where('staff_id', '=', _id).execute()
    // Clicks without hovering, because hovering would already preload the page. On a busy machine a request of the first
    // screen may still be on its way, and lead there before the click.
    const link = page.getByRole('link', { name: 'User Details' })
    await expect(async () => {
      if (await link.isVisible()) await link.dispatchEvent('click', {}, { timeout: 500 })
      await expect(heading(page)).toHaveText('Set up a second factor', { timeout: 1000 })
    }).toPass()
    // Neither another address nor a reload gets around it.
    await page.goto('/account')
    await expect(heading(page)).toHaveText('Set up a second factor')
    await page.getByRole('button', { name: 'Set up', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Enter your password again' })
    await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page)).toHaveText('Scan this with your app')
    await page.getByRole('button', { name: 'Back', exact: true }).click()

    // The second factor is set up elsewhere, for example in another tab.
    await buildSecondFactor(server.db, _id)
    await expect(heading(page)).toHaveText('Your account')
  })

  test('keeps what was typed until it has been set up in another tab', async ({ page, context, server, signIn }) => {
    expectConsoleErrors(/403/)
    const { _id } = await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Create Feature' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create New Feature' })
    await form.getByLabel('Feature Name').fill('Sauna')
    await form.getByLabel('icon Name').fill('wifi')
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    await form.getByRole('button', { name: 'Submit' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Everyone needs a second factor now' })
    const link = asked.getByRole('link', { name: 'Set one up' })
    await expect(link).toBeFocused()
    await expectAccessible(page)
    const opened = context.waitForEvent('page')
    await link.click()
    const other = await opened
    await expect(heading(other)).toHaveText('Set up a second factor')
    // A window of its own may stand beside this one, which then is not told that anybody comes back to it.
    await expect(asked).toBeVisible()
    await buildSecondFactor(server.db, _id)
    await expect(asked).toBeHidden()
    await expect(form.getByLabel('Feature Name')).toHaveValue('Sauna')
    await form.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('row', { name: /Sauna/ })).toBeVisible()
  })

  test('leads to setting one up when what was typed is discarded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/403/)
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Create Feature' }).first().click()
    await page.getByLabel('Feature Name').fill('Sauna')
    await page.getByLabel('icon Name').fill('wifi')
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(heading(page)).toHaveText('Set up a second factor')
  })

  test('can be avoided only by signing out', async ({ page, server, signIn }) => {
    expectConsoleErrors(/403/)
    await server.db.updateTable('pricing').set({ second_factor_required: true }).execute()
    await signIn([2])
    await page.goto('/features')
    await expect(heading(page)).toHaveText('Set up a second factor')
    // A request that is sent while signing out would be answered with 401.
    await waitUntilQuiet(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(heading(page)).toHaveText(/^Log in/)
    await expect.poll(() => server.db.selectFrom('sessions').select('id').execute()).toEqual([])
  })
})
