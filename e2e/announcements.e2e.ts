import type { Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { instantAt, wallTime } from './business-day.ts'
import { DATE, link } from './corporate-booking-form.ts'
import { expect, test } from './fixtures.ts'
import { buildDay, TODAY } from './schedule-day.ts'

/** People who cannot see the screen are told what changes on it, beside what has the focus. */

/** Marks what is there now. Only what appears in an element that is already there is announced for certain. */
const markEarly = (page: Page) =>
  page
    .locator('[role=status], output, [aria-live]')
    .evaluateAll((nodes) => nodes.forEach((node) => node.setAttribute('data-early', '')))

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
