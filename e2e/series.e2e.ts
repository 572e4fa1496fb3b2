import { buildBooking, buildLocation, buildPod, buildSeries, buildTransaction } from '#server/testing/factories.ts'
import { at, book, bookAgain, link } from './corporate-booking-form.ts'
import { expect, expectAccessible, expectConsoleErrors, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

test.describe('A series of bookings', () => {
  test('books a weekly series, with an alternative for a date that is not free', async ({ page, server, signIn }) => {
    await signIn([9])
    const location = await buildLocation(server.db, { name: 'Rosebank' })
    const pod = await buildPod(server.db, { location_id: location.id, capacity: 4 })
    await buildPod(server.db, { title: 'Beacon', location_id: location.id, capacity: 2 })
    const taken = new Date('2099-01-12T09:30:00.000Z')
    await buildBooking(server.db, { pod_id: pod.id, start_time: taken })
    await page.goto(link(pod.id))
    await page.getByRole('switch', { name: 'Repeat' }).check()
    await expect(page.getByRole('checkbox', { name: 'Monday' })).toBeChecked()
    await page.getByLabel('Until').fill('2099-01-26')
    const dates = page.getByRole('region', { name: 'Dates of the series' })
    await expect(dates).toContainText('4 dates, 1 not free')
    await expect(dates.getByRole('listitem')).toHaveCount(4)
    await expect(dates.getByRole('listitem').nth(1)).toContainText('2099-01-12, Monday')
    await book(page)
    await expect(dates.getByText('Choose one')).toBeVisible()
    await expect(dates.getByLabel('Instead of 2099-01-12')).toBeFocused()
    const instead = dates.getByLabel('Instead of 2099-01-12')
    await expect(instead.locator('option').last()).toHaveText('Book Beacon, Rosebank, only 2 seats')
    await instead.selectOption('Book 8:30 AM - 9:30 AM')
    await expectAccessible(page)
    await bookAgain(page)
    await expect(page.getByText('4 bookings created')).toBeVisible()
    const bookings = await server.db
      .selectFrom('bookings')
      .select(['start_time'])
      .where('series_id', 'is not', null)
      .orderBy('start_time')
      .execute()
    expect(bookings.map(({ start_time }) => start_time.toISOString().slice(0, 16))).toEqual([
      '2099-01-05T09:00',
      '2099-01-12T08:30',
      '2099-01-19T09:00',
      '2099-01-26T09:00',
    ])
  })

  test('skips free dates of a series, which stay skipped while the form changes', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db)
    await page.goto(link(pod.id))
    await page.getByRole('switch', { name: 'Repeat' }).check()
    await page.getByLabel('Until').fill('2099-01-26')
    const dates = page.getByRole('region', { name: 'Dates of the series' })
    await dates.getByRole('button', { name: 'Skip 2099-01-12' }).click()
    await dates.getByRole('button', { name: 'Skip 2099-01-19' }).click()
    await expect(dates.getByRole('status')).toHaveText('4 dates, all free, 2 skipped')
    await expectAccessible(page)
    await dates.getByRole('button', { name: 'Book 2099-01-19 after all' }).click()
    await page.getByLabel('Until').fill('2099-01-19')
    await expect(dates.getByRole('status')).toHaveText('3 dates, all free, 1 skipped')
    await book(page)
    await expect(page.getByText('2 bookings created')).toBeVisible()
    const bookings = await server.db.selectFrom('bookings').select('booking_date').orderBy('start_time').execute()
    expect(bookings.map(({ booking_date }) => booking_date)).toEqual(['2099-01-05', '2099-01-19'])
  })

  test('repeats on the weekday of the date that was chosen last, unless weekdays were chosen', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([9])
    const pod = await buildPod(server.db)
    await page.goto(link(pod.id))
    await page.getByRole('switch', { name: 'Repeat' }).check()
    const weekdays = page.getByRole('group', { name: 'On' }).getByRole('checkbox', { checked: true })
    await expect(weekdays).toHaveAccessibleName('Monday')
    const date = page.getByLabel('Date', { exact: true })
    await date.fill('')
    await date.fill('2099-01-06')
    await expect(weekdays).toHaveAccessibleName('Tuesday')
    await page.getByRole('checkbox', { name: 'Friday' }).check()
    await date.fill('2099-01-07')
    await page.getByLabel('Until').fill('2099-01-16')
    await expect(page.getByRole('region', { name: 'Dates of the series' })).toContainText('3 dates, all free')
    await expect(weekdays).toHaveCount(2)
  })

  test('books no series before its dates are shown', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db)
    await buildBooking(server.db, { pod_id: pod.id, start_time: new Date('2099-01-12T09:30:00.000Z') })
    await page.goto(link(pod.id))
    await page.getByLabel('Purpose').selectOption('meeting')
    await page.getByRole('switch', { name: 'Repeat' }).check()
    await page.getByLabel('Until').fill('2099-01-12')
    const dates = page.getByRole('region', { name: 'Dates of the series' })
    await dates.getByLabel('Instead of 2099-01-12').selectOption('Book 8:30 AM - 9:30 AM')
    const letGo = await holdRoute(page, '**/series/preview')
    await page.getByLabel('Until').fill('2099-01-19')
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page.getByRole('button', { name: 'Create Booking' })).toBeVisible()
    await letGo()
    await expect(dates).toContainText('3 dates, 1 not free')
    await bookAgain(page)
    expect(
      await server.db.selectFrom('bookings').select('id').where('series_id', 'is not', null).execute(),
    ).toHaveLength(3)
  })

  test('says that the dates of a series could not be loaded, and keeps what was chosen for them', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    await signIn([9])
    const pod = await buildPod(server.db)
    await buildBooking(server.db, { pod_id: pod.id, start_time: new Date('2099-01-12T09:30:00.000Z') })
    await page.goto(link(pod.id))
    await page.getByRole('switch', { name: 'Repeat' }).check()
    await page.getByLabel('Until').fill('2099-01-19')
    const instead = page.getByLabel('Instead of 2099-01-12')
    await instead.selectOption('Skip this date')
    await page.route('**/series/preview', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }),
    )
    await page.getByLabel('Until').fill('2099-01-26')
    const main = page.getByRole('main')
    await expect(main.getByRole('alert')).toContainText('The dates could not be loaded')
    await page.unroute('**/series/preview')
    await main.getByRole('button', { name: 'Retry' }).click()
    await expect(instead.locator('option:checked')).toHaveText('Skip this date')
  })

  test('cancels a booking of a series together with the later ones, and undoes that as a whole', async ({
    page,
    server,
    signIn,
  }) => {
    const { _id } = await signIn([6, 9])
    const first = await buildSeries(server.db, { staff_id: _id, start_time: at('09:00'), end_time: at('10:00') })
    const later = { pod_id: first.pod_id, staff_id: _id, series_id: first.series_id }
    await buildBooking(server.db, { ...later, start_time: new Date('2099-01-12T09:00:00.000Z') })
    await page.goto(`/booking?search=${first.id}`)
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await dialog.getByLabel('Which bookings').selectOption('This one and those after it')
    await expect(dialog).toContainText('2 bookings, from 2099-01-05 to 2099-01-12. Nothing was paid')
    await dialog.getByRole('button', { name: 'Cancel 2 bookings' }).click()
    await expect(page.getByText('2 bookings cancelled')).toBeVisible()
    const listLeft = () => server.db.selectFrom('bookings').select('id').where('status', '<>', 'Cancelled').execute()
    expect(await listLeft()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('2 bookings are reinstated')).toBeVisible()
    expect(await listLeft()).toHaveLength(2)
  })

  test('says why the bookings of a series could not be loaded, and cancels them after Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    const { _id } = await signIn([6, 9])
    const first = await buildSeries(server.db, { staff_id: _id, start_time: at('09:00'), end_time: at('10:00') })
    const failing = `**/series/${first.series_id}`
    await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
    await page.goto(`/booking?search=${first.id}`)
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await dialog.getByLabel('Which bookings').selectOption('This one and those after it')
    await expect(dialog.getByRole('alert')).toContainText('The series could not be loaded')
    await expect(dialog.getByText('None of these bookings is still to come.')).toHaveCount(0)
    await page.unroute(failing)
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(dialog).toContainText('1 booking, on 2099-01-05.')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toBeHidden()
  })

  test('cancels no series when another sum is given back by now than was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { _id } = await signIn([6, 9])
    const first = await buildSeries(server.db, { staff_id: _id, start_time: at('09:00'), end_time: at('10:00') })
    await buildTransaction(server.db, { booking_id: first.id, amount: 150 })
    await page.goto(`/booking?search=${first.id}`)
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await dialog.getByLabel('Which bookings').selectOption('This one and those after it')
    await expect(dialog).toContainText('R 150.00 of R 150.00 is given back')
    const cancel_policy = JSON.stringify({ brackets: [{ hoursBefore: 2, percent: 50 }], fee: 0 })
    await server.db.updateTable('bookings').set({ cancel_policy }).execute()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(dialog).toContainText('What is given back has changed since it was shown.')
    await expect(dialog).toContainText('R 75.00 of R 150.00 is given back')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByText('1 booking cancelled')).toBeVisible()
  })
})
