import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** What tests of Corporate Booking share: a link that fills it in, and its submit button. */

export const DATE = '2099-01-05'
export const at = (mark: string) => new Date(`${DATE}T${mark}:00.000Z`)

/** The link that Schedule and other screens use to open this one. */
export const link = (podId: string, more: Record<string, string> = {}) =>
  `/corporate-booking?${new URLSearchParams({ pod: podId, date: DATE, start: '09:00', end: '10:00', ...more })}`

export async function book(page: Page, purpose = 'meeting') {
  await page.getByLabel('Purpose').selectOption(purpose)
  // Until what is taken has loaded, the form asks to press again.
  await expect(page.getByText(/Nothing is taken on this day|Taken: |Closed: /)).toBeVisible()
  await page.getByRole('button', { name: 'Create Booking' }).click()
}

/** Books again; the form sends nothing within three seconds of the previous submit (rules §4.14), so it retries. */
export async function bookAgain(page: Page) {
  const submit = page.getByRole('button', { name: 'Create Booking' })
  await expect(async () => {
    if (await submit.isVisible()) await submit.click({ timeout: 500 })
    await expect(page).toHaveURL(/\/qr\?bookingId=/, { timeout: 1_000 })
  }).toPass()
}
