import type { Page } from '@playwright/test'
import { buildBooking, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

/** Scrolls to the end of the page, and waits for the event by which the router knows that it has to store the place. */
async function scrollToEnd(page: Page): Promise<number> {
  await waitUntilQuiet(page)
  return page.evaluate(async () => {
    const scrolled = new Promise((resolve) => document.addEventListener('scroll', resolve, { once: true }))
    window.scrollTo(0, document.documentElement.scrollHeight)
    await scrolled
    return window.scrollY
  })
}

test.describe('A screen', () => {
  test('shows its previous rows at once when opened again, then reloads them', async ({ page, server, signIn }) => {
    await signIn([5, 6])
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    await page.goto('/user-details')
    const table = page.getByRole('table', { name: 'Users' })
    await expect(table.getByText('Ayesha Patel')).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Booking' }).click()
    await expect(page.getByText('Bookings appear here as soon as a pod is booked.')).toBeVisible()

    await server.db.updateTable('users').set({ lastname: 'Khumalo' }).where('id', '=', user.id).execute()
    const release = await holdRoute(page, '**/api/user/all-users?*')
    await menu.getByRole('link', { name: 'User Details' }).click()
    await expect(table.getByText('Ayesha Patel')).toBeVisible()
    await expect(table).toHaveAttribute('aria-busy', 'true')
    await release()
    await expect(table.getByText('Ayesha Khumalo')).toBeVisible()
    await expect(table).toHaveAttribute('aria-busy', 'false')
  })

  test('is where it was scrolled to after a reload, once its records are there', async ({ page, server, signIn }) => {
    await signIn([5])
    for (let number = 10; number < 20; number++) await buildUser(server.db, { firstname: `Ayesha ${number}` })
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.goto('/user-details')
    await expect(page.getByRole('row')).toHaveCount(11)
    const readTop = () => page.evaluate(() => window.scrollY)
    const top = await scrollToEnd(page)
    const release = await holdRoute(page, '**/api/user/verify-page')
    await page.reload()
    await expect(page.getByText('Checking your access')).toBeVisible()
    await release()
    await expect.poll(readTop).toBe(top)
    // Whoever scrolls meanwhile is not taken back.
    const releaseAgain = await holdRoute(page, '**/api/user/verify-page')
    await page.reload()
    await expect(page.getByText('Checking your access')).toBeVisible()
    await page.mouse.wheel(0, -10)
    await releaseAgain()
    await expect(page.getByRole('row')).toHaveCount(11)
    expect(await readTop()).toBeLessThan(top)
  })

  test('is where it was scrolled to after a reload, though it shrinks before its records are there', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4])
    for (let number = 0; number < 12; number++) await buildTransaction(server.db)
    await page.setViewportSize({ width: 1280, height: 600 })
    await page.goto('/Transactions?page=2')
    await expect(page.getByText('7–12 of 12')).toBeVisible()
    const top = await scrollToEnd(page)
    expect(top).toBeGreaterThan(0)
    await page.reload()
    await expect(page.getByText('7–12 of 12')).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top)
  })

  test('keeps its previous rows and shows an error when reloading fails', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([1, 5])
    await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    await page.goto('/')
    const panel = page.getByRole('region', { name: 'User Details', exact: true })
    await expect(panel.getByText('Ayesha Patel')).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'User Details' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Details')
    await page.route('**/api/dashboard/**', (route) => route.abort())
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await expect(panel.getByRole('alert')).toContainText('What is shown here may be out of date')
    await expect(panel.getByRole('alert')).toContainText('The server cannot be reached.')
    await expect(panel.getByText('Ayesha Patel')).toBeVisible()
    await page.unroute('**/api/dashboard/**')
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(panel.getByRole('alert')).toHaveCount(0)
  })

  for (const [name, path, request, shown] of [
    ['the policies', '/policies', '**/api/booking-policy', 'Edit policy'],
    ['one’s account', '/account', '**/api/account', 'Edit details'],
  ] as const) {
    test(`says so above what is seldom changed, too: ${name}`, async ({ page, signIn }) => {
      expectConsoleErrors(/429/)
      await signIn()
      await page.goto(path)
      await expect(page.getByRole('button', { name: shown })).toBeVisible()
      await waitUntilQuiet(page)
      const fail = { status: 429, json: { message: 'Not now.', code: 'too_many_requests' } }
      await page.route(request, (route) => route.fulfill(fail))
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      const failure = page.getByRole('main').getByRole('alert')
      await expect(failure).toContainText('What is shown here may be out of dateNot now.')
      await expect(page.getByRole('button', { name: shown })).toBeVisible()
      await page.unroute(request)
      await failure.getByRole('button', { name: 'Retry' }).click()
      await expect(failure).toHaveCount(0)
    })
  }

  for (const [name, path, request] of [
    ['arrivals', '/arrivals', '**/api/arrivals*'],
    ['schedule', '/schedule', '**/api/schedule?*'],
    ['a booking', '/booking/', '**/api/bookings/*'],
    ['a booking’s code', '/qr?bookingId=', '**/api/user/get-booking/*'],
    ['a customer', '/user-details/', '**/api/customers/*'],
  ] as const) {
    test(`says that what it shows may be outdated when reloading fails: ${name}`, async ({ page, server, signIn }) => {
      expectConsoleErrors(/429/)
      // Wide enough for the schedule to show its whole day, whatever the time is.
      await page.setViewportSize({ width: 2560, height: 900 })
      await signIn()
      const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
      const start_time = wallTime(businessDay(), '23:00')
      const booking = await buildBooking(server.db, {
        user_id: user.id,
        start_time,
        end_time: wallTime(businessDay(), '23:30'),
      })
      const id = name === 'a customer' ? user.id : path.endsWith('/') || path.endsWith('=') ? booking.id : ''
      await page.goto(path + id)
      const shown = page.getByRole('main').getByText('Ayesha Patel').first()
      await expect(shown).toBeAttached()
      // While a request is under way, looking at the tab again sends no other; nor for 2 s after that of the schedule.
      await waitUntilQuiet(page, name === 'schedule' ? 2_000 : undefined)
      const fail = { status: 429, json: { message: 'Not now.', code: 'too_many_requests' } }
      await page.route(request, (route) => route.fulfill(fail))
      // As when the browser's tab is looked at again.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await expect(page.getByRole('main').getByRole('alert')).toContainText(
        'What is shown here may be out of dateNot now.',
      )
      await expect(shown).toBeAttached()
      await page.unroute(request)
      await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    })
  }

  test('sends each request only once each time it is opened', async ({ page, server, signIn }) => {
    await signIn()
    await buildBooking(server.db)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(`${request.method()} ${request.url()}`)
    })
    const menu = page.getByRole('navigation', { name: 'Main' })
    const takeAsked = async () => {
      await waitUntilQuiet(page)
      return asked.splice(0)
    }
    const ofDashboard = (requests: string[]) => requests.filter((request) => request.includes('/api/dashboard/')).length
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'Bookings', exact: true }).getByRole('row')).toHaveCount(2)
    // The panels below the fold load a moment later.
    await expect.poll(() => ofDashboard(asked)).toBe(6)
    const atFirst = await takeAsked()
    expect(new Set(atFirst).size).toBe(atFirst.length)
    expect(ofDashboard(atFirst)).toBe(6)
    await menu.getByRole('link', { name: 'Booking', exact: true }).click()
    await expect(page.getByText('All Bookings (1)')).toBeVisible()
    const ofBookings = await takeAsked()
    expect(new Set(ofBookings).size).toBe(ofBookings.length)
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    await expect.poll(() => ofDashboard(asked)).toBe(6)
    const back = await takeAsked()
    expect(ofDashboard(back)).toBe(6)
    expect(new Set(back).size).toBe(back.length)
  })

  for (const [name, path, list] of [
    ['bookings', '/booking?page=1&sort=startTime', '/api/user/all-bookings'],
    ['schedule', '/schedule', '/api/schedule'],
  ] as const) {
    test(`requests access and its data once, while its code is still loading: ${name}`, async ({
      page,
      server,
      signIn,
    }) => {
      await signIn()
      await buildBooking(server.db, { start_time: wallTime(businessDay(), '10:00') })
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if ([list, '/api/user/verify-page'].includes(pathname)) asked.push(pathname)
      })
      const release = await holdRoute(page, `**/assets/${name}-screen-*.js`)
      const loaded = page.waitForResponse((response) => new URL(response.url()).pathname === list)
      await page.goto(path)
      await (await loaded).finished()
      await release()
      await expect(page.getByText(/All Bookings \(1\)|1 booking in 1 pod/).first()).toBeVisible()
      await waitUntilQuiet(page)
      expect(asked.toSorted()).toEqual([list, '/api/user/verify-page'])
    })
  }
})
