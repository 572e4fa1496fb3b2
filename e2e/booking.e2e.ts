import type { Locator, Page } from '@playwright/test'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildSeries,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const tomorrow = businessDay(1)

/** Builds a paid booking of a customer for tomorrow at nine. */
async function buildSold({ db }: TestServer) {
  const location = await buildLocation(db, { name: 'Rosebank' })
  const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
  const beside = await buildPod(db, { title: 'Beacon', location_id: location.id })
  const user = await buildUser(db, { firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' })
  const booking = await buildBooking(db, {
    pod_id: pod.id,
    user_id: user.id,
    status: 'Confirmed',
    start_time: wallTime(tomorrow, '09:00'),
    price: 150,
    rate: 2.5,
    discount_minutes: 0,
  })
  await buildTransaction(db, { booking_id: booking.id, amount: 150 })
  return { pod, beside, booking }
}

const times = (date: string) => ({ start_time: wallTime(date, '09:00'), end_time: wallTime(date, '10:00') })

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

/** Opens the booking's page and the dialog of one of its actions. */
async function openAction(page: Page, bookingId: string, button: string, title: string): Promise<Locator> {
  await page.goto(`/booking/${bookingId}`)
  await page.getByRole('button', { name: button }).click()
  return page.getByRole('dialog', { name: title })
}

test.describe('A booking', () => {
  test('links to directions only when they are a web address', async ({ page, server, signIn }) => {
    await signIn([6])
    const script = 'javascript:document.title="run"'
    const [good, bad] = [await buildPod(server.db), await buildPod(server.db, { direction: script })]
    const [first, second] = [
      await buildBooking(server.db, { pod_id: good.id, ...times(tomorrow) }),
      await buildBooking(server.db, { pod_id: bad.id, ...times(tomorrow) }),
    ]
    await page.goto(`/booking/${first.id}`)
    const directions = page.getByRole('link', { name: 'Directions' })
    await expect(directions).toHaveAttribute('href', 'https://maps.example.com/?q=pod')
    await page.goto(`/booking/${second.id}`)
    await expect(page.getByText(script)).toBeVisible()
    await expect(directions).toHaveCount(0)
  })

  test('opens in a drawer over the list and as a page, with customer, place, price, note and history', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await buildTransaction(server.db, { booking_id: booking.id, amount: 20, currency: 'USD' })
    await page.goto('/booking')
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    for (const text of [
      'Ayesha Patel',
      'R 150.00',
      'USD 20.00 by PayFast',
      '9:00 AM - 10:00 AM',
      'South Africa Standard Time',
      'Rosebank',
      'Opens the door from 9:00 AM to 10:00 AM.',
    ]) {
      await expect(drawer).toContainText(text)
    }
    await expect(drawer.getByRole('link', { name: '+27 82 555 0101' })).toHaveAttribute('href', 'tel:+27825550101')
    await expect(drawer.getByRole('link', { name: 'ayesha@example.com' })).toHaveAttribute(
      'href',
      'mailto:ayesha@example.com',
    )
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Needs a ramp')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(drawer.getByRole('region', { name: 'Note' })).toContainText('Needs a ramp')
    await expect(drawer.getByRole('region', { name: 'History' })).toContainText('changed the note')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await page.goto(`/booking/${booking.id}`)
    await expect(page.getByRole('heading', { name: 'Booking', level: 1 })).toBeVisible()
    await expect(page.getByText('Needs a ramp')).toBeVisible()
  })

  test('opens from anywhere on its row or card, in a new tab with Ctrl, and not by selecting text', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await page.goto('/booking')
    const rows = page.getByRole('table', { name: 'Bookings' })
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    const time = rows.getByText('9:00 AM - 10:00 AM')
    await time.click()
    await expect(drawer).toContainText('Ayesha Patel')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(rows.getByRole('link', { name: 'Aurora' })).toBeFocused()
    await rows.getByRole('button', { name: /^History/ }).click()
    await page.getByRole('dialog', { name: /^History/ }).press('Escape')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), time.click({ modifiers: ['Control'] })])
    await expect(tab).toHaveURL(`/booking/${booking.id}`)
    await tab.close()
    const box = await time.boundingBox()
    if (!box) throw new Error('The time of the booking is not visible.')
    const y = box.y + 8
    await page.mouse.move(box.x + 2, y)
    await page.mouse.down()
    await page.mouse.move(box.x + 50, y, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('')
    await expect(drawer).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('list', { name: 'Bookings' }).getByText('9:00 AM - 10:00 AM').click()
    await expect(drawer).toContainText('Ayesha Patel')
  })

  test('closes its drawer with Back, and stays on the list', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    await buildSold(server)
    await page.goto('/companies')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Booking', exact: true }).click()
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await expect(drawer).toContainText('Ayesha Patel')
    await page.evaluate(() => history.back())
    await expect(drawer).toHaveCount(0)
    await expect(page).toHaveURL('/booking')
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL('/companies')
  })

  test('leads from its drawer to its page, and back, without reloading the portal', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await page.goto('/booking')
    await page.getByRole('table').getByRole('link', { name: 'Aurora' }).click()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.getByRole('dialog', { name: 'Booking' }).getByRole('link', { name: 'Open as a page' }).click()
    await expect(page.getByRole('heading', { name: 'Booking', level: 1 })).toBeFocused()
    await expect(page).toHaveURL(`/booking/${booking.id}`)
    await page.goBack()
    await expect(page).toHaveURL('/booking')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test('can be moved and moved back; an overlap is shown before saving, and a free pod is one click away', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { pod, booking } = await buildSold(server)
    const johan = await buildUser(server.db, { firstname: 'Johan', lastname: 'Botha' })
    await buildBooking(server.db, { pod_id: pod.id, user_id: johan.id, start_time: wallTime(tomorrow, '14:00') })
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await dialog.getByLabel('Start').selectOption('14:00')
    await expect(dialog).toContainText(
      'Booking with the same date and time already exists: Johan Botha, 2:00 PM - 3:00 PM.',
    )
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Beacon, Rosebank' }).click()
    await dialog.getByLabel('End').selectOption('15:30')
    await expect(dialog).toContainText('R 225.00 instead of R 150.00: R 75.00 more to pay.')
    await dialog.getByRole('button', { name: 'Save, R 75.00 more' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('2:00 PM - 3:30 PM')
    await expect(page.getByRole('main')).toContainText('Still due')
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('main')).toContainText('9:00 AM - 10:00 AM')
  })

  test('can be cancelled on a phone, with a reason for a refund that differs from the policy, and reinstated', async ({
    page,
    server,
    signIn,
  }) => {
    await page.setViewportSize(PHONE)
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back: 100 % until 2 h before the start.')
    await dialog.getByLabel('Give back').fill('100')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Reason for another amount').fill('Came late before')
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given back')
    await expect(page.getByRole('main')).toContainText('R 100.00')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Reinstate' }).click()
    await expect(page.getByRole('main')).not.toContainText('To be given back')
    await expect(page.getByRole('button', { name: 'Move' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('says who has the time when reinstating it is refused', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([6])
    const start_time = wallTime(tomorrow, '09:00')
    const booking = await buildBooking(server.db, { status: 'Cancelled', start_time })
    const company_id = (await buildCompany(server.db, { name: 'Karoo Media' })).id
    await buildBooking(server.db, { pod_id: booking.pod_id, company_id, start_time })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Reinstate' }).click()
    await expect(page.getByRole('alert')).toContainText('already exists: Karoo Media, 9:00 AM - 10:00 AM.')
    await expect(page.getByRole('button', { name: 'Reinstate' })).toBeVisible()
  })

  test('says what reinstating it, and a no-show after its end, will cause', async ({ page }) => {
    // Nothing listens on that port; it is enough that a mail server is configured.
    const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pods@example.com' })
    try {
      const { booking } = await buildSold(server)
      await signInAs(page, server, [6])
      await page.goto(`${server.url}/booking/${booking.id}`)
      const actions = page.getByRole('region', { name: 'What can be done' })
      await actions.getByRole('button', { name: 'Cancel booking' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
      await expect(actions).toContainText(
        'This holds the time again, if it is still free. We will write to ayesha@example.com about it.',
      )
      await expect(page.getByRole('region', { name: 'Code' })).toContainText('A cancelled booking has no code.')
      await expect(page.getByRole('img', { name: 'Booking code' })).toHaveCount(0)
      await actions.getByRole('button', { name: 'Reinstate' }).click()
      await expect(page.getByRole('img', { name: 'Booking code' })).toBeVisible()
      server.clock.set(instantAt(tomorrow, '09:30'))
      await page.reload()
      await expect(actions).toContainText('No-show frees the rest of the time; nothing is given back.')
      server.clock.set(instantAt(tomorrow, '12:00'))
      await page.reload()
      await expect(actions).toContainText('No-show only notes that nobody came; nothing is given back.')
      await actions.getByRole('button', { name: 'No-show' }).click()
      await expect(actions.getByRole('button', { name: 'They came after all' })).toBeVisible()
      await expect(actions).not.toContainText('if it is still free')
    } finally {
      await page.close()
      await server.close()
    }
  })

  test.describe('by touch', () => {
    test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

    test('says why it cannot be moved yet, on a phone too', async ({ page, server, signIn }) => {
      await signIn([6])
      const { booking } = await buildSold(server)
      const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
      const save = dialog.getByRole('button', { name: /^Save/ })
      await expect(save).toHaveAccessibleDescription('Choose another time or pod first.')
      const reason = page.locator('[popover]').getByText('Choose another time or pod first.')
      await dialog.getByLabel('Date').press('Enter')
      await expect(reason).toBeVisible()
      await expect(save).toBeFocused()
      await dialog.getByText('Caused by us').click()
      await dialog.getByText('Caused by us').click()
      await expect(reason).toBeHidden()
      await save.tap({ force: true })
      await expect(reason).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel('End').selectOption('10:30 AM')
      await expect(save).toHaveText('Save, R 75.00 more')
      await save.tap()
      await expect(dialog).toHaveCount(0)
    })
  })

  test('is not moved before its new price is shown', async ({ page, server, signIn }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    const save = dialog.getByRole('button', { name: /^Save/ })
    await dialog.getByLabel('End').selectOption('10:30 AM')
    await expect(save).toHaveText('Save, R 75.00 more')
    const letGo = await holdRoute(page, '**/interval/preview')
    await dialog.getByLabel('End').selectOption('11:00 AM')
    await expect(save).toBeDisabled()
    await letGo()
    await expect(save).toHaveText('Save, R 150.00 more')
    await save.click()
    await expect(page.getByRole('main')).toContainText('R 300.00')
  })

  test('is not moved when its new price could not be loaded, before Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([6])
    const { booking } = await buildSold(server)
    const failing = '**/interval/preview'
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await dialog.getByLabel('End').selectOption('10:30 AM')
    await expect(dialog.getByRole('alert')).toContainText('The change could not be checked')
    const save = dialog.getByRole('button', { name: /^Save/ })
    await expect(save).toBeDisabled()
    await page.unroute(failing)
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(save).toHaveText('Save, R 75.00 more')
    await save.click()
    await expect(page.getByRole('main')).toContainText('R 225.00')
  })

  test('says in the form that moves it that it has been cancelled meanwhile', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await server.db.updateTable('bookings').set({ status: 'Cancelled' }).where('id', '=', booking.id).execute()
    await dialog.getByLabel('End').selectOption('10:30 AM')
    await expect(dialog.getByText('This booking has been cancelled.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: /^Save/ })).toBeDisabled()
  })

  test('is not moved back by a form that shows where it was before a colleague moved it', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { token } = await signIn([6])
    const { booking, beside } = await buildSold(server)
    await Promise.all([page.waitForResponse('**/api/live'), page.goto(`/booking/${booking.id}`)])
    await page.getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move booking' })
    const change = (method: 'post' | 'put', path: string, data: object) =>
      page.request[method](`/api/bookings/${booking.id}/${path}`, {
        headers: { authorization: `Bearer ${token}` },
        data,
      })
    // A note is no reason to refuse the move.
    await change('post', 'notes', { note: 'Needs a ramp', version: 1 })
    await expect(page.getByText('Needs a ramp')).toBeAttached()
    await dialog.getByLabel('End').selectOption('10:30')
    await dialog.getByRole('button', { name: 'Save, R 75.00 more' }).click()
    await expect(dialog).toHaveCount(0)

    await page.getByRole('button', { name: 'Move' }).click()
    const times = { startTime: `${tomorrow}T14:00:00.000Z`, endTime: `${tomorrow}T15:30:00.000Z` }
    await change('put', 'interval', { podId: beside.id, bookingDate: tomorrow, ...times, version: 3 })
    await expect(page.getByText('2:00 PM - 3:30 PM').first()).toBeAttached()
    await dialog.getByLabel('End').selectOption('10:00')
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed this meanwhile. Close this')
    const stored = await server.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ pod_id: beside.id, start_time: wallTime(tomorrow, '14:00') })
  })

  test('is not moved at another price than the one that was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([6])
    const { beside, booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await dialog.getByRole('combobox', { name: 'Pod' }).fill('Beacon')
    await page.getByRole('option', { name: /Beacon/ }).click()
    await expect(dialog).toContainText('The price stays R 150.00')
    await server.db.updateTable('pods').set({ rate: '4' }).where('id', '=', beside.id).execute()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toContainText('The price has changed since it was shown.')
    await expect(dialog).toContainText('R 240.00 instead of R 150.00: R 90.00 more to pay.')
    await dialog.getByRole('button', { name: 'Save, R 90.00 more' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('R 240.00')
  })

  test('says when cancelled that what is to be given back for a shorter time still is', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    await server.db.updateTable('bookings').set({ price: 75, balance_due: -75 }).where('id', '=', booking.id).execute()
    server.clock.set(instantAt(tomorrow, '08:00'))
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText(
      'The policy gives R 75.00 of R 150.00 back: R 75.00 that was overpaid, and for the rest it is too late',
    )
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('To be given backR 75.00')
  })

  test('asks again when the policy gives back another amount by now than its cancellation shows', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/400/)
    server.clock.set(instantAt(tomorrow, '06:59'))
    await signIn([6])
    const { booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back')
    server.clock.set(instantAt(tomorrow, '07:01'))
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('The policy gives R 0.00 of R 150.00 back: it is too late.')
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Reason for another amount').fill('Called in time')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given back')
    await expect(page.getByRole('main')).toContainText('R 150.00')
  })

  test('asks again when the customer has paid since its cancellation was opened', async ({ page, server, signIn }) => {
    expectConsoleErrors(/400/)
    await signIn([6])
    const { booking } = await buildSold(server)
    await server.db.updateTable('transactions').set({ status: 'pending' }).execute()
    const dialog = await openAction(page, booking.id, 'Cancel booking', 'Cancel booking')
    await expect(dialog).toContainText('Nothing was paid, so nothing is given back.')
    await server.db.updateTable('transactions').set({ status: 'completed' }).execute()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('The policy gives R 150.00 of R 150.00 back')
    await expect(dialog).toContainText('Say why another amount is given back')
    await dialog.getByLabel('Give back').fill('150')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('main')).toContainText('To be given backR 150.00')
  })

  test('for a company shows whom to call and write to there', async ({ page, server, signIn }) => {
    const { _id } = await signIn([6])
    const contact = { contact_name: 'Nomsa Khumalo', phone: '+27 11 555 0170', email: 'nomsa@kudu.example' }
    const company = await buildCompany(server.db, { name: 'Kudu Software', ...contact })
    const booking = await buildBooking(server.db, { staff_id: _id, company_id: company.id, ...times(tomorrow) })
    await page.goto(`/booking/${booking.id}`)
    const who = page.getByRole('region', { name: 'Who' })
    await expect(who).toContainText('ContactNomsa Khumalo')
    await expect(who.getByRole('link')).toHaveText(['+27 11 555 0170', 'nomsa@kudu.example'])
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByRole('dialog')).toContainText('for Kudu Software.')
  })

  test('of a series says where one that was moved alone is now, before the others take it along', async ({
    page,
    server: { db },
    signIn,
  }) => {
    const { _id } = await signIn([6])
    const pod = await buildPod(db, { title: 'Aurora' })
    const other = await buildPod(db, { title: 'Beacon', location_id: pod.location_id })
    const [first, second] = [businessDay(1), businessDay(8)]
    const one = await buildSeries(db, { pod_id: pod.id, staff_id: _id, ...times(first) })
    const afternoon = { start_time: wallTime(second, '14:00'), end_time: wallTime(second, '15:00') }
    await buildBooking(db, { pod_id: other.id, staff_id: _id, series_id: one.series_id, ...afternoon })
    await page.goto(`/booking/${one.id}`)
    await page.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Which bookings').selectOption('All of the series that are still to come')
    const dates = page.getByRole('region', { name: 'Dates of the series' }).getByRole('listitem')
    await page.getByLabel('Start').selectOption('12:15')
    await expect(dates.nth(1)).toContainText('Now 2:00 PM - 3:00 PM')
    // They are not paid for.
    await expect(page.getByText('Each keeps its date and pod.', { exact: true })).toBeVisible()
    await expect(dates.nth(1)).not.toContainText('Beacon')
    await expect(dates.nth(0)).not.toContainText('Now')
    await page.getByRole('combobox', { name: 'Pod' }).fill('Beacon')
    await page.getByRole('option', { name: /Beacon/ }).click()
    await expect(dates.nth(1)).toContainText('Now 2:00 PM - 3:00 PM')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(messages(page)).toContainText('2 bookings moved')
  })

  test('of a series links to the others, moves with the later ones, and can be cancelled with all of them', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn([6, 9])
    const { db } = server
    const location = await buildLocation(db, { name: 'Rosebank' })
    const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
    await buildPod(db, { title: 'Beacon', location_id: location.id, rate: '3.5' })
    const days = [1, 8, 15].map((days) => businessDay(days))
    const [first, second, third] = days as [string, string, string]
    const one = await buildSeries(db, { pod_id: pod.id, staff_id: _id, ...times(first) })
    const ofSeries = { pod_id: pod.id, staff_id: _id, series_id: one.series_id }
    const sold = { price: '150.00', rate: '2.5', discount_minutes: 0 }
    const two = await buildBooking(db, { ...ofSeries, ...times(second), ...sold })
    await buildBooking(db, { ...ofSeries, ...times(third), ...sold })
    await buildBooking(db, {
      pod_id: pod.id,
      start_time: wallTime(third, '12:00'),
      end_time: wallTime(third, '13:00'),
    })
    await page.goto(`/booking/${one.id}`)
    const series = page.getByRole('region', { name: 'Series' })
    await expect(page).toHaveTitle(/^Aurora, 20\d\d-\d\d-\d\d · /)
    await series.getByText(/^1 of 3, every /).click()
    await expect(series.getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    await series.getByRole('link', { name: second }).click()
    await expect(page).toHaveURL(`/booking/${two.id}`)
    await expect(series).toContainText('2 of 3')

    await page.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Which bookings').selectOption('This one and those after it')
    const dialog = page.getByRole('dialog', { name: 'Move bookings of a series' })
    await dialog.getByLabel('Start').selectOption('15:00')
    await expect(dialog.getByText('2 dates, all free')).toBeVisible()
    await dialog.getByLabel('Start').selectOption('12:15')
    await expect(dialog.getByText('2 dates, 1 not free')).toBeVisible()
    await expect(dialog.getByText('Each keeps its date and pod.')).toBeVisible()
    await dialog.getByLabel('End').selectOption('14:15')
    await expect(dialog.getByText('For the 1 that fit: R 150.00 more to pay.')).toBeVisible()
    await dialog.getByLabel('End').selectOption('12:45')
    const less = 'For the 1 that fit: R 75.00 less to pay, or to be given back where it was paid.'
    await expect(dialog.getByText(less)).toBeVisible()
    await dialog.getByLabel('End').selectOption('13:15')
    await expect(dialog.getByText('The prices stay as they are.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Choose one')).toBeVisible()
    await expectAccessible(page)
    const instead = dialog.getByLabel(`Instead of ${third}`)
    await instead.selectOption({ label: 'Move it to Beacon, Rosebank: R 210.00' })
    // The entered values stay while a different selection of bookings is shown.
    await page.getByLabel('Which bookings').selectOption('Only this booking')
    const alone = page.getByRole('dialog', { name: 'Move booking', exact: true })
    await expect(alone.getByLabel('Start')).toHaveValue('12:15')
    await page.getByLabel('Which bookings').selectOption('All of the series that are still to come')
    await expect(dialog.getByText('3 dates, 1 not free')).toBeVisible()
    await expect(instead.locator('option:checked')).toHaveText('Move it to Beacon, Rosebank: R 210.00')
    await page.getByLabel('Which bookings').selectOption('This one and those after it')
    await expect(dialog.getByText('2 dates, 1 not free')).toBeVisible()
    await expect(instead.locator('option:checked')).toHaveText('Move it to Beacon, Rosebank: R 210.00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(messages(page)).toContainText('2 bookings moved')
    await expect(page.getByText('12:15 PM - 1:15 PM').first()).toBeVisible()
    await series.getByText(/^2 of 3, every /).click()
    await expect(series.getByRole('listitem').nth(0)).not.toContainText('Aurora')
    await series.getByRole('link', { name: /, 12:15 PM - 1:15 PM, Beacon$/ }).click()
    await expect(page.getByRole('heading', { name: 'Beacon' })).toBeVisible()

    // Cancelling offers the same choice, here on a phone.
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel booking' })
    await question.getByLabel('Which bookings').selectOption('All of the series that are still to come')
    await expect(question).toContainText(`3 bookings, from ${first} to ${third}.`)
    await expectNoSidewaysScroll(page)
    const cancel = question.getByRole('button', { name: 'Cancel 3 bookings' })
    const label = cancel.getByText('Cancel 3 bookings')
    await expect.poll(() => label.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    await cancel.click()
    await expect(messages(page)).toContainText('3 bookings cancelled')
    await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  })

  test('follows the clock, and keeps the form for moving its series when it begins meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn([6, 9])
    const pod = await buildPod(server.db)
    const one = await buildSeries(server.db, { pod_id: pod.id, staff_id: _id, ...times(tomorrow) })
    const ofSeries = { pod_id: pod.id, staff_id: _id, series_id: one.series_id }
    await buildBooking(server.db, { ...ofSeries, ...times(businessDay(8)) })
    await page.clock.install()
    // Nothing else makes the portal read it again.
    await holdRoute(page, '**/api/live')
    server.clock.set(instantAt(businessDay(), '23:59'))
    await page.goto(`/booking/${one.id}`)
    const actions = page.getByRole('region', { name: 'What can be done' })
    await expect(actions.getByRole('button', { name: 'Move' })).toBeVisible()
    await expect(actions.getByRole('button', { name: 'Check in' })).toBeHidden()
    server.clock.set(instantAt(tomorrow, '00:00'))
    await page.clock.fastForward('01:00')
    await expect(actions.getByRole('button', { name: 'Check in' })).toBeVisible()

    await actions.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Which bookings').selectOption('This one and those after it')
    const dialog = page.getByRole('dialog', { name: 'Move bookings of a series' })
    await dialog.getByLabel('Start').selectOption('12:15')
    server.clock.set(instantAt(tomorrow, '09:00'))
    await page.clock.fastForward('01:00')
    await expect(page.getByRole('button', { name: 'Extend or shorten', includeHidden: true })).toHaveCount(1)
    await expect(dialog.getByLabel('Start')).toHaveValue('12:15')
  })

  test('shows what cannot be changed while it runs as clearly in a select as in a field', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    server.clock.set(instantAt(tomorrow, '09:10'))
    await server.db.updateTable('bookings').set({ status: 'Processing' }).where('id', '=', booking.id).execute()
    const dialog = await openAction(page, booking.id, 'Extend or shorten', 'Extend or shorten')
    for (const label of ['Date', 'Start']) {
      await expect(dialog.getByLabel(label)).toBeDisabled()
      await expect(dialog.getByLabel(label)).toHaveCSS('opacity', '1')
    }
  })

  test('offers other times when somebody else takes the new time first', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { token } = await signIn([6])
    const { booking, beside } = await buildSold(server)
    const other = await buildBooking(server.db, { pod_id: beside.id, start_time: wallTime(tomorrow, '15:00') })
    // Without the live stream there are no hints of the other person's changes, only responses to one's own requests.
    await page.route('**/api/live', () => undefined)
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await dialog.getByLabel('Start').selectOption('12:00')
    await expect(dialog.getByText(/^It is free then/)).toBeVisible()
    // Somebody else takes the time first by moving another pod's booking there.
    const moved = await page.request.put(`${server.url}/api/bookings/${other.id}/interval`, {
      headers: { authorization: `Bearer ${token}` },
      data: {
        podId: booking.pod_id,
        bookingDate: tomorrow,
        startTime: wallTime(tomorrow, '12:00').toISOString(),
        endTime: wallTime(tomorrow, '13:00').toISOString(),
        version: 1,
      },
    })
    expect(moved.status()).toBe(200)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const free = dialog.getByRole('region', { name: 'Free instead' })
    await free.getByRole('button', { name: '11:00 AM - 12:00 PM' }).click()
    await expect(dialog.getByText(/^It is free then/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(messages(page)).toContainText('Booking moved')
    await expect(page.getByText('11:00 AM - 12:00 PM').first()).toBeVisible()
  })

  test('says when it does not exist, and when staff with only page 9 may not see it', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/40[34]/)
    await signIn([9])
    const { booking } = await buildSold(server)
    await page.goto(`/booking/${booking.id}`)
    await expect(page.getByText('Ask someone with access to Booking')).toBeVisible()
    await page.goto('/booking/01a1bc2f-bbf6-7a1c-9bb1-7f8a12125d7b')
    await expect(page.getByText('There is no such booking.')).toBeVisible()
    await page.getByRole('link', { name: 'Go to Corporate Booking' }).click()
    await expect(page).toHaveURL('/corporate-booking')
  })

  test('shows its history to staff with only page 9 who made it', async ({ page, server, signIn }) => {
    const { _id } = await signIn([9])
    const booking = await buildBooking(server.db, { staff_id: _id })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Add note' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Needs the projector')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const history = page.getByRole('region', { name: 'History' })
    await expect(history).toContainText('changed the note')
    await history.getByRole('button', { name: 'Show all' }).click()
    await expect(dialog).toContainText('Needs the projector')
  })
})
