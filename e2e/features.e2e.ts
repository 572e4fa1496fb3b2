import type { Page } from '@playwright/test'
import { buildFeature, buildPod } from '#server/testing/factories.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import type { TestServer } from './test-server.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function buildFeatures(server: TestServer, ...names: string[]) {
  for (const [position, name] of names.entries()) await buildFeature(server.db, { name, position })
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Features' }).locator('tbody').getByRole('row')

async function listStored(server: TestServer): Promise<string[]> {
  const rows = await server.db
    .selectFrom('features')
    .select(['name', 'position'])
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.name)
}

test.describe('The features screen', () => {
  test('lists features by their order, with id, name, status and operations', async ({ page, server, signIn }) => {
    await buildFeature(server.db, { name: 'Coffee', position: 1, is_blocked: true })
    await buildFeature(server.db, { name: 'Wi-Fi', position: 0 })
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    await expect(page.getByRole('columnheader')).toHaveText(['Id', 'Name', 'Status', 'Operations'])
    await expect(rowsOf(page)).toHaveCount(2)
    await expect(rowsOf(page).first()).toContainText(/Wi-Fi.*Active/)
    await expect(rowsOf(page).last()).toContainText(/Coffee.*Inactive/)
    await expect(page.getByText('All Features (2)', { exact: true })).toBeVisible()
  })

  test('shows a spinner while loading', async ({ page, server, signIn }) => {
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    const letGo = await holdRoute(page, '**/api/location/features?*')
    await page.goto('/features')
    await expect(page.getByText('Loading features')).toBeVisible()
    await letGo()
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(page.getByText('Loading features')).toBeHidden()
  })

  test('creates a feature with a chosen icon and shows three skeleton rows while the list refreshes', async ({
    page,
    server,
    signIn,
  }) => {
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await expect(rowsOf(page)).toHaveCount(1)
    const letGo = await holdRoute(page, '**/api/location/features?*')
    await page.getByRole('button', { name: 'Create Feature' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
    await dialog.getByLabel('Feature Name').fill('Good coffee')
    await dialog.getByRole('radio', { name: 'Coffee' }).check()
    await expect(dialog.getByLabel('Icon Name')).toHaveValue('coffee')
    const created = page.waitForRequest('**/api/location/create-features')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    expect((await created).postDataJSON()).toEqual({ name: 'Good coffee', icon: 'coffee', order: -1 })
    await expect(page.getByText('Feature created successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Loading Features')).toBeAttached()
    await expect(page.getByRole('table', { name: 'Features' }).locator('tbody tr[aria-hidden]')).toHaveCount(3)
    await letGo()
    await expect(rowsOf(page)).toHaveCount(2)
    await expect(rowsOf(page).last()).toContainText('Good coffee')
  })

  test('requires name and icon, narrows the icons while typing, and accepts an unknown icon name', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Create the first feature' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Feature Name is required')).toBeVisible()
    await expect(dialog.getByText('Icon Name is required')).toBeVisible()
    await expect(dialog.getByLabel('Feature Name')).toBeFocused()
    await dialog.getByLabel('Icon Name').fill('batt')
    await expect(dialog.getByRole('radio')).toHaveCount(1)
    await dialog.getByLabel('Icon Name').fill('unicorn')
    await expect(dialog.getByText('There is no icon of this name, so a dot is shown.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Feature Name').fill('Unicorns')
    await page.keyboard.press('Enter')
    await expect(rowsOf(page)).toHaveCount(1)
    expect(await server.db.selectFrom('features').select(['name', 'icon']).execute()).toEqual([
      { name: 'Unicorns', icon: 'unicorn' },
    ])
  })

  test('edits a feature from its current values, and warns before discarding changes', async ({
    page,
    server,
    signIn,
  }) => {
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Edit Wi-Fi' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Feature' })
    await expect(dialog.getByLabel('Feature Name')).toHaveValue('Wi-Fi')
    await expect(dialog.getByRole('radio', { name: 'Wi-Fi' })).toBeChecked()
    await dialog.getByLabel('Feature Name').fill('Wi-Fi 7')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Feature updated successfully')).toBeVisible()
    await expect(rowsOf(page)).toContainText(['Wi-Fi 7'])
  })

  test('keeps the dialog open with its input when saving fails', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED|400/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Edit Wi-Fi' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Feature' })
    await dialog.getByLabel('Feature Name').fill('Wi-Fi 7')
    await page.route('**/api/location/edit-feature/*', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
    await expect(dialog.getByLabel('Feature Name')).toHaveValue('Wi-Fi 7')
    const errors = [{ path: 'icon', message: 'Icon Name may have at most 100 characters' }]
    await page.route('**/api/location/edit-feature/*', (route) =>
      route.fulfill({ status: 400, json: { message: errors[0]?.message, code: 'invalid_input', errors } }),
    )
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByLabel('Icon Name')).toHaveAccessibleDescription(/at most 100 characters/)
    await page.unroute('**/api/location/edit-feature/*')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toBeHidden()
    expect(await listStored(server)).toEqual(['Wi-Fi 7'])
  })

  test('blocks and unblocks a feature, and shows the server’s message', async ({ page, server, signIn }) => {
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Block Wi-Fi' }).click()
    await expect(page.getByText('Feature blocked successfully')).toBeVisible()
    await expect(rowsOf(page).first()).toContainText('Inactive')
    await expect(page.getByRole('button', { name: 'Unblock Wi-Fi' })).toBeFocused()
    await page.getByRole('button', { name: 'Unblock Wi-Fi' }).click()
    await expect(page.getByText('Feature unblocked successfully')).toBeVisible()
    await expect(rowsOf(page).first()).toContainText(/Active/)
  })

  test('blocks a feature once on a double click, which can be undone', async ({ page, server, signIn }) => {
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    let sent = 0
    page.on('request', (request) => {
      if (request.url().includes('/block-features/')) sent += 1
    })
    await page.getByRole('button', { name: 'Block Wi-Fi' }).dblclick()
    await expect(page.getByRole('button', { name: 'Unblock Wi-Fi' })).toBeEnabled()
    await expect(page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' })).toBeVisible()
    expect(sent).toBe(1)
    await page.getByRole('button', { name: 'Unblock Wi-Fi' }).click()
    await expect(page.getByText('Feature unblocked successfully')).toBeVisible()
  })

  test('shows an error when blocking fails, and blocks on Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await page.route('**/api/location/block-features/*', (route) => route.abort())
    await page.getByRole('button', { name: 'Block Wi-Fi' }).click()
    const messages = page.getByRole('region', { name: 'Messages' })
    await expect(messages).toContainText('The server cannot be reached.')
    await page.unroute('**/api/location/block-features/*')
    await messages.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Feature blocked successfully')).toBeVisible()
  })

  test('counts the pods that lose a feature again when that has failed', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await buildFeature(server.db, { name: 'Wi-Fi' })
    await signIn([2])
    const failing = '**/location/feature-usage/**'
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    await page.goto('/features')
    await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('How many pods lose it could not be counted.')
    await page.unroute(failing)
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(dialog).toContainText('No pod has it.')
  })

  test('shows how many pods lose a feature before it is deleted', async ({ page, server, signIn }) => {
    const feature = await buildFeature(server.db, { name: 'Wi-Fi' })
    for (let index = 0; index < 2; index++) {
      const pod = await buildPod(server.db)
      await server.db
        .insertInto('pod_features')
        .values({ pod_id: pod.id, feature_id: feature.id, position: 0 })
        .execute()
    }
    await signIn([2])
    await page.goto('/features')
    await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Are you sure you want to delete “Wi-Fi”?')
    await expect(dialog).toContainText('2 pods lose it.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(rowsOf(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Feature deleted successfully')).toBeVisible()
    await expect(page.getByText('What pods offer, such as Wi‑Fi or a screen, appears here.')).toBeVisible()
    expect(await listStored(server)).toEqual([])
  })

  test('keeps the confirmation open when deleting fails', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await page.route('**/api/location/delete-feature/*', (route) => route.abort())
    await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('No pod has it.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
    expect(await listStored(server)).toEqual(['Wi-Fi'])
  })

  test('reorders features with buttons, by keyboard and by dragging', async ({ page, server, signIn }) => {
    await buildFeatures(server, 'A', 'B', 'C', 'D')
    await signIn([2])
    await page.goto('/features')
    await expect(page.getByRole('button', { name: 'Move up A' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Move down D' })).toBeDisabled()
    const sent = page.waitForRequest('**/api/location/update-features-order')
    await page.getByRole('button', { name: 'Move down A' }).click()
    expect((await sent).postDataJSON()).toHaveLength(4)
    await expect(rowsOf(page)).toContainText(['B', 'A', 'C', 'D'])
    await expect.poll(() => listStored(server)).toEqual(['B', 'A', 'C', 'D'])

    await page.getByRole('button', { name: 'Reorder D' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByText('D is at position 4 of 4.')).toBeAttached()
    // Once a row is picked up, the library adds its arrow-key listener in a timer; this timer fires after that one.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText('D is at position 3 of 4.')).toBeAttached()
    await page.keyboard.press('Space')
    await expect.poll(() => listStored(server)).toEqual(['B', 'A', 'D', 'C'])

    // A single movement of the mouse is enough, also where the processor is too slow to draw it before the release.
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const handleOf = (name: string) => page.getByRole('button', { name: `Reorder ${name}` })
    await handleOf('C').dragTo(handleOf('B'))
    await expect.poll(() => listStored(server)).toEqual(['C', 'B', 'A', 'D'])
    await page.reload()
    await expect(rowsOf(page)).toContainText(['C', 'B', 'A', 'D'])

    // By mouse a row is dragged anywhere, but not by its buttons.
    await rowsOf(page).first().dragTo(rowsOf(page).nth(2))
    await expect.poll(() => listStored(server)).toEqual(['B', 'A', 'C', 'D'])
    await page.getByRole('button', { name: 'Edit B' }).dragTo(rowsOf(page).nth(2))
    expect(await listStored(server)).toEqual(['B', 'A', 'C', 'D'])
    const positions = await server.db.selectFrom('features').select('position').orderBy('position').execute()
    expect(positions.map(({ position }) => position)).toEqual([0, 1, 2, 3])
  })

  test('restores the previous order when a new order cannot be saved', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED|409/)
    await buildFeatures(server, 'A', 'B', 'C')
    await signIn([2])
    await page.goto('/features')
    await page.route('**/api/location/update-features-order', (route) => route.abort())
    await page.getByRole('button', { name: 'Move up C' }).click()
    const messages = page.getByRole('region', { name: 'Messages' })
    await expect(messages).toContainText('The new order was not saved. The server cannot be reached.')
    await expect(rowsOf(page)).toContainText(['A', 'B', 'C'])
    await page.unroute('**/api/location/update-features-order')
    // The next step must wait until the list was reloaded after saving.
    let isSaved = false
    const afterSaving = new Set<unknown>()
    page.on('response', (response) => {
      if (response.url().endsWith('/update-features-order')) isSaved = true
    })
    page.on('request', (request) => {
      if (isSaved) afterSaving.add(request)
    })
    const reloaded = page.waitForResponse(
      (response) => afterSaving.has(response.request()) && response.url().includes('/api/location/features?'),
    )
    await messages.getByRole('button', { name: 'Retry' }).click()
    await expect(rowsOf(page)).toContainText(['A', 'C', 'B'])
    await expect.poll(() => listStored(server)).toEqual(['A', 'C', 'B'])
    await reloaded

    await buildFeature(server.db, { name: 'New', position: 9 })
    await page.getByRole('button', { name: 'Move up C' }).click()
    await expect(messages).toContainText('The new order was not saved. The list has changed meanwhile')
    await expect(rowsOf(page)).toContainText(['A', 'C', 'B', 'New'])
  })

  test('keeps search and status in the URL, and allows reordering only without filters', async ({
    page,
    server,
    signIn,
  }) => {
    await buildFeature(server.db, { name: 'Wi-Fi', position: 0 })
    await buildFeature(server.db, { name: 'Coffee', position: 1, is_blocked: true })
    await signIn([2])
    await page.goto('/features?status=blocked')
    await expect(rowsOf(page)).toContainText(['Coffee'])
    await expect(page.getByText('Show all features to change their order.')).toBeVisible()
    await expect(page.getByRole('button', { name: /Move|Reorder/ })).toHaveCount(0)
    await page.getByLabel('Status').selectOption('')
    await expect(rowsOf(page)).toHaveCount(2)
    await page.getByLabel('Search features').fill('wi')
    await expect(page).toHaveURL('/features?search=wi')
    await expect(rowsOf(page)).toContainText(['Wi-Fi'])
    await page.getByLabel('Search features').fill('nothing')
    await expect(page.getByText('No feature matches. Try other words or another status.')).toBeVisible()
  })

  test('finds what Features.csv has for the same search', async ({ page, server, signIn }) => {
    await buildFeatures(server, 'Large screen', 'Café', 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    const search = page.getByLabel('Search features')
    const download = page.getByRole('button', { name: 'Download All' })
    for (const [typed, name] of [
      ['cafe', 'Café'],
      ['screen large', 'Large screen'],
    ] as const) {
      await search.fill(typed)
      await expect(page.getByText('1 of 3')).toBeVisible()
      await expect(rowsOf(page)).toContainText([name])
      const lines = (await downloadBy(page, download)).body.toString().trim().split('\r\n')
      expect(lines.slice(1)).toEqual([expect.stringContaining(name)])
    }
    await search.fill('scren')
    await expect(page.getByText('No exact match for “scren”. These are spelled similarly.')).toBeVisible()
    await expect(rowsOf(page)).toContainText(['Large screen'])
    await search.fill('')
    await expect(rowsOf(page)).toHaveCount(3)
  })

  test('downloads Features.csv with the filters of the screen', async ({ page, server, signIn }) => {
    await buildFeature(server.db, { name: 'Wi-Fi', position: 0 })
    await buildFeature(server.db, { name: 'Coffee', position: 1, is_blocked: true })
    await signIn([2])
    await page.goto('/features?status=blocked')
    await expect(rowsOf(page)).toHaveCount(1)
    const { name, body } = await downloadBy(page, page.getByRole('button', { name: 'Download All' }))
    expect(name).toBe('Features.csv')
    const text = body.toString()
    expect(text).toContain('Full Name')
    expect(text).toContain('Coffee')
    expect(text).not.toContain('Wi-Fi')
    await expect(page.getByText('Features.csv is in your downloads')).toBeVisible()
  })

  test('shows a running download, cancels it, and shows an error with Retry when it fails', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED|503/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await expect(rowsOf(page)).toHaveCount(1)
    const messages = page.getByRole('region', { name: 'Messages' })
    await page.route('**/api/exports/features*', () => undefined)
    await page.getByRole('button', { name: 'Download All' }).click()
    await expect(messages).toContainText('Preparing your download')
    await messages.getByRole('button', { name: 'Cancel' }).click()
    await expect(messages).not.toContainText('Preparing your download')
    await expect(messages.getByRole('listitem')).toHaveCount(0)
    await page.unroute('**/api/exports/features*')
    await page.route('**/api/exports/features*', (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'The server is busy. Try again in a moment.', code: 'overloaded', requestId: 'r-1' },
      }),
    )
    await page.getByRole('button', { name: 'Download All' }).click()
    await expect(messages).toContainText('The download failed. The server is busy. Try again in a moment.')
    await expect(messages).toContainText('Request r-1')
    await page.unroute('**/api/exports/features*')
    const { name } = await downloadBy(page, messages.getByRole('button', { name: 'Retry' }))
    expect(name).toBe('Features.csv')
  })

  test('stops a running download when the person signs out', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.goto('/features')
    await expect(rowsOf(page)).toHaveCount(1)
    const release = await holdRoute(page, '**/api/exports/features*')
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/exports/features'))
    await page.getByRole('button', { name: 'Download All' }).click()
    await expect(page.getByText('Preparing your download')).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await stopped
    await release()
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  })

  test('shows an error when the list cannot be loaded, and loads it on Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/403|ERR_FAILED/)
    await buildFeatures(server, 'Wi-Fi')
    await signIn([2])
    await page.route('**/api/location/features?*', (route) => route.abort())
    await page.goto('/features')
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
    await page.unroute('**/api/location/features?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(rowsOf(page)).toHaveCount(1)
  })

  test('is accessible, and becomes cards with menus on a phone', async ({ page, server, signIn }) => {
    await buildFeature(server.db, { name: 'A very long name of a feature that goes on and on and on', position: 0 })
    await buildFeature(server.db, { name: 'Coffee', position: 1, is_blocked: true })
    await signIn([2])
    await page.goto('/features')
    await expect(rowsOf(page)).toHaveCount(2)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    const cards = page.getByRole('list', { name: 'Features' }).getByRole('listitem')
    await expect(cards).toHaveCount(2)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Actions for Coffee' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await expect.poll(() => listStored(server)).toEqual(['Coffee', expect.stringContaining('A very long name')])
  })
})
