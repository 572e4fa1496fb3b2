import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { buildSecondFactor, buildStaff, TEST_PASSWORD, toCode } from '#server/testing/factories.ts'
import { DOWN } from './failures.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

/** Returns the code that the app shows now, or a later one, because each code works only once. */
const codeOf = (key: string, later = 0) => toCode(key, new Date(Date.now() + later * 30_000))

async function givePassword(page: Page, email: string) {
  await page.goto('/login')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
}

test.describe('A second factor', () => {
  test('is shown as it is by now when the response to its first code, or to turning it off, is lost', async ({
    page,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([2])
    const responses = '**/api/second-factors{,/confirmations}'
    await page.goto('/account')
    const panel = page.getByRole('region', { name: 'Second factor' })
    await panel.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
    const key = ((await dialog.getByLabel('Key', { exact: true }).textContent()) ?? '').replaceAll(' ', '')
    await page.route(responses, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(key))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await expect(dialog.getByRole('alert')).toContainText(DOWN)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(panel).toContainText('10 recovery codes are left.')

    await panel.getByRole('button', { name: 'Turn off' }).click()
    const question = page.getByRole('alertdialog', { name: 'Turn the second factor off' })
    await question.getByRole('button', { name: 'Turn off' }).click()
    await expect(question.getByRole('alert')).toContainText(DOWN)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(panel.getByRole('button', { name: 'Set up' })).toBeVisible()
  })

  test('is set up under Your account, with recovery codes that are shown once, and can be downloaded and replaced', async ({
    page,
    signIn,
  }) => {
    expectConsoleErrors(/400/)
    await signIn([2])
    await page.goto('/')
    await page.getByRole('link', { name: 'Your account' }).click()
    const panel = page.getByRole('region', { name: 'Second factor' })
    await expect(panel).toContainText('Off')
    await panel.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
    await expect(dialog.getByRole('img', { name: 'QR code of the new key' })).toBeVisible()
    const key = ((await dialog.getByLabel('Key', { exact: true }).textContent()) ?? '').replaceAll(' ', '')
    const code = dialog.getByLabel('Code', { exact: true })
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code).toHaveAttribute('inputmode', 'numeric')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await expect(code).toHaveAccessibleDescription(/Code is required/)
    await code.fill('000000')
    await code.press('Enter')
    await expect(code).toHaveAccessibleDescription(/This code is wrong. Check that the clock of your phone is right/)
    await code.fill(codeOf(key))
    await code.press('Enter')

    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    const started = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download' }).click()
    const file = await readFile(await (await started).path(), 'utf8')
    const [first = ''] = await codes.getByRole('listitem').allTextContents()
    expect(file).toContain(first)
    // Only the button confirms that the codes were kept: neither Escape, nor Back, nor a reload.
    await page.keyboard.press('Escape')
    await page.goBack()
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => undefined)
    await (await asked).dismiss()
    await expect(codes.getByText(first)).toBeVisible()
    await codes.getByRole('button', { name: 'I have kept them' }).click()
    await expect(panel).toContainText('On')
    await expect(panel).toContainText('10 recovery codes are left.')
    await expect(page.getByText(first)).toHaveCount(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(panel).toContainText('10 recovery codes are left.')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText(first)).toHaveCount(0)

    await panel.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    expect(await codes.getByRole('listitem').allTextContents()).not.toContain(first)
    await codes.getByRole('button', { name: 'I have kept them' }).click()
  })

  test('is required after the password, and can be replaced by a recovery code', async ({ page, server }) => {
    expectConsoleErrors(/40[13]/, /410/)
    const staff = await buildStaff(server.db, { pages: [2] })
    const { key } = await buildSecondFactor(server.db, staff.id)
    await givePassword(page, staff.email)
    const code = page.getByLabel('Code', { exact: true })
    await expect(code).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(code).toHaveAccessibleDescription('Code is required')
    await code.fill('000 000')
    await code.press('Enter')
    await expect(code).toHaveAccessibleDescription(/This code is wrong, or was used already.*clock of your phone/)
    await expect(code).toHaveValue('000 000')
    await expectAccessible(page)
    await code.fill(codeOf(key))
    await code.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')

    // Now a recovery code copied from the list.
    await page.goto('/account')
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    const [recovery = ''] = await codes.getByRole('listitem').allTextContents()
    await codes.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.setViewportSize(PHONE)
    await givePassword(page, staff.email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter a recovery code')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByLabel('Recovery code').fill(recovery)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('Signed in with a recovery code. 9 left.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
  })

  test('requires the password again when the code comes too late', async ({ page, server }) => {
    expectConsoleErrors(/403/, /410/)
    const staff = await buildStaff(server.db)
    const { key } = await buildSecondFactor(server.db, staff.id)
    await givePassword(page, staff.email)
    await server.db.updateTable('sign_in_challenges').set({ expires_at: new Date() }).execute()
    await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 1))
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'That took too long, or was done already. Enter your password again.',
    )
    await expect(page.getByLabel('Email Address')).toHaveValue(staff.email)
  })

  test('can be reset by a colleague', async ({ page, server, signIn }) => {
    await signIn()
    const colleague = await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [2] })
    await buildSecondFactor(server.db, colleague.id)
    await page.goto('/assign-role')
    await page
      .getByRole('row', { name: /Sipho Zulu/ })
      .getByRole('button', { name: 'More actions for Sipho Zulu' })
      .click()
    await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset', exact: true }).click()
    await expect(page.getByText('Second factor reset', { exact: true })).toBeVisible()
    expect(await server.db.selectFrom('second_factors').select('id').execute()).toEqual([])
  })
})
