import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { toDataURL } from 'qrcode'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { instantAt, wallTime } from './business-day.ts'
import { DOWN } from './failures.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { PUBLIC_URL, type TestServer } from './test-server.ts'

const DAY = '2026-11-23'
/** Ten past nine on the pods' wall clock. */
const NOW = instantAt(DAY, '09:10')

async function buildDay({ db }: TestServer) {
  const location = await buildLocation(db, { name: 'Rosebank' })
  const build = async (firstname: string, lastname: string, time: string, more = {}) => {
    const pod = await buildPod(db, { title: `${firstname}’s pod`, location_id: location.id })
    const user = await buildUser(db, { firstname, lastname })
    return buildBooking(db, {
      pod_id: pod.id,
      user_id: user.id,
      start_time: wallTime(DAY, time),
      status: 'Confirmed',
      ...more,
    })
  }
  return {
    late: await build('Ayesha', 'Patel', '09:00'),
    expected: await build('Johan', 'Botha', '11:00', { note: 'Needs a ramp' }),
    inside: await build('Thabo', 'Nkosi', '08:30', { checked_in_at: new Date(NOW), checked_in_method: 'door' }),
  }
}

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

test.describe('The arrivals screen', () => {
  /** Reads what ending a booking early changes. */
  const endRow = ({ db }: TestServer, id: string) =>
    db.selectFrom('bookings').select(['status', 'released_from']).where('id', '=', id).executeTakeFirstOrThrow()

  test.beforeEach(async ({ page, server, signIn }) => {
    await signIn([6])
    server.clock.set(NOW)
    await page.setViewportSize(PHONE)
  })

  test('ends a booking early, which frees the time from the next quarter hour, and undoes the ending', async ({
    page,
    server,
  }) => {
    const { inside } = await buildDay(server)
    const isEnded = { status: 'Completed', released_from: wallTime(DAY, '09:15') }
    await page.goto('/arrivals')
    await page.getByRole('button', { name: /^End now: Thabo Nkosi/ }).click()
    await expect(group(page, 'Over')).toContainText('Thabo Nkosi')
    expect(await endRow(server, inside.id)).toEqual(isEnded)
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await expect(group(page, 'In')).toContainText('Thabo Nkosi')
    await page.goto(`/booking/${inside.id}`)
    const actions = page.getByRole('region', { name: 'What can be done' })
    await expect(actions).toContainText(
      'End now frees the time from the next quarter of an hour; nothing is given back.',
    )
    await actions.getByRole('button', { name: 'End now' }).click()
    await expect(messages(page)).toContainText('The booking of Thabo’s pod has ended')
    expect(await endRow(server, inside.id)).toEqual(isEnded)
    await actions.getByRole('button', { name: 'Not over yet' }).click()
    await expect(actions.getByRole('button', { name: 'End now' })).toBeVisible()
    expect(await endRow(server, inside.id)).toMatchObject({ released_from: null })
  })

  test('says of a booking in its last quarter of an hour that ending it frees no time', async ({ page, server }) => {
    const { inside } = await buildDay(server)
    server.clock.set(instantAt(DAY, '09:20'))
    await page.goto(`/booking/${inside.id}`)
    const actions = page.getByRole('region', { name: 'What can be done' })
    await expect(actions).toContainText('End now frees no time, as the last quarter of an hour has begun')
    await actions.getByRole('button', { name: 'End now' }).click()
    await expect(messages(page)).toContainText('The booking of Thabo’s pod has ended')
    expect(await endRow(server, inside.id)).toEqual({ status: 'Completed', released_from: null })
  })

  test('shows late, expected and present customers, checks one in with a tap, undoes that, and records a no-show', async ({
    page,
    server,
  }) => {
    const { expected } = await buildDay(server)
    await page.goto('/arrivals')
    await expect(group(page, 'Late')).toContainText('Ayesha Patel')
    await expect(group(page, 'Expected')).toContainText('Needs a ramp')
    await expect(group(page, 'In')).toContainText('Thabo Nkosi')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Check in Ayesha Patel/ }).click()
    await expect(group(page, 'In')).toContainText('Ayesha Patel')
    await expect(messages(page)).toContainText('Ayesha Patel is checked in')
    await messages(page).getByRole('button', { name: 'Undo' }).click()
    await expect(group(page, 'Late')).toContainText('Ayesha Patel')
    await page.getByRole('button', { name: /^No-show: Ayesha Patel/ }).click()
    await expect(group(page, 'Over')).toContainText('No-show')
    await page.getByRole('button', { name: /^Booking of Johan Botha/ }).click()
    await expect(page.getByRole('dialog', { name: 'Booking' })).toContainText('+27 82 555 0101')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Johan Botha', exact: true }).click()
    await expect(page).toHaveURL(`/user-details/${expected.user_id}`)
  })

  test('puts a customer back whose check-in could not be sent, and checks in on Retry', async ({ page, server }) => {
    expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/)
    await buildDay(server)
    await page.goto('/arrivals')
    await expect(group(page, 'Late')).toContainText('Ayesha Patel')
    await page.route('**/api/**', (route) => route.abort())
    await page.getByRole('button', { name: /^Check in Ayesha Patel/ }).click()
    await expect(group(page, 'In')).toContainText('Ayesha Patel')
    const failure = messages(page).getByRole('alert').filter({ hasText: DOWN })
    await expect(failure).toBeVisible({ timeout: 20_000 })
    await expect(group(page, 'Late').getByRole('button', { name: /^Check in Ayesha Patel/ })).toBeVisible()
    await page.unroute('**/api/**')
    await failure.getByRole('button', { name: 'Retry' }).click()
    await expect(messages(page)).toContainText('Ayesha Patel is checked in')
    await expect(failure).toHaveCount(0)
  })

  test('says whose check-ins could not be sent, and offers Retry for each', async ({ page, server }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildDay(server)
    await page.goto('/arrivals')
    await expect(group(page, 'Late')).toContainText('Ayesha Patel')
    await page.route('**/check-in', (route) => route.abort())
    for (const name of ['Ayesha Patel', 'Johan Botha']) {
      await page.getByRole('button', { name: new RegExp(`^Check in ${name}`) }).press('Enter')
      // Not yet known to be done.
      await expect(group(page, 'In').getByRole('listitem').filter({ hasText: name })).toContainText('Checking in…')
    }
    const failure = (name: string) =>
      messages(page)
        .getByRole('alert')
        .filter({ hasText: `Check-in of ${name}: ${DOWN}` })
    for (const name of ['Ayesha Patel', 'Johan Botha']) await expect(failure(name)).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/check-in')
    for (const name of ['Ayesha Patel', 'Johan Botha']) {
      await failure(name).getByRole('button', { name: 'Retry' }).click()
      await expect(group(page, 'In').getByRole('listitem').filter({ hasText: name })).toContainText('In since')
    }
  })

  test('shows a slow check-in while others are fetched, and is not refused on Retry when its responses were lost', async ({
    page,
    server,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    const { late, expected } = await buildDay(server)
    await page.goto('/arrivals')
    let isLost = true
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route(`**/bookings/${late.id}/check-in`, async (route) => {
      if (!isLost) return route.continue()
      await isReleased
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Check in Ayesha Patel' }).click()
    await expect(group(page, 'In')).toContainText('Ayesha Patel')
    await server.db.updateTable('bookings').set({ note: 'Needs a lift' }).where('id', '=', expected.id).execute()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(group(page, 'Expected')).toContainText('Needs a lift')
    expect(await group(page, 'In').textContent()).toContain('Ayesha Patel')
    release()
    const failure = messages(page).getByRole('alert').filter({ hasText: DOWN })
    await expect(failure).toBeVisible({ timeout: 20_000 })
    isLost = false
    await failure.getByRole('button', { name: 'Retry' }).click()
    await expect(messages(page)).toContainText('Ayesha Patel is checked in')
    await expect(messages(page).getByRole('alert')).toHaveCount(0)
  })

  test('asks before Back closes the booking over a note, also once a page has been given', async ({ page, server }) => {
    await buildDay(server)
    const menu = page.getByRole('navigation', { name: 'Main', includeHidden: true }).first()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/schedule')
    await menu.getByRole('link', { name: 'Arrivals' }).click()
    await page.getByRole('button', { name: /^Booking of Ayesha Patel/ }).click()
    await page.getByRole('button', { name: 'Add note' }).click()
    const note = page.getByRole('dialog', { name: 'Note' }).getByLabel('Note')
    await note.fill('Needs a ramp')
    await server.db
      .updateTable('staff')
      .set({ pages: [3, 6] })
      .execute()
    // With the next response the frame around the screen is drawn again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(menu.locator('a[href="/pods"]')).toBeAttached()
    await page.evaluate(() => history.back())
    await page
      .getByRole('alertdialog', { name: 'Discard changes?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await expect(note).toHaveValue('Needs a ramp')
    await expect(page).toHaveURL('/arrivals')
  })

  test('checks in one customer by a double click, and not the one who is next', async ({ page, server }) => {
    const { expected } = await buildDay(server)
    await server.db
      .updateTable('bookings')
      .set({ start_time: wallTime(DAY, '09:00') })
      .where('id', '=', expected.id)
      .execute()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/arrivals')
    const first = group(page, 'Late')
      .getByRole('button', { name: /^Check in/ })
      .first()
    const box = await first.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    // On an iPhone, each click is the first one. Sent together: on a busy machine, they could come too late one by one.
    const clicks = [1, 1, 2].flatMap((clickCount) => [page.mouse.down({ clickCount }), page.mouse.up({ clickCount })])
    await Promise.all(clicks)
    await expect(messages(page)).toContainText('Ayesha Patel is checked in')
    await page.reload()
    await expect(group(page, 'In')).toContainText('Ayesha Patel')
    await expect(group(page, 'Late')).toContainText('Johan Botha')
  })

  test('checks customers in by a scanned or typed code, and refuses an unknown code', async ({ page, server }) => {
    expectConsoleErrors(/400/)
    const { late, expected } = await buildDay(server)
    const picture = await toDataURL(`${PUBLIC_URL}/qr?bookingId=${late.id}`, { width: 320 })
    // The browser's camera shows the customer's code.
    await page.addInitScript((source) => {
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 })
        const image = new Image()
        image.src = source
        await image.decode()
        const draw = () => {
          canvas.getContext('2d')?.drawImage(image, 40, 40)
          requestAnimationFrame(draw)
        }
        draw()
        return canvas.captureStream(30)
      }
    }, picture)
    await page.goto('/arrivals')
    await page.getByRole('button', { name: 'Scan code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check in by code' })
    const checkedIn = (name: string) => dialog.getByRole('status').filter({ hasText: `${name} is checked in` })
    await expect(dialog.getByText('Ayesha Patel is checked in').first()).toBeVisible({ timeout: 20_000 })
    // Screen readers say it once.
    await expect(checkedIn('Ayesha Patel')).toHaveCount(1)
    await dialog.getByLabel('Or type the code').fill('guess')
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(dialog.getByRole('status').first()).toContainText('None of today’s bookings has this code')
    await dialog.getByLabel('Or type the code').fill(expected.id.slice(-8))
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(checkedIn('Johan Botha')).toHaveCount(1)
    await expect(dialog.getByText('None of today’s bookings has this code')).toHaveCount(0)
    await expectNoSidewaysScroll(page)
  })

  test('says that a check-in made offline is not saved yet, and asks before a reload', async ({
    page,
    context,
    server,
  }) => {
    expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/)
    await buildDay(server)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.goto('/arrivals')
    const checkIn = page.getByRole('button', { name: /^Check in Ayesha Patel/ })
    await expect(checkIn).toBeVisible()
    await context.setOffline(true)
    await checkIn.click()
    await expect(page.getByText('You are offline. Your last change is not saved yet. Trying again…')).toBeVisible()
    await page.evaluate(() => window.location.reload())
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await context.setOffline(false)
    await expect(messages(page)).toContainText('Ayesha Patel is checked in')
    await page.reload()
    await expect(group(page, 'In')).toContainText('Ayesha Patel')
    expect(asked).toEqual(['beforeunload'])
  })

  test('says in a drawer too that an action could not be sent yet', async ({ page, server }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildDay(server)
    await page.goto('/arrivals')
    await page.getByRole('button', { name: 'Booking of Ayesha Patel' }).click()
    const drawer = page.getByRole('dialog', { name: 'Booking' })
    await page.route('**/check-in', (route) => route.abort())
    await drawer.getByRole('button', { name: 'Check in' }).click()
    await expect(drawer.getByText('Connection lost. Trying again…')).toBeVisible()
    await page.unroute('**/check-in')
    await expect(drawer.getByText(/^Checked in today/)).toBeVisible()
    await expect(drawer.getByText('Connection lost. Trying again…')).toHaveCount(0)
  })

  test('says that a check-in by code is being sent, and that it has failed once the dialog is closed', async ({
    page,
    server,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    const { expected } = await buildDay(server)
    await page.goto('/arrivals')
    await page.getByRole('button', { name: 'Scan code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check in by code' })
    await page.route('**/check-ins', (route) => route.abort())
    await dialog.getByLabel('Or type the code').fill(expected.id.slice(-8))
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(dialog.getByText('Connection lost. Trying again…')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const failure = messages(page)
      .getByRole('alert')
      .filter({ hasText: `Check-in by code: ${DOWN}` })
    await expect(failure).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/check-ins')
    await failure.getByRole('button', { name: 'Retry' }).click()
    await expect(group(page, 'In')).toContainText('Johan Botha')
  })

  test('says when the camera cannot be used, and when nobody is expected', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Denied', 'NotAllowedError'))
    })
    await page.goto('/arrivals')
    await expect(page.getByText('Nobody is expected today.')).toBeVisible()
    await page.getByRole('button', { name: 'Scan code' }).click()
    await expect(page.getByRole('alert')).toContainText('The camera cannot be used.')
    await expect(page.getByText('Hold the customer’s code before the camera.')).toHaveCount(0)
    await expectAccessible(page)
  })

  test('fetches the first 200 of a group until all are asked for, and finds anybody', async ({ page, server }) => {
    const { expected, late } = await buildDay(server)
    await sql`
      insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status)
      select gen_random_uuid(), pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status
        from bookings, generate_series(1, 1000) where id = ${expected.id}`.execute(server.db)
    await buildBooking(server.db, {
      user_id: late.user_id,
      pod_id: late.pod_id,
      start_time: wallTime(DAY, '23:00'),
      end_time: wallTime(DAY, '23:30'),
    })
    await page.goto('/arrivals')
    const rows = group(page, 'Expected').getByRole('listitem')
    await expect(rows).toHaveCount(200)
    await expect(page.getByText('1,004 today')).toBeVisible()
    await expect(group(page, 'Expected').getByRole('heading')).toHaveText('Expected 1,002')
    await expect(group(page, 'Expected').getByText('The first 200 of 1,002')).toBeVisible()
    await group(page, 'Late').getByRole('button', { name: 'Check in Ayesha Patel' }).click()
    await expect(group(page, 'In').getByRole('heading')).toHaveText('In 2')
    const search = page.getByRole('searchbox')
    await search.fill('ayesha')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('11:00 PM')
    await expect(page.getByText('2 found')).toBeVisible()
    await search.fill('')
    await expect(rows).toHaveCount(200)
    const showAll = page.getByRole('button', { name: 'Show all' })
    await showAll.click()
    await expect(rows).toHaveCount(1002)
    await expect(showAll).toBeHidden()
  })

  test('breaks no word of a booking, its code, its customer, a company or a card at a zoom of 200 %, and cuts off no button', async ({
    page,
    server,
    signIn,
  }) => {
    const { inside } = await buildDay(server)
    await buildTransaction(server.db, { booking_id: inside.id })
    await buildCompany(server.db, { name: 'Thabo & Sons', contact_name: 'Thandeka Vilakazi', phone: '+27 82 555 0101' })
    await signIn([5, 6, 9])
    await page.setViewportSize({ width: PHONE.width / 2, height: PHONE.height / 2 })
    const expectWhole = async (path: string) => {
      await expect(page.getByText(/Thabo/).filter({ visible: true }).first()).toBeVisible()
      await expectNoSidewaysScroll(page)
      const found = await page.evaluate(() => {
        const listTexts = (selector: string, isWrong: (element: Element) => boolean) =>
          [...document.querySelectorAll(`:is(main, dialog) ${selector}`)]
            .filter((element) => element.checkVisibility() && element.textContent !== '' && isWrong(element))
            .map(({ textContent }) => textContent)
        return {
          broken: listTexts(
            ':is(h1, h2, h3, dd, li > span, [data-heading])',
            ({ clientWidth, clientHeight }) => clientWidth < 60 && clientHeight > 60,
          ),
          cutOff: listTexts('button > span', ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1),
        }
      })
      expect(found, path).toEqual({ broken: [], cutOff: [] })
    }
    for (const path of [
      `/booking/${inside.id}`,
      `/qr?bookingId=${inside.id}`,
      `/user-details/${inside.user_id}`,
      '/booking',
      '/user-details',
      '/companies',
    ]) {
      await page.goto(path)
      await expectWhole(path)
    }
    await page.getByRole('button', { name: 'Actions for Thabo & Sons' }).click()
    await page.getByRole('menuitem', { name: 'Details and bookings' }).click()
    await expect(page.getByRole('dialog').getByText('Thandeka Vilakazi')).toBeVisible()
    await expectWhole('the company')
  })

  test('prints whom to expect, with the location, the date and the time', async ({ page, server }) => {
    const { late } = await buildDay(server)
    await page.goto(`/arrivals?location=${late.location_id}`)
    const shown = 'Rosebank, 2026-11-23, Monday, 9:10 AM'
    const checkIn = group(page, 'Late').getByRole('button', { name: /^Check in/ })
    await expect(checkIn).toBeVisible()
    await expect(page.getByText(shown)).toBeHidden()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(shown)).toBeVisible()
    await expect(group(page, 'Late').getByText('Ayesha Patel', { exact: true })).toBeVisible()
    await expect(group(page, 'In').getByText(/^In since/)).toBeVisible()
    await expect(checkIn).toBeHidden()
  })

  test.describe('on a touch screen', () => {
    test.use({ hasTouch: true, isMobile: true })

    test('closes a booking at once that was opened while a toast is shown', async ({ page, server }) => {
      await buildDay(server)
      await page.goto('/arrivals')
      await group(page, 'Late').getByRole('button', { name: 'Check in Ayesha Patel' }).tap()
      await expect(messages(page)).toContainText('Ayesha Patel is checked in')
      await page.getByRole('button', { name: 'Booking of Johan Botha' }).tap()
      const drawer = page.getByRole('dialog', { name: 'Booking' })
      await expect(messages(page)).toContainText('Ayesha Patel is checked in')
      // The second is that of the toast. It is not waited for until it hides.
      await drawer.getByRole('button', { name: 'Close' }).first().tap({ timeout: 2_000 })
      await expect(drawer).toHaveCount(0)
    })

    test('scans without opening the keyboard', async ({ page }) => {
      await page.goto('/arrivals')
      await page.getByRole('button', { name: 'Scan code' }).tap()
      const dialog = page.getByRole('dialog', { name: 'Check in by code' })
      await expect(dialog.getByRole('heading', { name: 'Check in by code' })).toBeFocused()
    })

    test('breaks no word of a name at a zoom of 200 %, nor does the schedule', async ({ page, server }) => {
      await buildDay(server)
      await page.goto('/arrivals')
      await page.setViewportSize({ width: PHONE.width / 2, height: PHONE.height / 2 })
      const heightOf = async (name: string) => (await page.getByText(name, { exact: true }).boundingBox())?.height
      // One line or two, between its words.
      expect(await heightOf('Ayesha Patel')).toBeLessThan(45)
      await page.goto('/schedule')
      const booking = page.getByRole('button', { name: /Ayesha Patel/ })
      const [whole, status] = [await booking.boundingBox(), await booking.getByText('Confirmed').boundingBox()]
      expect(await heightOf('Ayesha Patel')).toBeLessThan(45)
      expect((status?.x ?? 0) + (status?.width ?? 0)).toBeLessThan((whole?.x ?? 0) + (whole?.width ?? 0))
    })

    test('has phone numbers as high as a finger, and the customer’s name on top of the booking', async ({
      page,
      server,
    }) => {
      await buildDay(server)
      await page.goto('/arrivals')
      const number = page.getByRole('link', { name: 'Call Ayesha Patel' })
      await expect(number).toBeVisible()
      expect((await number.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      await page.getByRole('link', { name: 'Ayesha Patel', exact: true }).tap()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ayesha Patel')
    })
  })
})
