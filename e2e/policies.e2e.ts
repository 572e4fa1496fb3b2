import { buildLocation } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('Policies', () => {
  test('show an example refund before they are saved, and can be set for all locations or for one', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/400/)
    await signIn([8])
    await buildLocation(server.db, { name: 'Rosebank' })
    await page.goto('/policies')
    const forAll = page.getByRole('region', { name: 'Cancellation policy for all' })
    await expect(forAll.getByRole('listitem')).toHaveText([
      'Until 2 hours before the start: everything',
      'After that: nothing',
    ])
    await expect(forAll).toContainText('Cancelled 5 hours before, R 400.00 paid: R 400.00 back')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Edit policy' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancellation policy for all' })
    await dialog.getByLabel('Hours before the start, 1').fill('24')
    await dialog.getByRole('button', { name: 'Add bracket' }).click()
    await expect(dialog.getByLabel('Hours before the start, 2')).toBeFocused()
    await dialog.getByLabel('Hours before the start, 2').fill('4')
    await dialog.getByLabel('Per cent given back, 2').fill('185')
    await dialog.getByLabel('Fee kept of every refund').fill('20')
    await dialog.getByRole('button', { name: 'Save policy' }).click()
    await expect(dialog.getByText('Per cent must be at most 100')).toBeVisible()
    await dialog.getByLabel('Per cent given back, 2').fill('85')
    await expect(dialog).toContainText('Cancelled 5 hours before, R 400.00 paid: R 320.00 back')
    await dialog.getByLabel('Cancelled before the start').fill('2')
    await expect(dialog).toContainText('Cancelled 2 hours before, R 400.00 paid: R 0.00 back')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save policy' }).click()
    await expect(forAll.getByRole('listitem')).toHaveText([
      'Until 24 hours before the start: everything, less R 20.00',
      'Until 4 hours before the start: 85 %, less R 20.00',
      'After that: nothing',
    ])

    await page.getByRole('button', { name: 'Edit Rosebank' }).click()
    const own = page.getByRole('dialog', { name: 'Policy of Rosebank' })
    await own.getByRole('switch', { name: 'A cancellation policy of its own' }).click()
    await own.getByRole('button', { name: 'Remove bracket 2' }).click()
    await own.getByLabel('No-show by the clock').fill('15')
    await own.getByRole('button', { name: 'Save policy' }).click()
    const row = page.getByRole('row', { name: 'Rosebank' })
    await expect(row).toContainText('Until 24 hours before the start: everything, less R 20.00; After that: nothing')
    await expect(row).toContainText('After 15 minutes')
  })

  test('let staff add, rename, order and delete the reasons for cancellations, and undo this, on a phone', async ({
    page,
    signIn,
  }) => {
    await signIn([8])
    await page.setViewportSize(PHONE)
    await page.goto('/policies')
    const reasons = page.getByRole('region', { name: 'Reasons for cancellations' })
    await expect(reasons.getByRole('listitem').first()).toBeVisible()
    const before = await reasons.getByRole('listitem').allTextContents()
    await page.getByRole('button', { name: 'Edit reasons' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reasons for cancellations' })
    await dialog.getByRole('button', { name: 'Add reason' }).click()
    await expect(dialog.getByLabel(`Reason ${before.length + 1}`)).toBeFocused()
    await dialog.getByLabel(`Reason ${before.length + 1}`).fill('Power cut')
    await dialog.getByRole('button', { name: 'Move Power cut up' }).click()
    await dialog.getByLabel('Reason 1', { exact: true }).fill('The customer asked')
    await dialog.getByRole('button', { name: `Delete ${before[1]}` }).click()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Save reasons' }).click()
    await expect(reasons.getByRole('listitem')).toHaveText([
      'The customer asked',
      ...before.slice(2, -1),
      'Power cut',
      before.at(-1) ?? '',
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(reasons.getByRole('listitem')).toHaveText(before)
  })

  test('of one location are found by its name among many, as is when its customers are reminded', async ({
    page,
    server,
    signIn,
  }) => {
    for (let n = 1; n <= 12; n++) await buildLocation(server.db, { name: `Sandton ${n}`, city: 'Durban' })
    await buildLocation(server.db, { name: 'Café Rosebank', city: 'Knysna' })
    await buildLocation(server.db, { name: 'Café Rosebank', city: 'George' })
    await signIn([8])
    await page.setViewportSize(PHONE)
    await page.goto('/policies')
    const find = page.getByRole('searchbox', { name: 'Find a location' })
    const rows = page.getByRole('region', { name: 'By location' }).getByRole('button', { name: /Café|Sandton/ })
    await expect(rows).toHaveCount(14)
    await find.fill('cafe rose')
    await expect(rows).toHaveCount(2)
    await expect(page.getByRole('region', { name: 'By location' })).toContainText('Knysna')
    await find.fill('cafe george')
    await expect(rows).toHaveCount(1)
    await find.fill('nowhere')
    await expect(page.getByText('No location found')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.goto('/messages?show=templates')
    const reminders = page.getByRole('region', { name: 'Reminders' }).getByRole('combobox')
    await expect(reminders).toHaveCount(14)
    await find.fill('cafe knysna')
    await expect(reminders).toHaveAccessibleDescription('Knysna')
    await find.fill('sandton 1')
    await expect(reminders).toHaveCount(4)
    await expectAccessible(page)
  })

  test('and reminders are set for all locations at once, which one can undo', async ({ page, server, signIn }) => {
    for (const name of ['Rosebank', 'Sandton']) await buildLocation(server.db, { name })
    await signIn([8])
    await page.goto('/policies')
    await page.getByRole('button', { name: 'No-shows for all' }).click()
    await page.getByLabel('No-show by the clock').fill('15')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set for 2 locations' }).click()
    await expect(page.getByRole('cell', { name: 'After 15 minutes' })).toHaveCount(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('2 changes are undone')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Off' })).toHaveCount(2)
    await page.goto('/messages?show=templates')
    await page.getByRole('button', { name: 'Set for all' }).click()
    await page.getByLabel('Customers are reminded').selectOption('2 days before')
    await page.getByRole('button', { name: 'Set for 2 locations' }).click()
    for (const name of ['Rosebank', 'Sandton']) await expect(page.getByLabel(name)).toHaveValue('48')
  })

  test('show an error with Retry when they cannot be loaded', async ({ page, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([8])
    await page.route('**/api/booking-policy', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
    await page.goto('/policies')
    await expect(page.getByText('The policies could not be loaded')).toBeVisible()
    await page.unroute('**/api/booking-policy')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('After that: nothing')).toBeVisible()
  })
})
