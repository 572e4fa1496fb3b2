import type { Page } from '@playwright/test'
import { buildLocation, buildPod } from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { choose } from './choose.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const podRow = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const form = (page: Page, title: 'Create Pod' | 'Edit Pod') => page.getByRole('dialog', { name: title })

test.describe('The Pods screen', () => {
  test('lists pods with location, status and actions, and loads images from the site’s own origin', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const location = await buildLocation(server.db, { city: 'Durban', state: 'KwaZulu-Natal' })
    const active = await buildPod(server.db, { title: 'Aurora', location_id: location.id })
    await buildPod(server.db, { title: 'Baobab', is_blocked: true })
    await page.goto('/pods')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Pods (2)')
    const row = podRow(page, 'Aurora')
    await expect(row).toContainText('Durban, KwaZulu-Natal')
    await expect(row.getByText('active', { exact: true })).toHaveAttribute('data-tone', 'green')
    await expect(row.getByRole('button', { name: /^Copy id / })).toHaveAttribute('data-tooltip', active.id)
    await expect(row.locator('img')).toHaveAttribute('src', new RegExp(`^${server.url}/uploads/image-`))
    await expect(podRow(page, 'Baobab').getByText('Inactive')).toHaveAttribute('data-tone', 'red')
    for (const name of ['Block Aurora', 'Edit Aurora', 'Delete Aurora', 'Unblock Baobab']) {
      await expect(page.getByRole('button', { name })).toBeVisible()
    }
  })

  test('keeps search, filters, sort and page in the URL', async ({ page, server, signIn }) => {
    await signIn([3])
    const durban = await buildLocation(server.db, { name: 'Durban Beach' })
    for (let number = 10; number < 21; number++) {
      await buildPod(server.db, { title: `Pod ${number}`, location_id: durban.id, is_blocked: number === 20 })
    }
    await buildPod(server.db, { title: 'Elsewhere' })
    await page.goto('/pods')
    await choose(page.getByRole('combobox', { name: 'Location' }), 'Durban', 'Durban Beach')
    await page.getByRole('button', { name: 'Title' }).click()
    await expect(page.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(page.getByRole('row')).toHaveText([/Image/, /Pod 20/])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Pods')
    await expect(page.getByText('11 of 12', { exact: true })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('row')).toHaveText([/Image/, /Pod 20/])
    await expect(page.getByRole('combobox', { name: 'Location' })).toHaveValue('Durban Beach')
    await page.getByLabel('Status').selectOption('Active')
    await expect(page.getByRole('row')).toHaveCount(11)
    await expect(page).toHaveURL(/status=active/)
    await page.goBack()
    await expect(page.getByRole('row')).toHaveText([/Image/, /Pod 20/])
    await page.getByRole('searchbox', { name: 'Search pods' }).fill('nothing like it')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/\/pods\?sort=title$/)
    await expect(page.getByRole('row').nth(1)).toContainText('Elsewhere')
  })

  test('blocks and unblocks a pod, and shows the server’s message or an error with Retry', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    await confirmBlock(page, 'Aurora', 'Lock broken')
    const notice = page.getByRole('region', { name: 'Messages' })
    await expect(notice).toContainText('Pod blocked successfully')
    await expect(podRow(page, 'Aurora')).toContainText('Inactive')
    await expect(podRow(page, 'Aurora')).toContainText('Closed until further notice: Lock broken')
    await page.route('**/product/unblock-pods/**', (route) => route.fulfill({ json: { message: '' } }))
    await page.getByRole('button', { name: 'Unblock Aurora' }).click()
    await expect(notice).toContainText('Operation successful')
    await page.unroute('**/product/unblock-pods/**')
    await page.route('**/product/unblock-pods/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Unblock Aurora' }).click()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/product/unblock-pods/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(notice).toContainText('Pod unblocked successfully')
  })

  test('explains the consequences before deleting a pod, and can retry after a failure', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Delete Aurora' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete pod' })
    await expect(dialog).toContainText('Bookings and transactions that it already has stay, and keep its name.')
    await page.route('**/product/delete-pods/**', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/product/delete-pods/**')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Pod deleted successfully')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Pods (0)')
    await expect(page.getByText('Pods appear here once the first one is created.')).toBeVisible()
  })

  test('says what a pod needs before the first one is created', async ({ page, signIn }) => {
    await signIn([3])
    await page.goto('/pods')
    await expect(page.getByText('Each needs a location and a feature: add these first.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create the first pod' })).toBeVisible()
  })

  test('shows an error with Retry when the list cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/429/)
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.route('**/product/getall*', (route) =>
      route.fulfill({ status: 429, json: { message: 'Not now', code: 'too_many_requests', requestId: 'request-1' } }),
    )
    await page.goto('/pods')
    await expect(page.getByRole('alert')).toContainText('Pods could not be loaded')
    await expect(page.getByRole('alert')).toContainText('Not now')
    await expect(page.getByText('Request request-1')).toBeVisible()
    await page.unroute('**/product/getall*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(podRow(page, 'Aurora')).toBeVisible()
  })

  test('downloads Pods.csv with the filters applied', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await buildPod(server.db, { title: 'Baobab', is_blocked: true })
    await page.goto('/pods?status=blocked')
    await expect(podRow(page, 'Baobab')).toBeVisible()
    const { name, body } = await downloadBy(page, page.getByRole('button', { name: 'All Downloads' }))
    expect(name).toBe('Pods.csv')
    const csv = body.toString()
    expect(csv).toContain('Baobab')
    expect(csv).not.toContain('Aurora')
  })

  test('is accessible, on a phone too', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildPod(server.db, { title: 'A pod whose title is far longer than any table would like it to be at all' })
    await page.goto('/pods')
    await expect(page.getByRole('table')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: /^Actions for A pod whose/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(form(page, 'Edit Pod').getByLabel('Title')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await form(page, 'Edit Pod').getByRole('button', { name: 'Save changes' }).click()
    await expect(form(page, 'Edit Pod').getByText('At least one feature is required')).toBeVisible()
    await expectAccessible(page)
  })
})
