import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'

const PANELS = ['Pods to Explore', 'Bookings', 'Transactions', 'User Details', 'Features', 'Locations']

test.describe('Dashboard', () => {
  test('shows six panels, with columns, totals and a choice of rows per page for users', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await buildTransaction(server.db)
    await buildFeature(server.db, { name: 'Wi-Fi' })
    for (let index = 0; index < 6; index++) await buildUser(server.db)
    await page.goto('/')
    for (const name of PANELS) await expect(page.getByRole('region', { name, exact: true }).first()).toBeVisible()
    const users = page.getByRole('region', { name: 'User Details', exact: true })
    await expect(users.getByRole('row')).toHaveCount(5)
    await expect(users.getByText('1–4 of 6')).toBeVisible()
    await users.getByRole('button', { name: 'Next page' }).click()
    await expect(users.getByRole('row')).toHaveCount(3)
    await users.getByLabel('Rows per page').selectOption('10')
    await expect(users.getByRole('row')).toHaveCount(7)
    for (const size of ['4', '5', '10'])
      await expect(users.getByRole('option', { name: `${size} rows` })).toHaveCount(1)
    for (const header of ['User Id', 'Full Name', 'Status']) {
      await expect(users.getByRole('columnheader', { name: header })).toBeVisible()
    }
  })

  test('shows in a panel that a list has more than its 100 rows', async ({ page, server, signIn }) => {
    await signIn([1, 2])
    for (let index = 0; index < 101; index++) await buildFeature(server.db, { name: `Feature ${index}` })
    await page.goto('/')
    const features = page.getByRole('region', { name: 'Features', exact: true })
    await expect(features.getByText('101', { exact: true })).toBeVisible()
    await expect(features.getByText('1–4 of 100+')).toBeVisible()
  })

  test('shows only the panels of pages that the staff member has access to', async ({ page, signIn }) => {
    await signIn([1, 5])
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'User Details', exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Bookings', exact: true })).toHaveCount(0)
    await expect(page.getByText('Pods to Explore')).toHaveCount(0)
  })

  test('says so when the staff member has no page with a panel', async ({ page, signIn }) => {
    await signIn([1, 9])
    await page.goto('/')
    await expect(page.getByRole('main')).toContainText('none of your other pages has a panel')
  })

  test('shows completed and rated bookings in green, confirmed ones in blue and others in red', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([1, 6])
    const tones = {
      Completed: 'green',
      Rated: 'green',
      Pending: 'red',
      Confirmed: 'blue',
      Cancelled: 'red',
    } as const
    for (const status of Object.keys(tones) as (keyof typeof tones)[]) await buildBooking(server.db, { status })
    await page.goto('/')
    await page.getByRole('region', { name: 'Bookings' }).getByLabel('Rows per page').selectOption('5')
    for (const [status, tone] of Object.entries(tones)) {
      await expect(page.getByRole('table').getByText(status, { exact: true })).toHaveAttribute('data-tone', tone)
    }
  })

  test('shows an error only in the panel that failed, and loads the panel on Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    await signIn([1, 3, 5])
    await buildUser(server.db)
    await page.route('**/api/dashboard/**panel=userDetails**', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something went wrong on our side.', code: 'internal' } }),
    )
    await page.goto('/')
    const users = page.getByRole('region', { name: 'User Details', exact: true })
    await expect(users.getByRole('alert')).toContainText('User Details could not be loaded')
    await expect(users.getByText('Something went wrong on our side.')).toBeVisible()
    await expect(page.getByText('Pods appear here once the first one is created.')).toBeVisible()
    await page.unroute('**/api/dashboard/**panel=userDetails**')
    await users.getByRole('button', { name: 'Retry' }).click()
    await expect(users.getByRole('row')).toHaveCount(2)
  })

  test('links every row and card to its record', async ({ page, server, signIn }) => {
    await signIn()
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' })
    const pod = await buildPod(server.db, { title: 'Jacaranda' })
    const booking = await buildBooking(server.db, { pod_id: pod.id, user_id: user.id })
    await buildTransaction(server.db, { booking_id: booking.id })
    await buildFeature(server.db, { name: 'Wi-Fi' })
    const links = [
      { link: 'JACARANDA', path: '/pods?search=', shown: 'Jacaranda' },
      { link: `${booking.booking_date}, booking of Jacaranda`, path: '/booking?search=', shown: 'Ayesha Patel' },
      { link: 'PayFast, transaction of Jacaranda', path: '/Transactions?search=', shown: 'PayFast' },
      { link: 'Wi-Fi', path: '/features?search=', shown: 'Wi-Fi' },
    ]
    await page.goto('/')
    for (const { link, path, shown } of links) {
      await page.getByRole('main').getByRole('link', { name: link, exact: true }).click()
      await expect(page).toHaveURL((url) => `${url.pathname}${url.search}`.startsWith(path))
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('row').nth(1)).toContainText(shown)
      await page.goBack()
    }
    await page.getByRole('main').getByRole('link', { name: 'Ayesha Patel', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ayesha Patel')
    await page.goBack()
    await page.getByRole('list', { name: 'Locations' }).getByRole('link').click()
    await expect(page).toHaveURL(/\/location\?search=/)
    await expect(page.getByRole('list', { name: 'Locations' }).getByRole('listitem')).toHaveCount(1)
  })

  for (const pages of [
    [1, 3, 4, 5, 6],
    [1, 5, 6, 7],
    [1, 5],
  ] as const) {
    test(`fills the full width with panels for staff with pages ${pages.join(', ')}`, async ({ page, signIn }) => {
      await signIn(pages)
      await page.goto('/')
      await waitUntilQuiet(page)
      const boxes = await page
        .locator('main section')
        .evaluateAll((sections) =>
          sections
            .map((section) => section.getBoundingClientRect())
            .map(({ top, left, right }) => ({ top, left, right })),
        )
      const right = Math.max(...boxes.map((box) => box.right))
      const left = Math.min(...boxes.map((box) => box.left))
      for (const { top } of boxes) {
        const line = boxes.filter((box) => box.top === top)
        expect(Math.min(...line.map((box) => box.left))).toBe(left)
        expect(Math.max(...line.map((box) => box.right))).toBe(right)
      }
    })
  }

  for (const size of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, PHONE]) {
    test(`keeps its layout stable while panels load, at a width of ${size.width} pixels`, async ({
      page,
      server,
      signIn,
    }) => {
      await signIn()
      const user = await buildUser(server.db)
      for (let hour = 6; hour < 11; hour++) {
        const { id: booking_id } = await buildBooking(server.db, {
          user_id: user.id,
          start_time: new Date(Date.UTC(2026, 10, 23, hour)),
        })
        await buildTransaction(server.db, { booking_id })
      }
      await page.setViewportSize(size)
      await page.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          // The DOM types do not include `value` yet.
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      // The panels load one after the other, in reverse order.
      const panels = ['location', 'feature', 'userDetails', 'Transaction', 'bookings', 'pods']
      const releases = new Map<string, () => Promise<void>>()
      for (const panel of panels) releases.set(panel, await holdRoute(page, `**/api/dashboard/**panel=${panel}`))
      await page.goto('/')
      for (const name of PANELS) await expect(page.getByRole('region', { name, exact: true })).toBeAttached()
      for (const panel of panels) {
        const response = page.waitForResponse((response) => response.url().endsWith(`panel=${panel}`))
        await releases.get(panel)?.()
        await response
      }
      await expect(page.getByRole('list', { name: 'Pods to Explore' }).getByRole('link')).toHaveCount(5)
      await waitUntilQuiet(page)
      const moved = await page.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
      )
      expect(moved).toBeLessThan(0.02)
    })
  }

  test('shows pods in a carousel with title and place, two at a time, or five on a wide screen', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([1, 3])
    for (const title of ['Jacaranda', 'Protea', 'Marula']) await buildPod(server.db, { title })
    await page.goto('/')
    const carousel = page.getByRole('list', { name: 'Pods to Explore' })
    const title = carousel.getByText('Jacaranda')
    // The text itself, and not only its style.
    await expect(title).toHaveText('JACARANDA')
    await expect(carousel.getByText(/Waterfront \d+, Cape Town/).first()).toBeVisible()
    const item = await carousel.getByRole('listitem').first().boundingBox()
    const track = await carousel.boundingBox()
    expect(Math.round((track?.width ?? 0) / (item?.width ?? 1))).toBe(2)
    await page.setViewportSize({ width: 3200, height: 1200 })
    const wideItem = await carousel.getByRole('listitem').first().boundingBox()
    const wideTrack = await carousel.boundingBox()
    expect(Math.round((wideTrack?.width ?? 0) / (wideItem?.width ?? 1))).toBe(5)
  })

  test('shows the whole place of a pod on a phone', async ({ page, server, signIn }) => {
    await signIn([1, 3])
    const { id: location_id } = await buildLocation(server.db, { name: 'Dock Road, V&A Waterfront' })
    await buildPod(server.db, { location_id })
    await page.setViewportSize(PHONE)
    await page.goto('/')
    const place = page.getByText('Dock Road, V&A Waterfront, Cape Town')
    await expect(place).toBeVisible()
    const excess = await place.evaluate((node) => [
      node.scrollWidth - node.clientWidth,
      node.scrollHeight - node.clientHeight,
    ])
    expect(excess).toEqual([0, 0])
  })

  test('is accessible with and without data, on a phone too', async ({ page, server, signIn }) => {
    await signIn()
    await page.goto('/')
    await expect(page.getByText('Customers appear here once they sign up, or somebody books for them.')).toBeVisible()
    await expectAccessible(page)
    await buildTransaction(server.db)
    await buildUser(server.db)
    await page.reload()
    await expect(page.getByRole('region', { name: 'User Details', exact: true }).getByRole('row')).toHaveCount(2)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
