import type { Locator } from '@playwright/test'
import { buildUser } from '#server/testing/factories.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'

/** Sizes and durations that only a browser can measure. */

/** Checks the computed size, because dialogs are scaled while they open. */
async function expectSize(locator: Locator, { width, height }: { width: number; height?: number }) {
  await expect(locator).toHaveCSS('width', `${width}px`)
  if (height !== undefined) await expect(locator).toHaveCSS('height', `${height}px`)
}

test.describe('The portal', () => {
  test('gives the sidebar a fifth of the width and the full height, and the logo 153 by 40 pixels', async ({
    page,
    signIn,
  }) => {
    await signIn([1])
    await page.goto('/')
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    for (const size of [
      { width: 1025, height: 768 },
      { width: 1440, height: 900 },
      { width: 1920, height: 1080 },
    ]) {
      await page.setViewportSize(size)
      await expectSize(sidebar, { width: size.width / 5, height: size.height })
      await expectSize(
        page
          .getByRole('link', { name: / home$/ })
          .locator('> span')
          .first(),
        { width: 153, height: 40 },
      )
    }
  })

  test('opens dialogs 400 or 500 pixels wide, and a history 720, and uses the red of the brand', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
    await page.goto('/user-details')
    await page.getByRole('button', { name: 'Delete Zanele Dlamini' }).click()
    await expectSize(page.getByRole('alertdialog'), { width: 400 })
    await page.goto('/user-details')
    await page.getByRole('button', { name: 'History Zanele Dlamini' }).click()
    await expectSize(page.getByRole('dialog', { name: 'History of Zanele Dlamini' }), { width: 720 })
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Manage Rate' }).click()
    await expectSize(page.getByRole('dialog', { name: 'Manage Rate' }), { width: 400 })
    await page.goto('/features')
    const create = page.getByRole('button', { name: 'Create Feature' })
    await expect(create).toHaveCSS('background-color', 'rgb(214, 32, 47)')
    await create.click()
    await expectSize(page.getByRole('dialog', { name: 'Create New Feature' }), { width: 500 })
  })

  test('hides a success message after 6000 ms, and keeps an error message', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn()
    await buildUser(server.db, { firstname: 'Pieter', lastname: 'van Wyk' })
    await page.goto('/user-details')
    const messages = page.getByRole('region', { name: 'Messages' })
    await page.route('**/api/user/block-user/*', (route) => route.abort())
    await page.getByRole('button', { name: 'Block Pieter van Wyk' }).click()
    const failure = messages.getByText('The server cannot be reached.')
    await expect(failure).toBeVisible()
    // Measured in the page, because a busy machine would distort a measurement from outside.
    const standing = messages.evaluate(
      (region, text) =>
        new Promise<number>((resolve) => {
          let since: number | undefined
          new MutationObserver(() => {
            const isThere = region.textContent?.includes(text)
            if (isThere) since ??= performance.now()
            else if (since !== undefined) resolve(performance.now() - since)
          }).observe(region, { childList: true, subtree: true })
        }),
      'Users.csv is in your downloads',
    )
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: /Users\.csv/ }).click()
    const milliseconds = await standing
    expect(milliseconds).toBeGreaterThan(5900)
    expect(milliseconds).toBeLessThan(8000)
    await expect(failure).toBeVisible()
  })
})
