import { buildBooking, buildPod, buildTransaction } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const checkedIn = { checked_in_at: new Date(), checked_in_method: 'staff' as const }

const at = (from: string, to: string) => ({
  booking_date: '2026-11-23',
  start_time: new Date(`2026-11-23T${from}:00.000Z`),
  end_time: new Date(`2026-11-23T${to}:00.000Z`),
})

test.describe('The Today panel', () => {
  test.beforeEach(async ({ server }) => {
    server.clock.set('2026-11-23T08:20:00.000Z')
  })

  test('links every figure to a list with as many rows', async ({ page, server, signIn }) => {
    await signIn()
    await buildBooking(server.db, { ...at('10:00', '11:00'), status: 'Processing' })
    await buildBooking(server.db, { ...at('09:00', '10:30'), status: 'Processing', ...checkedIn })
    await buildBooking(server.db, at('10:30', '11:00'))
    const last = await buildBooking(server.db, at('18:00', '19:00'))
    await buildTransaction(server.db, {
      booking_id: last.id,
      status: 'failed',
      created_at: new Date('2026-11-23T07:00:00.000Z'),
    })
    for (let pods = 0; pods < 2; pods++) await buildPod(server.db, { is_blocked: true })
    const figures = [
      ['In use now', 2],
      ['Arriving within the hour', 1],
      ['Late, not checked in', 1],
      ['Closed now', 2],
      ['Payments failed today', 1],
    ] as const
    await page.goto('/')
    for (const [label, count] of figures) {
      const figure = page.getByRole('region', { name: 'Today' }).getByRole('link', { name: label })
      await expect(figure).toContainText(String(count))
      await figure.click()
      await expect(page.getByRole('table').getByRole('row')).toHaveCount(count + 1)
      await page.goBack()
    }
  })

  test('links the number of free pods to the schedule of these pods', async ({ page, server, signIn }) => {
    await signIn([1, 6])
    await buildBooking(server.db, { ...at('10:00', '11:00'), status: 'Processing' })
    await buildBooking(server.db, at('10:30', '11:00'))
    await buildPod(server.db, { is_blocked: true })
    await page.goto('/')
    const figure = page.getByRole('region', { name: 'Today' }).getByRole('link', { name: 'Free now' })
    await expect(figure).toContainText('1')
    await figure.click()
    await expect(page).toHaveURL('/schedule?date=2026-11-23&free=615&for=15')
    await expect(page.getByText('1 booking in 1 pod')).toBeVisible()
    await expect(page.getByLabel('Free at').locator('option:checked')).toHaveText('Free at 10:15 AM')

    server.clock.set('2026-11-22T22:05:00.000Z')
    await page.goto('/')
    await expect(figure).toContainText('0')
    await figure.click()
    await expect(page).toHaveURL('/schedule?date=2026-11-23&free=0&for=15')
    await expect(page.getByText('No pod matches these filters.')).toBeVisible()
  })

  test('shows the booked share of each day, as bars and as a table that lead to the schedule', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([1, 6])
    const pod = await buildPod(server.db)
    await buildBooking(server.db, { pod_id: pod.id, ...at('09:00', '10:30') })
    await page.goto('/')
    const today = page.getByRole('region', { name: 'Today' })
    await expect(today.getByRole('figure', { name: /Share of pod time booked on 2026-11-23/ })).toBeVisible()
    // The bar of 9 AM. Playwright takes a vertical line for invisible, as its width is that of the stroke alone.
    await today.locator('.ct-bar').nth(3).dispatchEvent('click')
    await expect(page).toHaveURL('/schedule?date=2026-11-23')
    await page.goBack()
    await today.getByRole('button', { name: /Tue 24/ }).click()
    await expect(today.getByRole('figure', { name: /2026-11-24/ })).toBeVisible()
    await today.getByRole('button', { name: 'Show as table' }).click()
    // The name says what a press shows: a pressed state would say the contrary.
    await expect(today.getByRole('button', { name: 'Show as chart' })).not.toHaveAttribute('aria-pressed')
    const row = today.getByRole('row', { name: /Mon 23/ })
    await expect(row.getByRole('cell').nth(3)).toHaveText('100 %')
    await expect(row.getByRole('cell').nth(4)).toHaveText('50 %')
    await expect(row.getByRole('link')).toHaveAttribute('href', '/schedule?date=2026-11-23')
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
  })

  test('is hidden from staff without the pages for it', async ({ page, signIn }) => {
    await signIn([1, 5])
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'User Details', exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Today' })).toHaveCount(0)
  })

  test('shows an error of its own, with Retry, when loading fails', async ({ page, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn([1, 6])
    await page.route('**/api/today', (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken', code: 'internal' } }),
    )
    await page.goto('/')
    const today = page.getByRole('region', { name: 'Today' })
    await expect(today.getByText('Today could not be loaded')).toBeVisible()
    await page.unroute('**/api/today')
    await today.getByRole('button', { name: 'Retry' }).click()
    await expect(today.getByRole('link', { name: 'In use now' })).toBeVisible()
  })
})
