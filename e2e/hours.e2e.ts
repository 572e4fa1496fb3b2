import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

/** A Monday in the distant future, so that it is never in the past. */
const DATE = '2099-01-05'
const at = (mark: string) => new Date(`${DATE}T${mark}:00.000Z`)

test.describe('Opening hours', () => {
  test.beforeEach(async ({ signIn }) => {
    await signIn([3, 6, 7, 9])
  })

  test('can be set for a location and a pod, and prevent bookings outside them', async ({ page, server: { db } }) => {
    const location = await buildLocation(db, { name: 'Dock House' })
    const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const ofLocation = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    await ofLocation.getByLabel('Monday opens').selectOption('9:00 AM')
    await ofLocation.getByLabel('Monday closes').selectOption('5:00 PM')
    await ofLocation.getByRole('button', { name: 'Copy Monday to all days' }).click()
    await expect(ofLocation.getByLabel('Sunday closes')).toHaveValue('17:00')
    await expect(ofLocation.getByRole('status').filter({ hasText: 'Monday is copied to all days' })).toHaveCount(1)
    // All of next year's are still to come.
    await ofLocation.getByLabel('Year of the public holidays').selectOption({ index: 1 })
    await ofLocation.getByRole('button', { name: 'Add public holidays of' }).click()
    await expect(ofLocation.getByLabel(/-12-25: label/)).toHaveValue('Christmas Day')
    await ofLocation.getByRole('button', { name: 'Add public holidays of' }).click()
    await expect(ofLocation.getByText(/^All public holidays to come in \d{4} are listed above\.$/)).toBeVisible()
    await expectAccessible(page)
    for (const width of [PHONE.width, 320]) {
      await page.setViewportSize({ width, height: PHONE.height })
      await expectNoSidewaysScroll(page)
      for (const field of [/-12-25: date$/, /-12-25: open or closed$/])
        await expect
          .poll(() => ofLocation.getByLabel(field).evaluate((node) => node.scrollWidth - node.clientWidth))
          .toBe(0)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
    await ofLocation.getByRole('button', { name: 'Save hours' }).click()
    await expect(page.getByText('Opening hours saved')).toBeVisible()

    await page.goto(`/corporate-booking?pod=${pod.id}&date=${DATE}&start=07:00&end=08:00`)
    await expect(page.getByText('Closed: 6:00 AM - 9:00 AM, 5:00 PM - 12:00 AM.')).toBeVisible()
    await expect(page.getByText('7:00 AM and 8:00 AM are not free and were cleared.')).toBeVisible()

    await page.goto('/pods')
    await page.getByRole('button', { name: 'More actions for Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Opening hours' }).click()
    const ofPod = page.getByRole('dialog', { name: 'Opening hours of Aurora' })
    await ofPod.getByLabel('Monday: open or closed').selectOption('Open')
    await ofPod.getByLabel('Monday opens').selectOption('7:00 AM')
    await ofPod.getByLabel('Monday closes').selectOption('8:00 PM')
    await ofPod.getByRole('button', { name: 'Save hours' }).click()
    await expect(page.getByText('Opening hours saved')).toBeVisible()

    await page.goto(`/corporate-booking?pod=${pod.id}&date=${DATE}&start=07:00&end=08:00`)
    await expect(page.getByText('Closed: 6:00 AM - 7:00 AM, 8:00 PM - 12:00 AM.')).toBeVisible()
    await page.getByLabel('Purpose').selectOption('meeting')
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })

  test('say how many upcoming bookings are outside them, and lead to the first', async ({ page, server: { db } }) => {
    const location = await buildLocation(db, { name: 'Dock House' })
    const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
    const user = await buildUser(db, { firstname: 'Thandi', lastname: 'Nkosi' })
    await buildBooking(db, { pod_id: pod.id, user_id: user.id, start_time: at('07:00'), end_time: at('08:00') })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    await dialog.getByLabel('Monday opens').selectOption('9:00 AM')
    await dialog.getByRole('button', { name: 'Save hours' }).click()
    await expect(page.getByText('1 upcoming booking is outside these hours. It stays.')).toBeVisible()
    await page.getByRole('link', { name: 'Show the first' }).click()
    await expect(page).toHaveURL(`/schedule?date=${DATE}`)
    await expect(page.getByRole('grid').getByText('Thandi Nkosi')).toBeVisible()
  })

  test('ask before a reason to book outside them is lost', async ({ page, server: { db } }) => {
    const pod = await buildPod(db)
    await db
      .insertInto('opening_hours')
      .values({ pod_id: pod.id, location_id: null, weekday: 1, opens: 540, closes: 1020 })
      .execute()
    await page.goto(`/corporate-booking?pod=${pod.id}&date=${DATE}&start=07:00&end=08:00`)
    await page.getByRole('button', { name: /^Time Slots/ }).click()
    await page.getByRole('switch', { name: 'Outside opening hours too' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Reason to book outside opening hours').fill('A film team')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pods' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Discard changes?' })).toBeVisible()
  })

  test('keep what is typed while the public holidays are loading', async ({ page, server: { db } }) => {
    await buildLocation(db, { name: 'Dock House' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    await dialog.getByLabel('Year of the public holidays').selectOption({ index: 1 })
    const release = await holdRoute(page, '**/public-holidays?*')
    await dialog.getByRole('button', { name: 'Add public holidays of' }).click()
    await dialog.getByRole('button', { name: 'Add date' }).click()
    await dialog.getByLabel('New date: label').fill('Staff party')
    await dialog.getByLabel('New date: date').fill('2099-02-03')
    await release()
    await expect(dialog.getByLabel(/-12-25: label/)).toHaveValue('Christmas Day')
    await expect(dialog.getByLabel('2099-02-03: label')).toHaveValue('Staff party')
  })

  test('add only the public holidays that are still to come', async ({ page, server: { db } }) => {
    await buildLocation(db, { name: 'Dock House' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    const days = [businessDay(-1), businessDay(), businessDay(1)]
    await page.route('**/public-holidays?*', (route) =>
      route.fulfill({ json: days.map((date) => ({ date, name: date })) }),
    )
    await expect(dialog.getByLabel('Year of the public holidays')).toHaveValue(businessDay().slice(0, 4))
    await dialog.getByRole('button', { name: 'Add public holidays of' }).click()
    await expect(dialog.getByLabel(/: date$/)).toHaveCount(2)
    await expect(dialog.getByLabel(/: date$/).first()).toHaveValue(businessDay())
  })

  test('of a date start from those of its weekday', async ({ page, server: { db } }) => {
    const location = await buildLocation(db, { name: 'Dock House' })
    await buildPod(db, { title: 'Aurora', location_id: location.id })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const ofLocation = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    await ofLocation.getByLabel('Monday opens').selectOption('7:00 AM')
    await ofLocation.getByLabel('Monday closes').selectOption('8:00 PM')
    await ofLocation.getByRole('button', { name: 'Add date' }).click()
    await ofLocation.getByLabel('New date: date').fill(DATE)
    await ofLocation.getByLabel(`${DATE}: open or closed`).selectOption('Open')
    await expect(ofLocation.getByLabel(`${DATE} opens`)).toHaveValue('07:00')
    await expect(ofLocation.getByLabel(`${DATE} closes`)).toHaveValue('20:00')
    await ofLocation.getByRole('button', { name: `Remove ${DATE}`, exact: true }).click()
    await ofLocation.getByRole('button', { name: 'Save hours' }).click()
    await expect(page.getByText('Opening hours saved')).toBeVisible()

    await page.goto('/pods')
    await page.getByRole('button', { name: 'More actions for Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Opening hours' }).click()
    const ofPod = page.getByRole('dialog', { name: 'Opening hours of Aurora' })
    await ofPod.getByRole('button', { name: 'Add date' }).click()
    await ofPod.getByLabel('New date: date').fill(DATE)
    await ofPod.getByLabel(`${DATE}: open or closed`).selectOption('Open')
    await expect(ofPod.getByLabel(`${DATE} opens`)).toHaveValue('07:00')
  })

  test('mark what is wrong with them in its field', async ({ page, server: { db } }) => {
    await buildLocation(db, { name: 'Dock House' })
    await page.goto('/location')
    await page.getByRole('button', { name: 'Opening hours of Dock House' }).click()
    const dialog = page.getByRole('dialog', { name: 'Opening hours of Dock House' })
    const save = dialog.getByRole('button', { name: 'Save hours' })
    await dialog.getByLabel('Monday closes').selectOption('12:00 PM')
    await dialog.getByRole('button', { name: 'Add hours to Monday' }).click()
    const opens = dialog.getByLabel('Monday opens').last()
    await opens.selectOption('10:00 AM')
    await save.click()
    await expect(opens).toBeFocused()
    await expect(opens).toHaveAccessibleDescription('Two spans of a day overlap')
    await opens.selectOption('1:00 PM')
    await dialog.getByLabel('Monday closes').last().selectOption('12:30 PM')
    const closes = dialog.getByLabel('Monday closes').last()
    await expect(closes).toHaveAccessibleDescription('Closing must be after opening')
    // The fields of a span stand on one line, whatever is written below them.
    const tops = [opens, closes].map(async (field) => (await field.boundingBox())?.y)
    const [top, ...others] = await Promise.all(tops)
    expect(others).toEqual([top])
    await closes.selectOption('12:00 AM')

    await dialog.getByRole('button', { name: 'Add date' }).click()
    const dates = dialog.getByLabel(/: date$/)
    await expect(dates).toBeFocused()
    await save.click()
    await expect(dates).toBeFocused()
    await expect(dates).toHaveAccessibleDescription('Date must be a date such as 2026-11-21')
    await dates.fill(DATE)
    await dialog.getByRole('button', { name: 'Add date' }).click()
    await dates.last().fill(DATE)
    await save.click()
    await expect(dates.last()).toBeFocused()
    await expect(dates.last()).toHaveAccessibleDescription('A date is given twice')
    await expectAccessible(page)
    await dates.last().fill('2099-01-06')
    await expect(dates.last()).not.toHaveAttribute('aria-invalid')
    await save.click()
    await expect(page.getByText('Opening hours saved')).toBeVisible()
  })

  test('allow booking, moving and reinstating outside them only with a reason', async ({ page, server: { db } }) => {
    expectConsoleErrors(/409/)
    const pod = await buildPod(db, { title: 'Aurora' })
    await db
      .insertInto('opening_hours')
      .values({ pod_id: pod.id, location_id: null, weekday: 1, opens: 540, closes: 1020 })
      .execute()
    const user = await buildUser(db, { firstname: 'Naledi', lastname: 'Dube' })
    const booking = await buildBooking(db, {
      pod_id: pod.id,
      user_id: user.id,
      start_time: at('10:00'),
      end_time: at('11:00'),
    })
    await page.goto(`/corporate-booking?pod=${pod.id}&date=${DATE}`)
    await page.getByLabel('Purpose').selectOption('meeting')
    await page.getByRole('button', { name: /Time Slots/ }).click()
    const slots = page.getByRole('dialog', { name: 'Select Time Slots' })
    const seven = slots.getByRole('button', { name: /^7:00 AM/ })
    await expect(seven).toBeDisabled()
    await expect(seven).toHaveAccessibleName('7:00 AM, open 9:00 AM – 5:00 PM on 2099-01-05.')
    await slots.getByRole('switch', { name: 'Outside opening hours too' }).press('Space')
    await seven.click()
    await slots.getByRole('button', { name: /^8:00 AM/ }).click()
    await slots.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page.getByText('Reason is required')).toBeVisible()
    await page.getByLabel('Reason to book outside opening hours').fill('Board meeting')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)

    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Move booking' })
    await dialog.getByLabel('Start').selectOption('6:00 PM')
    await expect(dialog.getByText('Open 9:00 AM – 5:00 PM on 2099-01-05.')).toBeVisible()
    const save = dialog.getByRole('button', { name: 'Book anyway' })
    await expect(save).toBeDisabled()
    await dialog.getByLabel('Reason to book outside opening hours').fill('Train late')
    await save.click()
    await expect(dialog).toHaveCount(0)

    await page.getByRole('button', { name: 'Cancel booking' }).click()
    const cancel = page.getByRole('dialog', { name: 'Cancel booking' })
    await cancel.getByRole('button', { name: 'Cancel booking' }).click()
    await page.getByRole('button', { name: 'Reinstate' }).click()
    const reinstate = page.getByRole('dialog', { name: 'Reinstate booking' })
    await expect(reinstate.getByText('Open 9:00 AM – 5:00 PM on 2099-01-05.')).toBeVisible()
    await expect(reinstate.getByRole('button', { name: 'Reinstate anyway' })).toBeDisabled()
    await reinstate.getByLabel('Reason to book outside opening hours').fill('Train runs again')
    await expectAccessible(page)
    await reinstate.getByRole('button', { name: 'Reinstate anyway' }).click()
    await expect(page.getByText('The booking of Aurora is reinstated')).toBeVisible()
    const rows = await db
      .selectFrom('audit')
      .select(['action', 'reason'])
      .where('entity', '=', 'booking')
      .orderBy('at')
      .execute()
    expect(rows).toEqual([
      { action: 'create', reason: 'Outside opening hours: Board meeting' },
      { action: 'move', reason: 'Outside opening hours: Train late' },
      { action: 'cancel', reason: expect.any(String) },
      { action: 'reinstate', reason: 'Outside opening hours: Train runs again' },
    ])
  })
})
