import type { Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { moveClock } from './quiet.ts'

const FAILURE = 'Error: An error occurred while creating the booking'

const slots = (page: Page) => page.getByRole('dialog', { name: 'Select Time Slots' })
const slotsButton = (page: Page) => page.getByRole('button', { name: /^Time Slots/ })
const mark = (page: Page, label: string) => slots(page).getByRole('button', { name: new RegExp(`^${label}(,|$)`) })

async function choosePod(page: Page, title: string) {
  await choose(page.getByRole('combobox', { name: 'Pod' }), title)
}

/** Fills in the purpose, the pod, tomorrow's date and the two marks. */
async function fillIn(page: Page, title: string, first: string, last: string) {
  await page.getByRole('combobox', { name: 'Purpose' }).selectOption('meeting')
  await choosePod(page, title)
  await page.getByLabel('Date').fill(businessDay(1))
  await slotsButton(page).click()
  await mark(page, first).click()
  await mark(page, last).click()
  await slots(page).getByRole('button', { name: 'Done' }).click()
}

const submit = (page: Page) => page.getByRole('button', { name: 'Create Booking' })

declare global {
  interface Window {
    /** When each booking was sent, in milliseconds of the page's clock. */
    sends?: number[]
  }
}

/**
 * Records when each request was submitted. Runs in the page, because a busy machine would distort the interval if it
 * were measured from outside, or between the requests, which leave some time after their submits.
 */
function recordSends() {
  const fetch = window.fetch.bind(window)
  let submitted = 0
  window.addEventListener('submit', () => (submitted = performance.now()), { capture: true })
  window.sends = []
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    if (url.includes('/create-booking/')) window.sends?.push(submitted)
    return fetch(input, init)
  }
}

test.describe('The corporate booking screen', () => {
  test('starts with today in the business time zone, and names missing fields without sending a request', async ({
    page,
    signIn,
  }) => {
    await signIn([9])
    await page.goto('/corporate-booking')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Corporate Booking')
    const purpose = page.getByRole('combobox', { name: 'Purpose' })
    await expect(purpose.locator('option:checked')).toHaveText('Select Purpose')
    await expect(page.getByLabel('Pod')).toHaveAttribute('placeholder', 'Select Pod')
    await expect(page.getByLabel('Date')).toHaveValue(businessDay())
    await expect(slotsButton(page)).toContainText('Select an Available Time Slot')
    let sent = 0
    page.on('request', (request) => {
      if (request.url().includes('create-booking')) sent += 1
    })
    const placeholderColor = () =>
      page.getByPlaceholder('Select Pod').evaluate((input) => getComputedStyle(input, '::placeholder').color)
    const grey = await placeholderColor()
    await submit(page).click()
    for (const text of ['Purpose is required', 'Pod selection is required', 'Time slot is required']) {
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    }
    // In red it would look like a wrong value.
    expect(await placeholderColor()).toBe(grey)
    await expect(purpose).toBeFocused()
    await expect(purpose.getByRole('option', { disabled: false })).toHaveText(['meeting', 'work', 'personal'])
    await purpose.selectOption('personal')
    await expect(page.getByText('Purpose is required')).toBeHidden()
    await page.getByLabel('Date').fill('')
    await expect(page.getByText('Date is required')).toBeVisible()
    expect(sent).toBe(0)
  })

  test('offers pods in order of title, found by typing, without blocked pods or pods at blocked locations', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([9])
    const closed = await buildLocation(server.db, { is_blocked: true })
    await buildPod(server.db, { title: 'Zinnia' })
    await buildPod(server.db, { title: 'Aurora' })
    await buildPod(server.db, { title: 'Aurora at a closed place', location_id: closed.id })
    await buildPod(server.db, { title: 'Aurora out of order', is_blocked: true })
    await page.goto('/corporate-booking')
    await page.getByRole('combobox', { name: 'Pod' }).click()
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Aurora/, /^Zinnia/])
    await expect(page.getByRole('option', { name: 'Aurora' })).toContainText('Cape Town, Western Cape')
    await page.getByRole('combobox', { name: 'Pod' }).fill('zin')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Zinnia/])
    await page.getByRole('combobox', { name: 'Pod' }).fill('nowhere')
    await expect(page.getByText('No pod found that can be booked')).toBeVisible()
  })

  test('shows 73 marks, disables past and booked ones, and refuses a time that includes a booked slot', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([9])
    const today = businessDay()
    server.clock.set(instantAt(today, '09:07'))
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await buildBooking(server.db, {
      pod_id: pod.id,
      start_time: wallTime(today, '12:00'),
      end_time: wallTime(today, '12:30'),
    })
    await page.goto('/corporate-booking')
    await choosePod(page, 'Aurora')
    await page.getByLabel('Date').fill(today)
    await slotsButton(page).click()
    await expect(slots(page).getByRole('group', { name: 'Time slots' }).getByRole('button')).toHaveCount(73)
    await expect(mark(page, '8:45 AM')).toHaveAccessibleName('8:45 AM, passed')
    await expect(mark(page, '8:45 AM')).toBeDisabled()
    await expect(mark(page, '9:00 AM')).toBeEnabled()
    await expect(mark(page, '12:15 PM')).toHaveAccessibleName('12:15 PM, booked')
    await expect(mark(page, '12:15 PM')).toBeDisabled()
    await expect(mark(page, '12:30 PM')).toBeEnabled()
    // At a zoom of 400 % a mark needs two lines, which its button has room for.
    await page.setViewportSize({ width: 320, height: 640 })
    const readExcess = () => mark(page, '12:30 PM').evaluate((node) => node.scrollHeight - node.clientHeight)
    expect(await readExcess(), 'pixels of a mark outside its button').toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1440, height: 900 })

    await mark(page, '11:00 AM').click()
    await expect(mark(page, '12:00 PM')).toHaveAccessibleName('12:00 PM, end only')
    await mark(page, '1:00 PM').click()
    await expect(slots(page).getByText('That time includes a slot that is already booked.')).toBeVisible()
    await expect(mark(page, '1:00 PM')).toHaveAttribute('aria-pressed', 'false')
    await mark(page, '12:00 PM').click()
    await expect(slots(page).getByText('That time includes')).toBeHidden()
    await expect(mark(page, '11:30 AM')).toHaveAccessibleName('11:30 AM, part of the booking')
    await slots(page).getByRole('button', { name: 'Done' }).click()
    await expect(slotsButton(page)).toContainText('11:00 AM - 12:00 PM')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('1 hour')
  })

  test('shows the first free mark at once, also late in the day', async ({ page, server, signIn }) => {
    server.clock.set(instantAt(businessDay(), '20:07'))
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await choosePod(page, 'Aurora')
    await slotsButton(page).click()
    await expect(mark(page, '8:00 PM')).toBeInViewport({ ratio: 1 })
    await expect(mark(page, '6:00 AM')).not.toBeInViewport()
  })

  test('refuses more than three hours, and a start without an end', async ({ page, server, signIn }) => {
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '12:00 PM')
    await expect(slotsButton(page)).toContainText('9:00 AM - 12:00 PM')
    await slotsButton(page).click()
    await mark(page, '12:15 PM').click()
    await expect(slots(page).getByText('Maximum booking time is 3 hours.', { exact: true })).toBeVisible()
    await expect(slots(page).getByRole('button', { name: 'Done' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await submit(page).click()
    await expect(page.getByText('Maximum booking time is 3 hours', { exact: true })).toBeVisible()
    await slotsButton(page).click()
    await slots(page).getByRole('button', { name: 'Clear' }).click()
    await mark(page, '9:00 AM').click()
    await slots(page).getByRole('button', { name: 'Done' }).click()
    await submit(page).click()
    await expect(page.getByText('Please choose a valid time.')).toBeVisible()
    await expect(page).toHaveURL(/\/corporate-booking$/)
  })

  test('keeps the marks that are free in a newly chosen pod, and names the cleared ones', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    const busy = await buildPod(server.db, { title: 'Baobab' })
    await buildBooking(server.db, { pod_id: busy.id, start_time: wallTime(businessDay(1), '09:30') })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '11:00 AM')
    await choosePod(page, 'Baobab')
    await expect(page.getByText('11:00 AM is not free and was cleared.')).toBeVisible()
    await slotsButton(page).click()
    await expect(mark(page, '9:00 AM')).toHaveAttribute('aria-pressed', 'true')
  })

  test('offers other times and pods instead of a chosen time that is taken', async ({ page, server, signIn }) => {
    await signIn([9])
    const aurora = await buildPod(server.db, { title: 'Aurora' })
    const busy = await buildPod(server.db, { title: 'Baobab', location_id: aurora.location_id })
    await buildBooking(server.db, { pod_id: busy.id, start_time: wallTime(businessDay(1), '09:30') })
    await page.goto(`/corporate-booking?pod=${busy.id}&date=${businessDay(1)}&start=09:00&end=11:00`)
    const free = page.getByRole('region', { name: 'Free instead' })
    await expect(free.getByRole('button')).toHaveText([
      '7:30 AM - 9:30 AM',
      '10:30 AM - 12:30 PM',
      '7:15 AM - 9:15 AM',
      /^Aurora, /,
    ])
    await free.getByRole('button', { name: /^Aurora/ }).click()
    await expect(free).toHaveCount(0)
    await expect(slotsButton(page)).toHaveText('9:00 AM - 11:00 AM')
    await choosePod(page, 'Baobab')
    await free.getByRole('button', { name: '10:30 AM - 12:30 PM' }).click()
    await expect(free).toHaveCount(0)
    await expect(slotsButton(page)).toHaveText('10:30 AM - 12:30 PM')
  })

  test('shows an error when free times cannot be loaded, and loads them on Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/429/)
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.route('**/product/availability/**', (route) =>
      route.fulfill({ status: 429, json: { message: 'Not now', code: 'too_many_requests', requestId: 'request-1' } }),
    )
    await page.goto('/corporate-booking')
    await choosePod(page, 'Aurora')
    await expect(page.getByText('The free times could not be loaded. Not now')).toBeVisible()
    await slotsButton(page).click()
    await expect(slots(page).getByText('Request request-1')).toBeVisible()
    await page.unroute('**/product/availability/**')
    await slots(page).getByRole('button', { name: 'Retry' }).click()
    await expect(mark(page, '11:00 PM')).toBeVisible()
  })

  test('says that what is free is still loading when it is sent too early', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const release = await holdRoute(page, '**/api/product/availability/**')
    await page.goto(`/corporate-booking?pod=${pod.id}&date=${businessDay(1)}&start=09:00&end=10:00`)
    await page.getByLabel('Purpose').selectOption('meeting')
    await submit(page).click()
    const early = page.getByText('What is free is still loading. Try again in a moment.')
    await expect(early).toBeVisible()
    await release()
    await expect(early).toHaveCount(0)
    await submit(page).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })

  test('shows why a booking was refused, and marks the slots taken meanwhile as booked', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/409/)
    await signIn([9])
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    await buildBooking(server.db, { pod_id: pod.id, start_time: wallTime(businessDay(1), '09:00') })
    await submit(page).click()
    const alert = page.getByRole('alert').filter({ hasText: FAILURE })
    await expect(alert).toContainText('Booking with the same date and time already exists')
    await expect(page.getByText('9:00 AM is not free and was cleared.')).toBeVisible()
    await slotsButton(page).click()
    await expect(mark(page, '9:15 AM')).toHaveAccessibleName('9:15 AM, booked')
  })

  test('sends a booking again as it was when its response was lost, and makes it once', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.clock.install()
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    const path = '**/api/user/create-booking/*'
    await page.route(path, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await submit(page).click()
    const alert = page.getByRole('alert').filter({ hasText: FAILURE })
    await expect(async () => {
      await page.clock.fastForward('00:20')
      await expect(alert).toContainText('it is not booked twice', { timeout: 500 })
    }).toPass()
    await page.unroute(path)
    // What is free is fetched again each minute, and leaves out the booking's own time.
    await moveClock(page, '01:00')
    await expect(page.getByText('9:00 AM is not free and was cleared.')).toBeVisible()
    await submit(page).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
    expect(await server.db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
  })

  test('sends one request despite repeated submits, and another only after three seconds', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/500/)
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    await page.evaluate(recordSends)
    let fail: (() => void) | undefined
    await page.route('**/user/create-booking/**', (route) => {
      fail = () => void route.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'internal' } })
    })
    await submit(page).dblclick()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(() => expect(fail).toBeDefined()).toPass()
    fail?.()
    await expect(page.getByRole('alert').filter({ hasText: FAILURE })).toContainText('The disk is full.')
    const countSends = () => page.evaluate(() => window.sends?.length)
    await expect(async () => {
      // A click can have an effect and still take longer than its time on a busy machine.
      if ((await countSends()) === 1) await submit(page).click({ timeout: 500 })
      expect(await countSends()).toBe(2)
    }).toPass()
    const [first = 0, second = 0] = (await page.evaluate(() => window.sends)) ?? []
    // The form reads the time a moment after this test does.
    expect(second - first).toBeGreaterThan(2_950)
  })

  test('leaves what is typed on another screen alone when a booking is made that was left while being sent', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    const release = await holdRoute(page, '**/user/create-booking/**')
    await submit(page).click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Add Company' }).click()
    const name = page.getByRole('dialog', { name: 'Add Company' }).getByLabel('Company name')
    await name.fill('Karoo Wool')
    await release()
    await expect(page.getByText('The booking was made after all')).toBeVisible()
    await expect(name).toHaveValue('Karoo Wool')
    await expect(page).toHaveURL('/companies')
    await page.getByRole('link', { name: 'Show its code' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })

  test('says that a booking failed that was left while being sent', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    await signIn()
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    let fail = () => {}
    const isLeft = new Promise<void>((resolve) => (fail = resolve))
    await page.route('**/user/create-booking/**', async (route) => {
      await isLeft
      await route.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'internal' } })
    })
    await submit(page).click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/companies')
    fail()
    await expect(page.getByRole('alert').filter({ hasText: FAILURE })).toContainText('The disk is full.')
  })

  for (const timezoneId of ['Pacific/Honolulu', 'Pacific/Auckland']) {
    test.describe(`in ${timezoneId}`, () => {
      test.use({ timezoneId })

      test('books by the pod’s wall clock, and opens the page with the QR code', async ({ page, server, signIn }) => {
        const staff = await signIn([9])
        const pod = await buildPod(server.db, { title: 'Aurora' })
        await page.goto('/corporate-booking')
        await fillIn(page, 'Aurora', '9:00 AM', '10:15 AM')
        const request = page.waitForRequest('**/user/create-booking/**')
        await submit(page).click()
        expect((await request).postDataJSON()).toEqual({
          bookingPurpose: 'meeting',
          bookingDate: businessDay(1),
          startTime: `${businessDay(1)}T09:00:00.000Z`,
          endTime: `${businessDay(1)}T10:15:00.000Z`,
          timeSlotNumber: '6',
          status: 'Pending',
          isBookingActive: true,
        })
        await expect(page).toHaveURL(/\/qr\?bookingId=[\w-]+$/)
        const ticket = page.getByRole('article', { name: 'Booking of Aurora' })
        await expect(ticket).toContainText('9:00 AM - 10:15 AM')
        await expect(ticket).toContainText(businessDay(1))
        const booking = await server.db
          .selectFrom('bookings')
          .select(['id', 'pod_id', 'staff_id', 'status', 'start_time'])
          .executeTakeFirstOrThrow()
        expect(page.url()).toContain(booking.id)
        expect(booking).toMatchObject({ pod_id: pod.id, staff_id: staff._id, status: 'Pending' })
        expect(booking.start_time).toEqual(wallTime(businessDay(1), '09:00'))
      })
    })
  }

  test('books by keyboard alone', async ({ page, server, signIn }) => {
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/corporate-booking')
    const { keyboard } = page
    await page.getByRole('combobox', { name: 'Purpose' }).focus()
    await keyboard.type('mee')
    await expect(page.getByRole('combobox', { name: 'Purpose' })).toHaveValue('meeting')
    await keyboard.press('Tab')
    await keyboard.type('Auro')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Aurora/])
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Pod' })).toHaveValue('Aurora')
    await keyboard.press('Tab')
    await expect(page.getByLabel('Date')).toBeFocused()
    await page.getByLabel('Date').fill(businessDay(1))
    await slotsButton(page).press('Enter')
    await expect(mark(page, '6:00 AM')).toBeVisible()
    await slots(page).getByRole('button', { name: '6:00 AM' }).focus()
    // The messages, which stay above the slots, cover neither the slot that has the focus nor the ring around it.
    const isCovered = () =>
      page.evaluate(() => {
        const { x, y } = (document.activeElement ?? document.body).getBoundingClientRect()
        return document.elementFromPoint(x + 4, y - 3)?.closest('[aria-live]') !== null
      })
    expect(await isCovered()).toBe(false)
    for (let row = 0; row < 18; row += 1) await keyboard.press('ArrowDown')
    for (let row = 0; row < 18; row += 1) {
      await keyboard.press('ArrowUp')
      expect(await isCovered()).toBe(false)
    }
    await keyboard.press('ArrowDown')
    await keyboard.press('Space')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowRight')
    await keyboard.press('Space')
    await expect(slots(page).getByText('7:00 AM - 8:15 AM, 1 hour 15 minutes')).toBeVisible()
    await keyboard.press('Escape')
    await expect(slotsButton(page)).toBeFocused()
    await keyboard.press('Tab')
    await expect(page.getByRole('switch', { name: 'Repeat' })).toBeFocused()
    await keyboard.press('Tab')
    await expect(page.getByLabel('Note for the visit')).toBeFocused()
    await keyboard.press('Tab')
    await expect(submit(page)).toBeFocused()
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })

  test('moves the focus to the first thing that is missing, which may be off the screen', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([9])
    await buildPod(server.db, { title: 'Aurora' })
    await page.setViewportSize(PHONE)
    await page.goto('/corporate-booking')
    await page.getByRole('combobox', { name: 'Purpose' }).selectOption('meeting')
    // No times are chosen, whichever are free.
    const release = await holdRoute(page, '**/api/product/availability/**')
    await choosePod(page, 'Aurora')
    await page.getByRole('switch', { name: 'Repeat' }).click()
    await submit(page).click()
    await expect(slotsButton(page)).toBeFocused()
    await expect(slotsButton(page)).toBeInViewport()
    await expect(page.getByText('Time slot is required')).toBeInViewport()
    await release()
    await fillIn(page, 'Aurora', '9:00 AM', '10:00 AM')
    const days = page.getByRole('group', { name: 'On' })
    await days.getByRole('checkbox', { checked: true }).uncheck()
    await submit(page).click()
    await expect(days.getByRole('checkbox', { name: 'Monday' })).toBeFocused()
    await days.getByRole('checkbox', { name: 'Monday' }).check()
    await submit(page).click()
    await expect(page.getByLabel('Until')).toBeFocused()
  })

  test('is accessible, on a phone too', async ({ page, server, signIn }) => {
    await signIn([9])
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await buildBooking(server.db, { pod_id: pod.id, start_time: wallTime(businessDay(1), '12:00') })
    await page.goto('/corporate-booking')
    await submit(page).click()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await choosePod(page, 'Aurora')
    await page.getByLabel('Date').fill(businessDay(1))
    await slotsButton(page).click()
    await mark(page, '9:00 AM').click()
    await mark(page, '10:00 AM').click()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
