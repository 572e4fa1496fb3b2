import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('Bookings', () => {
  test('lists every column, newest first by creation, ten a page', async ({ page, server, signIn }) => {
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

  test('colours statuses as given', async ({ page, server, signIn }) => {
    await signIn([6])
    const tones = {
      Completed: 'green',
      Pending: 'blue',
      Processing: 'orange',
      Confirmed: 'red',
      Rated: 'red',
      Cancelled: 'red',
    } as const
    for (const status of Object.keys(tones) as (keyof typeof tones)[]) await buildBooking(server.db, { status })
    await page.goto('/booking')
    for (const [status, tone] of Object.entries(tones)) {
      await expect(page.getByRole('table').getByText(status, { exact: true })).toHaveAttribute('data-tone', tone)
    }
  })

  test('filters by status and dates in the URL, and clears', async ({ page, server, signIn }) => {
    await signIn([6])
    await buildBooking(server.db, { status: 'Cancelled' })
    await buildBooking(server.db, { start_time: new Date('2026-12-24T09:00:00.000Z') })
    await page.goto('/booking')
    await expect(page.getByText('All Bookings (2)')).toBeVisible()
    await page.getByLabel('Status').selectOption('Cancelled')
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('From').fill('2026-12-01')
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
    await expect(page).toHaveURL(/from=2026-12-01/)
    await page.reload()
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
  })

  test('cancels a booking, which frees its time', async ({ page, server, signIn }) => {
    await signIn([6])
    await buildBooking(server.db, { start_time: new Date('2030-01-07T09:00:00.000Z') })
    await page.goto('/booking')
    await page.getByRole('button', { name: /^Cancel booking/ }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('The time becomes free for others at once.')
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

  test('is accessible, empty and full, on a phone too', async ({ page, server, signIn }) => {
    await signIn()
    await page.goto('/booking')
    await expect(page.getByText('Bookings appear here as soon as a pod is booked.')).toBeVisible()
    await expectAccessible(page)
    await buildBooking(server.db)
    await page.reload()
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

  for (const timezoneId of ['Pacific/Honolulu', 'Pacific/Auckland']) {
    test.describe(timezoneId, () => {
      test.use({ timezoneId })
      test('shows the pod’s own wall clock', async ({ page, server, signIn }) => {
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
