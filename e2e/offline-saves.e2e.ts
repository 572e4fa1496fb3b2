import type { BrowserContext, Page } from '@playwright/test'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildFeature, buildPod } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { drawImage } from './images.ts'

/**
 * Disconnects during the first such request: the server carries it out, but the browser does not receive the response.
 * Returns the idempotency keys that were sent.
 */
async function goOfflineDuring(
  page: Page,
  context: BrowserContext,
  { method, path }: { method: string; path: string },
) {
  const keys: (string | undefined)[] = []
  await page.route(`**/api${path.replace(/:\w+/g, '*')}`, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    expect((await route.fetch()).status()).toBeLessThan(300)
    await context.setOffline(true)
    return route.abort('internetdisconnected')
  })
  return keys
}

/** Expects the banner, reconnects, and expects the request to be retried automatically with the same key. */
async function comeBack(page: Page, context: BrowserContext, keys: (string | undefined)[]) {
  const banner = page.getByText('You are offline.')
  await expect(banner).toBeVisible()
  await context.setOffline(false)
  await expect.poll(() => keys.length).toBe(2)
  await expect(banner).toHaveCount(0)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
}

test.describe('A browser that goes offline in the middle of a request', () => {
  test.beforeEach(() => {
    expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/)
  })
  /** Expects that exactly one change was recorded. */
  test.afterEach(async ({ server }) => {
    // Uploading an image is a change of its own, and so is the closure that blocks a pod.
    const rows = await server.db
      .selectFrom('audit')
      .select('action')
      .where('action', '!=', 'upload')
      .where('entity', '!=', 'closure')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('retries a creation, and the record is created once', async ({ page, context, server, signIn }) => {
    await signIn([2])
    await page.goto('/features')
    const keys = await goOfflineDuring(page, context, routes.features.create)
    await page.getByRole('button', { name: 'Create Feature', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
    await dialog.getByLabel('Feature Name').fill('Wi-Fi')
    await dialog.getByLabel('Icon Name').fill('wifi')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Connection lost. Trying again…')).toBeVisible()
    await comeBack(page, context, keys)
    await expect(page.getByText('Feature created successfully')).toBeVisible()
    expect(await server.db.selectFrom('features').select('name').execute()).toEqual([{ name: 'Wi-Fi' }])
  })

  test('retries an edit, and reports no conflict with its own first attempt', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    await signIn([2])
    await buildFeature(server.db, { name: 'Wi-Fi' })
    await page.goto('/features')
    const keys = await goOfflineDuring(page, context, routes.features.update)
    await page.getByRole('button', { name: 'Edit Wi-Fi' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Feature' })
    await dialog.getByLabel('Feature Name').fill('Internet')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Connection lost. Trying again…')).toBeVisible()
    await expect(dialog.getByLabel('Feature Name')).toHaveValue('Internet')
    await comeBack(page, context, keys)
    await expect(page.getByText('Feature updated successfully')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  })

  test('retries a deletion, and does not report that the record is already gone', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    // The dialog, still open, asks again in how many pods the feature is used, and gets a 404.
    expectConsoleErrors(/404/)
    await signIn([2])
    await buildFeature(server.db, { name: 'Wi-Fi' })
    await page.goto('/features')
    const keys = await goOfflineDuring(page, context, routes.features.delete)
    await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await comeBack(page, context, keys)
    await expect(page.getByText('Feature deleted successfully')).toBeVisible()
  })

  test('retries a block, which takes effect once', async ({ page, context, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/pods')
    const keys = await goOfflineDuring(page, context, routes.closures.create)
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    const dialog = page.getByRole('dialog', { name: 'Block Aurora' })
    await dialog.getByLabel('Reason').fill('Lock broken')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await comeBack(page, context, keys)
    await expect(page.getByText('Pod blocked successfully')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Aurora' })).toContainText('Inactive')
  })

  test('retries a new order of the features, which takes effect once', async ({ page, context, server, signIn }) => {
    await signIn([2])
    await buildFeature(server.db, { name: 'Wi-Fi' })
    await buildFeature(server.db, { name: 'Desk' })
    await page.goto('/features')
    const keys = await goOfflineDuring(page, context, routes.features.reorder)
    await page.getByRole('button', { name: 'Move up Desk' }).click()
    await comeBack(page, context, keys)
    await expect(page.getByText('The new order is saved')).toBeVisible()
    const names = await server.db.selectFrom('features').select('name').orderBy('position').execute()
    expect(names.map(({ name }) => name)).toEqual(['Desk', 'Wi-Fi'])
  })

  test('retries a cancellation, and does not report that the booking is already cancelled', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    await signIn([6])
    await buildBooking(server.db, { start_time: wallTime(businessDay(1), '09:00') })
    await page.goto('/booking')
    const keys = await goOfflineDuring(page, context, routes.bookingActions.cancel)
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    await page.getByRole('dialog', { name: 'Cancel booking' }).getByRole('button', { name: 'Cancel booking' }).click()
    await comeBack(page, context, keys)
    await expect(page.getByRole('row').filter({ hasText: 'Cancelled' })).toBeVisible()
  })

  test('retries a booking, which is created once', async ({ page, context, server, signIn }) => {
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await page.getByRole('combobox', { name: 'Purpose' }).selectOption('meeting')
    await choose(page.getByRole('combobox', { name: 'Pod' }), 'Aurora')
    await page.getByLabel('Date').fill(businessDay(1))
    await page.getByRole('button', { name: /^Time Slots/ }).click()
    const slots = page.getByRole('dialog', { name: 'Select Time Slots' })
    for (const time of ['9:00 AM', '10:00 AM'])
      await slots.getByRole('button', { name: new RegExp(`^${time}(,|$)`) }).click()
    await slots.getByRole('button', { name: 'Done' }).click()
    const keys = await goOfflineDuring(page, context, routes.bookings.create)
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await comeBack(page, context, keys)
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    expect(await server.db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
  })

  test('keeps the form, in which a failed upload can be retried and then saved', async ({
    page,
    context,
    server,
    signIn,
  }) => {
    await signIn([3])
    const [pod, feature] = [await buildPod(server.db, { title: 'Aurora' }), await buildFeature(server.db)]
    await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Pod' })
    await dialog.getByLabel('Title').fill('Aurora North')
    await page.route('**/api/upload', async (route) => {
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    })
    await dialog.getByLabel('Images').setInputFiles(await drawImage('fine.png'))
    await expect(page.getByText('You are offline.')).toBeVisible()
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/api/upload')
    await context.setOffline(false)
    await expect(dialog.getByLabel('Title')).toHaveValue('Aurora North')
    await dialog.getByRole('button', { name: 'Upload fine.png again' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Aurora North' })).toBeVisible()
    expect(await server.db.selectFrom('pod_images').select('url').execute()).toHaveLength(2)
  })
})
