import { buildBooking, buildLocation, buildPod, buildSeries, buildUser } from '#server/testing/factories.ts'
import { buildSold, messages, openAction, times } from './booking-page.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

test.describe('A booking', () => {
  test('can be moved and moved back; an overlap is shown before saving, and a free pod is one click away', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { pod, booking } = await buildSold(server)
    const johan = await buildUser(server.db, { firstname: 'Johan', lastname: 'Botha' })
    await buildBooking(server.db, { pod_id: pod.id, user_id: johan.id, start_time: wallTime(businessDay(1), '14:00') })
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

  test('says that a move to another day takes the check-in back', async ({ page, server, signIn }) => {
    await signIn([6])
    const { booking } = await buildSold(server)
    const checkedIn = {
      checked_in_at: new Date(instantAt(businessDay(1), '08:10')),
      checked_in_method: 'staff' as const,
    }
    await server.db.updateTable('bookings').set(checkedIn).where('id', '=', booking.id).execute()
    server.clock.set(instantAt(businessDay(1), '08:20'))
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await dialog.getByLabel('Start').selectOption('14:00')
    await expect(dialog).toContainText('The price stays R 150.00.')
    await expect(dialog).not.toContainText('The check-in is taken back.')
    await dialog.getByLabel('Date').fill(businessDay(2))
    await expect(dialog).toContainText('The check-in is taken back.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).not.toContainText('Checked in')
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

  test('asks only for another end while it runs, when the chosen one is not free', async ({ page, server, signIn }) => {
    await signIn([6])
    const { pod, booking } = await buildSold(server)
    await buildBooking(server.db, {
      pod_id: pod.id,
      start_time: wallTime(businessDay(1), '10:30'),
      end_time: wallTime(businessDay(1), '11:30'),
    })
    server.clock.set(instantAt(businessDay(1), '09:10'))
    await server.db.updateTable('bookings').set({ status: 'Processing' }).where('id', '=', booking.id).execute()
    const dialog = await openAction(page, booking.id, 'Extend or shorten', 'Extend or shorten')
    await dialog.getByLabel('End').selectOption('11:00 AM')
    const save = dialog.getByRole('button', { name: /^Save/ })
    await expect(save).toHaveAccessibleDescription('It cannot end then. Choose another end.')
    await dialog.getByLabel('End').selectOption('10:30 AM')
    await save.click()
    await expect(dialog).toHaveCount(0)
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
    const times = { startTime: `${businessDay(1)}T14:00:00.000Z`, endTime: `${businessDay(1)}T15:30:00.000Z` }
    await change('put', 'interval', { podId: beside.id, bookingDate: businessDay(1), ...times, version: 3 })
    await expect(page.getByText('2:00 PM - 3:30 PM').first()).toBeAttached()
    await dialog.getByLabel('End').selectOption('10:00')
    await dialog.getByRole('button', { name: /^Save/ }).click()
    await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed this meanwhile. Close this')
    const stored = await server.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ pod_id: beside.id, start_time: wallTime(businessDay(1), '14:00') })
  })

  test('is not moved at another price than the one that was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    await signIn([6])
    const { beside, booking } = await buildSold(server)
    const dialog = await openAction(page, booking.id, 'Move', 'Move booking')
    await choose(dialog.getByRole('combobox', { name: 'Pod' }), 'Beacon')
    await expect(dialog).toContainText('The price stays R 150.00')
    await server.db.updateTable('pods').set({ rate: '4' }).where('id', '=', beside.id).execute()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toContainText('The price has changed since it was shown.')
    await expect(dialog).toContainText('R 240.00 instead of R 150.00: R 90.00 more to pay.')
    await dialog.getByRole('button', { name: 'Save, R 90.00 more' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('R 240.00')
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
    const namesake = await buildPod(db, {
      title: 'Aurora',
      location_id: (await buildLocation(db, { name: 'Rosebank' })).id,
    })
    const ofSeries = { staff_id: _id, series_id: one.series_id }
    await buildBooking(db, { pod_id: namesake.id, ...ofSeries, ...times(businessDay(15)) })
    await page.goto(`/booking/${one.id}`)
    await page.getByText('1 of 3').click()
    const series = page.getByRole('list', { name: 'Bookings of the series' }).getByRole('listitem')
    await expect(series.nth(2)).toContainText('Aurora, Rosebank')
    await page.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Which bookings').selectOption('All of the series that are still to come')
    const dates = page.getByRole('region', { name: 'Dates of the series' }).getByRole('listitem')
    await page.getByLabel('Start').selectOption('12:15')
    await expect(dates.nth(1)).toContainText('Now 2:00 PM - 3:00 PM')
    // They are not paid for.
    await expect(page.getByText('Each keeps its date and pod.', { exact: true })).toBeVisible()
    await expect(dates.nth(1)).not.toContainText('Beacon')
    await expect(dates.nth(0)).not.toContainText('Now')
    await choose(page.getByRole('combobox', { name: 'Pod' }), 'Beacon')
    await expect(dates.nth(1)).toContainText('Now 2:00 PM - 3:00 PM')
    await expect(dates.nth(2)).toContainText('Now Aurora, Rosebank')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(messages(page)).toContainText('3 bookings moved')
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
    await series.getByRole('link', { name: /, 12:15 PM - 1:15 PM, Beacon, Rosebank$/ }).click()
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

  test('offers other times when somebody else takes the new time first', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { token } = await signIn([6])
    const { booking, beside } = await buildSold(server)
    const other = await buildBooking(server.db, { pod_id: beside.id, start_time: wallTime(businessDay(1), '15:00') })
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
        bookingDate: businessDay(1),
        startTime: wallTime(businessDay(1), '12:00').toISOString(),
        endTime: wallTime(businessDay(1), '13:00').toISOString(),
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
})
