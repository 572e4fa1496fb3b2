import type { Locator, Page } from '@playwright/test'
import { buildLocation, buildPod } from '#server/testing/factories.ts'
import { confirmBlock } from './block-dialog.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const cardsOf = (page: Page) => page.getByRole('list', { name: 'Locations' }).getByRole('listitem')

async function fillLocation(dialog: Locator, labels: { state: string; country: string }) {
  await dialog.getByLabel('Name').fill('Harbour House')
  await dialog.getByLabel('Street').fill('1 Quay Street')
  await dialog.getByLabel('City').fill('Cape Town')
  await dialog.getByLabel(labels.state).fill('Western Cape')
  await dialog.getByLabel('Zip').fill('08001')
  await dialog.getByRole('combobox', { name: labels.country }).fill('south af')
  await dialog.page().getByRole('option', { name: 'South Africa' }).click()
}

test.describe('The locations screen', () => {
  test('shows six cards a page, with full addresses', async ({ page, server, signIn }) => {
    for (let index = 1; index <= 8; index++) await buildLocation(server.db, { name: `Place ${index}` })
    await signIn([7])
    await page.goto('/location')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locations')
    await expect(cardsOf(page)).toHaveCount(6)
    for (const text of ['Place 1', '19 Dock Road', 'Cape Town', 'Western Cape', '8001, South Africa', 'Active']) {
      await expect(cardsOf(page).first()).toContainText(text)
    }
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect(cardsOf(page)).toHaveCount(2)
    await expect(page).toHaveURL('/location?page=2')
    await page.reload()
    await expect(cardsOf(page)).toHaveCount(2)
    await page.goBack()
    await expect(cardsOf(page)).toHaveCount(6)
  })

  test('keeps search, filters and order in the URL, and returns to the first list page when they change', async ({
    page,
    server,
    signIn,
  }) => {
    for (let index = 1; index <= 7; index++) await buildLocation(server.db, { name: `Place ${index}`, city: 'Durban' })
    await buildLocation(server.db, { name: 'Zebra Square', city: 'Aliwal', is_blocked: true })
    await signIn([7])
    await page.goto('/location?page=2')
    await expect(cardsOf(page)).toHaveCount(2)
    await page.getByLabel('Search locations').fill('zebra')
    await expect(cardsOf(page)).toHaveCount(1)
    await expect(page).toHaveURL('/location?search=zebra')
    await page.getByLabel('Clear search').click()
    await page.getByLabel('Status').selectOption('blocked')
    await expect(cardsOf(page)).toHaveCount(1)
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('Order').selectOption('city')
    await expect(cardsOf(page).first()).toContainText('Zebra Square')
    await expect(page).toHaveURL('/location?sort=city')
    await page.getByLabel('Search locations').fill('nowhere')
    await expect(page.getByText('No location matches. Try other words or another status.')).toBeVisible()
    await page.goto('/location?page=99')
    await expect(page).toHaveURL('/location?page=2')
    await expect(cardsOf(page)).toHaveCount(2)
  })

  test('adds a location with default coordinates, and requires all other fields', async ({ page, server, signIn }) => {
    await signIn([7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add the first location' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add New Location' })
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    for (const label of ['Name', 'Street', 'City', 'Province', 'Zip', 'Country']) {
      await expect(dialog.getByText(`${label} is required`)).toBeVisible()
    }
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await expectAccessible(page)
    await fillLocation(dialog, { state: 'Province', country: 'Country' })
    await dialog.getByText('Coordinates').click()
    await expect(dialog.getByLabel('Latitude')).toHaveValue('15')
    await expect(dialog.getByLabel('Longitude')).toHaveValue('16')
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    await expect(page.getByText('Location created successfully')).toBeVisible()
    await expect(cardsOf(page)).toHaveCount(1)
    await expect(cardsOf(page).first()).toContainText('08001')
    const row = await server.db.selectFrom('locations').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Harbour House', zip: '08001', country_code: 'ZA', latitude: 15, longitude: 16 })
  })

  test('chooses a country by typing, South Africa first, and requires a choice when the stored country is unknown', async ({
    page,
    server,
    signIn,
  }) => {
    await buildLocation(server.db, { name: 'Dock', country_code: 'Narnia' })
    await signIn([7])
    await page.goto('/location')
    await expect(cardsOf(page).first()).toContainText('8001, Narnia')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Location' })
    const country = dialog.getByRole('combobox', { name: 'Country Code' })
    await expect(country).toHaveValue('')
    await expect(country).toHaveAccessibleDescription(/Stored as “Narnia”/)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('Country Code is required')).toBeVisible()
    await expect(country).toBeFocused()
    await page.keyboard.press('ArrowDown')
    const options = page.getByRole('listbox').getByRole('option')
    await expect(options.first()).toHaveText('South Africa')
    await expect(options.nth(1)).toHaveText('Afghanistan')
    await country.pressSequentially('na')
    await expect(options.first()).toHaveText('Namibia')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(country).toHaveValue('Namibia')
    await expectAccessible(page)
    await country.fill('uk')
    await page.keyboard.press('Tab')
    await expect(country).toHaveValue('United Kingdom')
    await country.fill('Nam')
    await page.keyboard.press('Tab')
    await expect(country).toHaveValue('United Kingdom')
    await country.fill('Botswana')
    // The list becomes shorter after a pause, and the option moves.
    await expect(options).toHaveCount(1)
    await options.click()
    await expect(country).toHaveValue('Botswana')
    await country.fill('namibia')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(cardsOf(page).first()).toContainText('8001, Namibia')
    const row = await server.db.selectFrom('locations').select('country_code').executeTakeFirstOrThrow()
    expect(row.country_code).toBe('NA')
  })

  test('reads coordinates from pasted text or a map link, and shows the values read', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add Location' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add New Location' })
    await fillLocation(dialog, { state: 'Province', country: 'Country' })
    await dialog.getByText('Coordinates').click()
    const latitude = dialog.getByLabel('Latitude')
    const longitude = dialog.getByLabel('Longitude')
    const link = dialog.getByLabel('Map link')
    const paste = (field: Locator, text: string) =>
      field.evaluate((input, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', pasted)
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste(longitude, '-33.9, 18.4')
    await expect(latitude).toHaveValue('-33.9')
    await expect(longitude).toHaveValue('18.4')
    await expect(longitude).toHaveAccessibleDescription('Understood: latitude -33.9, longitude 18.4.')
    await paste(latitude, 'Dock Road')
    await expect(latitude).toHaveAccessibleDescription(/No coordinates found/)
    await expect(latitude).toHaveValue('-33.9')
    await latitude.fill('-33.5, 18.5')
    await longitude.focus()
    await expect(latitude).toHaveValue('-33.5')
    await expect(longitude).toHaveValue('18.5')
    await link.fill('https://maps.app.goo.gl/abc')
    await expect(link).toHaveAccessibleDescription(/A short link holds no coordinates/)
    await expectAccessible(page)
    await link.fill('https://www.google.com/maps/place/Dock/@-33.91,18.43,17z/data=!3d-33.9036!4d18.4208')
    await expect(link).toHaveAccessibleDescription('Understood: latitude -33.9036, longitude 18.4208.')
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    await expect(page.getByText('Location created successfully')).toBeVisible()
    const row = await server.db.selectFrom('locations').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ latitude: -33.9036, longitude: 18.4208 })
  })

  test('refuses coordinates out of range, with an error beside the field', async ({ page, signIn }) => {
    await signIn([7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add Location' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add New Location' })
    await fillLocation(dialog, { state: 'Province', country: 'Country' })
    await dialog.getByText('Coordinates').click()
    await dialog.getByLabel('Latitude').fill('91')
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    await expect(dialog.getByText('latitude must be between -90 and 90')).toBeVisible()
    await expect(dialog.getByLabel('Latitude')).toBeFocused()
  })

  test('shows the error and keeps the input when saving fails', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED|400|500/)
    await buildLocation(server.db, { name: 'Dock' })
    await signIn([7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Add Location' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add New Location' })
    await fillLocation(dialog, { state: 'Province', country: 'Country' })
    await page.route('**/api/location/create', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    await expect(dialog.getByText('Connection lost. Trying again…')).toBeVisible()
    const errors = [{ path: 'zip', message: 'zip may have at most 20 characters' }]
    await page.route('**/api/location/create', (route) =>
      route.fulfill({ status: 400, json: { message: errors[0]?.message, code: 'invalid_input', errors } }),
    )
    const alert = dialog.getByRole('alert')
    await expect(alert).toContainText('Error creating location. Please check the form and try again.')
    await expect(dialog.getByLabel('Zip')).toHaveAccessibleDescription(/at most 20 characters/)
    await expect(dialog.getByLabel('Name')).toHaveValue('Harbour House')
    await page.unroute('**/api/location/create')
    await dialog.getByRole('button', { name: 'Add Location' }).click()
    await expect(dialog).toBeHidden()

    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Location' })
    await page.route('**/api/location/edit-location/*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal', requestId: 'r-7' } }),
    )
    await edit.getByLabel('Name').fill('Dock 2')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(edit.getByRole('alert')).toContainText('Error updating location')
    await expect(edit.getByRole('alert')).toContainText('r-7')
    await expect(edit.getByLabel('Name')).toHaveValue('Dock 2')
  })

  test('edits a location in a form with the labels “State” and “Country Code”', async ({ page, server, signIn }) => {
    const location = await buildLocation(server.db, { name: 'Dock', zip: '0001' })
    await signIn([7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Edit Dock' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Location' })
    await expect(dialog.getByLabel('Zip')).toHaveValue('0001')
    await expect(dialog.getByRole('combobox', { name: 'Country Code' })).toHaveValue('South Africa')
    await dialog.getByLabel('State').fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByText('State is required')).toBeVisible()
    await dialog.getByLabel('State').fill('Gauteng')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Location updated successfully')).toBeVisible()
    await expect(cardsOf(page).first()).toContainText('Gauteng')
    const row = await server.db
      .selectFrom('locations')
      .selectAll()
      .where('id', '=', location.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ state: 'Gauteng', latitude: location.latitude, longitude: location.longitude })
  })

  test('blocks and unblocks with the switch, and turns the switch back when the request fails', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildLocation(server.db, { name: 'Dock' })
    await signIn([7])
    await page.goto('/location')
    const control = page.getByRole('switch', { name: 'Dock active' })
    await expect(control).toBeChecked()
    await control.focus()
    await page.keyboard.press('Space')
    await confirmBlock(page, 'Dock')
    await expect(page.getByText('Location blocked successfully')).toBeVisible()
    await expect(control).not.toBeChecked()
    await expect(cardsOf(page).first()).toContainText('Inactive')
    await expect(control).toBeFocused()
    await page.route('**/api/location/unblock-Location/*', (route) => route.abort())
    await page.keyboard.press('Space')
    const messages = page.getByRole('region', { name: 'Messages' })
    await expect(messages).toContainText('The server cannot be reached.')
    await expect(control).not.toBeChecked()
    await page.unroute('**/api/location/unblock-Location/*')
    await messages.getByRole('button', { name: 'Retry' }).click()
    await expect(control).toBeChecked()
    // The switch flips before the server has responded.
    await expect(messages).toContainText('Location unblocked successfully')
    const row = await server.db.selectFrom('locations').select('is_blocked').executeTakeFirstOrThrow()
    expect(row.is_blocked).toBe(false)
  })

  test('deletes a location once confirmed with Yes, and leaves an emptied list page', async ({
    page,
    server,
    signIn,
  }) => {
    for (let index = 1; index <= 7; index++) await buildLocation(server.db, { name: `Place ${index}` })
    await signIn([7])
    await page.goto('/location?page=2')
    await page.getByRole('button', { name: 'Delete Place 7' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Are you sure you want to delete this location?')
    await expect(dialog).toContainText('past bookings keep its name')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'No' }).click()
    await expect(cardsOf(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Delete Place 7' }).click()
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('Location deleted successfully')).toBeVisible()
    await expect(page).toHaveURL('/location')
    await expect(cardsOf(page)).toHaveCount(6)
  })

  test('leads from the number of pods of a location to them', async ({ page, server, signIn }) => {
    await signIn([3, 7])
    const location = await buildLocation(server.db, { name: 'Dock' })
    await buildPod(server.db, { title: 'Aurora', location_id: location.id })
    await buildLocation(server.db, { name: 'Empty' })
    await page.goto('/location')
    await expect(page.getByRole('link', { name: /0 pods/ })).toHaveCount(0)
    await page.getByRole('link', { name: '1 pod of Dock' }).click()
    await expect(page).toHaveURL(`/pods?location=${location.id}`)
  })

  test('shows how many pods prevent a location from being deleted, and links to the pods', async ({
    page,
    server,
    signIn,
  }) => {
    const location = await buildLocation(server.db, { name: 'Dock' })
    for (let index = 0; index < 2; index++) await buildPod(server.db, { location_id: location.id })
    await signIn([3, 7])
    await page.goto('/location')
    await page.getByRole('button', { name: 'Delete Dock' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('“Dock” has 2 pods and cannot be deleted yet. Move or delete them first.')
    await dialog.getByRole('link', { name: 'Show 2 pods of this location' }).click()
    await expect(page).toHaveURL(`/pods?location=${location.id}`)
  })

  test('shows the error when a pod was added before the deletion was confirmed', async ({ page, server, signIn }) => {
    expectConsoleErrors(/409/)
    const location = await buildLocation(server.db, { name: 'Dock' })
    await signIn([7])
    await page.goto('/location')
    const remove = page.getByRole('button', { name: 'Delete Dock' })
    // The list has been loaded; the next response is the count that the dialog asks for.
    await expect(remove).toBeVisible()
    const counted = page.waitForResponse('**/api/location/details?*')
    await remove.click()
    await counted
    await buildPod(server.db, { location_id: location.id })
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await expect(dialog.getByRole('alert')).toContainText('This location has 1 pod. Move or delete it first.')
  })

  test('shows an error when the list cannot be loaded, and loads it on Retry', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await buildLocation(server.db, { name: 'Dock' })
    await signIn([7])
    await page.route('**/api/location/details?*', (route) => route.abort())
    await page.goto('/location')
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
    await page.unroute('**/api/location/details?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(cardsOf(page)).toHaveCount(1)
  })

  test('is accessible and fits a phone', async ({ page, server, signIn }) => {
    await buildLocation(server.db, { name: 'A very long name of a location that goes on and on and on and on' })
    await buildLocation(server.db, { name: 'Dock', is_blocked: true, street: 'S'.repeat(180) })
    await signIn([7])
    await page.goto('/location')
    await expect(cardsOf(page)).toHaveCount(2)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
