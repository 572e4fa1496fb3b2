import type { Page } from '@playwright/test'
import { buildBooking, buildFeature, buildPod } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { DOWN } from './failures.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'

const path = '**/api/location/create-features'

/** Lets the server handle requests but loses its responses, until `restore` is called. */
async function loseResponses(page: Page) {
  const keys: (string | undefined)[] = []
  const state = { isLost: true }
  await page.route(path, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (!state.isLost) return route.continue()
    await route.fetch()
    return route.abort('internetdisconnected')
  })
  return { keys, restore: () => Object.assign(state, { isLost: false }) }
}

async function createFeature(page: Page) {
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
  await dialog.getByLabel('Feature Name').fill('Wi-Fi')
  await dialog.getByLabel('Icon Name').fill('wifi')
  await dialog.getByRole('button', { name: 'Submit' }).click()
}

test.describe('A creation whose response is lost', () => {
  test.beforeEach(() => expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/))

  test('is retried with the same idempotency key, and creates one record', async ({ page, server, signIn }) => {
    await signIn([2])
    const lost = await loseResponses(page)
    await createFeature(page)
    await expect.poll(() => lost.keys.length).toBeGreaterThan(1)
    lost.restore()
    await expect(page.getByText('Feature created successfully')).toBeVisible()
    expect(new Set(lost.keys)).toEqual(new Set([expect.stringMatching(/./)]))
    expect(await server.db.selectFrom('features').select('name').execute()).toEqual([{ name: 'Wi-Fi' }])
  })

  test('keeps its idempotency key when the same is typed again after a reload, and creates one record', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([2])
    const lost = await loseResponses(page)
    await createFeature(page)
    await expect.poll(() => lost.keys.length).toBeGreaterThan(0)
    await page.reload()
    lost.restore()
    await createFeature(page)
    await expect(page.getByText('Feature created successfully')).toBeVisible()
    expect(new Set(lost.keys).size).toBe(1)
    expect(await server.db.selectFrom('features').select('name').execute()).toEqual([{ name: 'Wi-Fi' }])
  })
})

test('A block whose response is lost is retried, and the screen says so meanwhile', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn([2])
  await buildFeature(server.db, { name: 'Wi-Fi' })
  await page.goto('/features')
  let isLost = true
  await page.route('**/api/location/block-features/*', async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    return route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Block Wi-Fi' }).click()
  const banner = page.getByText('The connection was lost while saving. Trying again…')
  await expect(banner).toBeVisible()
  isLost = false
  await expect(page.getByText('Feature blocked successfully')).toBeVisible()
  await expect(banner).toHaveCount(0)
})

test('A closure whose response is lost is made once, with the decisions that were shown', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn([3])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  await buildBooking(server.db, { pod_id: pod.id, start_time: new Date('2099-01-05T09:00:00.000Z') })
  await page.clock.install()
  await page.goto('/closures')
  await page.getByRole('button', { name: 'Close Pods' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Close pods' })
  await choose(dialog.getByRole('combobox', { name: 'Pods' }), 'Aurora')
  await dialog.getByLabel('Reason').fill('Painting')
  await dialog.getByLabel('From', { exact: true }).fill('2099-01-05')
  const decision = dialog.getByLabel(/What happens to the booking/)
  await decision.selectOption('Cancel')
  await page.route('**/api/closures', async (route) => {
    await route.fetch()
    return route.abort('internetdisconnected')
  })
  await dialog.getByRole('button', { name: 'Close pods' }).click()
  await expect(async () => {
    await page.clock.fastForward('00:20')
    await expect(dialog.getByRole('alert')).toContainText(DOWN, { timeout: 500 })
  }).toPass()
  await page.unroute('**/api/closures')
  await waitUntilQuiet(page)
  await expect(decision).toHaveValue('cancel')
  await dialog.getByRole('button', { name: 'Close pods' }).click()
  await expect(page.getByText('Aurora closed. 1 booking cancelled.')).toBeVisible()
  expect(await server.db.selectFrom('closures').select('id').execute()).toHaveLength(1)
})

test('A booking given to somebody else whose response is lost is sent again as it was, and made once', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn([6, 9])
  const booking = await buildBooking(server.db, { start_time: new Date('2099-01-05T09:00:00.000Z') })
  await page.clock.install()
  await page.goto(`/booking/${booking.id}`)
  await page.getByRole('button', { name: 'Book again' }).click()
  await page.getByRole('menuitem', { name: 'Give to somebody else…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give to somebody else' })
  const send = dialog.getByRole('button', { name: 'Book for them' })
  await dialog.getByLabel('Booked for').selectOption('Myself')
  await page.route('**/rebook', async (route) => {
    await route.fetch()
    return route.abort('internetdisconnected')
  })
  await send.click()
  await expect(async () => {
    await page.clock.fastForward('00:20')
    await expect(dialog.getByRole('alert')).toContainText(DOWN, { timeout: 500 })
  }).toPass()
  await page.unroute('**/rebook')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeAttached()
  await send.click()
  await expect(page.getByText('Booked, and the earlier booking is cancelled')).toBeVisible()
  expect(await server.db.selectFrom('bookings').select('id').execute()).toHaveLength(2)
})

test('A deletion whose response is lost shows on the list behind its question', async ({ page, server, signIn }) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn([2])
  await buildFeature(server.db, { name: 'Wi-Fi' })
  await page.goto('/features')
  await page.route('**/api/location/delete-feature/*', async (route) => {
    await route.fetch()
    return route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Delete Wi-Fi' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(question.getByRole('alert')).toContainText(DOWN)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Delete Wi-Fi' })).toHaveCount(0)
})

test('A move whose responses are lost is saved again as it was, and counts once', async ({ page, server, signIn }) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
  await signIn([6])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  const day = businessDay(1)
  const booking = await buildBooking(server.db, {
    pod_id: pod.id,
    start_time: wallTime(day, '09:00'),
    end_time: wallTime(day, '10:00'),
  })
  await page.goto(`/booking/${booking.id}`)
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move booking' })
  await dialog.getByLabel('Start').selectOption('14:00')
  const save = dialog.getByRole('button', { name: /^Save/ })
  await expect(save).toBeEnabled()
  // The booking cannot be read again either, so that the form is still about its old version.
  await page.route('**/api/bookings/**', async (route) => {
    const method = route.request().method()
    if (method === 'POST') return route.fallback()
    if (method === 'PUT') await route.fetch()
    return route.abort('internetdisconnected')
  })
  await save.click()
  await expect(dialog.getByRole('alert')).toContainText(DOWN)
  await page.unroute('**/api/bookings/**')
  await save.click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText('2:00 PM - 3:00 PM')
  expect(await server.db.selectFrom('audit').select('action').execute()).toEqual([{ action: 'move' }])
})
