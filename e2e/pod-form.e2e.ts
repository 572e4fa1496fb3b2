import type { Locator, Page } from '@playwright/test'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Db } from '#server/db/client.ts'
import { buildFeature, buildLocation, buildPod } from '#server/testing/factories.ts'
import { expect, expectConsoleErrors, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { drawImage } from './images.ts'

const podRow = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const form = (page: Page, title: 'Create Pod' | 'Edit Pod') => page.getByRole('dialog', { name: title })

async function openCreate(page: Page): Promise<Locator> {
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  return form(page, 'Create Pod')
}

/** Builds a pod with a feature, because the form requires one. */
async function buildAurora(db: Db, feature: { id: string }, values?: Parameters<typeof buildPod>[1]) {
  const pod = await buildPod(db, { title: 'Aurora', ...values })
  await db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
  return pod
}

async function openAurora(page: Page): Promise<Locator> {
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Edit Aurora' }).click()
  return form(page, 'Edit Pod')
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

/** Fills in everything except the images. */
async function fillIn(dialog: Locator, page: Page, location: string, feature: string) {
  for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label, { exact: false }).fill(text)
  await dialog.getByLabel('Device password').fill('door-secret')
  await dialog.getByRole('combobox', { name: 'Location' }).fill(location)
  await page.getByRole('option', { name: location }).click()
  await dialog.getByRole('combobox', { name: 'Features' }).fill(feature)
  await page.getByRole('option', { name: feature }).click()
}

/** Chooses new images, the first of them 60 pixels wide and each next one a pixel wider. */
async function chooseImages(dialog: Locator, ...names: string[]) {
  const images = names.map((name, index) => drawImage(name, 60 + index))
  await dialog.getByLabel('Images').setInputFiles(await Promise.all(images))
}

const uploaded = (dialog: Locator) => expect(dialog.getByRole('progressbar')).toHaveCount(0)

test.describe('The pod form', () => {
  test('shows an error for every required field, and offers no blocked location or feature', async ({
    page,
    server,
    signIn,
  }) => {
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
    // Blocked locations and features are not offered (rules §5.3).
    await dialog.getByRole('combobox', { name: 'Location' }).click()
    await expect(page.getByText('No location found. Locations are added on their own screen.')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Features' }).click()
    await expect(page.getByText('No feature found. Features are created on their own screen.')).toBeVisible()
  })

  test('creates a pod with the uploaded images in their new order, except a removed one, and the default values', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const location = await buildLocation(server.db, { name: 'Sandton Gate' })
    const feature = await buildFeature(server.db, { name: 'Whiteboard' })
    const dialog = await openCreate(page)
    await fillIn(dialog, page, 'Sandton Gate', 'Whiteboard')
    await chooseImages(dialog, 'front.png', 'back.png', 'wrong.png')
    await uploaded(dialog)
    const said = dialog.getByRole('group', { name: 'Images' }).getByRole('status')
    await expect(said).toHaveText('Added: front.png, back.png, wrong.png.')
    await dialog.getByRole('button', { name: 'Remove wrong.png' }).click()
    await expect(said).toHaveText('wrong.png is removed.')
    await dialog.getByRole('button', { name: 'Move back.png left' }).click()
    await expect(said).toHaveText('back.png is now at position 1 of 2.')
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
    const images = await server.db
      .selectFrom('pod_images')
      .innerJoin('images', 'images.url', 'pod_images.url')
      .select('images.width')
      .orderBy('pod_images.position')
      .execute()
    expect(images).toEqual([{ width: 61 }, { width: 60 }])
    const image = podRow(page, 'Baobab').locator('img')
    await expect(image).toHaveJSProperty('complete', true)
    // Its address is that of the image, of which the small version is loaded.
    await expect(image).toHaveAttribute('src', `${server.url}${body.images[0].url}`)
    expect(await image.evaluate((element: HTMLImageElement) => element.currentSrc)).toMatch(/-thumbnail\.webp$/)
    await expect(toast).toBeHidden()
    expect(Date.now() - shownAt).toBeGreaterThan(4500)
    await page.getByRole('button', { name: 'Edit Baobab' }).click()
    await expect(form(page, 'Edit Pod').getByLabel('Device password')).toHaveValue(SECRET_MASK)
  })

  test('creates a pod like another, with its images, but with a title and a device of its own', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const feature = await buildFeature(server.db, { name: 'Wi-Fi' })
    const pod = await buildAurora(server.db, feature, { rate: '2.75', capacity: 4 })
    await page.goto('/pods')
    await page.getByRole('button', { name: 'More actions for Aurora' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const dialog = form(page, 'Create Pod')
    await expect(dialog.getByLabel('Title')).toHaveValue('')
    await expect(dialog).toContainText('Everything but the title and the device is as in Aurora.')
    for (const label of ['Title', 'User id', 'Device id', 'Device serial'] as const)
      await dialog.getByLabel(label).fill(texts[label])
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    await expect(dialog.getByLabel('Device password')).toHaveAccessibleDescription(/is required/)
    await dialog.getByLabel('Device password').fill('door-secret')
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    await expect(podRow(page, 'Baobab')).toBeVisible()
    const copies = await server.db.selectFrom('pods').selectAll().where('id', '<>', pod.id).execute()
    const own = { title: 'Baobab', pod_user_id: 'door-user', device_id: 'device-7', serial: 'SN-7' }
    const { location_id, description } = pod
    expect(copies).toMatchObject([{ ...own, location_id, description, rate: '2.7500', capacity: 4 }])
    const images = await server.db.selectFrom('pod_images').select(['pod_id', 'url']).execute()
    expect(new Set(images.map(({ url }) => url)).size).toBe(1)
    expect(new Set(images.map(({ pod_id }) => pod_id)).size).toBe(2)
  })

  test('edits a pod, and keeps its blocked location, its images and its device password', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    const location = await buildLocation(server.db, { name: 'Closed Yard', is_blocked: true })
    const feature = await buildFeature(server.db, { name: 'Sauna', is_blocked: true })
    const pod = await buildAurora(server.db, feature, { location_id: location.id })
    const dialog = await openAurora(page)
    await expect(dialog.getByRole('combobox', { name: 'Location' })).toHaveValue('Closed Yard')
    await expect(dialog.getByText('Sauna (blocked)')).toBeVisible()
    await expect(dialog.getByLabel('Device password')).toHaveValue(SECRET_MASK)
    await dialog.getByLabel('Title').fill('Aurora North')
    await chooseImages(dialog, 'new.png')
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

  test('says before a pod moves to another location that its bookings move with it', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    const place = await server.db.selectFrom('locations').select(['city', 'state']).executeTakeFirstOrThrow()
    await buildLocation(server.db, { name: 'Durban Beach' })
    const dialog = await openAurora(page)
    const location = dialog.getByRole('combobox', { name: 'Location' })
    await expect(location).toHaveAccessibleDescription(`${place.city}, ${place.state}`)
    await location.fill('Durban')
    await page.getByRole('option', { name: 'Durban Beach' }).click()
    await expect(location).toHaveAccessibleDescription('Its upcoming bookings move with it.')
  })

  test('changes a pod’s features by mouse and by keyboard, and loads the other features only when needed', async ({
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
    const dialog = await openAurora(page)
    const chosen = (name: string) => dialog.getByText(name, { exact: true })
    await chosen('Coffee').locator('[data-remove]').click()
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

  test('sends a new device password without the mask that it was typed after', async ({ page, server, signIn }) => {
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    const dialog = await openAurora(page)
    const password = dialog.getByLabel('Device password')
    await password.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('new')
    await expect(password).toHaveValue('new')
    const request = page.waitForRequest('**/product/edit-pods/**')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    expect((await request).postDataJSON().password).toBe('new')
  })

  test('edits the number of seats, which the list shows, filters and searches by', async ({ page, server, signIn }) => {
    expectConsoleErrors(/400/)
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    // The location's name contains no number, so that a search for ‘8’ does not find it.
    const { id: location_id } = await buildLocation(server.db, { name: 'Mill' })
    await buildPod(server.db, { title: 'Baobab', capacity: 12, location_id })
    const dialog = await openAurora(page)
    await expect(dialog.getByLabel('Seats')).toHaveValue('')
    await dialog.getByLabel('Seats').fill('51')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('Seats must be at most 50')).toBeVisible()
    await dialog.getByLabel('Seats').fill('8')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    await expect(podRow(page, 'Aurora').getByRole('cell', { name: '8', exact: true })).toBeVisible()
    await expect(podRow(page, 'Baobab').getByRole('cell', { name: '12', exact: true })).toBeVisible()

    await page.getByRole('combobox', { name: 'Seats' }).selectOption('10 seats or more')
    await expect(page).toHaveURL(/minCapacity=10/)
    await expect(page.getByRole('row')).toHaveText([/Image/, /Baobab/])
    await page.reload()
    await expect(page.getByRole('row')).toHaveText([/Image/, /Baobab/])
    await page.goto('/pods?search=8+seats')
    await expect(page.getByRole('row')).toHaveText([/Image/, /Aurora/])

    await page.getByRole('button', { name: 'Edit Aurora' }).click()
    await expect(dialog.getByLabel('Seats')).toHaveValue('8')
    await dialog.getByLabel('Seats').fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No pod matches these filters.')).toBeVisible()
    const { capacity } = await server.db
      .selectFrom('pods')
      .select('capacity')
      .where('title', '=', 'Aurora')
      .executeTakeFirstOrThrow()
    expect(capacity).toBeNull()
  })

  test('shows each error beside its field and server errors in the form, and keeps the typed text', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/400|500/)
    await signIn([3])
    await buildLocation(server.db, { name: 'Sandton Gate' })
    await buildFeature(server.db, { name: 'Whiteboard' })
    const dialog = await openCreate(page)
    await fillIn(dialog, page, 'Sandton Gate', 'Whiteboard')
    await chooseImages(dialog, 'front.png')
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
    await dialog.getByLabel('Rate per minute').fill('2.1234')
    const json = { message: 'The disk is full.', code: 'internal' }
    await page.route('**/product/create-pods', (route) => route.fulfill({ status: 500, json }))
    await dialog.getByRole('button', { name: 'Create Pod' }).click()
    const alert = dialog.getByRole('alert').filter({ hasText: 'Error creating pod' })
    await expect(alert).toContainText('The disk is full.')
    await expect(alert).toBeInViewport()
    await expect(dialog.getByLabel('Title')).toHaveValue('Baobab')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('What you typed here has not been saved.')).toBeVisible()
  })

  test('saves nothing while an image is refused, and retries a failed upload', async ({ page, server, signIn }) => {
    expectConsoleErrors(/415/, /ERR_FAILED/)
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    const dialog = await openAurora(page)
    await dialog.getByLabel('Title').fill('Aurora North')
    const save = dialog.getByRole('button', { name: 'Save changes' })
    await dialog
      .getByLabel('Images')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await expect(dialog.getByText(/broken\.png.* is not a JPEG, PNG, WebP, GIF or AVIF image\./)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Upload broken.png again' })).toHaveCount(0)
    await save.click()
    const alert = dialog.getByRole('alert').filter({ hasText: 'Error updating pod' })
    await expect(alert).toContainText('One image was not uploaded, and nothing has been saved.')
    await expect(dialog.getByLabel('Title')).toHaveValue('Aurora North')
    await dialog.getByRole('button', { name: 'Remove broken.png' }).click()
    await page.route('**/api/upload', (route) => route.abort())
    await chooseImages(dialog, 'fine.png')
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await page.unroute('**/api/upload')
    // A response from something in between, without a body.
    await page.route('**/api/upload', (route) => route.fulfill({ status: 204 }))
    await dialog.getByRole('button', { name: 'Upload fine.png again' }).click()
    await expect(dialog.getByText(/The server gave no valid response \(status 204\)/)).toBeVisible()
    await page.unroute('**/api/upload')
    await dialog.getByRole('button', { name: 'Upload fine.png again' }).click()
    await uploaded(dialog)
    await save.click()
    await expect(podRow(page, 'Aurora North')).toBeVisible()
  })

  test('gives up an upload after a minute in which nothing moved', async ({ page, server, signIn }) => {
    await page.clock.install()
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    const dialog = await openAurora(page)
    const request = page.waitForRequest('**/api/upload')
    const release = await holdRoute(page, '**/api/upload')
    await chooseImages(dialog, 'fine.png')
    await request
    await page.clock.fastForward('01:00')
    await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
    await release()
    await dialog.getByRole('button', { name: 'Upload fine.png again' }).click()
    await uploaded(dialog)
  })

  test('saves what was typed while images were uploading, and lets nothing be typed while it is sent', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([3])
    await buildAurora(server.db, await buildFeature(server.db))
    const dialog = await openAurora(page)
    const [title, save] = [dialog.getByLabel('Title'), dialog.getByRole('button', { name: 'Save changes' })]
    const releaseUpload = await holdRoute(page, '**/api/upload')
    const releaseSave = await holdRoute(page, '**/api/product/edit-pods/*')
    await chooseImages(dialog, 'fine.png')
    await title.fill('Aurora North')
    await title.press('Enter')
    await expect(save).toHaveAttribute('aria-busy', 'true')
    await title.fill('Aurora South')
    const sent = page.waitForRequest('**/api/product/edit-pods/*')
    await releaseUpload()
    expect((await sent).postDataJSON()).toMatchObject({ title: 'Aurora South' })
    await expect(save).toBeFocused()
    await page.keyboard.type('!')
    await expect(title).toHaveValue('Aurora South')
    await releaseSave()
    await expect(podRow(page, 'Aurora South')).toBeVisible()
  })
})
