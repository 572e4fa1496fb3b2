import type { Page } from '@playwright/test'
import { create } from 'qrcode'
import sharp from 'sharp'
import { buildBooking, buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { PUBLIC_URL } from './test-server.ts'

type Server = Parameters<typeof buildBooking>[0]

/** Builds a customer's booking of Jacaranda on 23 November, nine to half past ten. */
async function buildTicket(db: Server, overrides: Parameters<typeof buildBooking>[1] = {}) {
  const location = await buildLocation(db, {
    name: 'Sandton Central',
    street: '5 Maude Street',
    city: 'Johannesburg',
    state: 'Gauteng',
    zip: '2196',
  })
  const pod = await buildPod(db, { title: 'Jacaranda', location_id: location.id })
  const user = await buildUser(db, { firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' })
  return buildBooking(db, {
    pod_id: pod.id,
    user_id: user.id,
    start_time: new Date('2026-11-23T09:00:00.000Z'),
    end_time: new Date('2026-11-23T10:30:00.000Z'),
    ...overrides,
  })
}

const code = (page: Page) => page.getByRole('img', { name: 'QR code of the booking of Jacaranda' })

/** Returns which squares of the code are dark, row by row. */
function toSquares(text: string): boolean[] {
  return Array.from(create(text, { errorCorrectionLevel: 'M' }).modules.data, Boolean)
}

test.describe('The QR code screen of a booking', () => {
  for (const timezoneId of ['Pacific/Honolulu', 'Pacific/Auckland']) {
    test.describe(`in ${timezoneId}`, () => {
      test.use({ timezoneId })

      test('shows the code and the details', async ({ page, server, signIn }) => {
        await signIn([6])
        const booking = await buildTicket(server.db)
        await page.goto(`/qr?bookingId=${booking.id}`)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Booking code')
        const ticket = page.getByRole('article', { name: 'Booking of Jacaranda' })
        for (const text of [
          '2026-11-23',
          '9:00 AM - 10:30 AM',
          'Sandton Central',
          '5 Maude Street, Johannesburg, Gauteng, South Africa, 2196',
          'meeting',
          'Pending',
          'Ayesha Patel',
          'ayesha@example.com',
        ]) {
          await expect(ticket).toContainText(text)
        }
        const squares = toSquares(`${PUBLIC_URL}/qr?bookingId=${booking.id}`)
        const path = await code(page).locator('path').getAttribute('d')
        expect(path?.match(/M/g)).toHaveLength(squares.filter(Boolean).length)
      })
    })
  }

  test('offers to cancel a booking that one made for a customer, with only page 9', async ({
    page,
    server,
    signIn,
  }) => {
    const me = await signIn([9])
    const start = { start_time: new Date('2030-12-23T12:00:00.000Z'), end_time: new Date('2030-12-23T13:00:00.000Z') }
    const booking = await buildTicket(server.db, { made_by_staff_id: me._id, ...start })
    await page.goto(`/qr?bookingId=${booking.id}`)
    await page.getByRole('button', { name: 'Cancel booking' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByText('Booking cancelled successfully')).toBeVisible()
  })

  test('leads to the page of a booking that one made, even a cancelled one, with only page 9', async ({
    page,
    server,
    signIn,
  }) => {
    const me = await signIn([9])
    const booking = await buildTicket(server.db, { made_by_staff_id: me._id, status: 'Cancelled' })
    await page.goto(`/qr?bookingId=${booking.id}`)
    const link = page.getByRole('link', { name: 'Open booking' })
    await expect(link).toBeVisible()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await link.click()
    await expect(page).toHaveURL(`/booking/${booking.id}`)
    await expect(page.getByRole('heading', { name: 'Booking', level: 1 })).toBeFocused()
    expect(await page.evaluate(() => 'isSamePage' in window), 'the portal is not reloaded').toBe(true)
  })

  test('cancels one’s own booking, and hides other people’s bookings from staff with only page 9', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/403/)
    const me = await signIn([9])
    const foreign = await buildTicket(server.db)
    const { pod_id } = foreign
    const at = (hour: number) => new Date(`2026-12-23T${hour}:00:00.000Z`)
    const mine = await buildBooking(server.db, { pod_id, staff_id: me._id, start_time: at(12), end_time: at(13) })
    const over = await buildBooking(server.db, {
      pod_id,
      staff_id: me._id,
      status: 'Completed',
      start_time: at(14),
      end_time: at(15),
    })
    const cancel = page.getByRole('button', { name: 'Cancel booking' })
    await page.goto(`/qr?bookingId=${foreign.id}`)
    await expect(page.getByText('the bookings that you made yourself')).toBeVisible()
    await expect(code(page)).toHaveCount(0)
    await expect(cancel).toBeHidden()
    await page.goto(`/qr?bookingId=${over.id}`)
    await expect(code(page)).toBeVisible()
    await expect(cancel).toBeHidden()
    await page.goto(`/qr?bookingId=${mine.id}`)
    await cancel.click()
    const dialog = page.getByRole('dialog', { name: 'Cancel booking' })
    await expect(dialog).toContainText('Jacaranda')
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expect(page.getByText('Booking cancelled successfully')).toBeVisible()
    await expect(page.getByRole('article').getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(cancel).toBeHidden()
  })

  test('shows no code for a cancelled booking, but says that it was cancelled', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildTicket(server.db, { status: 'Cancelled' })
    await page.goto(`/qr?bookingId=${booking.id}`)
    const ticket = page.getByRole('article', { name: 'Booking of Jacaranda' })
    await expect(ticket).toContainText('This booking was cancelled')
    await expect(ticket).toContainText('9:00 AM - 10:30 AM')
    await expect(code(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Download PNG' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Back to bookings' })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
  })

  test('goes back to Booking, or to Corporate Booking for staff with only that page', async ({
    page,
    server,
    signIn,
  }) => {
    const me = await signIn([9])
    const booking = await buildTicket(server.db, { user_id: null, staff_id: me._id })
    await page.goto(`/qr?bookingId=${booking.id}`)
    await page.getByRole('button', { name: 'Back to bookings' }).click()
    await expect(page).toHaveURL(/\/corporate-booking$/)
    await signIn([6, 9])
    await page.goto(`/qr?bookingId=${booking.id}`)
    await page.getByRole('button', { name: 'Back to bookings' }).click()
    await expect(page).toHaveURL(/\/booking$/)
  })

  test('redirects staff with neither page to a page of their own', async ({ page, server, signIn }) => {
    const booking = await buildTicket(server.db)
    await signIn([2])
    await page.goto(`/qr?bookingId=${booking.id}`)
    await expect(page).toHaveURL(/\/features$/)
  })

  test('shows an error when the URL has no booking id or an unknown one', async ({ page, signIn }) => {
    expectConsoleErrors(/404/)
    await signIn([6])
    await page.goto('/qr')
    await expect(page.getByText('No booking was named.')).toBeVisible()
    await page.goto('/qr?bookingId=nonsense')
    await expect(page.getByText('There is no booking with the id nonsense.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
  })

  test('shows an error with Retry when the booking cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/429/)
    await signIn([6])
    const booking = await buildTicket(server.db)
    await page.route('**/user/get-booking/**', (route) =>
      route.fulfill({ status: 429, json: { message: 'Not now', code: 'too_many_requests', requestId: 'request-1' } }),
    )
    await page.goto(`/qr?bookingId=${booking.id}`)
    await expect(page.getByText('The booking could not be loaded')).toBeVisible()
    await expect(page.getByText('Request request-1')).toBeVisible()
    await page.unroute('**/user/get-booking/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(code(page)).toBeVisible()
  })

  test('downloads the code as a PNG, dark on white', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildTicket(server.db)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`/qr?bookingId=${booking.id}`)
    const button = page.getByRole('button', { name: 'Download PNG' })
    const { name, body } = await downloadBy(page, button)
    await expect(button).toBeEnabled()
    expect(name).toBe(`booking-${booking.id}.png`)
    const { data, info } = await sharp(body).grayscale().raw().toBuffer({ resolveWithObject: true })
    expect(info.width).toBe(1024)
    // Samples the middle of every square, inside the white margin of four squares.
    const squares = toSquares(`${PUBLIC_URL}/qr?bookingId=${booking.id}`)
    const side = Math.sqrt(squares.length)
    const unit = info.width / (side + 8)
    const drawn = squares.map((_, index) => {
      const at = (place: number) => Math.floor((place + 4.5) * unit)
      return (
        (data[at(Math.floor(index / side)) * info.width * info.channels + at(index % side) * info.channels] ?? 0) < 128
      )
    })
    expect(drawn).toEqual(squares)
    expect(data[0]).toBe(255)
  })

  test('prints only the code and its details, on one page', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildTicket(server.db)
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await page.goto(`/qr?bookingId=${booking.id}`)
    await expect(code(page)).toBeVisible()
    await page.getByRole('button', { name: 'Print' }).click()
    await expect(page.locator('body[data-printed]')).toBeAttached()
    await page.emulateMedia({ media: 'print' })
    await expect(code(page)).toBeVisible()
    await expect(page.getByText('Ayesha Patel')).toBeVisible()
    await expect(page.getByText(booking.id, { exact: true })).toBeVisible()
    await expect(page.getByText('Welcome Podkeeper')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })

  test('is accessible, and fits on a phone', async ({ page, server, signIn }) => {
    await signIn([6])
    const booking = await buildTicket(server.db)
    await page.goto(`/qr?bookingId=${booking.id}`)
    await expect(code(page)).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
  })

  test('names the company that it is for', async ({ page, server, signIn }) => {
    const { _id } = await signIn([6, 9])
    const company = await buildCompany(server.db, { name: 'Kudu Software' })
    const booking = await buildTicket(server.db, { user_id: null, staff_id: _id, company_id: company.id })
    await page.goto(`/qr?bookingId=${booking.id}`)
    await expect(page.getByRole('article')).toContainText('CompanyKudu Software')
    await expect(page.getByRole('article').getByRole('link', { name: 'Kudu Software' })).toBeVisible()
  })
})
