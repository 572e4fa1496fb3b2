import type { Locator, Page } from '@playwright/test'
import { SECRET_MASK } from '#contract/secrets.ts'
import { buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { drawPicture, servePictures } from './pictures.ts'

const podRow = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const form = (page: Page, title: 'Create Pod' | 'Edit Pod') => page.getByRole('dialog', { name: title })

async function openCreate(page: Page): Promise<Locator> {
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  return form(page, 'Create Pod')
}

const texts = {
  Title: 'Baobab',
  Description: 'A quiet room for two',
  'Maps link': 'https://maps.example.com/?q=baobab',
  'Booking requirements': 'Bring an identity document',
  Availability: 'Every day',
  'Cancellation policy': 'Free until an hour before',
  'Safety and property': 'Cameras at the entrance',
  'User id': 'door-user',
  'Device id': 'device-7',
  'Device serial': 'SN-7',
  'Host email': 'host@example.com',
  'Rate per minute': '2.75',
}

/** Everything but pictures. */
async function fillIn(dialog: Locator, page: Page, location: string, feature: string) {
  for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label, { exact: false }).fill(text)
  await dialog.getByLabel('Device password').fill('door-secret')
  await dialog.getByRole('combobox', { name: 'Location' }).fill(location)
  await page.getByRole('option', { name: location }).click()
  await dialog.getByRole('combobox', { name: 'Features' }).fill(feature)
  await page.getByRole('option', { name: feature }).click()
}

async function choosePictures(dialog: Locator, ...names: string[]) {
  await dialog.getByLabel('Images').setInputFiles(await Promise.all(names.map(drawPicture)))
}

const uploaded = (dialog: Locator) => expect(dialog.getByRole('progressbar')).toHaveCount(0)

test.describe('Pods', () => {
  test.beforeEach(({ page }) => servePictures(page))

  test('lists every column, the picture from the site’s own origin', async ({ page, server, signIn }) => {
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
    await page.getByRole('combobox', { name: 'Location' }).fill('Durban')
    await page.getByRole('option', { name: 'Durban Beach' }).click()
    await page.getByRole('button', { name: 'Title' }).click()
    await expect(page.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(page.getByRole('row')).toHaveText([/Image/, /Pod 20/])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Pods (12)')
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

  test('says what is required', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildLocation(server.db, { name: 'Closed', is_blocked: true })
    await buildFeature(server.db, { name: 'Sauna', is_blocked: true })
    const dialog = await openCreate(page)
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    for (const label of [...Object.keys(texts), 'Device password', 'Location']) {
      await expect(dialog.getByText(`${label} is required`, { exact: true })).toBeVisible()
    }
    await expect(dialog.getByText('At least one feature is required')).toBeVisible()
    await expect(dialog.getByText('At least one image is required')).toBeVisible()
    await expect(dialog.getByLabel('Title')).toBeFocused()
    await dialog.getByLabel('Host email').fill('nobody')
    await dialog.getByLabel('Rate per minute').fill('-1')
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    await expect(dialog.getByText('Host email must be an email address')).toBeVisible()
    await expect(dialog.getByText('Rate per minute cannot be negative')).toBeVisible()
    // Only what is not blocked is offered (spec §5).
    await dialog.getByRole('combobox', { name: 'Location' }).click()
    await expect(page.getByText('No location found')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Features' }).click()
    await expect(page.getByText('No feature found')).toBeVisible()
  })

  test('creates a pod with its pictures in their order and the defaults', async ({ page, server, signIn }) => {
    await signIn([3])
    const location = await buildLocation(server.db, { name: 'Sandton Gate' })
    const feature = await buildFeature(server.db, { name: 'Whiteboard' })
    const dialog = await openCreate(page)
    await fillIn(dialog, page, 'Sandton Gate', 'Whiteboard')
    await choosePictures(dialog, 'front.png', 'back.png', 'wrong.png')
    await uploaded(dialog)
    await dialog.getByRole('button', { name: 'Remove wrong.png' }).click()
    await dialog.getByRole('button', { name: 'Move back.png left' }).click()
    await dialog.getByText('More', { exact: true }).click()
    await expect(dialog.getByLabel('Time slot')).toHaveValue('9am-5pm')
    await expect(dialog.getByLabel('Tags')).toHaveValue('Cape Town, Meeting Room')
    await expect(dialog.getByLabel('Product id')).toHaveValue('prod00qd')
    const request = page.waitForRequest('**/product/create-pods')
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    const toast = page.getByText('Pod created successfully!')
    await expect(toast).toBeVisible()
    const shownAt = Date.now()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Pods (1)')
    const body = (await request).postDataJSON()
    expect(body).toMatchObject({ location: location.id, features: [feature.id], rate: 2.75, title: 'Baobab' })
    expect(body.images).toEqual([
      { public_id: expect.any(String), url: expect.stringMatching(/^\/uploads\/.+\.webp$/) },
      { public_id: expect.any(String), url: expect.stringMatching(/^\/uploads\/.+\.webp$/) },
    ])
    await expect(podRow(page, 'Baobab').locator('img')).toHaveJSProperty('complete', true)
    await expect(toast).toBeHidden()
    expect(Date.now() - shownAt).toBeGreaterThan(4500)
    await page.getByRole('button', { name: 'Edit Baobab' }).click()
    await expect(form(page, 'Edit Pod').getByLabel('Device password')).toHaveValue(SECRET_MASK)
  })

  test('edits a pod, keeping its blocked place, its pictures and its password', async ({ page, server, signIn }) => {
    await signIn([3])
    const location = await buildLocation(server.db, { name: 'Closed Yard', is_blocked: true })
    const feature = await buildFeature(server.db, { name: 'Sauna', is_blocked: true })
    const pod = await buildPod(server.db, { title: 'Aurora', location_id: location.id })
    await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const dialog = form(page, 'Edit Pod')
    await expect(dialog.getByRole('combobox', { name: 'Location' })).toHaveValue('Closed Yard')
    await expect(dialog.getByText('Sauna (blocked)')).toBeVisible()
    await expect(dialog.getByLabel('Device password')).toHaveValue(SECRET_MASK)
    await dialog.getByLabel('Title').fill('Aurora North')
    await choosePictures(dialog, 'new.png')
    await uploaded(dialog)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Pod updated successfully!')).toBeVisible()
    await expect(podRow(page, 'Aurora North')).toContainText('Closed Yard')
    const after = await server.db
      .selectFrom('pods')
      .select(['device_password', 'location_id'])
      .where('id', '=', pod.id)
      .executeTakeFirstOrThrow()
    expect(after).toEqual({ device_password: pod.device_password, location_id: location.id })
    const images = await server.db
      .selectFrom('pod_images')
      .select('url')
      .where('pod_id', '=', pod.id)
      .orderBy('position')
      .execute()
    expect(images.map(({ url }) => url)).toEqual([
      expect.stringMatching(/^\/uploads\/image-/),
      expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.webp$/),
    ])
  })

  test('changes the features of a pod by mouse and by keyboard, asking for others only then', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const pod = await buildPod(server.db, { title: 'Aurora' })
    const ids = new Map<string, string>()
    for (const [position, name] of ['Coffee', 'Projector', 'Sauna', 'Whiteboard'].entries()) {
      const { id } = await buildFeature(server.db, { name, position })
      ids.set(name, id)
      if (name === 'Whiteboard') continue
      await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: id, position }).execute()
    }
    const asked: string[] = []
    page.on('request', (request) => {
      if (/location\/(features|details)/.test(request.url())) asked.push(request.url())
    })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const dialog = form(page, 'Edit Pod')
    const chosen = (name: string) => dialog.getByText(name, { exact: true })
    await chosen('Coffee').locator('xpath=following-sibling::button').click()
    await expect(chosen('Coffee')).toBeHidden()
    await expect(chosen('Projector')).toBeVisible()
    expect(asked).toEqual([])

    await dialog.getByRole('combobox', { name: 'Features' }).focus()
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Coffee', 'Whiteboard'])
    await page.keyboard.press('Backspace')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Coffee', 'Sauna', 'Whiteboard'])
    await page.keyboard.type('White')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Whiteboard'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Pod updated successfully!')).toBeVisible()
    const after = await server.db
      .selectFrom('pod_features')
      .select('feature_id')
      .where('pod_id', '=', pod.id)
      .orderBy('position')
      .execute()
    expect(after.map(({ feature_id }) => feature_id)).toEqual([ids.get('Projector'), ids.get('Whiteboard')])
  })

  test('takes a new device password and never one typed onto the mask', async ({ page, server, signIn }) => {
    await signIn([3])
    const feature = await buildFeature(server.db)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const password = form(page, 'Edit Pod').getByLabel('Device password')
    await password.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('new')
    await expect(password).toHaveValue('new')
    const request = page.waitForRequest('**/product/edit-pods/**')
    await form(page, 'Edit Pod').getByRole('button', { name: 'Save changes' }).click()
    expect((await request).postDataJSON().password).toBe('new')
  })

  test('shows what the server refuses beside the field, and keeps what was typed', async ({
    page,
    server,
    signIn,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/400/, /ERR_FAILED/)
    await signIn([3])
    await buildLocation(server.db, { name: 'Sandton Gate' })
    await buildFeature(server.db, { name: 'Whiteboard' })
    const dialog = await openCreate(page)
    await fillIn(dialog, page, 'Sandton Gate', 'Whiteboard')
    await choosePictures(dialog, 'front.png')
    await dialog.getByLabel('Rate per minute').fill('2.123456')
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Product id').fill('p'.repeat(101))
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    await expect(dialog.getByText('Rate per minute may have at most 4 decimals')).toBeVisible()
    const tooLong = dialog.getByText('Product id may have at most 100 characters')
    await expect(tooLong).toBeVisible()
    await dialog.getByLabel('Product id').fill('prod1')
    await expect(tooLong).toBeHidden()
    await expect(dialog.getByLabel('Product id')).toBeVisible()
    await expect(dialog.getByRole('alert').filter({ hasText: 'Error creating pod' })).toBeVisible()
    await page.route('**/product/create-pods', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    const alert = dialog.getByRole('alert').filter({ hasText: 'Error creating pod' })
    await expect(alert).toContainText('The server cannot be reached.')
    await expect(alert).toBeInViewport()
    await expect(dialog.getByLabel('Title')).toHaveValue('Baobab')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('What you typed here has not been saved.')).toBeVisible()
  })

  test('saves nothing when a picture was refused, and tries again', async ({
    page,
    server,
    signIn,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/415/, /ERR_FAILED/)
    await signIn([3])
    const feature = await buildFeature(server.db)
    const pod = await buildPod(server.db, { title: 'Aurora' })
    await server.db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    const dialog = form(page, 'Edit Pod')
    await dialog.getByLabel('Title').fill('Aurora North')
    const save = dialog.getByRole('button', { name: 'Save changes' })
    await dialog
      .getByLabel('Images')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await expect(dialog.getByText(/broken\.png.* is not a JPEG, PNG, WebP, GIF or AVIF image\./)).toBeVisible()
    await save.click()
    const alert = dialog.getByRole('alert').filter({ hasText: 'Error updating pod' })
    await expect(alert).toContainText('One image was not uploaded, and nothing has been saved.')
    await expect(dialog.getByLabel('Title')).toHaveValue('Aurora North')
    await dialog.getByRole('button', { name: 'Remove broken.png' }).click()
    await page.route('**/api/upload', (route) => route.abort())
    await choosePictures(dialog, 'fine.png')
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/api/upload')
    await dialog.getByRole('button', { name: 'Upload fine.png again' }).click()
    await uploaded(dialog)
    await save.click()
    await expect(podRow(page, 'Aurora North')).toBeVisible()
  })

  test('blocks and unblocks, and shows what the server says', async ({ page, server, signIn, expectConsoleErrors }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'Block Aurora' }).click()
    const notice = page.getByRole('alertdialog')
    await expect(notice).toContainText('Pod blocked successfully')
    await notice.getByRole('button', { name: 'Close' }).first().click()
    await expect(podRow(page, 'Aurora')).toContainText('Inactive')
    await page.route('**/product/unblock-pods/**', (route) => route.fulfill({ json: { message: '' } }))
    await page.getByRole('button', { name: 'Unblock Aurora' }).click()
    await expect(notice).toContainText('Operation successful')
    await notice.getByRole('button', { name: 'Close' }).first().click()
    await page.unroute('**/product/unblock-pods/**')
    await page.route('**/product/unblock-pods/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Unblock Aurora' }).click()
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/product/unblock-pods/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(notice).toContainText('Pod unblocked successfully')
  })

  test('deletes after saying what will follow', async ({ page, server, signIn, expectConsoleErrors }) => {
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
    await expect(page.getByText('Pods that can be booked will stand here.')).toBeVisible()
  })

  test('says when the list cannot be loaded, and tries again', async ({
    page,
    server,
    signIn,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/400/)
    await signIn([3])
    await buildPod(server.db, { title: 'Aurora' })
    await page.route('**/product/getall*', (route) =>
      route.fulfill({ status: 400, json: { message: 'Not now', code: 'invalid_input', requestId: 'request-1' } }),
    )
    await page.goto('/pods')
    await expect(page.getByRole('alert')).toContainText('Not now')
    await expect(page.getByText('Request request-1')).toBeVisible()
    await page.unroute('**/product/getall*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(podRow(page, 'Aurora')).toBeVisible()
  })

  test('downloads Pods.csv as filtered', async ({ page, server, signIn }) => {
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
