import type { Locator, Page } from '@playwright/test'
import { sql } from 'kysely'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { instantAt } from './business-day.ts'
import { choose } from './choose.ts'
import { expect, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

const DESKTOP = { width: 1440, height: 900 }
const HTML = `"O'Brien" & <img src=x onerror="window.wasRun=1"> <b>Sons</b> \\ %`

/**
 * Names of maximum length, in other scripts, right-to-left, with multi-part emoji, and with characters that are special
 * to HTML and SQL.
 */
const names = [
  'W'.repeat(200),
  '静かな会議室・Комната для встреч・ห้องประชุม・बैठक कक्ष',
  'غرفة الاجتماعات الهادئة — חדר ישיבות שקט',
  '👩🏽‍💻 Focus 🇿🇦 👨‍👩‍👧‍👦 room 🛋️',
  HTML,
]

/** Builds a record of every kind for each name; all fit on the first page of their list. */
async function buildNamed({ db }: TestServer) {
  for (const name of names) {
    const location = await buildLocation(db, { name, street: name, city: name, state: name })
    const pod = await buildPod(db, { title: name, location_id: location.id })
    await buildFeature(db, { name })
    const user = await buildUser(db, { firstname: name, lastname: '', role: name, mobile: name })
    await buildStaff(db, { firstname: name.slice(0, 100), lastname: name.slice(100), role: name.slice(0, 100) })
    const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id, purpose: name.slice(0, 100) })
    await buildTransaction(db, { booking_id: booking.id, payment_facilitator: name, merchant_id: name })
  }
}

const screens = ['/features', '/pods', '/Transactions', '/user-details', '/booking', '/location', '/assign-role']

/** Finds a name by its beginning, because full names join two parts with a space. */
const named = (page: Page, name: string) =>
  page.getByRole('main').getByText(name.slice(0, 100)).filter({ visible: true }).first()

/** Expects that no text was interpreted as HTML or script. */
async function expectNothingRan(page: Page) {
  await expect(page.locator('img[src="x"]')).toHaveCount(0)
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
}

test.describe('Very long, non-Latin and HTML-like names', () => {
  test.beforeEach(async ({ server, signIn }) => {
    await buildNamed(server)
    await signIn()
  })

  test('appear unchanged in every list, on a desktop and on a phone', async ({ page }) => {
    for (const path of screens) {
      await test.step(path, async () => {
        await page.setViewportSize(DESKTOP)
        await page.goto(path)
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          for (const name of names) await expect(named(page, name)).toBeVisible()
          await expectNoSidewaysScroll(page)
        }
        await expectNothingRan(page)
      })
    }
  })

  test('appear unchanged on the dashboard, in search results, confirmations and forms', async ({ page }) => {
    await page.goto('/')
    const places = page.getByRole('region', { name: 'Locations', exact: true })
    for (const name of names) await expect(places.getByText(name, { exact: true }).first()).toBeAttached()
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(DESKTOP)

    await page.getByRole('combobox', { name: 'Search' }).fill('חדר ישיבות')
    await expect(page.getByRole('listbox', { name: 'Found' }).getByRole('option').first()).toContainText(names[2] ?? '')
    await page.getByRole('combobox', { name: 'Search' }).fill('<img src=x')
    const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await expect(found.first()).toContainText(HTML)
    await found.first().click()
    await expect(page).toHaveURL(/\/pods\?/)
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)

    await page.getByRole('button', { name: `Delete ${HTML}`, exact: true }).click()
    await expect(page.getByRole('alertdialog')).toContainText(`Are you sure you want to delete ${HTML}, `)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: `Edit ${HTML}`, exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit Pod' })
    await expect(form.getByLabel('Title')).toHaveValue(HTML)
    await expect(form.getByRole('combobox', { name: 'Location' })).toHaveValue(HTML)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectNothingRan(page)
  })

  test('wrap in the titles of dialogs, in the schedule of a phone, and in the labels of reminders', async ({
    page,
  }) => {
    const [long = ''] = names
    await page.goto('/pods')
    await page.getByRole('button', { name: `History ${long}` }).click()
    const dialog = page.getByRole('dialog')
    const title = await dialog.getByRole('heading', { level: 2 }).boundingBox()
    const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
    expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(close?.x ?? 0)
    await page.goto('/messages?show=templates')
    await expect(page.getByLabel(long)).toBeVisible()
    await expectNoSidewaysScroll(page)

    await page.setViewportSize(PHONE)
    await page.goto('/schedule')
    await expect(named(page, long)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: `Book ${long}` }).click()
    await expect(dialog).toContainText(long)
    await expect.poll(() => dialog.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    await expectNoSidewaysScroll(page)
  })

  test('wrap on the pages of a booking and a customer, and in the summary of a new booking', async ({
    page,
    server,
  }) => {
    const long = 'W'.repeat(100)
    const { id: location_id } = await buildLocation(server.db, { name: long, street: long, city: long })
    const { id: pod_id } = await buildPod(server.db, { title: long, location_id })
    const { id: user_id } = await buildUser(server.db, { firstname: long, lastname: long })
    const { id } = await buildBooking(server.db, { pod_id, user_id })
    const summary = page.getByRole('region', { name: 'Summary' })
    for (const [path, shown] of [
      [`/booking/${id}`, page.getByRole('heading', { name: 'Where' })],
      [`/user-details/${user_id}`, page.getByRole('heading', { name: long, level: 1 })],
      [`/corporate-booking?pod=${pod_id}&customer=${user_id}`, summary.getByText(long).first()],
    ] as const) {
      await test.step(path, async () => {
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          await page.goto(path)
          await expect(shown).toBeVisible()
          await expectNoSidewaysScroll(page)
        }
      })
    }
    // The summary clips what is wider, so that the page would not scroll.
    await expect(summary.getByText(long)).toHaveCount(3)
    expect(await summary.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  })
})

test('An email address breaks before its @ rather than in a word', async ({ page, server, signIn }) => {
  await signIn()
  const email = 'itumeleng.ramaphakela@accommodation.example'
  const { id: user_id } = await buildUser(server.db, { email })
  const { id } = await buildBooking(server.db, { user_id })
  await buildCompany(server.db, { name: 'Kudu Software', email })
  const showCompany = async () => {
    await page.getByRole('button', { name: 'Actions for Kudu Software' }).click()
    await page.getByRole('menuitem', { name: 'Details and bookings' }).click()
  }
  for (const [path, show] of [
    [`/booking/${id}`],
    [`/user-details/${user_id}`],
    [`/qr?bookingId=${id}`],
    ['/companies', showCompany],
  ] as const) {
    await test.step(path, async () => {
      await page.setViewportSize(PHONE)
      await page.goto(path)
      await show?.()
      const address = page.getByText(email, { exact: true }).filter({ visible: true }).last()
      await expect(address).toBeVisible()
      const lines = await address.evaluate((node) =>
        [...node.childNodes]
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map((text) => {
            const range = document.createRange()
            range.selectNode(text)
            return new Set([...range.getClientRects()].map(({ top }) => top)).size
          }),
      )
      expect(lines, 'lines of what is before the @, and of the rest').toEqual([1, 1])
    })
  }
})

test.describe('The narrowest phones', () => {
  test.use({ hasTouch: true, viewport: { width: 320, height: 640 } })

  test('show buttons whole and within their card, and the day of the schedule in one line', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn()
    const { id: location_id } = await buildLocation(server.db, { name: 'Long Street' })
    await buildPod(server.db, { location_id })
    await buildFeature(server.db)
    for (const [path, button] of [
      ['/', 'Show as table'],
      ['/policies', 'Edit policy'],
      ['/policies', 'Edit reasons'],
      ['/messages?show=keys', 'Create API key'],
    ] as const) {
      await page.goto(path)
      const label = page.getByRole('button', { name: button }).getByText(button)
      await expect(label).toBeVisible()
      expect(await label.evaluate((node) => node.scrollWidth - node.clientWidth), button).toBeLessThanOrEqual(0)
    }
    await page.goto('/')
    const id = page
      .getByRole('main')
      .getByRole('button', { name: /^Copy id / })
      .first()
    await expect(id).toBeVisible()
    expect((await id.boundingBox())?.height, 'height of an id that can be copied').toBeGreaterThanOrEqual(24)
    await page.goto('/corporate-booking')
    const repeat = page.locator('label', { hasText: 'Repeat' })
    expect((await repeat.boundingBox())?.height, 'height of a switch').toBeGreaterThanOrEqual(44)
    await page.goto('/location')
    const card = page.getByRole('main').getByRole('listitem')
    await expect(card).toContainText('1 pod')
    const readRight = async (part: Locator) => {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {}
      return x + width
    }
    const end = await readRight(card)
    for (const button of await card.getByRole('button').all()) expect(await readRight(button)).toBeLessThan(end)
    await page.goto('/schedule')
    const day = page.getByRole('heading', { level: 2 }).first()
    await expect(day).toHaveText(/^\d{4}-/)
    expect((await day.boundingBox())?.height).toBeLessThan(30)
  })
})

test.describe('Ten thousand users', () => {
  test('can be paged to the last list page, and searched', async ({ page, server, signIn }) => {
    await signIn([5])
    await sql`
      insert into users (id, firstname, lastname, email, mobile, role, username, created_at)
      select gen_random_uuid(), 'Customer', 'Number ' || n, 'customer' || n || '@example.com', '', 'user', 'customer' || n,
             timestamptz '2026-01-01' + n * interval '1 minute'
        from generate_series(1, 10000) as n`.execute(server.db)
    await page.goto('/user-details')
    await expect(page.getByText('All Users (10,000)')).toBeVisible()
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await expect(rows.nth(1)).toContainText('Customer Number 10000')
    await page.getByRole('button', { name: 'Page 1,000', exact: true }).click()
    await expect(page.getByText('9,991–10,000 of 10,000')).toBeVisible()
    await expect(rows).toHaveCount(11)
    await expect(rows.nth(10)).toContainText('customer1@example.com')
    await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(page.getByText('9,981–9,990 of 10,000')).toBeVisible()
    await page.setViewportSize(PHONE)
    await expect(page.getByText('Page 999 of 1,000')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(DESKTOP)
    await page.getByLabel('Search users').fill('number 7777')
    await expect(page.getByText('1 of 10,000', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/user-details\?search=/)
  })
})

test.describe('A list page beyond the last one', () => {
  test('redirects to the last list page', async ({ page, server, signIn }) => {
    await signIn()
    await buildTransaction(server.db)
    await buildUser(server.db)
    for (const path of ['/pods', '/Transactions', '/user-details', '/booking', '/location', '/assign-role']) {
      await test.step(path, async () => {
        await page.goto(`${path}?page=99`)
        await expect(page).toHaveURL(path)
        await expect(page.getByRole(path === '/location' ? 'listitem' : 'row').last()).toBeVisible()
        await expect(page.getByText('This page is empty.')).toBeHidden()
      })
    }
  })

  test('is left when its only row is deleted', async ({ page, server, signIn }) => {
    await signIn(undefined, { created_at: new Date('2020-01-01') })
    for (let index = 1; index <= 11; index++) {
      const created_at = new Date(Date.UTC(2026, 0, 20 - index))
      await buildUser(server.db, { firstname: 'Person', lastname: `${index}`, created_at })
      if (index < 11) await buildStaff(server.db, { firstname: 'Person', lastname: `${index}`, created_at })
    }
    await page.goto('/user-details?page=2')
    await page.getByRole('button', { name: 'Delete Person 11' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL('/user-details')
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(11)
    await expect(page.getByText('All Users (10)')).toBeVisible()
  })
})

for (const timezoneId of ['Pacific/Honolulu', 'Pacific/Auckland']) {
  test.describe(`When the browser is in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test('books a leap day until midnight', async ({ page, server, signIn }) => {
      const evening = instantAt('2028-02-29', '22:07')
      const staff = await signIn()
      const expires_at = new Date('2030-01-01T00:00:00Z')
      await server.db.updateTable('sessions').set({ expires_at }).where('staff_id', '=', staff._id).execute()
      server.clock.set(evening)
      await page.clock.setFixedTime(evening)
      await buildPod(server.db, { title: 'Aurora' })

      await page.goto('/corporate-booking')
      await expect(page.getByLabel('Date')).toHaveValue('2028-02-29')
      await page.getByRole('combobox', { name: 'Purpose' }).selectOption('personal')
      await choose(page.getByRole('combobox', { name: 'Pod' }), 'Aurora')
      await page.getByRole('button', { name: /^Time Slots/ }).click()
      const slots = page.getByRole('dialog', { name: 'Select Time Slots' })
      await expect(slots.getByRole('button', { name: '9:45 PM, passed' })).toBeDisabled()
      await slots.getByRole('button', { name: '10:00 PM', exact: true }).click()
      await slots.getByRole('button', { name: /^12:00 AM(,|$)/ }).click()
      await slots.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Create Booking' }).click()

      const ticket = page.getByRole('article', { name: 'Booking of Aurora' })
      await expect(ticket).toContainText('2028-02-29')
      await expect(ticket).toContainText('10:00 PM - 12:00 AM')
      const booking = await server.db
        .selectFrom('bookings')
        .select(['booking_date', 'start_time', 'end_time', 'slot_count'])
        .executeTakeFirstOrThrow()
      expect(booking).toMatchObject({
        booking_date: '2028-02-29',
        start_time: new Date('2028-02-29T22:00:00.000Z'),
        end_time: new Date('2028-03-01T00:00:00.000Z'),
        slot_count: 9,
      })
      await page.goto('/booking?from=2028-02-29&to=2028-02-29')
      await expect(page.getByRole('table').getByText('10:00 PM - 12:00 AM')).toBeVisible()
      await page.goto('/booking?from=2028-03-01')
      await expect(page.getByText('No booking matches these filters.')).toBeVisible()

      // The next day is the first of March, and completely free.
      const midnight = instantAt('2028-03-01', '00:00')
      server.clock.set(midnight)
      await page.clock.setFixedTime(midnight)
      await page.goto('/corporate-booking')
      await expect(page.getByLabel('Date')).toHaveValue('2028-03-01')
    })

    test('keeps the date of bookings until midnight on the last day of a month or year', async ({
      page,
      server,
      signIn,
    }) => {
      await signIn()
      const pod = await buildPod(server.db, { title: 'Aurora' })
      const days = ['2027-02-28', '2027-04-30', '2027-12-31']
      for (const day of days) {
        const start_time = new Date(`${day}T22:30:00.000Z`)
        const end_time = new Date(start_time.getTime() + 90 * 60_000)
        await buildBooking(server.db, { pod_id: pod.id, start_time, end_time })
      }
      await page.goto('/booking?sort=startTime')
      const rows = page.getByRole('table', { name: 'Bookings' }).getByRole('row')
      for (const [index, day] of days.entries()) {
        await expect(rows.nth(index + 1)).toContainText(day)
        await expect(rows.nth(index + 1)).toContainText('10:30 PM - 12:00 AM')
      }
      await page.goto('/')
      const panel = page.getByRole('region', { name: 'Bookings', exact: true })
      for (const day of days) await expect(panel.getByText(day)).toBeVisible()
    })
  })
}
