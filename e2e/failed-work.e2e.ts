import type { Route } from '@playwright/test'
import { sql } from 'kysely'
import { createId } from '#server/ids.ts'
import { buildDelivery, buildFailedJob, buildMail } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { waitUntilQuiet } from './quiet.ts'

test.describe('The tab for failed work', () => {
  test('lists failed work with the mail or delivery that it concerns, to be tried again or dismissed', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/sandboxed/)
    await signIn([1, 8])
    const mail = await buildMail(server.db, { state: 'failed', subject: 'Your account', to_name: 'Lerato Mokoena' })
    const delivery = await buildDelivery(server.db, { state: 'failed' })
    await buildFailedJob(server.db, 'mail', { mailId: mail.id })
    await buildFailedJob(server.db, 'webhook', { deliveryId: delivery.id })
    await buildFailedJob(server.db, 'backup', {}, 'No space left on device')
    await page.goto('/dashboard')
    await expect(page.getByText('The server has given up on 3 mails, webhooks or other jobs.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See failed work' }).click()
    await expect(page).toHaveURL('/messages?show=failed')
    const table = page.getByRole('table', { name: 'Failed work' })
    const row = (name: string) => table.getByRole('row').filter({ hasText: name })
    await expect(row('Lerato Mokoena: Your account')).toContainText('451 try again later')
    await expectAccessible(page)
    await row('Your account').getByRole('button', { name: 'Read' }).click()
    const read = page.getByRole('dialog', { name: 'Your account' })
    await expect(read).toContainText('Lerato Mokoena')
    await read.getByRole('button', { name: 'Close' }).click()
    await row('booking.created, to https://example.com/hook').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('dialog', { name: 'booking.created' }).getByRole('button', { name: 'Close' }).click()
    await expect(row('No space left').getByRole('button')).toHaveCount(2)
    await row('No space left').getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Dismissed', { exact: true })).toBeVisible()
    await expect(row('No space left')).toHaveCount(0)
    await row('Your account').getByRole('button', { name: 'Try again' }).click()
    await expect(row('Your account')).toHaveCount(0)
    await row('booking.created').getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Nothing has failed.')).toBeVisible()
    await page.getByRole('link', { name: 'Mails' }).click()
    await expect(page.getByRole('table', { name: 'Mails' }).getByText('Queued')).toBeVisible()
    await page.goto('/dashboard')
    await waitUntilQuiet(page)
    await expect(page.getByText('Nothing appears here yet')).toBeVisible()
    await expect(page.getByText('The server has given up')).toHaveCount(0)
  })

  test('dismisses all failures that a search finds, and tries all others again', async ({ page, server, signIn }) => {
    expectConsoleErrors(/404/)
    await signIn([8])
    await buildFailedJob(server.db, 'mail', { mailId: createId() })
    await sql`
      insert into jobs (kind, key, run_at, dead_at, tries, last_error)
      select kind, key || n, run_at, dead_at, tries, last_error from jobs, generate_series(1, 100) as n`.execute(
      server.db,
    )
    await buildFailedJob(server.db, 'webhook', { deliveryId: createId() }, 'No response')
    await buildFailedJob(server.db, 'webhook', { deliveryId: createId() }, 'No such host')
    await page.setViewportSize(PHONE)
    await page.goto('/messages?show=failed&search=try+again+later')
    await expect(page.getByText('1–10 of 101')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Dismiss all found' }).click()
    const question = page.getByRole('alertdialog', { name: 'Dismiss failed work' })
    await expect(question).toContainText('Dismiss 101 failures?')
    await expectAccessible(page)
    // A colleague has dealt with the first twenty meanwhile.
    const deleteThese = async (route: Route) => {
      await server.db.deleteFrom('jobs').where('id', 'in', route.request().postDataJSON().ids).execute()
      await route.continue()
    }
    await page.route('**/failed-jobs/dismiss', deleteThese, { times: 1 })
    await question.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('81 failures were dismissed')).toBeVisible()
    await expect(page.getByText('No failed work matches.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('1–2 of 2')).toBeVisible()
    await page.getByRole('button', { name: 'Try all again' }).click()
    await expect(page.getByText('2 failures were tried again')).toBeVisible()
    await expect(page.getByText('Nothing has failed.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try all again' })).toHaveCount(0)
    const jobs = await server.db.selectFrom('jobs').select(['kind', 'dead_at']).where('tries', '=', 0).execute()
    const retried = { kind: 'webhook', dead_at: null }
    expect(jobs.filter(({ kind }) => kind === 'webhook')).toEqual([retried, retried])
  })

  test('shows when the last backup was made and the next is due, or that this could not be loaded', async ({
    page,
    signIn,
  }) => {
    expectConsoleErrors(/503/)
    await signIn([8])
    await page.goto('/messages?show=failed')
    await expect(page.getByText('There are no scheduled backups.')).toBeVisible()
    const at = '2026-11-21T00:30:00.000Z'
    const last = { madeAt: at, checkedAt: at, bytes: 12_345_678, rows: 54_321, images: 40 }
    const show = (body: object) => page.route('**/api/backups', (route) => route.fulfill({ json: body }))
    await show({ isOn: true, last, nextAt: '2099-01-02T00:30:00.000Z' })
    await page.reload()
    const words = page.getByText('The last backup was made')
    await expect(words).toContainText('2:30 AM: 54,321 rows and 40 images, 12.3 MB. It was read back and found whole.')
    await expect(page.getByText('The next is due 2099-01-02, 2:30 AM.')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await show({ isOn: true, last: null, nextAt: null })
    await page.reload()
    await expect(page.getByText('No backup has been made yet.')).toBeVisible()
    await page.route('**/api/backups', (route) =>
      route.fulfill({ status: 503, json: { message: 'Away', code: 'unavailable' } }),
    )
    await page.reload()
    await expect(page.getByText('The backups could not be loaded')).toBeVisible({ timeout: 20_000 })
  })
})
