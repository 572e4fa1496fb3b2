import { buildBooking, buildFeature, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { expect, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'

/** Typing and pressing Enter chooses the first match, however slow the response is. */

test('Enter in a filter waits for the response and chooses its first match', async ({ page, server, signIn }) => {
  await signIn([6])
  const aurora = await buildPod(server.db, { title: 'Aurora' })
  const baobab = await buildPod(server.db, { title: 'Baobab' })
  await buildBooking(server.db, { pod_id: aurora.id })
  await page.goto('/booking')
  const filter = page.getByRole('combobox', { name: 'Pod' })
  await filter.click()
  const options = page.getByRole('listbox', { name: 'Pod' }).getByRole('option')
  await expect(options).toHaveText([/Aurora/, /Baobab/])
  await filter.press('ArrowDown')
  await expect(options.first()).toHaveCSS('outline-style', 'solid')
  const release = await holdRoute(page, '**/product/getall*search=bao*')
  await filter.pressSequentially('bao')
  await filter.press('Enter')
  // The options listed before do not match the new text and must not be taken.
  await expect(page).toHaveURL('/booking')
  await release()
  await expect(page).toHaveURL(`/booking?pod=${baobab.id}`)
  await expect(filter).toHaveValue('Baobab')
  await expect(options).toHaveCount(0)
})

test('Enter in a filter chooses the first match even when the list’s code has not loaded yet', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([6])
  const user = await buildUser(server.db, { firstname: 'Zanele', lastname: 'Dlamini' })
  await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
  const release = await holdRoute(page, '**/assets/lookup-combobox*.js')
  await page.goto('/booking')
  const filter = page.getByRole('combobox', { name: 'Customer' })
  await filter.focus()
  await page.keyboard.type('zan')
  await page.keyboard.press('Enter')
  await release()
  await expect(page).toHaveURL(`/booking?user=${user.id}`)
})

test('Enter in a field does not submit the form, and chooses nothing when nothing matches', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([9])
  await buildPod(server.db, { title: 'Aurora' })
  await buildPod(server.db, { title: 'Baobab' })
  await page.goto('/corporate-booking')
  const pod = page.getByRole('combobox', { name: 'Pod' })
  await pod.fill('no such pod')
  await pod.press('Enter')
  await expect(page.getByText('No pod found')).toBeVisible()
  await pod.press('Enter')
  await expect(pod).toHaveValue('no such pod')
  await pod.fill('bao')
  await pod.press('Enter')
  await expect(pod).toHaveValue('Baobab')
  await expect(page.getByText('Time slot is required')).toHaveCount(0)
})

test('typing and Enter choose several features one after the other', async ({ page, server, signIn }) => {
  await signIn([3])
  for (const name of ['Coffee', 'Screen', 'Wi-Fi']) await buildFeature(server.db, { name })
  await page.goto('/pods')
  await page.getByRole('button', { name: 'Create Pods' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create Pod' })
  const features = form.getByRole('combobox', { name: 'Features' })
  for (const name of ['wi', 'cof']) {
    await features.click()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(features).toHaveValue('')
  }
  await expect(form.getByText('Wi-Fi', { exact: true })).toBeVisible()
  await expect(form.getByText('Coffee', { exact: true })).toBeVisible()
  await expect(form.getByText('At least one feature is required')).toHaveCount(0)
  await features.click()
  await page.keyboard.type('wi')
  await expect(page.getByText('Everything found is chosen.')).toBeVisible()
  await features.fill('no such feature')
  await expect(page.getByText('No feature found. Features are created on their own screen.')).toBeVisible()
  // High contrast draws no background, which the cross that removes one is made of.
  await page.emulateMedia({ forcedColors: 'active' })
  const isDrawn = form.getByRole('button', { name: 'Remove Coffee' }).evaluate((cross) => {
    return getComputedStyle(cross, '::before').backgroundColor === getComputedStyle(cross).color
  })
  expect(await isDrawn).toBe(true)
})

test('Enter in the header’s search waits for the response, and does not open a result of the previous text', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([3])
  await buildPod(server.db, { title: 'Aurora' })
  const baobab = await buildPod(server.db, { title: 'Baobab' })
  await page.goto('/pods')
  const search = page.getByRole('combobox', { name: 'Search', exact: true })
  await search.fill('Aurora')
  await expect(page.getByRole('option', { name: /Aurora/ })).toBeVisible()
  const release = await holdRoute(page, '**/api/search?q=Baobab')
  await search.fill('Baobab')
  await search.press('Enter')
  await expect(page).toHaveURL('/pods')
  await release()
  await expect(page).toHaveURL(`/pods?search=${baobab.id}`)
  await expect(search).toHaveValue('')
})

test('a field finds the pod whose title was typed before others with as many seats, and says where it is', async ({
  page,
  server,
  signIn,
}) => {
  await signIn([6])
  const rosebank = { location_id: (await buildLocation(server.db, { name: 'Rosebank', city: 'Pretoria' })).id }
  const sandton = { location_id: (await buildLocation(server.db, { name: 'Sandton' })).id }
  await buildPod(server.db, { title: 'Pod 1', capacity: 3, ...rosebank })
  await buildPod(server.db, { title: 'Pod 3', capacity: 4, ...rosebank })
  const pod = await buildPod(server.db, { title: 'Pod 3', capacity: 4, ...sandton })
  const booking = await buildBooking(server.db, { pod_id: pod.id, start_time: new Date(Date.UTC(2099, 0, 5, 9)) })
  await page.goto(`/booking/${booking.id}`)
  await page.getByRole('button', { name: 'Move' }).click()
  const field = page.getByRole('combobox', { name: 'Pod' })
  await expect(field).toHaveAccessibleDescription(/^Sandton, /)
  await field.fill('rosebank 3')
  await field.press('Enter')
  await expect(field).toHaveValue('Pod 3')
  await expect(field).toHaveAccessibleDescription('Rosebank, Pretoria')
})
