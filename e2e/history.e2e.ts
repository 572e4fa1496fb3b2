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
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

/** The history of a record: who changed what and when. Also restoring deleted records. */

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

test('lists who made each change, newest first, with values before and after, and undoes the last change', async ({
  page,
  server: { db },
  signIn,
}) => {
  await signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
  await buildLocation(db, { name: 'Dock House' })
  await page.goto('/location')
  for (const [from, to] of [
    ['Dock House', 'Dock House One'],
    ['Dock House One', 'Dock House Two'],
  ]) {
    await page.getByRole('button', { name: `Edit ${from}`, exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(/name/i).first().fill(String(to))
    await form.getByRole('button', { name: /^(Save|Update|Submit|Edit)/ }).click()
    await expect(form).toHaveCount(0)
  }
  await page.getByRole('switch', { name: 'Dock House Two active' }).press('Space')
  await confirmBlock(page, 'Dock House Two')
  await expect(messages(page)).toContainText('Location blocked successfully')

  await page.getByRole('button', { name: 'History Dock House Two' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'History of Dock House Two' })
  const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('article')
  await expect(changes).toHaveCount(3)
  await expect(changes.nth(0)).toContainText('Thandi Nkosi blocked the location')
  await expect(changes.nth(0)).toContainText('today')
  await expect(changes.nth(1)).toContainText('Thandi Nkosi changed the name')
  await expect(changes.nth(1)).toContainText('before: Dock House One→after: Dock House Two')
  await expect(changes.nth(2)).toContainText('before: Dock House→after: Dock House One')
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 720 })

  // Only the last change can be undone; undoing it makes the undo the last change.
  await expect(dialog.getByRole('button', { name: 'Undo this' })).toHaveCount(1)
  await changes.nth(0).getByRole('button', { name: 'Undo this' }).click()
  await expect(messages(page)).toContainText('Dock House Two is active again')
  await expect(changes).toHaveCount(4)
  await expect(changes.nth(0)).toContainText('Thandi Nkosi unblocked the location')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'History Dock House Two' })).toBeFocused()
  await expect(page.getByRole('switch', { name: 'Dock House Two active' })).toBeChecked()
})

test('shows money, names and pages in readable form, and only that a secret changed', async ({
  page,
  server: { db },
  signIn,
}) => {
  const { token } = await signIn()
  const put = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'if-match': '*' }
    const response = await page.request.put(path, { data: body, headers })
    expect(response.status(), await response.text()).toBe(200)
  }
  const pod = await buildPod(db, { title: 'Aurora' })
  const location = await buildLocation(db, { name: 'Long Street' })
  const feature = await buildFeature(db, { name: 'Good coffee' })
  await put(`/api/product/edit-pods/${pod.id}`, {
    rate: 2.3475,
    location: location.id,
    features: [feature.id],
    password: 'another door secret',
  })
  const staff = await buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu', pages: [2] })
  await put(`/api/user/edit-staff/${staff.id}`, { auth_page: ['2', '8'], locations: [location.id] })

  await page.goto('/pods')
  await page.getByRole('button', { name: 'History Aurora' }).click()
  const change = page.getByRole('dialog').getByRole('article')
  await expect(change).toContainText('after: R 2.3475')
  await expect(change).toContainText('after: Long Street')
  await expect(change).toContainText('(empty)→after: Good coffee')
  await expect(change).toContainText('Device passwordChanged')
  await expect(change).not.toContainText('door-secret')
  await expect(change).not.toContainText('another door secret')

  await page.goto('/assign-role')
  await page.getByRole('button', { name: 'History Sipho Zulu' }).click()
  await expect(change).toContainText('changed the page access')
  await expect(change).toContainText('before: Features→after: Features, Assign Role')
  await expect(change).toContainText('before: All locations→after: Long Street')

  const policy = { fee: 5, brackets: [{ hoursBefore: 24, percent: 100 }] }
  await put(`/api/booking-policy/locations/${location.id}`, { cancelPolicy: policy, noShowMinutes: 15 })
  await page.goto('/location')
  await page.getByRole('button', { name: 'History Long Street' }).click()
  await expect(change).toContainText('before: As for all→')
  await expect(change).toContainText('before: Off→after: 15 minutes')
})

test('shows the times, rule and pods of a closure in words', async ({ page, server: { db }, signIn }) => {
  const { token } = await signIn()
  const pod = await buildPod(db, { title: 'Aurora' })
  const times = { starts: '2028-01-10T06:00:00.000Z', ends: '2028-01-11T00:00:00.000Z', repeats: 'FREQ=WEEKLY' }
  const headers = { authorization: `Bearer ${token}` }
  const data = { podIds: [pod.id], reason: 'Painting', ...times }
  const made = await page.request.post('/api/closures', { data, headers })
  expect(made.status()).toBe(201)
  await page.goto('/closures')
  await page.getByRole('button', { name: /^History/ }).click()
  const change = page.getByRole('dialog').getByRole('article')
  await expect(change).toContainText('2028-01-10, 6:00 AM')
  await expect(change).toContainText('2028-01-10, end of day')
  await expect(change).toContainText('Every week')
  await expect(change).toContainText('Aurora')
  await expect(change).not.toContainText(/FREQ|T06:00/)

  const { _id } = await made.json()
  await page.request.delete(`/api/closures/${_id}`, { headers: { ...headers, 'if-match': '*' } })
  await expect(change.first()).toContainText('ended the closure')
})

test('shows the history of a booking and of rate and discount, and says when there is none yet', async ({
  page,
  server: { db, clock },
  signIn,
}) => {
  clock.set('2026-11-21T09:00:00.000Z')
  await signIn()
  await buildBooking(db, { pod_id: (await buildPod(db, { title: 'Aurora' })).id })
  await page.goto('/booking')
  await page.getByRole('button', { name: 'History Aurora on 2026-11-23' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('No changes are recorded')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Cancel booking Aurora' }).click()
  await page.getByRole('dialog', { name: 'Cancel booking' }).getByRole('button', { name: 'Cancel booking' }).click()
  await page.getByRole('button', { name: 'History Aurora on 2026-11-23' }).click()
  await expect(dialog.getByRole('article')).toContainText('cancelled the booking')
  await expect(dialog.getByRole('article')).toContainText('before: Pending→after: Cancelled')

  await page.goto('/Transactions')
  await page.getByRole('button', { name: 'Manage Discount' }).click()
  await dialog.getByLabel('Discount').fill('15')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'History of rate and discount' }).click()
  await expect(dialog.getByRole('article')).toContainText('after: 15 minutes')
})

test('loads more changes on request, and shows an error with Retry when loading fails', async ({
  page,
  server: { db },
  signIn,
}) => {
  expectConsoleErrors(/429/)
  const { token } = await signIn()
  const user = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  for (let index = 0; index < 21; index++) {
    const path = `/api/user/${index % 2 === 0 ? 'block' : 'unblock'}-user/${user.id}`
    await page.request.put(path, { headers: { authorization: `Bearer ${token}` } })
  }
  await page.goto('/user-details')
  const refuse = { status: 429, json: { message: 'Not now', code: 'too_many_requests' } }
  await page.route('**/api/history?*', (route) => route.fulfill(refuse))
  await page.getByRole('button', { name: 'History Zanele Dlamini' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('Not now')
  await page.unroute('**/api/history?*')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByRole('article')).toHaveCount(20)
  await dialog.getByRole('button', { name: 'Load more' }).click()
  await expect(dialog.getByRole('article')).toHaveCount(21)
  await expect(dialog.getByRole('button', { name: 'Load more' })).toHaveCount(0)
})

for (const { path, name, build, confirm = 'Delete' } of [
  { path: '/pods', name: 'Aurora', build: 'pod' },
  { path: '/location', name: 'Dock House', build: 'location', confirm: 'Yes' },
  { path: '/features', name: 'Good coffee', build: 'feature' },
  { path: '/user-details', name: 'Zanele Dlamini', build: 'user' },
  { path: '/assign-role', name: 'Sipho Zulu', build: 'staff' },
] as const) {
  test(`lists a deleted record under “Deleted” and restores it on ${path}`, async ({
    page,
    server: { db },
    signIn,
  }) => {
    await signIn()
    const builders = {
      pod: () => buildPod(db, { title: name }),
      location: () => buildLocation(db, { name }),
      feature: () => buildFeature(db, { name }),
      user: () => buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' }),
      staff: () => buildStaff(db, { firstname: 'Sipho', lastname: 'Zulu' }),
    }
    await builders[build]()
    await page.goto(`${path}?status=deleted`)
    await expect(page.getByText(/^No deleted .* can be restored from this list\.$/)).toBeVisible()
    await page.goto(path)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click()
    await expect(page.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Deleted')
    const restore = page.getByRole('button', { name: `Restore ${name}` })
    await expect(restore).toBeVisible()
    await expect(page.getByRole('button', { name: new RegExp(`^(Edit|Block|Delete) ${name}`) })).toHaveCount(0)
    await expect(page.getByText('Deleted', { exact: true }).last()).toBeVisible()
    await page.getByRole('button', { name: `History ${name}` }).click()
    await expect(page.getByRole('dialog').getByRole('article')).toContainText('deleted the')
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await restore.press('Enter')
    await expect(messages(page)).toContainText(`${name} is restored`)
    await expect(restore).toHaveCount(0)
    await page.goto(path)
    await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeVisible()
  })
}

test('explains that a pod cannot be restored before its deleted location', async ({ page, server: { db }, signIn }) => {
  expectConsoleErrors(/409/)
  await signIn()
  const deleted_at = new Date()
  const location = await buildLocation(db, { deleted_at })
  await buildPod(db, { title: 'Aurora', location_id: location.id, deleted_at })
  await page.goto('/pods?status=deleted')
  await page.getByRole('button', { name: 'Restore Aurora' }).click()
  await expect(messages(page).getByRole('alert')).toContainText('Restore the location first.')
  await expect(page.getByRole('button', { name: 'Restore Aurora' })).toBeVisible()
})
