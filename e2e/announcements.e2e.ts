import type { Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import { DATE, link } from './corporate-booking-form.ts'
import { expect, test } from './fixtures.ts'
import { buildDay, grid } from './schedule-day.ts'

/** People who cannot see the screen are told what changes on it, beside what has the focus. */

/**
 * Marks what is there now, and what comes without words. Only what appears in an element that is already there is
 * announced for certain.
 */
const markEarly = (page: Page) =>
  page.evaluate(() => {
    const mark = (isEarly: (node: Element) => boolean) => {
      for (const node of document.querySelectorAll('[role=status], output, [aria-live]')) {
        node.toggleAttribute('data-early', node.hasAttribute('data-early') || isEarly(node))
      }
    }
    mark(() => true)
    new MutationObserver(() => mark((node) => node.textContent === '')).observe(document.body, {
      childList: true,
      subtree: true,
    })
  })

const announced = (page: Page, text: string) => page.locator('[data-early]').getByText(text, { exact: true })

test('a screen that is opened from the menu is announced, and one whose heading gets the focus is not again', async ({
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/features')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Features')
  await markEarly(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Policies' }).press('Enter')
  await expect(announced(page, 'Policies')).toHaveCount(1)
  await page.getByRole('main').getByRole('link', { name: 'Show who has none' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Assign a role' })).toBeFocused()
  await expect(page.locator('output', { hasText: /^(Policies|Assign Role)$/ })).toHaveCount(0)
})

test('how many records there are again is announced after a search without results', async ({
  page,
  server,
  signIn,
}) => {
  await buildUser(server.db)
  await signIn([5])
  await page.goto('/user-details?search=nothing+like+it')
  await expect(page.getByText('No user matches.')).toBeVisible()
  await markEarly(page)
  await page.getByRole('button', { name: 'Clear search' }).press('Enter')
  await expect(announced(page, '1–1 of 1')).toBeVisible()
})

test('a new order of a table is announced', async ({ page, server, signIn }) => {
  await buildPod(server.db)
  await signIn([3])
  await page.goto('/pods')
  const title = page.getByRole('table').getByRole('button', { name: 'Title' })
  await expect(title).toBeVisible()
  await markEarly(page)
  await title.press('Enter')
  await expect(announced(page, 'Sorted by Title, ascending')).toHaveCount(1)
  await title.press('Enter')
  await expect(announced(page, 'Sorted by Title, descending')).toHaveCount(1)
})

test('the results of the header’s search and of Ctrl-K say what they are', async ({ page, server, signIn }) => {
  const location = await buildLocation(server.db, { name: 'Harbour House' })
  await buildPod(server.db, { title: 'Harbour Light', location_id: location.id })
  await signIn()
  await page.goto('/features')
  const found = page.getByRole('listbox', { name: 'Found' })
  await page.getByRole('combobox', { name: 'Search' }).fill('harbour')
  await expect(found.getByRole('group', { name: 'Locations' }).getByRole('option')).toHaveText(/^Harbour House/)
  await expect(found.getByRole('group', { name: 'Pods' }).getByRole('option')).toHaveText(/^Harbour Light/)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to or do' }).fill('harbour')
  await expect(found.getByRole('group', { name: 'Locations' }).getByRole('option')).toHaveText(/^Harbour House/)
})

test('that a new booking is outside opening hours is announced as its time is chosen', async ({
  page,
  server,
  signIn,
}) => {
  const { aurora } = await buildDay(server)
  const [opens, closes] = [6 * 60, 17 * 60]
  await server.db
    .insertInto('opening_hours')
    .values([1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ pod_id: aurora.id, location_id: null, weekday, opens, closes })))
    .execute()
  await signIn()
  await page.goto(`/schedule?date=${businessDay()}`)
  await grid(page).press('n')
  const dialog = page.getByRole('dialog', { name: 'New booking' })
  await expect(dialog).toContainText('Aurora')
  await markEarly(page)
  await dialog.getByLabel('End').selectOption('5:15 PM')
  await dialog.getByLabel('Start').selectOption('4:30 PM')
  await expect(announced(page, 'Outside opening hours, 6:00 AM to 5:00 PM.')).toBeVisible()
})

test('how many arrivals a search finds is announced', async ({ page, server, signIn }) => {
  server.clock.set(instantAt('2026-11-23', '09:10'))
  const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
  await buildBooking(server.db, { user_id: user.id, start_time: wallTime('2026-11-23', '11:00') })
  await signIn([6])
  await page.goto('/arrivals')
  await expect(page.getByText('1 today')).toBeVisible()
  await markEarly(page)
  await page.getByRole('searchbox').fill('pat')
  await expect(announced(page, '1 arrival')).toHaveCount(1)
})

test('how many pods the schedule shows is announced for other filters and days, and that none is left', async ({
  page,
  server,
  signIn,
}) => {
  await buildDay(server)
  await signIn()
  await page.goto(`/schedule?date=${businessDay()}`)
  await expect(page.getByText('2 bookings in 3 pods')).toBeVisible()
  await markEarly(page)
  await page.getByLabel('Seats').selectOption('4')
  await expect(announced(page, '2 pods')).toHaveCount(1)
  await page.getByLabel('Seats').selectOption('20')
  await expect(announced(page, 'No pod matches these filters.')).toBeVisible()
  await page.getByLabel('Seats').selectOption('')
  await page.getByRole('button', { name: 'Next day' }).press('Enter')
  await expect(announced(page, '3 pods')).toHaveCount(1)
})

test('how many choices a lookup has is announced once they have loaded, and after typing', async ({
  page,
  server,
  signIn,
}) => {
  for (const name of ['Dock House', 'Dune Place', 'Mill']) await buildLocation(server.db, { name })
  await signIn([3, 7])
  await page.goto('/pods')
  const location = page.getByRole('combobox', { name: 'Location' })
  await location.focus()
  await expect(page.getByRole('status').filter({ hasText: /^3 choices/ })).toHaveCount(1)
  await markEarly(page)
  await location.fill('dune')
  await expect(page.locator('[data-early]').filter({ hasText: /^1 choice/ })).toHaveCount(1)
})

test('the chosen time is announced, and a purpose is not called wrong before one could be chosen', async ({
  page,
  server,
  signIn,
}) => {
  const pod = await buildPod(server.db)
  await signIn([9])
  await page.goto(link(pod.id))
  await expect(page.getByLabel('Purpose')).toHaveAttribute('aria-invalid', 'false')
  await page.goto(`/corporate-booking?${new URLSearchParams({ pod: pod.id, date: DATE })}`)
  await page.getByRole('button', { name: 'Time Slots' }).press('Enter')
  const mark = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(mark('9:00 AM')).toBeVisible()
  await markEarly(page)
  await mark('9:00 AM').press('Enter')
  await expect(announced(page, 'From 9:00 AM. Choose an end')).toBeVisible()
  await mark('10:00 AM').press('Enter')
  await expect(announced(page, '9:00 AM - 10:00 AM, 1 hour')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByRole('button', { name: 'Create Booking' }).press('Enter')
  await expect(page.getByLabel('Purpose')).toHaveAttribute('aria-invalid', 'true')
})

test('how many dates of a series are free is announced', async ({ page, server, signIn }) => {
  const pod = await buildPod(server.db)
  await signIn([9])
  await page.goto(link(pod.id))
  await markEarly(page)
  await page.getByRole('switch', { name: 'Repeat' }).press('Space')
  await page.getByLabel('Until').fill('2099-01-12')
  await expect(announced(page, '2 dates, all free')).toBeVisible()
})

test('the error of the field that keeps the focus is announced, and no others at once', async ({ page, signIn }) => {
  await signIn([2])
  await page.goto('/features')
  await page.getByRole('button', { name: 'Create Feature' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Feature Name').press('Enter')
  await expect(dialog.getByText('Icon Name is required')).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveText('Feature Name is required')
  await expect(dialog.getByLabel('Feature Name')).toHaveAccessibleDescription('Feature Name is required')
})

test('how many decisions a closure still needs is announced', async ({ page, server, signIn }) => {
  const pod = await buildPod(server.db, { title: 'Aurora' })
  const user = await buildUser(server.db, { firstname: 'Thabo', lastname: 'Dube' })
  const booking = { pod_id: pod.id, user_id: user.id }
  await buildBooking(server.db, { ...booking, start_time: new Date('2099-01-05T09:00:00.000Z') })
  await signIn()
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Block Aurora' }).press('Enter')
  await expect(page.getByText('1 decision to make')).toBeVisible()
  await markEarly(page)
  await page.getByRole('combobox', { name: /^What happens to the booking of Thabo Dube/ }).selectOption('leave')
  await expect(announced(page, 'All decided')).toBeVisible()
})
