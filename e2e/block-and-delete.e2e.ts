import type { Page } from '@playwright/test'
import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import type { TestServer } from './test-server.ts'

/**
 * Blocking happens at once and is confirmed by a toast, except for pods and locations, which ask for a reason first.
 * Deleting asks for confirmation. Both mention upcoming bookings.
 */

const NOW = '2026-11-21T09:00:00.000Z'

/** Builds a pod with two future bookings, one of them cancelled, and a past one. */
async function buildBookedPod({ db, clock }: TestServer) {
  clock.set(NOW)
  const location = await buildLocation(db, { name: 'Dock House' })
  const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
  const user = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const staff = await buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu' })
  const start = (time: string) => ({ pod_id: pod.id, start_time: new Date(`2026-11-${time}:00.000Z`) })
  await buildBooking(db, { ...start('24T09:00'), user_id: user.id })
  await buildBooking(db, { ...start('25T09:00'), user_id: user.id })
  await buildBooking(db, { ...start('25T11:00'), staff_id: staff.id })
  await buildBooking(db, { ...start('26T09:00'), user_id: user.id, status: 'Cancelled' })
  await buildBooking(db, { ...start('20T09:00'), user_id: user.id, status: 'Completed' })
  return { pod, location, user, staff }
}

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const iconOf = (page: Page, name: string) => page.getByRole('button', { name }).locator('svg').innerHTML()

test('blocks and unblocks records on every screen, and confirms each change in a toast', async ({
  page,
  server,
  signIn,
}) => {
  await signIn()
  const { location } = await buildBookedPod(server)
  await buildFeature(server.db, { name: 'Wi-Fi' })
  for (const { path, name, said } of [
    { path: '/pods', name: 'Aurora', said: 'Pod' },
    { path: '/user-details', name: 'Zanele Dlamini', said: 'User' },
    { path: '/assign-role', name: 'Sipho Zulu', said: 'User' },
    { path: '/features', name: 'Wi-Fi', said: 'Feature' },
  ]) {
    await test.step(path, async () => {
      await page.goto(path)
      await page.getByRole('button', { name: `Block ${name}`, exact: true }).click()
      if (path === '/pods') await confirmBlock(page, name)
      await expect(messages(page).getByRole('status')).toContainText(`${said} blocked successfully`)
      await page.getByRole('button', { name: `Unblock ${name}` }).click()
      await expect(messages(page).getByRole('status')).toContainText(`${said} unblocked successfully`)
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
    })
  }
  await page.goto('/location')
  const active = page.getByRole('switch', { name: `${location.name} active` })
  await active.press('Space')
  await confirmBlock(page, location.name)
  await expect(messages(page).getByRole('status')).toContainText('Location blocked successfully')
  await active.press('Space')
  await expect(messages(page).getByRole('status')).toContainText('Location unblocked successfully')
  await expect(active).toBeChecked()
})

test('shows how many upcoming bookings a blocked user has, and links to the list', async ({ page, server, signIn }) => {
  await signIn([5, 6])
  const { user } = await buildBookedPod(server)
  await page.clock.setFixedTime(NOW)
  await page.goto('/user-details')
  await page.getByRole('button', { name: 'Block Zanele Dlamini' }).click()
  await expect(messages(page)).toContainText('User blocked successfully')
  await expect(messages(page)).toContainText('2 bookings are still to come.')
  await messages(page).getByRole('link', { name: 'Show them' }).click()
  await expect(page).toHaveURL(`/booking?user=${user.id}&when=upcoming&sort=startTime`)
  const rows = page.getByRole('table', { name: 'Bookings' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('2026-11-24')
  await expect(rows).toHaveCount(3)
  await expect(messages(page).getByRole('link')).toHaveCount(0)
})

test('does not link to upcoming bookings for staff without access to Booking', async ({ page, server, signIn }) => {
  await signIn([3])
  await buildBookedPod(server)
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Delete Aurora' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('3 bookings are still to come.')
  await expect(page.getByRole('link', { name: 'Show them' })).toHaveCount(0)
})

test('shows the number of upcoming bookings before a deletion', async ({ page, server, signIn }) => {
  await signIn()
  const { pod } = await buildBookedPod(server)
  const free = await buildLocation(server.db, { name: 'Long Street' })
  for (const { path, name, text } of [
    { path: '/pods', name: 'Aurora', text: '3 bookings are still to come.' },
    { path: '/user-details', name: 'Zanele Dlamini', text: '2 bookings are still to come.' },
    { path: '/assign-role', name: 'Sipho Zulu', text: '1 booking is still to come.' },
    { path: '/location', name: free.name, text: 'No bookings are still to come.' },
  ]) {
    await page.goto(path)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await expect(page.getByRole('alertdialog'), path).toContainText(text)
  }
  // A location may still have bookings of its deleted pods.
  await server.db.updateTable('pods').set({ deleted_at: new Date() }).where('id', '=', pod.id).execute()
  await page.goto('/location')
  await page.getByRole('button', { name: 'Delete Dock House' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('3 bookings are still to come.')
})

test('shows an error when counting bookings fails, counts on Retry, and deletes without waiting for the count', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/429/)
  await signIn([3])
  await buildBookedPod(server)
  const counted = '**/product/upcoming-bookings/**'
  const fail = { status: 429, json: { message: 'Not now', code: 'too_many_requests' } }
  await page.route(counted, (route) => route.fulfill(fail))
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Delete Aurora' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('The bookings that are still to come could not be counted.')
  await page.unroute(counted)
  const release = await holdRoute(page, counted)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog).toContainText('Counting the bookings that are still to come…')
  await release()
  await expect(dialog).toContainText('3 bookings are still to come.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await holdRoute(page, counted)
  await page.getByRole('button', { name: 'Delete Aurora' }).click()
  await expect(dialog).toContainText('Counting the bookings that are still to come…')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(messages(page)).toContainText('Pod deleted successfully')
})

test('uses different icons for blocking, cancelling and deleting', async ({ page, server, signIn }) => {
  await signIn()
  await buildBookedPod(server)
  await page.goto('/pods')
  const block = await iconOf(page, 'Block Aurora')
  const remove = await iconOf(page, 'Delete Aurora')
  await page.goto('/booking?from=2026-11-24')
  const cancel = await page
    .getByRole('button', { name: /^Cancel booking/ })
    .first()
    .locator('svg')
    .innerHTML()
  expect(new Set([block, remove, cancel]).size).toBe(3)
})
