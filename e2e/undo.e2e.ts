import type { Page } from '@playwright/test'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { expect, expectAccessible, expectConsoleErrors, test } from './fixtures.ts'

/** Changes are undone from their toast, with its button or Ctrl+Z. */

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const undo = (page: Page) => messages(page).getByRole('button', { name: 'Undo' }).click()
/** Assumes that the focus is on the clicked element or the screen's heading, never in a text field. */
const undoByKey = (page: Page) => page.keyboard.press('ControlOrMeta+z')

test.beforeEach(async ({ server, signIn }) => {
  server.clock.set('2026-11-21T09:00:00.000Z')
  await signIn()
})

for (const { path, name, build } of [
  { path: '/pods', name: 'Aurora', build: 'pod' },
  { path: '/features', name: 'Wi-Fi', build: 'feature' },
  { path: '/user-details', name: 'Zanele Dlamini', build: 'user' },
  { path: '/assign-role', name: 'Sipho Zulu', build: 'staff' },
] as const) {
  test(`a block, an unblock and a deletion can be undone on ${path}`, async ({ page, server: { db } }) => {
    const builders = {
      pod: () => buildPod(db, { title: name }),
      feature: () => buildFeature(db, { name }),
      user: () => buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' }),
      staff: () => buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu' }),
    }
    await builders[build]()
    await page.goto(path)
    const block = page.getByRole('button', { name: `Block ${name}`, exact: true })
    const unblock = page.getByRole('button', { name: `Unblock ${name}` })
    await block.click()
    if (build === 'pod') await confirmBlock(page, name)
    await expect(unblock).toBeVisible()
    await undo(page)
    await expect(messages(page)).toContainText(`${name} is active again`)
    await expect(block).toBeVisible()
    await block.click()
    if (build === 'pod') await confirmBlock(page, name)
    await unblock.click()
    await expect(messages(page)).toContainText('unblocked successfully')
    // At once, not only when it would go by itself.
    await expect(messages(page)).not.toContainText(/\bblocked successfully/, { timeout: 3_000 })
    await undoByKey(page)
    await expect(messages(page)).toContainText(`${name} is blocked again`)
    await expect(unblock).toBeVisible()
    const remove = page.getByRole('button', { name: `Delete ${name}` })
    await remove.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(remove).toHaveCount(0)
    await undoByKey(page)
    await expect(messages(page)).toContainText(`${name} is restored`)
    await expect(remove).toBeVisible()
  })
}

test('a block and a deletion of a location can be undone', async ({ page, server: { db } }) => {
  await buildLocation(db, { name: 'Dock House' })
  await page.goto('/location')
  const active = page.getByRole('switch', { name: 'Dock House active' })
  await active.press('Space')
  await confirmBlock(page, 'Dock House')
  await expect(messages(page)).toContainText('Location blocked successfully')
  await undoByKey(page)
  await expect(messages(page)).toContainText('Dock House is active again')
  await expect(active).toBeChecked()
  await page.getByRole('button', { name: 'Delete Dock House' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(active).toHaveCount(0)
  await undo(page)
  await expect(active).toBeVisible()
})

test('an edit can be undone, but Undo is not offered for a new record', async ({ page }) => {
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Feature Name').fill('Good coffee')
  await dialog.getByRole('radio', { name: 'Coffee' }).check()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(messages(page)).toContainText('Feature created successfully')
  await expect(messages(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit Good coffee' }).click()
  await dialog.getByLabel('Feature Name').fill('Better coffee')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('button', { name: 'Edit Better coffee' })).toBeVisible()
  await messages(page).getByRole('button', { name: 'Undo' }).focus()
  await expectAccessible(page)
  // In a text field the key undoes typing instead.
  await page.getByRole('searchbox', { name: 'Search features' }).press('ControlOrMeta+z')
  await expect(messages(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit Better coffee' }).focus()
  await undoByKey(page)
  await expect(messages(page)).toContainText('The change to Better coffee is undone')
  await expect(page.getByRole('button', { name: 'Edit Good coffee' })).toBeVisible()
})

test('a new rate can be undone', async ({ page, server: { db } }) => {
  await db.updateTable('pricing').set({ rate: '2.5' }).execute()
  await page.goto('/Transactions')
  await page.getByRole('button', { name: 'Manage Rate' }).click()
  await page.getByRole('dialog').getByLabel('Rate').fill('3.25')
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await undo(page)
  await page.getByRole('button', { name: 'Manage Rate' }).click()
  await expect(page.getByRole('dialog')).toContainText('Your current Base price is 2.5 ZAR.')
})

test('a new order of the features can be undone', async ({ page, server: { db } }) => {
  for (const [position, name] of ['Wi-Fi', 'Screen', 'Coffee'].entries()) await buildFeature(db, { name, position })
  await page.goto('/features')
  const rows = page.getByRole('table', { name: 'Features' }).locator('tbody').getByRole('row')
  const expectOrder = async (...names: string[]) => {
    for (const [index, name] of names.entries()) await expect(rows.nth(index)).toContainText(name)
  }
  await page.getByRole('button', { name: 'Move down Wi-Fi' }).click()
  await expect(messages(page)).toContainText('The new order is saved')
  await expectOrder('Screen', 'Wi-Fi', 'Coffee')
  await undoByKey(page)
  await expect(messages(page)).toContainText('The features are in their earlier order again')
  await expectOrder('Wi-Fi', 'Screen', 'Coffee')
})

test('a cancellation can be undone unless somebody else has booked the time meanwhile', async ({
  page,
  server: { db },
}) => {
  expectConsoleErrors(/409/)
  const pod = await buildPod(db, { title: 'Aurora' })
  await buildBooking(db, { pod_id: pod.id, start_time: new Date('2026-11-24T09:00:00.000Z') })
  await page.goto('/booking')
  const cancel = async () => {
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    await page.getByRole('dialog', { name: 'Cancel booking' }).getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('table').getByText('Cancelled')).toBeVisible()
  }
  await cancel()
  await undo(page)
  await expect(messages(page)).toContainText('The booking of Aurora is reinstated')
  await expect(page.getByRole('table').getByText('Cancelled')).toHaveCount(0)
  await cancel()
  const company_id = (await buildCompany(db, { name: 'Karoo Media' })).id
  await buildBooking(db, { pod_id: pod.id, company_id, start_time: new Date('2026-11-24T09:30:00.000Z') })
  await undo(page)
  await expect(messages(page).getByRole('alert')).toContainText(
    'This time has been booked by somebody else meanwhile: Karoo Media, 9:30 AM - 10:30 AM.',
  )
  await expect(page.getByRole('table').getByText('Cancelled')).toBeVisible()
})

test('Undo is refused with a reason when somebody else has changed the record since', async ({
  page,
  server: { db },
}) => {
  expectConsoleErrors(/409/)
  const pod = await buildPod(db, { title: 'Aurora' })
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Block Aurora' }).click()
  await confirmBlock(page, 'Aurora')
  await expect(messages(page)).toContainText('Pod blocked successfully')
  await db.updateTable('pods').set({ title: 'Aurora by the sea' }).where('id', '=', pod.id).execute()
  await undoByKey(page)
  await expect(messages(page).getByRole('alert')).toContainText('This has changed since and can no longer be undone.')
  // The screen shows the current state.
  await expect(page.getByRole('button', { name: 'Unblock Aurora by the sea' })).toBeVisible()
})

test('Undo goes once the record has changed in another way', async ({ page, server: { db } }) => {
  await buildLocation(db, { name: 'Dock House' })
  await page.goto('/location')
  const undos = messages(page).getByRole('button', { name: 'Undo' })
  const dialog = page.getByRole('dialog')
  // Sooner than it would go by itself.
  const atOnce = { timeout: 3_000 }
  await page.getByRole('button', { name: 'Edit Dock House' }).click()
  await dialog.getByLabel('City').fill('Paarl')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
  await dialog.getByLabel('Monday opens').selectOption('9:00 AM')
  await dialog.getByRole('button', { name: 'Save hours' }).click()
  await expect(messages(page)).toContainText('Opening hours saved')
  await expect(undos).toHaveCount(1, atOnce)
  await page.getByRole('button', { name: 'History Dock House' }).click()
  await dialog.getByRole('button', { name: 'Undo this' }).click()
  await expect(dialog).toContainText('The change to Dock House is undone')
  await expect(undos).toHaveCount(0, atOnce)
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: 'Delete Dock House' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(undos).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Deleted')
  await page.getByRole('button', { name: 'Restore Dock House' }).click()
  await expect(messages(page)).toContainText('Dock House is restored')
  await expect(undos).toHaveCount(0, atOnce)
})
