import type { Locator, Page } from '@playwright/test'
import { PAGE } from '#contract/pages.ts'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { expect, expectConsoleErrors, PHONE, test } from './fixtures.ts'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' })
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click()
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard' }).click()

const dialogs = [
  { path: '/pods', open: 'Create Pods', dialog: 'Create Pod', field: 'Title' },
  { path: '/features', open: 'Create Feature', dialog: 'Create New Feature', field: 'Feature Name' },
  { path: '/location', open: 'Add Location', dialog: 'Add New Location', field: 'name' },
  { path: '/assign-role', open: 'Add Staff', dialog: 'Add New Staff', field: 'First name' },
  { path: '/Transactions', open: 'Manage Rate', dialog: 'Manage rate', field: 'Rate' },
  { path: '/Transactions', open: 'Manage Discount', dialog: 'Manage discount', field: 'discount' },
]

for (const { path, open, dialog, field } of dialogs) {
  test(`Back asks before discarding changes in the dialog “${dialog}”`, async ({ page, signIn }) => {
    await signIn()
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).locator(`a[href="${path}"]`).click()
    await expect(page).toHaveURL(path)
    await page.getByRole('button', { name: open, exact: true }).first().click()
    const form = page.getByRole('dialog', { name: dialog })
    await form.getByLabel(field, { exact: false }).first().fill('17')
    await page.goBack()
    await expect(question(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0)
    await expect(form.getByLabel(field).first()).toHaveValue('17')
    await expect(page).toHaveURL(path)
    await page.goBack()
    await discard(page)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}

test('a file that is dropped beside the field for images is not opened in place of the portal', async ({
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  const title = page.getByRole('dialog').getByLabel('Title')
  const refused = await title.evaluate((field) =>
    ['dragover', 'drop'].map((type) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'pod.jpg'))
      // Returns false when the browser's own doing was prevented.
      return !field.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    }),
  )
  expect(refused).toEqual([true, true])
  // Text can still be moved by the mouse.
  const text = await title.evaluate((field) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/plain', 'Aurora')
    return field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
  })
  expect(text).toBe(true)
})

test('a text that is too long is not cut off: it stays, and its field says so', async ({ page, server, signIn }) => {
  await signIn()
  const user = await buildUser(server.db)
  const booking = await buildBooking(server.db, { user_id: user.id, start_time: wallTime(businessDay(1), '09:00') })
  await buildLocation(server.db, { name: 'Dock House' })
  /** Pastes a text into the field, which a field with a maximum length would cut off. */
  async function expectKept(field: Locator, save: string, message: string) {
    const text = 'x'.repeat(5_001)
    await field.focus()
    await page.keyboard.insertText(text)
    await page.getByRole('dialog').getByRole('button', { name: save }).click()
    await expect(field).toHaveAccessibleDescription(new RegExp(message))
    await expect(field).toHaveValue(text)
  }

  await page.goto('/companies')
  await page.getByRole('button', { name: 'Add Company' }).click()
  await page.getByLabel('Company name').fill('Kudu Software')
  await expectKept(page.getByLabel('Billing address'), 'Add Company', 'may have at most 500 characters')

  await page.goto(`/user-details/${user.id}`)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expectKept(page.getByRole('dialog').getByLabel('Note'), 'Save', 'may have at most 2000 characters')

  await page.goto(`/booking/${booking.id}`)
  await page.getByRole('button', { name: 'Cancel booking' }).click()
  await expectKept(page.getByLabel('Details'), 'Cancel booking', 'may have at most 500 characters')

  await page.goto('/location')
  await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
  await page.getByRole('button', { name: 'Add date' }).click()
  await page.getByLabel('New date: date').fill('2099-02-03')
  await expectKept(page.getByLabel('2099-02-03: label'), 'Save', 'may have at most 100 characters')
})

test('a double click opens a dialog, and does not close it again', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature' }).first().dblclick()
  const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
  await expect(dialog.getByLabel('Feature Name')).toBeFocused()
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
})

for (const { taken, access, refusal } of [
  { taken: 'their page is taken away', access: { pages: [PAGE.features] }, refusal: 'You cannot access this page.' },
  {
    taken: 'they may only view the page',
    access: { view_only_pages: [PAGE.corporateBooking] },
    refusal: 'You can view this page, but not change it.',
  },
]) {
  test(`what somebody has typed stays when ${taken}, and is not saved`, async ({ page, context, server, signIn }) => {
    expectConsoleErrors(/403/, /ERR_INTERNET_DISCONNECTED/)
    const { _id } = await signIn([2, 9])
    await page.goto('/companies')
    await page.getByRole('button', { name: 'Add Company' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add Company' })
    await form.getByLabel('Company name').fill('Protea')
    await server.db.updateTable('staff').set(access).where('id', '=', _id).execute()
    await form.getByRole('button', { name: 'Add Company' }).click()
    await expect(form.getByText(refusal)).toBeVisible()
    await expect(form.getByLabel('Company name')).toHaveValue('Protea')
    // After a pause all is asked for again, and access too.
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    const checked = page.waitForResponse('**/api/user/verify-page')
    await context.setOffline(false)
    await checked
    await expect(page.getByText('You are offline.')).toBeHidden()
    await expect(form.getByLabel('Company name')).toHaveValue('Protea')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await discard(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Features' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
    const companies = page.getByRole('link', { name: 'Companies' })
    await expect(companies).toHaveCount('pages' in access ? 0 : 1)
  })
}

test('Back to an earlier filter asks before discarding changes, and an unchanged form closes without a question', async ({
  page,
  signIn,
}) => {
  await signIn([3])
  await page.goto('/pods')
  await page.getByLabel('Status').selectOption('Active')
  await expect(page).toHaveURL('/pods?status=active')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create Pod' })
  await form.getByLabel('Title').fill('Aurora')
  await page.goBack()
  await keep(page)
  await expect(page).toHaveURL('/pods?status=active')
  await page.goBack()
  await discard(page)
  await expect(form).toHaveCount(0)
  await expect(page).toHaveURL('/pods')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toHaveCount(0)
})

test.describe('Corporate Booking', () => {
  async function choosePurpose(page: Page) {
    await page.goto('/features')
    await page.getByRole('link', { name: 'Corporate Booking' }).click()
    await page.getByRole('combobox', { name: 'Purpose' }).selectOption('meeting')
  }
  const expectKept = async (page: Page) => {
    await expect(page.getByRole('combobox', { name: 'Purpose' })).toHaveValue('meeting')
    await expect(page).toHaveURL('/corporate-booking')
  }

  test('asks before discarding changes on every way to another screen, and before signing out', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await choosePurpose(page)
    const ways: Record<string, () => Promise<unknown>> = {
      menu: () => page.getByRole('link', { name: 'Features' }).click(),
      logo: () => page.getByRole('link', { name: 'Podkeeper home' }).click(),
      back: () => page.goBack(),
      'sign out': () => page.getByRole('button', { name: 'Sign Out' }).click(),
      'header search': async () => {
        await page.getByRole('combobox', { name: 'Search', exact: true }).fill('Aurora')
        await page.getByRole('option', { name: /Aurora/ }).click()
      },
    }
    for (const [way, go] of Object.entries(ways)) {
      await test.step(way, async () => {
        await go()
        await keep(page)
        await expectKept(page)
      })
    }
    // The link of the current screen does not navigate, and asks nothing.
    await page.getByRole('link', { name: 'Corporate Booking' }).click()
    await expect(question(page)).toHaveCount(0)
    await expectKept(page)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await discard(page)
    await expect(page).toHaveURL('/login')
  })

  test('asks before a reload and before the tab is closed, but only when something was entered', async ({
    page,
    signIn,
  }) => {
    await signIn()
    await page.goto('/corporate-booking')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      return dialog.accept()
    })
    await page.getByRole('heading', { level: 1 }).click()
    await page.reload()
    expect(asked).toEqual([])
    await choosePurpose(page)
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await choosePurpose(page)
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    expect(asked).toEqual(['beforeunload', 'beforeunload'])
  })

  test('keeps what was typed when a dialog cannot be loaded, as after an update of the portal', async ({
    page,
    signIn,
  }) => {
    expectConsoleErrors(/404 \(Not Found\)/, /Unable to preload CSS/, /dynamically imported module/)
    await signIn()
    await page.goto('/corporate-booking')
    const note = page.getByLabel('Note for the visit')
    await note.fill('Two more chairs')
    // The next version has other file names.
    const isOfDialog = /\/assets\/(download-app|change-password)-dialog-/
    await page.route(isOfDialog, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('button', { name: 'Download App' }).click()
    await expect(page.getByRole('alert')).toContainText('This could not be loaded.')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(note).toHaveValue('Two more chairs')
    await page.unroute(isOfDialog)
    await page.getByRole('button', { name: 'Download App' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const styles = page.locator('link[rel="stylesheet"][href*="/download-app-dialog-"]')
    const countRules = (links: Element[]) =>
      links.reduce((sum, link) => sum + ((link as HTMLLinkElement).sheet?.cssRules.length ?? 0), 0)
    await expect.poll(() => styles.evaluateAll(countRules)).toBeGreaterThan(0)
  })

  test('asks before discarding changes from the menu drawer on a phone', async ({ page, signIn }) => {
    await page.setViewportSize(PHONE)
    await signIn([2, 9])
    await page.goto('/corporate-booking')
    await page.getByRole('combobox', { name: 'Purpose' }).selectOption('meeting')
    for (const way of [page.getByRole('link', { name: 'Features' }), page.getByRole('button', { name: 'Sign Out' })]) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await way.click()
      await keep(page)
      await expectKept(page)
    }
  })

  test('opens the new booking without asking about unsaved changes', async ({ page, server, signIn }) => {
    server.clock.set('2026-11-21T09:00:00.000Z')
    await page.clock.setFixedTime('2026-11-21T09:00:00.000Z')
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await choosePurpose(page)
    await page.getByRole('combobox', { name: 'Pod' }).click()
    await page.getByRole('option', { name: 'Aurora' }).click()
    await page.getByRole('button', { name: 'Select an Available Time Slot' }).click()
    await page.getByRole('button', { name: '2:00 PM', exact: true }).click()
    await page.getByRole('button', { name: '3:00 PM', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Create Booking' }).press('Enter')
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    await expect(question(page)).toHaveCount(0)
    // The pressed button is gone, so the focus is on the new screen's heading.
    await expect(page.getByRole('heading', { level: 1, name: 'Booking code' })).toBeFocused()
  })
})

test('a form that was left while it was being sent says so when it fails', async ({ page, signIn }) => {
  expectConsoleErrors(/500/)
  await signIn()
  await page.goto('/')
  await page.getByRole('link', { name: 'Features', exact: true }).click()
  await page.getByRole('button', { name: 'Create Feature' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Feature' })
  await dialog.getByLabel('Feature Name').fill('Fan')
  await dialog.getByLabel('Icon Name').fill('fan')
  let fail = () => Promise.resolve()
  await page.route('**/api/location/create-features', (route) => {
    fail = () => route.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'internal' } })
  })
  const sent = page.waitForRequest('**/api/location/create-features')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await sent
  await page.goBack()
  await discard(page)
  await expect(dialog).toHaveCount(0)
  await fail()
  await expect(page.getByText('The disk is full.')).toBeVisible()
})

test('a screen whose files are gone after an update of the portal is shown by the new version at once', async ({
  page,
  signIn,
}) => {
  expectConsoleErrors(/404 \(Not Found\)/, /dynamically imported module/)
  await signIn([2, 3])
  await page.goto('/features')
  await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible()
  const isOfScreen = /\/assets\/pods-screen-/
  await page.route(isOfScreen, (route) => route.fulfill({ status: 404 }))
  // The new version's page names files that are there.
  page.on('request', (request) => request.isNavigationRequest() && void page.unroute(isOfScreen))
  await page.getByRole('link', { name: 'Pods', exact: true }).click()
  await expect(page.getByText('All Pods (0)')).toBeVisible()
})

test('“Back to bookings” keeps the filter and the page of the list', async ({ page, server, signIn }) => {
  await signIn([6])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  for (let day = 10; day < 22; day++) {
    await buildBooking(server.db, { pod_id: pod.id, start_time: new Date(`2026-12-${day}T09:00:00.000Z`) })
  }
  await page.goto('/booking?status=Pending&page=2')
  await page
    .getByRole('button', { name: /^QR code/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/qr\?bookingId=/)
  await page.reload()
  await page.getByRole('button', { name: 'Back to bookings' }).click()
  await expect(page).toHaveURL('/booking?status=Pending&page=2')
})

test('a page number past the end shows the last list page', async ({ page, server, signIn }) => {
  await signIn([6])
  const pod = await buildPod(server.db, { title: 'Aurora' })
  for (let day = 10; day < 22; day++) {
    await buildBooking(server.db, { pod_id: pod.id, start_time: new Date(`2026-12-${day}T09:00:00.000Z`) })
  }
  const rows = page.getByRole('table', { name: 'Bookings' }).getByRole('row')
  await page.goto('/booking?sort=startTime&page=999')
  await expect(page).toHaveURL('/booking?sort=startTime&page=2')
  await expect(rows).toHaveCount(3)
  await page.goto('/booking?search=Aurora&page=999')
  await expect(page).toHaveURL('/booking?search=Aurora&page=2')
  await expect(rows).toHaveCount(3)
  await page.goto('/booking?status=Cancelled&page=7')
  await expect(page).toHaveURL('/booking?status=Cancelled')
  await expect(page.getByText('No booking matches these filters.')).toBeVisible()
})
