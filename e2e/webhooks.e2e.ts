import { buildDelivery } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const PATH = '/messages?show=webhooks'

test.describe('Webhooks', () => {
  test('can be added, edited, switched off and deleted, and show their secret only once', async ({
    page,
    server,
    signIn,
    context,
  }) => {
    expectConsoleErrors(/409/)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn([8])
    await page.goto('/messages')
    await page.getByRole('navigation', { name: 'Messages' }).getByRole('link', { name: 'Webhooks' }).click()
    await expect(page).toHaveURL(PATH)
    await expect(page.getByText('No other system is notified of changes yet.')).toBeVisible()

    await page.getByRole('button', { name: 'Add Webhook' }).click()
    const add = page.getByRole('dialog', { name: 'Add Webhook' })
    await add.getByLabel('URL').fill('ftp://example.com')
    await add.getByRole('button', { name: 'Add Webhook' }).click()
    await expect(add.getByText('URL must begin with https:// or http://')).toBeVisible()
    await expect(add.getByText('Choose at least one event')).toBeVisible()
    await add.getByLabel('URL').fill('https://example.com/hook')
    await add.getByRole('group', { name: 'Bookings' }).getByLabel('cancelled').check()
    await add.getByRole('group', { name: 'Bookings' }).getByLabel('all').check()
    await expect(add.getByRole('group', { name: 'Bookings' }).getByLabel('cancelled')).toBeDisabled()
    await add.getByRole('group', { name: 'Pods' }).getByLabel('created').check()
    await expectAccessible(page)
    await add.getByRole('button', { name: 'Add Webhook' }).click()

    const secretDialog = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = await secretDialog.getByLabel('Signing secret').innerText()
    expect(secret).toMatch(/^whsec_/)
    await secretDialog.getByRole('button', { name: 'Copy' }).click()
    await expect(secretDialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await expectAccessible(page)
    await secretDialog.getByRole('button', { name: 'Done' }).click()

    const table = page.getByRole('table', { name: 'Webhooks' })
    await expect(table.getByText('Bookings: all; Pods: created')).toBeVisible()
    expect(await page.content()).not.toContain('whsec_')

    await table.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Webhook' })
    // Somebody else saves meanwhile.
    await server.db.updateTable('webhooks').set({ url: 'https://example.com/other' }).execute()
    await edit.getByRole('group', { name: 'Pods' }).getByLabel('changed').check()
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(edit.getByText('Pods: created, changed')).toBeVisible()
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(table.getByText('Bookings: all; Pods: created, changed')).toBeVisible()
    await expect(table.getByText('https://example.com/other')).toBeVisible()

    await table.getByRole('button', { name: 'Switch off' }).click()
    await expect(table.getByText('Off', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(table.getByText('Active', { exact: true })).toBeVisible()

    await table.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'History of https://example.com/other' })
    await expect(history.getByText('created the webhook')).toBeVisible()
    await page.keyboard.press('Escape')

    await table.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete webhook' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No other system is notified of changes yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(table.getByText('https://example.com/other')).toBeVisible()
  })

  test('are switched off on Retry when that has failed', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([8])
    await buildDelivery(server.db)
    await page.goto(PATH)
    const isUpdate = '**/api/webhooks/*'
    await page.route(isUpdate, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'It failed.' } }),
    )
    await page.getByRole('button', { name: 'Switch off' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'It failed.' })
    await expect(failure).toBeVisible()
    await page.unroute(isUpdate)
    await failure.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Webhook switched off')).toBeVisible()
  })

  test('have a log of deliveries, which can be filtered and replayed', async ({ page, server, signIn }) => {
    await signIn([8])
    const body = JSON.stringify({ type: 'booking.created', data: { version: 1 } })
    await buildDelivery(server.db, { event: 'pod.changed', state: 'sent', tries: 1, response: '200 OK' })
    await buildDelivery(server.db, { state: 'failed', tries: 10, response: '500 out of order', body })
    await page.goto(PATH)
    const table = page.getByRole('table', { name: 'Deliveries' })
    await expect(table.getByRole('row')).toHaveCount(3)
    await page.getByLabel('Status', { exact: true }).selectOption('failed')
    await expect(page).toHaveURL(/state=failed/)
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table.getByText('500 out of order')).toBeVisible()
    await table.getByRole('button', { name: 'Details' }).click()
    const dialog = page.getByRole('dialog', { name: 'booking.created' })
    await expect(dialog.getByText('500 out of order (10 tries)')).toBeVisible()
    await expect(dialog.getByLabel('Body')).toContainText('"version": 1')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await table.getByRole('button', { name: 'Replay' }).click()
    await expect(page.getByText('The delivery is being sent again')).toBeVisible()
    await expect(page.getByText('No delivery matches these filters.')).toBeVisible()
    await page.getByLabel('Status', { exact: true }).selectOption('')
    await expect(table.getByText('Queued', { exact: true })).toHaveCount(2) // the header, and this one's state
    await page.getByRole('table', { name: 'Webhooks' }).getByRole('button', { name: 'Edit' }).first().click()
    const edit = page.getByRole('dialog', { name: 'Edit Webhook' })
    await edit.getByLabel('URL').fill('https://example.com/renamed')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(table.getByText('https://example.com/renamed')).toBeVisible()
  })

  test('fit on a phone, and offer a retry when they cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await page.setViewportSize(PHONE)
    await signIn([8])
    await buildDelivery(server.db)
    await page.route('**/api/webhooks', (route) => route.abort())
    await page.goto(PATH)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await page.unroute('**/api/webhooks')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Bookings: created')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'booking.created' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
