import { PAGE } from '#contract/pages.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildFeature, buildPod, buildUser } from '#server/testing/factories.ts'
import { toDateText } from '#web/lib/format.ts'
import { businessDay, wallTime } from './business-day.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { asColleague, expectWithinASecond, whenListening } from './live-changes.ts'
import { waitUntilQuiet } from './quiet.ts'
import { booking, buildDay, grid, openSchedule } from './schedule-day.ts'
import type { TestServer } from './test-server.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Runs in the page. Returns the milliseconds until a booking is drawn, identified by its pod, day and minute. */
function timeUntilBooked(key: string): Promise<number> {
  const started = performance.now()
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(`[data-booking="${key}"]`)) resolve(performance.now() - started)
      else requestAnimationFrame(look)
    }
    look()
  })
}

/** Checks a customer in, and writes a note. */
async function mark({ db }: TestServer, id: string) {
  const marks = { checked_in_at: new Date(), checked_in_method: 'staff', note: 'Needs a ramp' } as const
  await db.updateTable('bookings').set(marks).where('id', '=', id).execute()
}

test.describe('The schedule', () => {
  test('shows the pods of each location with their bookings, and opens a booking by mouse or keyboard', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, noon } = await buildDay(server)
    await mark(server, noon.id)
    await signIn()
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedule' }).click()
    await expect(page.getByText('2 bookings in 3 pods')).toBeVisible()
    await expect(grid(page).getByRole('rowheader')).toHaveText([
      /^Dock House/,
      /^Aurora4 seats/,
      /^Borealis2 seats/,
      /^Mill/,
      /^Comet8 seats/,
    ])
    const zanele = booking(page, 'Zanele Dlamini, Confirmed, 10:00 AM to 11:00 AM')
    await expect(zanele).toHaveText('Zanele Dlamini Confirmed')
    const johan = booking(page, 'Johan Botha, Checked in, 12:00 PM to 1:00 PM, Pending, has a note')
    await expect(johan).toHaveText('Johan Botha Checked in')
    await expect(johan.locator('svg')).toHaveCount(2)
    await expectAccessible(page)
    await zanele.click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await expect(drawer.getByRole('link', { name: 'Open as a page' })).toHaveAttribute('href', new RegExp(ten.id))
    await expect(drawer).toContainText('Zanele Dlamini')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(grid(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(drawer).toBeVisible()
    // Not its link to the page of the booking, which a second Enter would follow.
    await expect(drawer.getByRole('heading', { name: 'Booking', exact: true })).toBeFocused()
  })

  test('opens the booking that was chosen last, though an earlier one comes later', async ({
    page,
    server,
    signIn,
  }) => {
    const { aurora, comet } = await buildDay(server)
    const naledi = await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube' })
    await buildBooking(server.db, {
      pod_id: comet.id,
      user_id: naledi.id,
      start_time: wallTime(businessDay(), '11:00'),
    })
    await signIn([6])
    await page.goto('/schedule')
    const release = await holdRoute(page, `**/api/schedule?*pod=${aurora.id}*`)
    await booking(page, /Zanele/).click()
    await booking(page, /Naledi/).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await drawer.getByRole('button', { name: 'Add note' }).click()
    const note = page.getByRole('dialog', { name: 'Note' }).getByLabel('Note')
    await note.fill('Needs a ramp')
    const late = page.waitForResponse((response) => response.url().includes(aurora.id))
    await release()
    await (await late).finished()
    await waitUntilQuiet(page)
    await expect(note).toHaveValue('Needs a ramp')
    await expect(drawer).toContainText('Naledi Dube')
  })

  test('moves from day to day, keeps the day in the URL, and shows when a day has no bookings', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn([PAGE.bookings])
    await openSchedule(page)
    await page.getByRole('button', { name: 'Next day' }).click()
    await expect(page).toHaveURL(`/schedule?date=${businessDay(1)}`)
    await expect(page.getByText('0 bookings in 3 pods')).toBeVisible()
    await expect(booking(page, /Zanele/)).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('0 bookings in 3 pods')).toBeVisible()
    await page.getByRole('button', { name: 'Today' }).click()
    await expect(page).toHaveURL('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
  })

  test('filters by location, feature, seats and free time, and keeps the filters in the URL', async ({
    page,
    server,
    signIn,
  }) => {
    const { mill, borealis } = await buildDay(server)
    const screen = await buildFeature(server.db, { name: 'Projector' })
    await server.db
      .insertInto('pod_features')
      .values({ pod_id: borealis.id, feature_id: screen.id, position: 0 })
      .execute()
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    const pods = () => grid(page).locator('[data-name]')
    await expect(pods()).toHaveCount(3)
    await page.getByLabel('Free at').selectOption('Free at 10:30 AM')
    await expect(pods()).toHaveText([/Borealis/, /Comet/])
    await page.getByLabel('Seats').selectOption('4 seats or more')
    await expect(pods()).toHaveText([/Comet/])
    await expect(page).toHaveURL('/schedule?free=630&seats=4')
    await page.reload()
    await expect(pods()).toHaveText([/Comet/])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Feature').selectOption('Projector')
    await expect(pods()).toHaveText([/Borealis/])
    await page.goto(`/schedule?location=${mill.id}&feature=${screen.id}`)
    await expect(page.getByText('No pod matches these filters.')).toBeVisible()
    await expect(page.getByLabel('Feature').locator('option:checked')).toHaveText('Projector')
    await page.goto(`/schedule?feature=${screen.id}`)
    await page.getByLabel('Seats').selectOption('10 seats or more')
    await expect(page.getByText('No pod matches these filters.')).toBeVisible()
    await page.goto(`/schedule?location=${mill.id}`)
    await expect(pods()).toHaveText([/Comet/])
  })

  test('says that it is filtered by a feature that is no more, which can be taken off there', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn([PAGE.bookings])
    await page.goto(`/schedule?feature=${createId()}`)
    const chosen = page.getByLabel('Feature').locator('option:checked')
    await expect(page.getByText('No pod matches these filters.')).toBeVisible()
    await expect(chosen).toHaveText('Unknown feature')
    await page.getByLabel('Feature').selectOption('All features')
    await expect(grid(page).locator('[data-name]')).toHaveCount(3)
  })

  test('begins at the first pod again with other filters, at the same hour', async ({ page, server, signIn }) => {
    const { mill } = await buildDay(server)
    for (let nth = 0; nth < 40; nth++) await buildPod(server.db, { capacity: 2, location_id: mill.id })
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(page.getByText('43 pods', { exact: false }).first()).toBeVisible()
    const readPlace = () => grid(page).evaluate(({ scrollTop, scrollLeft }) => ({ scrollTop, scrollLeft }))
    await grid(page).evaluate((node) => node.scrollTo({ top: 900, left: 120 }))
    await expect.poll(readPlace).toEqual({ scrollTop: 900, scrollLeft: 120 })
    await page.getByLabel('Seats').selectOption('2 seats or more')
    await expect(page).toHaveURL('/schedule?seats=2')
    await expect.poll(readPlace).toEqual({ scrollTop: 0, scrollLeft: 120 })
  })

  test('draws only the hours that are scrolled into view', async ({ page, server, signIn }) => {
    const { comet, zanele } = await buildDay(server)
    const late = { pod_id: comet.id, user_id: zanele.id, start_time: wallTime(businessDay(), '22:30') }
    await buildBooking(server.db, late)
    await page.setViewportSize({ width: 1024, height: 768 })
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(booking(page, /Zanele Dlamini, .*10:00 AM/)).toBeVisible()
    await expect(booking(page, /10:30 PM/)).toHaveCount(0)
    await grid(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await expect(booking(page, /Zanele Dlamini, .*10:30 PM/)).toBeInViewport({ ratio: 1 })
    await expect(booking(page, /Zanele Dlamini, .*10:00 AM/)).toHaveCount(0)
    await grid(page).focus()
    await page.keyboard.press('Home')
    await expect(booking(page, /Zanele Dlamini, .*10:00 AM/)).toBeVisible()
  })

  test('keeps its hours in sight on a phone on its side, and lets the page scroll back', async ({
    page,
    server,
    signIn,
  }) => {
    const { dock } = await buildDay(server)
    for (let n = 0; n < 12; n++) await buildPod(server.db, { title: `Pod ${n}`, location_id: dock.id })
    await page.setViewportSize({ width: 844, height: 390 })
    await signIn([PAGE.bookings])
    await openSchedule(page)
    const scrolled = () => page.evaluate(() => window.scrollY)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect.poll(scrolled).toBeGreaterThan(0)
    const header = await page.getByRole('banner').boundingBox()
    const hour = await grid(page).getByRole('columnheader', { name: '10 AM' }).boundingBox()
    expect(hour?.y).toBeGreaterThanOrEqual(header?.height ?? Infinity)
    await grid(page).hover()
    await page.mouse.wheel(0, -500)
    await expect.poll(scrolled).toBe(0)
  })

  test('prints the whole day of the pods that are shown, with its date', async ({ page, server, signIn }) => {
    const { comet, zanele } = await buildDay(server)
    const start_time = wallTime(businessDay(), '22:30')
    await buildBooking(server.db, { pod_id: comet.id, user_id: zanele.id, start_time })
    await page.setViewportSize({ width: 1024, height: 768 })
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(grid(page)).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(grid(page)).toBeHidden()
    await expect(page.getByRole('main')).toContainText(
      `${toDateText(businessDay())}, printed on ${toDateText(businessDay())}, 9:05 AM`,
    )
    const dock = page.getByRole('table', { name: /^Dock House, / })
    await expect(dock.getByRole('row')).toHaveText([
      /^Aurora4 seats10:00 AM to 11:00 AMZanele DlaminiConfirmed$/,
      /^12:00 PM to 1:00 PMJohan Botha/,
      /^Borealis2 seatsNo bookings$/,
    ])
    await expect(page.getByRole('table', { name: /^Mill, / })).toContainText('10:30 PM to 11:30 PMZanele Dlamini')
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(dock).toHaveCount(0)
  })

  test('shows the week of a pod', async ({ page, server, signIn }) => {
    const { aurora } = await buildDay(server)
    await signIn([PAGE.bookings])
    await page.goto('/schedule?free=900')
    await grid(page).getByRole('button', { name: 'Aurora' }).click()
    await expect(page).toHaveURL(`/schedule?free=900&pod=${aurora.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aurora')
    await expect(grid(page).getByRole('rowheader')).toHaveCount(7)
    await expect(
      grid(page)
        .getByRole('row', { name: new RegExp(businessDay()) })
        .getByRole('gridcell', { name: /Dlamini|Botha/ }),
    ).toHaveCount(2)
    await page.getByRole('button', { name: 'All pods' }).click()
    await expect(page).toHaveURL('/schedule?free=900')
    await expect(grid(page).getByRole('rowheader')).toHaveCount(5)
  })

  test('shows a colleague’s new booking within a second, without moving the others', async ({
    page,
    server,
    signIn,
  }) => {
    const { borealis } = await buildDay(server)
    const colleague = asColleague(server, await signIn())
    const listening = whenListening(page)
    await openSchedule(page)
    await listening
    const before = await booking(page, /Zanele/).boundingBox()
    await expectWithinASecond(page, ['11', '12', '13', '14'], async (hour) => {
      const shown = page.evaluate(timeUntilBooked, `${borealis.id} ${businessDay()} ${Number(hour) * 60}`)
      const [time] = await Promise.all([
        shown,
        colleague('POST', `/user/create-booking/${borealis.id}`, {
          bookingPurpose: 'work',
          bookingDate: businessDay(),
          startTime: `${businessDay()}T${hour}:00:00.000Z`,
          endTime: `${businessDay()}T${hour}:45:00.000Z`,
        }),
      ])
      return time
    })
    const made = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /Pending/ })
      .last()
    await expect(made).toHaveAttribute('data-changed')
    expect(await booking(page, /Zanele/).boundingBox()).toEqual(before)
  })

  test('shows a colleague’s new closure at once, with access to Booking alone', async ({ page, server, signIn }) => {
    const { borealis } = await buildDay(server)
    const { token } = await signIn([PAGE.pods])
    await signIn([PAGE.bookings])
    const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await openSchedule(page)
    await listening
    const response = await fetch(`${server.url}/api/closures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        podIds: [borealis.id],
        starts: `${businessDay()}T12:00:00.000Z`,
        ends: `${businessDay()}T14:00:00.000Z`,
        reason: 'Painting',
      }),
    })
    expect(response.status).toBe(201)
    await expect(grid(page).getByText('Closed: Painting')).toBeVisible({ timeout: 2_000 })
  })

  test('shows an error with Retry when the bookings cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await buildDay(server)
    await signIn([PAGE.bookings])
    let isFailing = true
    await page.route('**/api/schedule?*', (route) =>
      isFailing
        ? route.fulfill({ status: 500, json: { code: 'internal', message: 'It failed.', requestId: 'r-1' } })
        : route.continue(),
    )
    await page.goto('/schedule')
    await expect(page.getByText('The schedule could not be loaded')).toBeVisible()
    isFailing = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(booking(page, /Zanele/)).toBeVisible()
  })

  test('opens a booking on Retry when it could not be found at first', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    const { aurora } = await buildDay(server)
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    const bookingsOfPod = `**/api/schedule?*pod=${aurora.id}*`
    await page.route(bookingsOfPod, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'It failed.' } }),
    )
    await booking(page, /Zanele/).click()
    const failure = page.getByRole('alert').filter({ hasText: 'It failed.' })
    await expect(failure).toBeVisible()
    await page.unroute(bookingsOfPod)
    await failure.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('dialog', { name: 'Booking' })).toContainText('Zanele Dlamini')
  })

  test('explains the empty screen when there are no pods, and links to adding one', async ({ page, signIn }) => {
    await signIn()
    await page.goto('/schedule')
    await expect(page.getByText('Pods appear here with their day once the first one is created.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add a pod' })).toHaveAttribute('href', '/pods')
    await expectAccessible(page)
  })
})

test.describe('The schedule on a phone', () => {
  test.use({ hasTouch: true, viewport: PHONE })

  test('is an agenda by location, in which a tap opens a booking and a button makes one', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, noon } = await buildDay(server)
    await mark(server, noon.id)
    await signIn()
    await page.goto('/schedule')
    await expect(page.getByRole('heading', { name: 'Dock House' })).toBeVisible()
    const aurora = page.getByRole('region', { name: 'Aurora' })
    await expect(aurora.getByRole('button', { name: /10:00 AM to 11:00 AM Zanele Dlamini.*Confirmed/ })).toBeVisible()
    await expect(aurora.getByRole('button', { name: /Johan Botha.*Checked in.*Note.*Pending/ })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await aurora.getByRole('button', { name: 'Book Aurora' }).tap()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('09:00')
    await form.getByRole('button', { name: 'Book', exact: true }).tap()
    await expect(page.getByText('Booking created successfully')).toBeVisible()
    await expect(aurora.getByText('Free from 11:00 AM')).toBeVisible()
    await aurora.getByRole('button', { name: /Zanele Dlamini/ }).tap()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await expect(drawer.getByRole('link', { name: 'Open as a page' })).toHaveAttribute('href', new RegExp(ten.id))
  })

  test('books at the time at which the pods are filtered to be free, and shows the week of a pod', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await page.getByRole('button', { name: /Filters/ }).tap()
    const aurora = page.getByRole('region', { name: 'Aurora' })
    const letGo = await holdRoute(page, '**/api/schedule?*')
    await page.getByLabel('Free at').selectOption('Free at 3:00 PM')
    await expect(page.locator('[data-busy]')).toBeVisible()
    // What has passed, and what comes next, does not change while the pods are loaded.
    await expect(aurora.getByText(/^Free from/)).toBeVisible()
    await letGo()
    await page.getByLabel('Free for').selectOption('for 2 hours')
    await expect(aurora.getByText('Free from 3:00 PM')).toBeVisible()
    await aurora.getByRole('button', { name: 'Book Aurora' }).tap()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('15:00')
    await expect(form.getByLabel('End')).toHaveValue('17:00')
    await form.getByRole('button', { name: 'Cancel' }).tap()
    await aurora.getByRole('button', { name: 'Week of Aurora' }).tap()
    await expect(page.getByRole('heading', { name: 'Aurora', level: 1 })).toBeVisible()
    await expect(page.getByRole('region', { name: /Monday/ })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
