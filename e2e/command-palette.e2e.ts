import { buildCompany, buildPod } from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

test.describe('The command palette (Ctrl-K)', () => {
  test('opens screens and records and runs actions by keyboard', async ({ page, server, signIn }) => {
    await signIn([2, 3, 9])
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await buildCompany(server.db, { name: 'Podium Films' })
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    const palette = page.getByRole('dialog', { name: 'Go to or do' })
    const field = palette.getByRole('combobox', { name: 'Go to or do' })

    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.type('new boo')
    await expect(palette.getByRole('option')).toHaveText(['New booking'])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/corporate-booking')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('aurora')
    await expect(palette.getByRole('option', { name: 'Aurora' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/pods?search=${pod.id}`)

    // Enter waits for what was typed.
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused()
    await page.keyboard.type('aurora')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/pods?search=${pod.id}`)

    await page.keyboard.press('Control+k')
    for (const words of ['close', ' pod']) {
      await page.keyboard.type(words)
      await expect(palette.getByText('Which pod? Type its name.')).toBeVisible()
    }
    await page.keyboard.type(' aur')
    await expect(palette.getByRole('option').first()).toContainText('Close pod Aurora')
    await page.keyboard.press('Enter')
    await confirmBlock(page, 'Aurora')
    await expect(page.getByText('Pod blocked successfully')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Aurora' })).toContainText('Inactive')
    const { is_blocked } = await server.db
      .selectFrom('pods')
      .select('is_blocked')
      .where('id', '=', pod.id)
      .executeTakeFirstOrThrow()
    expect(is_blocked).toBe(true)

    await page.keyboard.press('Control+k')
    await page.keyboard.press('ArrowDown')
    await expect(palette.getByRole('option', { selected: true })).toHaveText('Go to Features')
    await page.keyboard.press('Escape')
    await expect(palette).toHaveCount(0)
  })

  test('selects the last entry when fewer are found again than an arrow key has passed', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const pods = []
    for (const name of ['Amber', 'Beacon', 'Cedar']) pods.push(await buildPod(server.db, { title: `Room ${name}` }))
    await page.goto('/pods')
    await waitUntilQuiet(page)
    const palette = page.getByRole('dialog', { name: 'Go to or do' })
    const options = palette.getByRole('option')
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('room')
    await expect(options).toHaveCount(3)
    await page.keyboard.press('Escape')

    // What was found before is shown until the response has come.
    const [amber, ...others] = pods.map(({ id }) => id)
    await server.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', 'in', others).execute()
    const release = await holdRoute(page, '**/api/search?*')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('room')
    await expect(options).toHaveCount(3)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await release()
    await expect(options).toHaveCount(1)
    await expect(options).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/pods?search=${amber}`)
  })

  test('offers only permitted screens and actions, and Retry when the search fails', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([2])
    await buildPod(server.db, { title: 'Aurora' })
    await page.setViewportSize(PHONE)
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to or do' })
    await expect(palette.getByRole('option')).toHaveText(['Go to Features'])
    await expect(palette.getByRole('combobox')).toHaveAttribute('placeholder', 'Search, or type the name of a screen')
    await page.keyboard.type('close aurora')
    await expect(palette.getByText('Nothing found.')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.route('**/api/search?*', (route) => route.abort())
    await page.keyboard.type('s')
    await expect(palette.getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 20_000 })
  })

  test('is loaded before its keys are pressed, so that nothing typed after them is lost', async ({ page, signIn }) => {
    await signIn([2])
    const requested = page.waitForRequest(/\/command-palette-.*\.js$/)
    await page.goto('/features')
    await requested
    await waitUntilQuiet(page)
    await page.route('**/assets/*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type('features')
    await expect(page.getByRole('combobox', { name: 'Go to or do' })).toHaveValue('features')
  })
})
