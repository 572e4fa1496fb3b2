import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { moveClock } from './quiet.ts'

test.describe('The bookings screen', () => {
  test('lists ten bookings a page, most recently created first, with every column', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const location = await buildLocation(server.db, {
      name: 'Sandton Central',
      street: '5 Maude Street',
      city: 'Johannesburg',
      state: 'Gauteng',
      zip: '2196',
    })
    const pod = await buildPod(server.db, { title: 'Jacaranda', location_id: location.id })
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    for (let hour = 6; hour < 17; hour++) {
      await buildBooking(server.db, {
        pod_id: pod.id,
        user_id: user.id,
        purpose: hour === 16 ? '' : 'meeting',
        start_time: new Date(Date.UTC(2026, 10, 23, hour)),
        created_at: new Date(Date.UTC(2026, 9, hour)),
      })
    }
    await page.goto('/booking')
    await expect(page.getByText('All Bookings (11)')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Bookings' }).getByRole('row')
    await expect(rows).toHaveCount(11)
    const newest = rows.nth(1)
    for (const text of [
      '2026-11-23',
      '4:00 PM - 5:00 PM',
      'N/A',
      'Jacaranda',
      'Sandton Central, 5 Maude Street, Johannesburg, Gauteng, ZA, 2196',
      'Ayesha Patel',
      'Pending',
    ]) {
      await expect(newest).toContainText(text)
    }
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText('6:00 AM - 7:00 AM')
  })

  test('says below its status that nobody came for a booking, and is filtered by that', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([5, 6])
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    const over = { user_id: user.id, status: 'Completed' } as const
    const start_time = new Date('2026-01-05T09:00:00.000Z')
    await buildBooking(server.db, { ...over, start_time, no_show_at: start_time, released_from: start_time })
    await buildBooking(server.db, { ...over, start_time: new Date('2026-01-06T09:00:00.000Z') })
    await page.goto('/booking')
    await expect(page.getByRole('row', { name: /2026-01-05/ })).toContainText('Completed, No-show')
    await expect(page.getByRole('row', { name: /2026-01-06/ })).not.toContainText('No-show')
    await expectAccessible(page)
    await page.getByLabel('Status').selectOption('No-show')
    await expect(page.getByRole('row', { name: /2026-01-06/ })).toBeHidden()
    await expect(page.getByRole('row', { name: /2026-01-05/ })).toBeVisible()
    await page.getByLabel('Status').selectOption('Completed')
    await expect(page.getByRole('row', { name: /2026-01-06/ })).toBeVisible()
    await expect(page).toHaveURL('/booking?status=Completed')
    await page.goto(`/user-details/${user.id}`)
    await page.getByRole('link', { name: 'No-shows: 1' }).click()
    await expect(page.getByLabel('Status')).toHaveValue('no-show')
    await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Ayesha Patel')
    await page.goBack()
    await expect(page.getByRole('row', { name: /2026-01-05/ })).toContainText('Completed, No-show')
    await page.setViewportSize(PHONE)
    await expect(page.getByText('No-show', { exact: true })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('says below its status what is due or to be given back, and is filtered by that', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const [due, refund] = [{ balance_due: 1150 }, { balance_due: -75.5, status: 'Cancelled' } as const]
    await buildBooking(server.db, { start_time: new Date('2026-01-05T09:00:00.000Z'), ...due })
    await buildBooking(server.db, { start_time: new Date('2026-01-06T09:00:00.000Z'), ...refund })
    await buildBooking(server.db, { start_time: new Date('2026-01-07T09:00:00.000Z') })
    await page.goto('/booking')
    await expect(page.getByRole('row', { name: /2026-01-05/ })).toContainText('R 1 150.00 due')
    await expect(page.getByRole('row', { name: /2026-01-06/ })).toContainText('Cancelled, R 75.50 back')
    for (const [choice, date] of [
      ['Still due', '2026-01-05'],
      ['To be given back', '2026-01-06'],
    ] as const) {
      await page.getByLabel('Status').selectOption(choice)
      await expect(page.getByRole('heading', { name: /Bookings/ }).locator('..')).toContainText('1')
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('row', { name: new RegExp(date) })).toBeVisible()
    }
    await page.reload()
    await expect(page.getByLabel('Status')).toHaveValue('refund')
    await page.getByLabel('Status').selectOption('Cancelled')
    await expect(page).toHaveURL(/status=Cancelled$/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.setViewportSize(PHONE)
    await expect(page.getByText('R 75.50 back')).toBeVisible()
    await expectNoSidewaysScroll(page)
  })

  test('shows each status in its specified colour', async ({ page, server, signIn }) => {
    await signIn([6])
    const tones = {
      Completed: 'green',
      Rated: 'red',
      Pending: 'blue',
      Confirmed: 'blue',
      Processing: 'orange',
      Cancelled: 'red',
    } as const
    for (const status of Object.keys(tones) as (keyof typeof tones)[]) await buildBooking(server.db, { status })
    await page.goto('/booking')
    for (const [status, tone] of Object.entries(tones)) {
      await expect(page.getByRole('table').getByText(status, { exact: true })).toHaveAttribute('data-tone', tone)
    }
  })

  test('filters by status and date, keeps the filters in the URL, and clears them', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    await buildBooking(server.db, { status: 'Cancelled' })
    await buildBooking(server.db, { start_time: new Date('2026-12-24T09:00:00.000Z') })
    await page.goto('/booking')
    await expect(page.getByText('All Bookings (2)')).toBeVisible()
    await page.getByLabel('Status').selectOption('Cancelled')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('From').fill('2026-12-01')
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/from=2026-12-01/)
    await page.reload()
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
  })

  test('follows the clock when filtered by what it says', async ({ page, server, signIn }) => {
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const day = businessDay(1)
    await buildBooking(server.db, { pod_id: pod.id, start_time: wallTime(day, '10:00'), status: 'Confirmed' })
    await signIn([6])
    await page.clock.install()
    // Nothing else makes the portal read it again.
    await holdRoute(page, '**/api/live')
    server.clock.set(instantAt(day, '08:59'))
    await page.goto('/booking?when=arriving')
    await expect(page.getByText('No booking matches')).toBeVisible()
    server.clock.set(instantAt(day, '09:00'))
    await moveClock(page, '01:00')
    await expect(page.getByRole('table').getByText('Aurora')).toBeVisible()
  })

  test('filters by pod and by customer, found by typing, and keeps both in the URL', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([6])
    const { id: location_id } = await buildLocation(server.db, { name: 'Dock Road', city: 'Cape Town' })
    const pod = await buildPod(server.db, { title: 'Jacaranda', location_id, is_blocked: true })
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' })
    for (let hour = 6; hour < 17; hour++) {
      const owner = hour < 9 ? { user_id: user.id } : {}
      await buildBooking(server.db, { pod_id: pod.id, start_time: new Date(Date.UTC(2026, 10, 23, hour)), ...owner })
    }
    const elsewhere = await buildBooking(server.db, { user_id: user.id })
    await page.goto('/booking?page=2')
    await expect(page.getByText('All Bookings (12)')).toBeVisible()
    const podFilter = page.getByRole('combobox', { name: 'Pod' })
    const customerFilter = page.getByRole('combobox', { name: 'Customer' })

    await podFilter.fill('jaca')
    await expect(page.getByRole('option', { name: 'Jacaranda' })).toContainText('Dock Road, Cape Town · blocked')
    await page.getByRole('option', { name: 'Jacaranda' }).click()
    await expect(page.getByText('11 of 12', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/booking\\?pod=${pod.id}$`))
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(page.getByRole('row')).toHaveCount(2)
    await customerFilter.fill('ayesha@')
    await page.getByRole('option', { name: 'Ayesha Patel' }).click()
    await expect(page.getByText('3 of 12', { exact: true })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(4)

    await page.reload()
    await expect(page.getByText('3 of 12', { exact: true })).toBeVisible()
    await expect(podFilter).toHaveValue('Jacaranda')
    await expect(customerFilter).toHaveValue('Ayesha Patel')
    const { body } = await downloadBy(page, page.getByRole('button', { name: 'Download', exact: true }))
    const csv = body.toString()
    expect(csv.trim().split('\r\n')).toHaveLength(4)
    expect(csv).not.toContain(elsewhere.id)

    await page.goBack()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(podFilter).toHaveValue('Jacaranda')
    await expect(customerFilter).toHaveValue('')
    await page.goto(`/booking?user=${user.id}`)
    await expect(page.getByText('4 of 12', { exact: true })).toBeVisible()
    await expect(customerFilter).toHaveValue('Ayesha Patel')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('All Bookings (12)')).toBeVisible()
    await expect(customerFilter).toHaveValue('')
  })

  test('shows “Unknown pod” in the filter when its pod has been deleted', async ({ page, server, signIn }) => {
    expectConsoleErrors(/404/)
    await signIn([6])
    const pod = await buildPod(server.db, { deleted_at: new Date() })
    await buildBooking(server.db, { pod_id: pod.id })
    await buildBooking(server.db)
    await page.goto(`/booking?pod=${pod.id}`)
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Unknown pod')
  })

  test('shows an error when the customers to choose from cannot be loaded, and loads them on Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([6])
    await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    await page.route('**/api/user/all-users*', (route) => route.abort())
    await page.goto('/booking')
    await page.getByRole('combobox', { name: 'Customer' }).click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('The server cannot be reached.')
    await page.unroute('**/api/user/all-users*')
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expect(alert).toBeHidden()
    await page.getByRole('combobox', { name: 'Customer' }).click()
    await expect(page.getByRole('option', { name: 'Ayesha Patel' })).toBeVisible()
  })

  test('hides the filters on a phone behind a button that shows how many are set', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildBooking(server.db, { status: 'Cancelled' })
    await page.setViewportSize(PHONE)
    await page.goto(`/booking?pod=${booking.pod_id}&from=2026-01-01`)
    await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
    const status = page.getByLabel('Status', { exact: true })
    await expect(page.getByRole('searchbox', { name: 'Search bookings' })).toBeVisible()
    await expect(status).toBeHidden()
    await page.getByRole('button', { name: 'Filters 2 set' }).click()
    await status.selectOption('Cancelled')
    const fold = page.getByRole('button', { name: 'Filters 3 set' })
    await expect(fold).toHaveAttribute('aria-expanded', 'true')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await expect(status).toBeHidden()
  })

  test('cancels a booking, which frees its time', async ({ page, server, signIn }) => {
    await signIn([6])
    await buildBooking(server.db, { start_time: new Date('2030-01-07T09:00:00.000Z') })
    await page.goto('/booking')
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await expect(dialog).toContainText('becomes free for others at once.')
    await expect(dialog).toContainText('Nothing was paid, so nothing is given back.')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByText('Booking cancelled successfully')).toBeVisible()
    await expect(page.getByRole('table').getByText('Cancelled', { exact: true })).toBeVisible()
    expect(await server.db.selectFrom('booking_slots').selectAll().execute()).toEqual([])
  })

  test('opens the QR code of a booking', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildBooking(server.db)
    await page.goto('/booking')
    await page.getByRole('button', { name: /^QR code/ }).click()
    await expect(page).toHaveURL(new RegExp(`/qr\\?bookingId=${booking.id}`))
  })

  test('leads to the first booking, those who may make one', async ({ page, signIn }) => {
    const empty = page.getByText('Bookings appear here as soon as a pod is booked.')
    const link = page.getByRole('main').getByRole('link', { name: 'Book a pod' })
    await signIn([6])
    await page.goto('/booking')
    await expect(empty).toBeVisible()
    await expect(link).toHaveCount(0)
    await signIn([6, 9])
    await page.reload()
    await link.click()
    await expect(page).toHaveURL('/corporate-booking')
  })

  test('is accessible with and without data, on a phone too', async ({ page, server, signIn }) => {
    await signIn()
    await page.goto('/booking')
    await expect(page.getByText('Bookings appear here as soon as a pod is booked.')).toBeVisible()
    await expectAccessible(page)
    await buildBooking(server.db)
    await page.reload()
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
    await expectAccessible(page)
    // What says that a column can be sorted is as dark as its words: axe looks at no drawings (WCAG 1.4.11).
    const arrows = page.getByRole('button', { name: 'Booking Date' }).locator('svg')
    await expect(arrows).toHaveCSS('opacity', '1')
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

  for (const timezoneId of ['Pacific/Honolulu', 'Pacific/Auckland']) {
    test.describe(timezoneId, () => {
      test.use({ timezoneId })
      test('shows booking times by the pod’s wall clock', async ({ page, server, signIn }) => {
        await signIn([6])
        await buildBooking(server.db, {
          start_time: new Date('2026-11-30T22:30:00.000Z'),
          end_time: new Date('2026-12-01T00:00:00.000Z'),
        })
        await page.goto('/booking')
        await expect(page.getByText('10:30 PM - 12:00 AM')).toBeVisible()
        await expect(page.getByRole('table').getByText('2026-11-30')).toBeVisible()
      })
    })
  }
})
