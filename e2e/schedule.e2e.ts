import type { Page } from '@playwright/test'
import { PAGE } from '#contract/pages.ts'
import { buildBooking, buildFeature, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { toDateText } from '#web/lib/format.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { waitUntilQuiet } from './quiet.ts'
import { startTestServer, type TestServer } from './test-server.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const TODAY = businessDay()

const grid = (page: Page) => page.getByRole('grid', { name: /^(Schedule|Week) of / })
const booking = (page: Page, name: string | RegExp) => grid(page).getByRole('gridcell', { name })
const spoken = (page: Page) => page.getByTestId('schedule-spoken')

/**
 * Builds two pods at one location and one at another; Zanele has Aurora from 10:00 to 11:00, Johan from 12:00 to 13:00.
 */
async function buildDay({ db, clock }: TestServer) {
  clock.set(instantAt(TODAY, '09:05'))
  const dock = await buildLocation(db, { name: 'Dock House' })
  const mill = await buildLocation(db, { name: 'Mill' })
  const aurora = await buildPod(db, { title: 'Aurora', location_id: dock.id, capacity: 4 })
  const borealis = await buildPod(db, { title: 'Borealis', location_id: dock.id, capacity: 2 })
  const comet = await buildPod(db, { title: 'Comet', location_id: mill.id, capacity: 8 })
  const zanele = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const johan = await buildUser(db, { firstname: 'Johan', lastname: 'Botha' })
  const ten = await buildBooking(db, {
    pod_id: aurora.id,
    user_id: zanele.id,
    start_time: wallTime(TODAY, '10:00'),
    status: 'Confirmed',
  })
  const noon = await buildBooking(db, { pod_id: aurora.id, user_id: johan.id, start_time: wallTime(TODAY, '12:00') })
  return { dock, mill, aurora, borealis, comet, zanele, johan, ten, noon }
}

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

test.describe('The schedule', () => {
  test('shows the pods of each location with their bookings, and opens a booking by mouse or keyboard', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten } = await buildDay(server)
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
    const zanele = booking(page, 'Zanele Dlamini, 10:00 AM to 11:00 AM, Confirmed')
    await expect(zanele).toHaveText('Zanele Dlamini Confirmed')
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
    await buildBooking(server.db, { pod_id: comet.id, user_id: naledi.id, start_time: wallTime(TODAY, '11:00') })
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
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
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

  test('draws only the hours that are scrolled into view', async ({ page, server, signIn }) => {
    const { comet, zanele } = await buildDay(server)
    const late = { pod_id: comet.id, user_id: zanele.id, start_time: wallTime(TODAY, '22:30') }
    await buildBooking(server.db, late)
    await page.setViewportSize({ width: 1024, height: 768 })
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(booking(page, /Zanele Dlamini, 10:00 AM/)).toBeVisible()
    await expect(booking(page, /10:30 PM/)).toHaveCount(0)
    await grid(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await expect(booking(page, /Zanele Dlamini, 10:30 PM/)).toBeInViewport({ ratio: 1 })
    await expect(booking(page, /Zanele Dlamini, 10:00 AM/)).toHaveCount(0)
    await grid(page).focus()
    await page.keyboard.press('Home')
    await expect(booking(page, /Zanele Dlamini, 10:00 AM/)).toBeVisible()
  })

  test('prints the whole day of the pods that are shown, with its date', async ({ page, server, signIn }) => {
    const { comet, zanele } = await buildDay(server)
    const start_time = wallTime(TODAY, '22:30')
    await buildBooking(server.db, { pod_id: comet.id, user_id: zanele.id, start_time })
    await page.setViewportSize({ width: 1024, height: 768 })
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(grid(page)).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(grid(page)).toBeHidden()
    await expect(page.getByRole('main')).toContainText(`${toDateText(TODAY)}, printed on ${toDateText(TODAY)}, 9:05 AM`)
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
        .getByRole('row', { name: new RegExp(TODAY) })
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
    const { token } = await signIn()
    const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await listening
    const before = await booking(page, /Zanele/).boundingBox()
    const times: number[] = []
    for (const hour of ['11', '12', '13', '14']) {
      const shown = page.evaluate(timeUntilBooked, `${borealis.id} ${TODAY} ${Number(hour) * 60}`)
      const [time] = await Promise.all([
        shown,
        fetch(`${server.url}/api/user/create-booking/${borealis.id}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            bookingPurpose: 'work',
            bookingDate: TODAY,
            startTime: `${TODAY}T${hour}:00:00.000Z`,
            endTime: `${TODAY}T${hour}:45:00.000Z`,
          }),
        }).then((response) => expect(response.status).toBe(201)),
      ])
      times.push(time)
    }
    // The best of four runs, request included, as the machine may be busy during some of them.
    expect(Math.min(...times)).toBeLessThan(1_000)
    const made = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /2:00 PM to 2:45 PM, Pending/ })
    await expect(made).toHaveAttribute('data-changed')
    expect(await booking(page, /Zanele/).boundingBox()).toEqual(before)
  })

  test('shows a colleague’s new closure at once, with access to Booking alone', async ({ page, server, signIn }) => {
    const { borealis } = await buildDay(server)
    const { token } = await signIn([PAGE.pods])
    await signIn([PAGE.bookings])
    const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await listening
    const response = await fetch(`${server.url}/api/closures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        podIds: [borealis.id],
        starts: `${TODAY}T12:00:00.000Z`,
        ends: `${TODAY}T14:00:00.000Z`,
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

test.describe('Booking from the schedule', () => {
  test('works by keyboard alone: choosing a time, hearing about a conflict, and booking', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 9:15 AM to 10:00 AM. Free.')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, Zanele Dlamini, 10:00 AM to 11:00 AM, Confirmed')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 11:00 AM to 12:00 PM. Free.')
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('Shift+ArrowRight')
    await expect(spoken(page)).toHaveText(
      'Aurora, 11:00 AM to 12:15 PM. Conflict with Johan Botha, 12:00 PM to 1:00 PM.',
    )
    await page.keyboard.press('Enter')
    await expect(spoken(page)).toHaveText(/^It cannot be dropped here\. Conflict with Johan Botha/)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('11:00')
    await expect(form.getByLabel('End')).toHaveValue('12:00')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Book' }).press('Enter')
    await expect(page.getByText('Booking created successfully')).toBeVisible()
    await expect(booking(page, /11:00 AM to 12:00 PM, Pending/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('n')
    await expect(spoken(page)).toHaveText('Aurora, 6:00 AM to 7:00 AM. This time has passed.')
  })

  test('works for a customer, who is found by name, and shows the price to pay', async ({ page, server, signIn }) => {
    const { borealis, johan } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText(/^Borealis, 9:00 AM/)
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form).toContainText('Staff’s own bookings are not paid for.')
    await form.getByLabel('Booked for').selectOption('A customer')
    await expect(form).toContainText(/The customer owes R\s\d/)
    await form.getByRole('button', { name: 'Book' }).click()
    await expect(form).toContainText('Customer is required')
    await form.getByRole('combobox', { name: 'Customer' }).fill('Botha')
    await page.getByRole('option', { name: /Johan Botha/ }).click()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Book' }).click()
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: 'Johan Botha, 9:00 AM to 10:00 AM, Pending' }),
    ).toBeVisible()
    const made = await server.db.selectFrom('bookings').selectAll().where('pod_id', '=', borealis.id).execute()
    expect(made).toMatchObject([{ user_id: johan.id, balance_due: expect.anything() }])
    await expect(page).toHaveURL('/schedule')
  })

  test('is not made at another price than the one that was shown', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { borealis } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Booked for').selectOption('A new customer')
    await form.getByLabel('First name').fill('Sipho')
    await form.getByLabel('Phone').fill('082 555 0101')
    await server.db.updateTable('pods').set({ rate: '3' }).where('id', '=', borealis.id).execute()
    await form.getByRole('button', { name: 'Book' }).click()
    await expect(form).toContainText('The price has changed since it was shown.')
    await expect(form).toContainText('The customer owes R 180.00.')
    await form.getByRole('button', { name: 'Book' }).click()
    await expect(form).toHaveCount(0)
    const made = await server.db.selectFrom('bookings').selectAll().where('pod_id', '=', borealis.id).execute()
    expect(made).toMatchObject([{ price: '180.00' }])
  })

  test('offers what is free instead when somebody else has booked the time meanwhile', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { aurora, zanele } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    for (let quarter = 0; quarter < 5; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Aurora, 11:00 AM to 12:00 PM. Free.')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    // Written to the database directly, so that the live stream does not report it.
    await buildBooking(server.db, { pod_id: aurora.id, user_id: zanele.id, start_time: wallTime(TODAY, '11:00') })
    await form.getByRole('button', { name: 'Book' }).click()
    const free = form.getByRole('region', { name: 'Free instead' })
    await expect(free.getByRole('button')).toHaveText([
      '9:00 AM - 10:00 AM',
      '1:00 PM - 2:00 PM',
      '1:15 PM - 2:15 PM',
      'Borealis, Dock House, only 2 seats',
      'Comet, Mill',
    ])
    await free.getByRole('button', { name: '1:15 PM - 2:15 PM' }).click()
    await expect(form.getByLabel('Start')).toHaveValue('13:15')
    await expect(free).toHaveCount(0)
    // The end follows the start, as where a booking is moved.
    await form.getByLabel('Start').selectOption('11:00')
    await expect(form.getByLabel('End')).toHaveValue('12:00')
    await free.getByRole('button', { name: 'Borealis, Dock House, only 2 seats' }).click()
    await expect(form).toContainText('Borealis, Dock House')
    await form.getByRole('button', { name: 'Book' }).click()
    const made = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /11:00 AM to 12:00 PM/ })
    await expect(made).toBeVisible()
  })

  test('works by mouse: clicking on free time, or dragging over it', async ({ page, server, signIn }) => {
    await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    const zanele = await booking(page, /Zanele/).boundingBox()
    if (!zanele) throw new Error('Zanele’s booking is not drawn')
    const quarter = zanele.width / 4
    const y = zanele.y + zanele.height / 2
    // Draws from 14:00, four hours after Zanele's start, to 14:45.
    const left = zanele.x + zanele.width * 4
    await page.mouse.move(left + 2, y)
    await page.mouse.down()
    await page.mouse.move(left + quarter * 2.5, y, { steps: 5 })
    await expect(grid(page).getByText('2:00 PM to 2:45 PM')).toBeAttached()
    await page.mouse.up()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('14:00')
    await expect(form.getByLabel('End')).toHaveValue('14:45')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.mouse.click(left + 2, y + zanele.height)
    await expect(form).toContainText('Borealis')
    await expect(form.getByLabel('End')).toHaveValue('15:00')
  })

  test('is not offered without the page for it, and past times are announced as such', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn([PAGE.bookings])
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('n')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Home')
    await expect(spoken(page)).toHaveText('Aurora, 6:00 AM to 6:15 AM. This time has passed.')
  })
})

test.describe('Moving a booking on the schedule', () => {
  /** Returns the point in the middle of a booking, or at its right edge. */
  async function pointAt(page: Page, name: RegExp, edge = false) {
    const box = await booking(page, name).boundingBox()
    if (!box) throw new Error(`${name} is not drawn`)
    return { x: edge ? box.x + box.width - 2 : box.x + box.width / 2, y: box.y + box.height / 2, hour: box.width, box }
  }

  const findRow = (server: TestServer, id: string) =>
    server.db
      .selectFrom('bookings')
      .select(['pod_id', 'start_time', 'end_time', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('works by dragging to another pod, shows conflicts, and is reversed by Undo', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, aurora, borealis } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    // Johan's time is taken, so this is a conflict.
    await page.mouse.move(from.x + from.hour * 2, from.y, { steps: 6 })
    await expect(grid(page).getByText('Conflict with Johan Botha, 12:00 PM to 1:00 PM')).toBeAttached()
    await page.mouse.move(from.x + from.hour * 2, from.y + 48, { steps: 6 })
    await expect(grid(page).getByText('12:00 PM to 1:00 PM', { exact: true })).toBeAttached()
    await page.mouse.up()
    const inBorealis = grid(page)
      .getByRole('row', { name: /Borealis/ })
      .getByRole('gridcell', { name: /Zanele/ })
    await expect(inBorealis).toHaveAccessibleName('Zanele Dlamini, 12:00 PM to 1:00 PM, Confirmed')
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 12:00 PM to 1:00 PM')).toBeVisible()
    expect(await findRow(server, ten.id)).toMatchObject({
      pod_id: borealis.id,
      start_time: wallTime(TODAY, '12:00'),
    })
    await page.keyboard.press('Control+z')
    await expect(
      grid(page)
        .getByRole('row', { name: /Aurora/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toHaveAccessibleName('Zanele Dlamini, 10:00 AM to 11:00 AM, Confirmed')
    expect(await findRow(server, ten.id)).toMatchObject({ pod_id: aurora.id, start_time: wallTime(TODAY, '10:00') })
  })

  test('shows what would follow whole, also in the last row and at the end of the day', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
    await page.keyboard.press('m')
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await expect(spoken(page)).toHaveText('Comet, 10:00 AM to 11:00 AM. Free.')
    await expect(grid(page).getByText('10:00 AM to 11:00 AM', { exact: true })).toBeInViewport({ ratio: 1 })
    for (let quarter = 0; quarter < 52; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText('Comet, 11:00 PM to 12:00 AM. Free.')
    await expect(grid(page).getByText('11:00 PM to 12:00 AM', { exact: true })).toBeInViewport({ ratio: 1 })
  })

  test('is put back by Escape while it is dragged', async ({ page, server, signIn }) => {
    const { ten } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 48, { steps: 6 })
    const preview = grid(page).getByText('10:00 AM to 11:00 AM', { exact: true })
    await expect(preview).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(preview).toHaveCount(0)
    await expect(spoken(page)).toHaveText('Put back.')
    await page.mouse.move(from.x, from.y + 50)
    await page.mouse.up()
    await expect(preview).toHaveCount(0)
    expect(await findRow(server, ten.id)).toMatchObject({ pod_id: ten.pod_id, version: ten.version })
  })

  test('works by keyboard alone: moving, meeting a conflict, extending and undoing', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
    await page.keyboard.press('m')
    await expect(spoken(page)).toHaveText('Moving Zanele Dlamini. Enter drops it, Escape puts it back.')
    for (let quarter = 0; quarter < 5; quarter += 1) await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(
      'Aurora, 11:15 AM to 12:15 PM. Conflict with Johan Botha, 12:00 PM to 1:00 PM.',
    )
    await page.keyboard.press('Enter')
    await expect(spoken(page)).toHaveText(/^It cannot be dropped here\./)
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText('Borealis, 11:15 AM to 12:15 PM. Free.')
    await page.keyboard.press('Escape')
    await expect(spoken(page)).toHaveText('Put back.')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)

    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Zanele Dlamini is now 10:00 AM to 11:30 AM')).toBeVisible()
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:30 AM/)
    expect(await findRow(server, ten.id)).toMatchObject({ end_time: wallTime(TODAY, '11:30') })
    await page.keyboard.press('Control+z')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    await expect(spoken(page)).toHaveText(/^Borealis, 10:00 AM to 11:15 AM\. Free\./)
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
  })

  test('requires a reason outside opening hours, as a new booking does, and records the reason', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, borealis } = await buildDay(server)
    const weekdays = [1, 2, 3, 4, 5, 6, 7]
    await server.db
      .insertInto('opening_hours')
      .values(
        weekdays.map((weekday) => ({
          pod_id: borealis.id,
          location_id: null,
          weekday,
          opens: 12 * 60,
          closes: 17 * 60,
        })),
      )
      .execute()
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await expect(spoken(page)).toHaveText(
      'Borealis, 10:00 AM to 11:00 AM. Outside opening hours, 12:00 PM to 5:00 PM. You will be asked for a reason.',
    )
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Move booking' })
    await expect(question).toContainText('Move the booking of Zanele Dlamini to Borealis')
    await expect(question).toContainText(`Open 12:00 PM – 5:00 PM on ${TODAY}.`)
    await expect(question.getByRole('button', { name: 'Move anyway' })).toBeDisabled()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Put back' }).click()
    const inRow = (pod: RegExp, name: RegExp) =>
      grid(page).getByRole('row', { name: pod }).getByRole('gridcell', { name })
    await expect(inRow(/Aurora/, /Zanele/)).toBeVisible()

    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 48, { steps: 6 })
    await expect(
      grid(page).getByText('Outside opening hours, 12:00 PM to 5:00 PM. You will be asked for a reason.'),
    ).toBeAttached()
    await page.mouse.up()
    await question.getByLabel('Reason to book outside opening hours').fill('Aurora leaks')
    await question.getByRole('button', { name: 'Move anyway' }).click()
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 10:00 AM to 11:00 AM')).toBeVisible()
    await expect(inRow(/Borealis/, /Zanele/)).toBeVisible()
    expect(await findRow(server, ten.id)).toMatchObject({ pod_id: borealis.id })

    await page.mouse.click(from.x + from.hour * 0.8, from.y + 48)
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form).toContainText('Outside opening hours, 12:00 PM to 5:00 PM.')
    const book = form.getByRole('button', { name: 'Book anyway' })
    await expect(book).toBeDisabled()
    await form.getByLabel('Reason to book outside opening hours').fill('Evening class')
    await expectAccessible(page)
    await book.click()
    await expect(form).toHaveCount(0)
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /11:15 AM/ }),
    ).toBeVisible()
    const rows = await server.db
      .selectFrom('audit')
      .select(['action', 'reason'])
      .where('entity', '=', 'booking')
      .orderBy('action')
      .execute()
    expect(rows).toEqual([
      { action: 'create', reason: 'Outside opening hours: Evening class' },
      { action: 'move', reason: 'Outside opening hours: Aurora leaks' },
    ])
  })

  test('lets staff who only view Booking make a booking within the opening hours alone', async ({
    page,
    server,
    signIn,
  }) => {
    const { dock } = await buildDay(server)
    await server.db
      .insertInto('opening_hours')
      .values(
        [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
          pod_id: null,
          location_id: dock.id,
          weekday,
          opens: 9 * 60,
          closes: 17 * 60,
        })),
      )
      .execute()
    await signIn([PAGE.bookings, PAGE.corporateBooking], { view_only_pages: [PAGE.bookings] })
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    await grid(page).focus()
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Start').selectOption('18:00')
    await form.getByLabel('End').selectOption('19:00')
    await expect(form).toContainText('Choose another time.')
    await expect(form.getByLabel('Reason to book outside opening hours')).toHaveCount(0)
    await expect(form.getByRole('button', { name: 'Book', exact: true })).toBeDisabled()
    await form.getByLabel('Start').selectOption('15:00')
    await form.getByLabel('End').selectOption('16:00')
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await expect(form).toHaveCount(0)
    await expect(booking(page, /3:00 PM to 4:00 PM/)).toBeVisible()
  })

  test('needs confirmation when the price changes, and puts the booking back without confirmation', async ({
    page,
    server,
    signIn,
  }) => {
    const { aurora, comet } = await buildDay(server)
    await server.db.updateTable('pods').set({ rate: '5' }).where('id', '=', comet.id).execute()
    const lerato = await buildUser(server.db, { firstname: 'Lerato', lastname: 'Khumalo' })
    const paid = await buildBooking(server.db, {
      pod_id: aurora.id,
      user_id: lerato.id,
      start_time: wallTime(TODAY, '15:00'),
      price: '150.00',
      rate: '2.5',
      discount_minutes: 0,
    })
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Lerato/)).toBeVisible()
    const edge = await pointAt(page, /Lerato/, true)
    const drag = async () => {
      await page.mouse.move(edge.x, edge.y)
      await page.mouse.down()
      await page.mouse.move(edge.x + edge.hour / 2, edge.y, { steps: 6 })
      await expect(grid(page).getByText(/R\s75\.00 more/)).toBeAttached()
      await page.mouse.up()
    }
    await drag()
    const question = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(question).toContainText(`in Aurora, ${TODAY}, so that it runs 3:00 PM to 4:30 PM?`)
    await expect(question).toContainText(/It costs R\s225\.00 then: R\s75\.00 more/)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Put back' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:00 PM/)
    await drag()
    await question.getByRole('button', { name: 'Change booking' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:30 PM/)
    await expect(page.getByText('Lerato Khumalo is now 3:00 PM to 4:30 PM')).toBeVisible()
    expect(await findRow(server, paid.id)).toMatchObject({ end_time: wallTime(TODAY, '16:30') })

    await booking(page, /Lerato/).dragTo(grid(page).getByRole('row', { name: /^Comet/ }))
    await expect(page.getByRole('alertdialog', { name: 'Move booking' })).toContainText(
      'Move the booking of Lerato Khumalo to Comet at another location, Mill,',
    )
  })

  test('shows the new price when it has changed since the question, and is saved at that one', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { ten, borealis } = await buildDay(server)
    const setRate = (rate: string) =>
      server.db.updateTable('pods').set({ rate }).where('id', '=', borealis.id).execute()
    await server.db
      .updateTable('bookings')
      .set({ price: 150, rate: 2.5, discount_minutes: 0 })
      .where('id', '=', ten.id)
      .execute()
    await setRate('4')
    await signIn()
    await page.goto('/schedule')
    const from = await pointAt(page, /Zanele/)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + from.box.height, { steps: 6 })
    await expect(grid(page).getByText(/R\s90\.00 more/)).toBeAttached()
    await page.mouse.up()
    const question = page.getByRole('alertdialog', { name: 'Move booking' })
    await expect(question).toContainText(/It costs R\s240\.00 then: R\s90\.00 more/)
    await setRate('5')
    await question.getByRole('button', { name: 'Move booking' }).click()
    await expect(question).toContainText('The price has changed since it was shown.')
    await expect(question).toContainText(/It costs R\s300\.00 then: R\s150\.00 more/)
    await question.getByRole('button', { name: 'Move booking' }).click()
    await expect(question).toHaveCount(0)
    await expect.poll(() => findRow(server, ten.id)).toMatchObject({ pod_id: borealis.id })
  })

  test('needs confirmation of each of two slow moves, over what has been typed since', async ({
    page,
    server,
    signIn,
  }) => {
    await buildDay(server)
    await server.db.updateTable('bookings').set({ price: 150, rate: 2.5, discount_minutes: 0 }).execute()
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    const release = await holdRoute(page, '**/interval/preview')
    await grid(page).focus()
    const walkTo = async (text: RegExp) => {
      while (!text.test(await spoken(page).innerText())) await page.keyboard.press('ArrowRight')
    }
    for (const name of [/Zanele Dlamini/, /Johan Botha/]) {
      await walkTo(name)
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('Enter')
    }
    await walkTo(/^Aurora, 2:00 PM/)
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New booking' })
    await form.getByLabel('Booked for').selectOption('newCustomer')
    await form.getByLabel('First name').fill('Naledi')
    await release()
    const questions = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(questions).toHaveCount(2)
    for (const left of [1, 0]) {
      await questions.last().getByRole('button', { name: 'Put back' }).click()
      await expect(questions).toHaveCount(left)
    }
    await expect(form.getByLabel('First name')).toHaveValue('Naledi')
    await expect(booking(page, /Zanele/)).toHaveAccessibleName(/10:00 AM to 11:00 AM/)
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:00 PM/)
  })

  test('is not picked up again before it is saved', async ({ page, server, signIn }) => {
    const { ten, borealis } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    const from = await pointAt(page, /Zanele/)
    const release = await holdRoute(page, '**/interval')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + from.box.height, { steps: 6 })
    await page.mouse.up()
    const saving = booking(page, 'Zanele Dlamini, 10:00 AM to 11:00 AM, Confirmed, being saved')
    await expect(saving).toBeVisible()
    const at = await pointAt(page, /Zanele/)
    await page.mouse.move(at.x, at.y)
    await page.mouse.down()
    await page.mouse.move(at.x + at.hour, at.y, { steps: 6 })
    await page.mouse.up()
    await page.mouse.click(at.x, at.y)
    await expect(spoken(page)).toHaveText('It is being saved.')
    await release()
    await expect(page.getByText('Zanele Dlamini moved to Borealis, 10:00 AM to 11:00 AM')).toBeVisible()
    await expect(saving).toHaveCount(0)
    await expect(page.getByText('changed by somebody else')).toHaveCount(0)
    expect(await findRow(server, ten.id)).toMatchObject({
      pod_id: borealis.id,
      start_time: wallTime(TODAY, '10:00'),
    })
    await page.mouse.click(at.x, at.y)
    await expect(page.getByRole('dialog', { name: 'Booking' })).toContainText('Borealis')
  })

  test('needs confirmation when the customer will get a mail about it', async ({ page }) => {
    // Nothing listens on that port; it is enough that a mail server is configured.
    const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pods@example.com' })
    try {
      const { zanele, ten } = await buildDay(server)
      await signInAs(page, server)
      await page.goto(`${server.url}/schedule`)
      await expect(booking(page, /Zanele/)).toBeVisible()
      await grid(page).focus()
      for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('m')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const question = page.getByRole('alertdialog', { name: 'Move booking' })
      await expect(question).toContainText(`We will write to ${zanele.email} about it.`)
      await question.getByRole('button', { name: 'Move booking' }).click()
      await expect(page.getByText(/Zanele Dlamini moved to Borealis/)).toBeVisible()
      expect((await findRow(server, ten.id)).version).toBe(2)
    } finally {
      await page.close()
      await server.close()
    }
  })

  test('is reversed when somebody else has booked the time meanwhile, and suggests a free time', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    const { borealis, zanele } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Zanele/)).toBeVisible()
    // Written to the database directly, so that the live stream does not report it.
    const start_time = wallTime(TODAY, '10:00')
    await buildBooking(server.db, { pod_id: borealis.id, user_id: zanele.id, start_time, note: 'quick' })
    await grid(page).focus()
    for (let quarter = 0; quarter < 4; quarter += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(
      page.getByText(
        /Zanele Dlamini stays where it was\..*Free in this pod: .*11:00 AM to 12:00 PM.*Free at this time: Comet, Mill/,
      ),
    ).toBeVisible()
    await expect(
      grid(page)
        .getByRole('row', { name: /Aurora/ })
        .getByRole('gridcell', { name: /Zanele/ }),
    ).toBeVisible()
    await expect(
      grid(page)
        .getByRole('row', { name: /Borealis/ })
        .getByRole('gridcell', { name: /has a note/ }),
    ).toBeVisible()
  })

  test('suggests what is free when somebody books the time while it asks', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const { aurora, zanele } = await buildDay(server)
    const lerato = await buildUser(server.db, { firstname: 'Lerato', lastname: 'Khumalo' })
    const start_time = wallTime(TODAY, '15:00')
    const sold = { price: '150.00', rate: '2.5', discount_minutes: 0 }
    await buildBooking(server.db, { pod_id: aurora.id, user_id: lerato.id, start_time, ...sold })
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Lerato/)).toBeVisible()
    const edge = await pointAt(page, /Lerato/, true)
    await page.mouse.move(edge.x, edge.y)
    await page.mouse.down()
    await page.mouse.move(edge.x + edge.hour / 2, edge.y, { steps: 6 })
    await page.mouse.up()
    const question = page.getByRole('alertdialog', { name: 'Change booking' })
    await expect(question).toContainText(/It costs R\s225\.00/)
    await buildBooking(server.db, { pod_id: aurora.id, user_id: zanele.id, start_time: wallTime(TODAY, '16:00') })
    await question.getByRole('button', { name: 'Change booking' }).click()
    await expect(question).toContainText(
      `Free in this pod: ${TODAY} 2:30 PM to 4:00 PM; ${TODAY} 2:15 PM to 3:45 PM; ${TODAY} 2:00 PM to 3:30 PM. ` +
        'Free at this time: Borealis, Dock House, only 2 seats; Comet, Mill.',
    )
    await question.getByRole('button', { name: 'Put back' }).click()
    await expect(booking(page, /Lerato/)).toHaveAccessibleName(/3:00 PM to 4:00 PM/)
  })

  test('is refused once the booking is over, and changes only its end once it has begun', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten, noon } = await buildDay(server)
    server.clock.set(instantAt(TODAY, '12:20'))
    await server.db.updateTable('bookings').set({ status: 'Completed' }).where('id', '=', ten.id).execute()
    await server.db.updateTable('bookings').set({ status: 'Processing' }).where('id', '=', noon.id).execute()
    await signIn()
    await page.goto('/schedule')
    await expect(booking(page, /Johan/)).toBeVisible()
    await grid(page).focus()
    await expect(spoken(page)).toHaveText('')
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowRight')
    await expect(spoken(page)).toHaveText(/It has begun: only its end can be changed/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:15 PM/)
    await expect(booking(page, /Johan/)).not.toHaveAttribute('data-saving')
    const begun = await pointAt(page, /Johan/)
    await page.mouse.move(begun.x, begun.y)
    await page.mouse.down()
    await page.mouse.move(begun.x + begun.hour, begun.y, { steps: 6 })
    await expect(grid(page).getByText('It has begun: only its end can be changed')).toBeAttached()
    await page.mouse.up()
    await expect(booking(page, /Johan/)).toHaveAccessibleName(/12:00 PM to 1:15 PM/)
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft')
    await expect(spoken(page)).toHaveText(/Zanele Dlamini/)
    await page.keyboard.press('m')
    await expect(spoken(page)).toHaveText('It is over.')
    // Dragging it to free time is no click there.
    const over = await pointAt(page, /Zanele/)
    await page.mouse.move(over.x, over.y)
    await page.mouse.down()
    await page.mouse.move(over.x + over.hour * 4, over.y, { steps: 6 })
    await page.mouse.up()
    await page.mouse.click(over.x, over.y)
    await expect(page.getByRole('dialog', { name: 'Booking', exact: true })).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'New booking' })).toHaveCount(0)
  })
})

test.describe('The schedule on a phone', () => {
  test.use({ hasTouch: true, viewport: PHONE })

  test('is an agenda by location, in which a tap opens a booking and a button makes one', async ({
    page,
    server,
    signIn,
  }) => {
    const { ten } = await buildDay(server)
    await signIn()
    await page.goto('/schedule')
    await expect(page.getByRole('heading', { name: 'Dock House' })).toBeVisible()
    const aurora = page.getByRole('region', { name: 'Aurora' })
    await expect(aurora.getByRole('button', { name: /Zanele Dlamini.*Confirmed/ })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await aurora.getByRole('button', { name: 'Book Aurora' }).tap()
    const form = page.getByRole('dialog', { name: 'New booking' })
    await expect(form.getByLabel('Start')).toHaveValue('09:00')
    await form.getByRole('button', { name: 'Book' }).tap()
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
