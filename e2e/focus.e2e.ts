import type { Locator, Page } from '@playwright/test'
import { buildBooking, buildFeature, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** People who use the keyboard never lose their place on the page. */

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Confirms by keyboard, because a mouse click would move the focus itself. */
async function confirm(page: Page, open: string, response: string, role: 'alertdialog' | 'dialog' = 'alertdialog') {
  await button(page, open).press('Enter')
  await page.getByRole(role).getByRole('button', { name: response }).press('Enter')
  await expect(page.getByRole(role)).toHaveCount(0)
}

test('deleting a row moves the focus to the same action of the next row, else the previous row, else the heading', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([5])
  for (const [index, firstname] of ['Ayesha', 'Bongani', 'Carel'].entries()) {
    await buildUser(server.db, { firstname, lastname: 'X', created_at: new Date(Date.UTC(2026, 0, 9 - index)) })
  }
  await page.goto('/user-details')
  await confirm(page, 'Delete Bongani X', 'Delete')
  await expect(button(page, 'Delete Carel X')).toBeFocused()
  await confirm(page, 'Delete Carel X', 'Delete')
  await expect(button(page, 'Delete Ayesha X')).toBeFocused()
  await confirm(page, 'Delete Ayesha X', 'Delete')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  await expect(heading).toHaveCSS('outline-style', 'none')
})

test('deleting the only row of the last list page moves the focus to a row of the previous list page', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([3])
  for (let number = 10; number < 21; number++) await buildPod(server.db, { title: `Pod ${number}` })
  await page.goto('/pods?sort=title&page=2')
  await confirm(page, 'Delete Pod 20', 'Delete')
  await expect(page).toHaveURL('/pods?sort=title')
  await expect(page.getByRole('row')).toHaveCount(11)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('tbody') !== null)).toBe(true)
})

test('deleting a card moves the focus to the Delete button of the next card', async ({ page, server, signIn }) => {
  await signIn([7])
  for (const name of ['Dock House', 'Long Street']) await buildLocation(server.db, { name })
  await page.goto('/location')
  await confirm(page, 'Delete Dock House', 'Yes')
  await expect(button(page, 'Delete Long Street')).toBeFocused()
})

test('editing a row returns the focus to its Edit button after the list has reloaded', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([2])
  for (const name of ['Coffee', 'Wi-Fi']) await buildFeature(server.db, { name })
  await page.goto('/features')
  await button(page, 'Edit Wi-Fi').press('Enter')
  await page.getByLabel('Feature Name').fill('Fibre')
  await page.getByLabel('Feature Name').press('Enter')
  await expect(page.getByText('Feature updated successfully')).toBeVisible()
  await expect(button(page, 'Edit Fibre')).toBeFocused()
})

test('cancelling a booking moves the focus to another action of its row', async ({ page, server, signIn }) => {
  server.clock.set('2026-11-21T09:00:00.000Z')
  await signIn([6])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  await buildBooking(server.db, { pod_id: pod.id, start_time: new Date('2026-11-24T09:00:00.000Z') })
  await page.goto('/booking')
  await confirm(page, 'Cancel booking Aurora on 2026-11-24', 'Cancel booking', 'dialog')
  await expect(button(page, 'Cancel booking Aurora on 2026-11-24')).toBeDisabled()
  await expect(button(page, 'History Aurora on 2026-11-24')).toBeFocused()
})

test('reaching the last list page moves the focus from Next to Previous', async ({ page, server, signIn }) => {
  await signIn([3])
  for (let number = 10; number < 21; number++) await buildPod(server.db, { title: `Pod ${number}` })
  await page.goto('/pods?sort=title')
  await button(page, 'Next page of Pods').press('Enter')
  await expect(button(page, 'Next page of Pods')).toBeDisabled()
  await expect(button(page, 'Previous page of Pods')).toBeFocused()
})

test('clearing filters moves the focus to the heading; a reload after a click elsewhere does not', async ({
  page,
  server,
  signIn,
}) => {
  const { token } = await signIn([3])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  await page.goto('/pods?search=nothing-like-it')
  await expect(button(page, 'Clear filters')).toBeVisible()
  // Rows that come at once could take the focus instead.
  const release = await holdRoute(page, '**/api/product/getall*')
  await button(page, 'Clear filters').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await release()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await button(page, 'Block Aurora').focus()
  await page.getByRole('main').click({ position: { x: 5, y: 5 } })
  // As if deleted in another tab: the list reloads, and the button that had the focus before the click disappears.
  const headers = { authorization: `Bearer ${token}` }
  await page.request.delete(`/api/product/delete-pods/${pod.id}`, { headers })
  await expect(button(page, 'Block Aurora')).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('opening a record moves the focus to its name, also when that comes after the screen', async ({
  page,
  server,
  signIn,
}) => {
  await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
  await signIn([5])
  await page.goto('/user-details')
  const release = await holdRoute(page, '**/api/customers/*')
  await page.getByRole('link', { name: 'Ayesha Patel' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Customer' })).toBeFocused()
  await release()
  await expect(page.getByRole('heading', { level: 1, name: 'Ayesha Patel' })).toBeFocused()
})

test('Tab out of a calendar closes it, as it would cover what is next', async ({ page, signIn }) => {
  await signIn([6])
  await page.goto('/booking')
  const open = button(page, 'Choose days')
  await open.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Choose days' })
  await calendar.getByRole('gridcell').first().getByRole('button').focus()
  await page.keyboard.press('Tab')
  await expect(calendar).toBeVisible()
  await open.focus()
  await expect(calendar).toBeVisible()
  await page.getByLabel('To', { exact: true }).focus()
  await expect(calendar).toBeHidden()
  await expect(page.getByLabel('To', { exact: true })).toBeFocused()
})

test('closing a toast moves the focus to the heading', async ({ page, server, signIn }) => {
  await signIn([3])
  await buildPod(server.db, { title: 'Aurora' })
  await page.goto('/pods')
  await button(page, 'Block Aurora').press('Enter')
  await confirmBlock(page, 'Aurora')
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('opening a dialog puts the focus in its first field, even if the dialog scrolls', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([2, 3])
  await buildPod(server.db, { title: 'Aurora' })
  await page.goto('/features')
  await button(page, 'Create Feature').press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Feature Name')).toBeFocused()
  await page.goto('/pods')
  await button(page, 'Create Pods').press('Enter')
  await page.keyboard.type('Hello')
  await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Hello')
})

test('what gets the focus is not beneath the header or a failure, on a low screen either', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/ERR_FAILED/)
  await signIn([2])
  for (let order = 0; order < 12; order += 1)
    await buildFeature(server.db, { name: `Feature ${order}`, position: order })
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto('/features')
  await button(page, 'Delete Feature 11').focus()
  for (let order = 11; order >= 0; order -= 1) {
    const remove = button(page, `Delete Feature ${order}`)
    while (!(await remove.evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press('Shift+Tab')
    }
    expect(await isOnTop(remove), `Feature ${order}`).toBe(true)
  }

  // A failure stays until it is closed.
  await page.route('**/api/location/block-features/*', (route) => route.abort())
  await button(page, 'Block Feature 0').press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  const last = button(page, 'Delete Feature 11')
  await last.focus()
  expect(await isOnTop(last), 'the last feature').toBe(true)
})

function isOnTop(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
}
