import type { Browser } from '@playwright/test'
import {
  buildBooking,
  buildClosure,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildSeries,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import {
  expect,
  expectAccessible,
  expectConsoleErrors,
  expectNoSidewaysScroll,
  PHONE,
  signInAs,
  test,
} from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'
import type { TestServer } from './test-server.ts'

test.describe('A staff member with one location', () => {
  test('sees only its pods, bookings and customers, and its name', async ({ page, server, signIn }) => {
    // The pods' images do not exist.
    const here = await buildLocation(server.db, { name: 'Rosebank', city: 'Johannesburg' })
    const there = await buildLocation(server.db, { name: 'Waterfront', city: 'Cape Town' })
    for (const [location, title, firstname] of [
      [here, 'Acacia', 'Naledi'],
      [there, 'Baobab', 'Pieter'],
    ] as const) {
      const pod = await buildPod(server.db, { title, location_id: location.id })
      const user = await buildUser(server.db, { firstname })
      await buildBooking(server.db, {
        pod_id: pod.id,
        user_id: user.id,
        start_time: new Date('2030-01-07T09:00:00.000Z'),
      })
    }
    const staff = await signIn(undefined, { location_ids: [here.id] })
    await page.goto('/pods')
    await expect(page.getByText('Acacia').first()).toBeVisible()
    await expect(page.getByText('Baobab')).toHaveCount(0)
    await expect(page.getByText('Rosebank only')).toBeVisible()
    await page.goto('/booking')
    await expect(page.getByText('Naledi').first()).toBeVisible()
    await expect(page.getByText('Pieter')).toHaveCount(0)
    await page.goto('/user-details')
    await expect(page.getByText('Naledi').first()).toBeVisible()
    await expect(page.getByText('Pieter')).toHaveCount(0)
    await expectAccessible(page)
    await server.db.updateTable('locations').set({ deleted_at: new Date() }).where('id', '=', here.id).execute()
    await page.reload()
    await expect(page.getByText('No location', { exact: true })).toBeVisible()
    // A colleague changes the locations; the next screen reflects that.
    await server.db.updateTable('staff').set({ location_ids: null }).where('id', '=', staff._id).execute()
    await page.goto('/pods')
    await expect(page.getByText('Baobab').first()).toBeVisible()
    await expect(page.getByText('Rosebank only')).toHaveCount(0)
  })

  test('is offered nothing that takes all locations', async ({ page, server, signIn }) => {
    const here = await buildLocation(server.db, { name: 'Rosebank', city: 'Johannesburg' })
    const pod = await buildPod(server.db, { title: 'Acacia', location_id: here.id })
    const user = await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube' })
    const company = await buildCompany(server.db, { name: 'Acme' })
    const at = (hour: string) => ({ pod_id: pod.id, start_time: new Date(`2030-01-07T${hour}:00:00.000Z`) })
    await buildBooking(server.db, { ...at('09'), user_id: user.id })
    await buildBooking(server.db, { ...at('12'), company_id: company.id })
    await buildFeature(server.db, { name: 'Wi-Fi' })
    const ends = { starts: new Date('2030-01-05T08:00:00.000Z'), ends: new Date('2030-01-05T09:00:00.000Z') }
    await buildClosure(server.db, { podId: pod.id, reason: 'Painting', ...ends })
    const both = await buildClosure(server.db, { podId: pod.id, reason: 'Load shedding', ...ends })
    await server.db
      .insertInto('closure_pods')
      .values({ closure_id: both.id, pod_id: (await buildPod(server.db, { title: 'Baobab' })).id })
      .execute()
    await signIn(undefined, { location_ids: [here.id] })
    const main = page.getByRole('main')
    const withoutAny = async (...names: RegExp[]) => {
      for (const name of names) await expect(main.getByRole('button', { name })).toHaveCount(0)
    }

    await page.goto('/features')
    await expect(main.getByText('Wi-Fi')).toBeVisible()
    await expect(main.getByText('View only')).toBeVisible()
    await withoutAny(/^Create/, /^Block/, /^Delete/, /^Edit/, /^Move/)
    await page.goto('/user-details')
    await expect(main.getByText('Naledi Dube')).toBeVisible()
    await expect(main.getByText('View only')).toBeHidden()
    await withoutAny(/^Block/, /^Delete/)
    await page.goto(`/user-details/${user.id}`)
    await expect(main.getByRole('button', { name: 'Book for Naledi' })).toBeVisible()
    await withoutAny(/^Block/)
    await page.goto('/location')
    await expect(main.getByRole('button', { name: 'Edit Rosebank' })).toBeVisible()
    await withoutAny(/^Add/, /^Delete/)
    await page.goto('/companies')
    await expect(main.getByRole('button', { name: 'Edit Acme' })).toBeVisible()
    await withoutAny(/^Delete/)
    await page.goto('/Transactions')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(/Transactions/)
    await withoutAny(/^Manage/)
    await page.goto('/closures')
    const end = (reason: string) => page.getByRole('row', { name: reason }).getByRole('button', { name: /^End now/ })
    await expect(end('Painting')).not.toHaveAttribute('aria-disabled', 'true')
    await expect(end('Load shedding')).toHaveAttribute('aria-disabled', 'true')
    await page.goto('/pods')
    await expect(main.getByRole('button', { name: 'Delete Acacia' })).toBeVisible()
    // What a screen of Assign Role shows takes all locations, so that none of them is listed.
    await page.goto('/activity')
    await expect(page).toHaveURL('/')
    const menu = page.getByRole('navigation', { name: 'Main' }).first()
    await expect(menu.getByRole('link', { name: 'Companies' })).toBeVisible()
    for (const name of ['Assign Role', 'Policies', 'Activity', 'Messages'])
      await expect(menu.getByRole('link', { name })).toHaveCount(0)
  })

  test('is told that customers appear once they have booked there', async ({ page, server, signIn }) => {
    await buildUser(server.db, { firstname: 'Naledi' })
    await signIn(undefined, { location_ids: [(await buildLocation(server.db)).id] })
    for (const path of ['/user-details', '/']) {
      await page.goto(path)
      await expect(
        page.getByText('Customers appear here once they have booked at one of your locations.'),
      ).toBeVisible()
    }
  })

  test('is told that the figures on a customer’s page are of these', async ({ page, server, signIn }) => {
    const user = await buildUser(server.db)
    const booking = await buildBooking(server.db, { user_id: user.id })
    const staff = await signIn(undefined, { location_ids: [booking.location_id] })
    await page.goto(`/user-details/${user.id}`)
    const note = page.getByText('Bookings and payments are those at your locations.')
    await expect(note).toBeVisible()
    await expectAccessible(page)
    await server.db.updateTable('staff').set({ location_ids: null }).where('id', '=', staff._id).execute()
    await page.reload()
    await expect(page.getByText('No-shows')).toBeVisible()
    await expect(note).toBeHidden()
  })

  test('can book no pod that has left these since it was chosen', async ({ page, server, signIn }) => {
    expectConsoleErrors(/404/)
    const [here, there] = [await buildLocation(server.db), await buildLocation(server.db)]
    const acacia = await buildPod(server.db, { title: 'Acacia', location_id: there.id })
    await buildPod(server.db, { title: 'Baobab', location_id: here.id })
    const staff = await signIn(undefined, { location_ids: [here.id, there.id] })
    await page.goto(`/corporate-booking?pod=${acacia.id}&date=2030-01-07&start=09:00&end=10:00&purpose=work`)
    await expect(page.getByText('Nothing is taken on this day.')).toBeVisible()
    await server.db
      .updateTable('staff')
      .set({ location_ids: [here.id] })
      .where('id', '=', staff._id)
      .execute()
    await page.getByLabel('Date', { exact: true }).fill('2030-01-08')
    await expect(page.getByText('This pod cannot be booked any more. Choose another.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Create Booking' }).click()
    const pod = page.getByRole('combobox', { name: 'Pod' })
    await expect(pod).toBeFocused()
    await choose(pod, 'Baobab', /^Baobab/)
    await expect(page.getByText('Nothing is taken on this day.')).toBeVisible()
    await page.getByRole('button', { name: 'Create Booking' }).click()
    await expect(page).toHaveURL(/\/qr\?bookingId=/)
  })

  test('is offered no change of a series that has bookings at other locations', async ({ page, server, signIn }) => {
    const pod = await buildPod(server.db, { location_id: (await buildLocation(server.db)).id })
    const toTime = (day: string, hour: string) => new Date(`2030-01-${day}T${hour}:00:00.000Z`)
    const at = (day: string) => ({ pod_id: pod.id, start_time: toTime(day, '09'), end_time: toTime(day, '10') })
    const booking = await buildSeries(server.db, at('07'))
    const { series_id } = booking
    await buildBooking(server.db, { ...at('14'), series_id })
    await signIn(undefined, { location_ids: [pod.location_id] })
    const several = page.getByRole('dialog').getByRole('option', { name: /^(This one and|All of)/ })
    const open = async (name: string) => {
      await page.goto(`/booking/${booking.id}`)
      await page.getByRole('main').getByRole('button', { name }).click()
      await expect(several).toHaveCount(2)
    }

    await open('Cancel booking')
    await expect(several.first()).toBeEnabled()
    await buildBooking(server.db, { ...at('21'), pod_id: (await buildPod(server.db)).id, series_id })
    for (const name of ['Cancel booking', 'Move']) {
      await open(name)
      await expect(page.getByRole('dialog')).toContainText('It has bookings at other locations too')
      for (const option of await several.all()) await expect(option).toBeDisabled()
    }
    await expectAccessible(page)
  })

  test('sees no more of a booking and its customer once a colleague has moved it away', async ({
    page,
    server,
    signIn,
    browser,
  }) => {
    expectConsoleErrors(/404/)
    const { here, booking, moveAway } = await buildMovable(server, browser)
    await signIn(undefined, { location_ids: [here.id] })
    await Promise.all([page.waitForResponse('**/api/live'), page.goto(`/booking/${booking.id}`)])
    await expect(page.getByRole('main')).toContainText('Naledi Dlamini')
    const customer = await page.context().newPage()
    await customer.goto(`/user-details/${booking.user_id}`)
    await expect(customer.getByRole('heading', { level: 1 })).toHaveText('Naledi Dlamini')
    await moveAway()
    await expect(page.getByRole('status').getByText('There is no such booking.')).toBeVisible()
    await expect(page.getByText('Naledi Dlamini')).toHaveCount(0)
    await expect(customer.getByText(/^There is no customer with the id/)).toBeVisible()
  })

  test('keeps what they are typing there until they discard it', async ({ page, server, signIn, browser }) => {
    expectConsoleErrors(/404/)
    const { here, booking, moveAway } = await buildMovable(server, browser)
    await signIn(undefined, { location_ids: [here.id] })
    const customer = await page.context().newPage()
    await Promise.all([page.waitForResponse('**/api/live'), page.goto(`/booking/${booking.id}`)])
    await customer.goto(`/user-details/${booking.user_id}`)
    for (const tab of [page, customer]) {
      await tab.getByRole('button', { name: 'Add note' }).click()
      await tab.getByRole('dialog').getByRole('textbox').fill('Asked for the projector')
    }
    await moveAway()
    for (const tab of [page, customer]) {
      await expect(tab.getByText('What is shown here may be out of date')).toBeVisible()
      await expect(tab.getByRole('dialog').getByRole('textbox')).toHaveValue('Asked for the projector')
      await tab.getByRole('button', { name: 'Save' }).click()
      await expect(tab.getByRole('dialog').getByText('It is no longer here')).toBeVisible()
      await tab.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await tab.getByRole('button', { name: 'Discard' }).click()
      await expect(tab.getByText(/^There is no (such booking|customer with the id)/)).toBeVisible()
    }
  })

  test('is shown other records once their locations change', async ({ page, server, signIn }) => {
    const [here, there] = [
      await buildLocation(server.db, { name: 'Rosebank' }),
      await buildLocation(server.db, { name: 'Waterfront' }),
    ]
    await buildPod(server.db, { title: 'Acacia', location_id: here.id })
    await buildPod(server.db, { title: 'Baobab', location_id: there.id })
    // Without the stream, as behind a proxy that keeps it back: the next response says it too.
    await page.route('**/api/live', (route) => route.abort())
    expectConsoleErrors(/api\/live/)
    const me = await signIn(undefined, { location_ids: [here.id] })
    await page.goto('/pods')
    await expect(page.getByText('Acacia').first()).toBeVisible()
    // The response to a request that is under way would say it already.
    await waitUntilQuiet(page)
    await server.db
      .updateTable('staff')
      .set({ location_ids: [there.id] })
      .where('id', '=', me._id)
      .execute()
    await page.getByRole('button', { name: 'History Acacia' }).click()
    await expect(page.getByRole('dialog')).toContainText('No changes are recorded')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Baobab').first()).toBeVisible()
    await expect(page.getByText('Acacia')).toHaveCount(0)
  })

  test('finds locations among many in the staff form, and chooses them at once', async ({ page, server, signIn }) => {
    const sandton: string[] = []
    for (let n = 1; n <= 12; n++) sandton.push((await buildLocation(server.db, { name: `Sandton ${n}` })).id)
    const { id } = await buildLocation(server.db, { name: 'Rosebank' })
    const colleague = await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [6] })
    await signIn()
    await page.goto('/assign-role')
    await page.getByRole('button', { name: 'Edit Sipho Zulu' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Staff' })
    await dialog.getByLabel('Locations', { exact: true }).selectOption('some')
    await dialog.getByLabel('Rosebank').check()
    const find = dialog.getByRole('searchbox', { name: 'Find a location' })
    await find.fill('sandton 1')
    await find.press('Enter')
    await expect(dialog.getByRole('checkbox', { name: /Sandton/ })).toHaveCount(4)
    await dialog.getByRole('button', { name: 'Choose these 4' }).click()
    await dialog.getByRole('checkbox', { name: /Sandton 12/ }).uncheck()
    await expect(dialog.getByText('4 of 13 chosen')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    const { location_ids } = await server.db
      .selectFrom('staff')
      .select('location_ids')
      .where('id', '=', colleague.id)
      .executeTakeFirstOrThrow()
    expect(new Set(location_ids)).toEqual(new Set([sandton[0], sandton[9], sandton[10], id]))
  })

  test('is given that location in the staff form, and later all locations again', async ({ page, server, signIn }) => {
    expectConsoleErrors(/500/)
    const { id } = await buildLocation(server.db, { name: 'Rosebank', city: 'Johannesburg' })
    await buildLocation(server.db, { name: 'Waterfront' })
    const colleague = await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', pages: [8] })
    const read = async () =>
      (
        await server.db
          .selectFrom('staff')
          .select('location_ids')
          .where('id', '=', colleague.id)
          .executeTakeFirstOrThrow()
      ).location_ids
    await signIn([8])
    await page.goto('/assign-role')
    const row = page.getByRole('row').filter({ hasText: 'Sipho Zulu' })
    const dialog = page.getByRole('dialog', { name: 'Edit Staff' })
    await row.getByRole('button', { name: /^Edit/ }).click()
    await page.route('**/api/location/details*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Not now.', code: 'internal' } }),
    )
    await dialog.getByLabel('Locations', { exact: true }).selectOption('some')
    await expect(dialog.getByText('The locations could not be loaded. Not now.')).toBeVisible()
    await page.unroute('**/api/location/details*')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('Choose at least one location')).toBeVisible()
    await dialog.getByLabel('Rosebank').check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    expect(await read()).toEqual([id])
    await expect(row).toContainText('1 location')
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await row.getByRole('button', { name: /^Edit/ }).click()
    await expect(dialog.getByLabel('Rosebank')).toBeChecked()
    await dialog.getByLabel('Locations', { exact: true }).selectOption('all')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    expect(await read()).toBeNull()
  })
})

/** Returns a booking `here`, and how a colleague moves it to another location. */
async function buildMovable(server: TestServer, browser: Browser) {
  const { db } = server
  const [here, there] = [await buildLocation(db), await buildLocation(db)]
  const pod = await buildPod(db, { location_id: here.id })
  const elsewhere = await buildPod(db, { location_id: there.id })
  const user = await buildUser(db, { firstname: 'Naledi', lastname: 'Dlamini' })
  const start_time = new Date('2030-01-07T09:00:00.000Z')
  const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id, start_time })
  const page = await browser.newPage()
  const { token } = await signInAs(page, server)
  const moveAway = async () => {
    const times = { startTime: '2030-01-07T09:00:00.000Z', endTime: '2030-01-07T10:00:00.000Z' }
    const moved = await page.request.put(`${server.url}/api/bookings/${booking.id}/interval`, {
      headers: { authorization: `Bearer ${token}` },
      data: { podId: elsewhere.id, bookingDate: '2030-01-07', ...times, version: 1 },
    })
    expect(moved.status(), await moved.text()).toBe(200)
    await page.close()
  }
  return { here, booking, moveAway }
}
