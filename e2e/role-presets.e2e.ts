import { PAGE, pageCodes } from '#contract/pages.ts'
import { buildLocation, buildRolePreset, buildStaff } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { holdRoute } from './hold-route.ts'
import { openList } from './live-changes.ts'

test('a preset can be added, edited, deleted and restored, and has a history', async ({ page, server, signIn }) => {
  await signIn()
  await page.goto('/assign-role')
  await page.getByRole('link', { name: 'Presets' }).click()
  await expect(page.getByText('What colleagues of one role are given appears here')).toBeVisible()
  await page.getByRole('button', { name: 'Add Preset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Preset' })
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByRole('button', { name: 'Add Preset' }).click()
  await expect(dialog.getByText('Choose at least one page')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Booking Bookings' }).check()
  await dialog.getByRole('checkbox', { name: 'Pods' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add Preset' }).click()
  await expect(page.getByText('Preset added')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Front desk' })
  await expect(row).toContainText('Pods, Booking')
  await expect(row).toContainText('All locations')

  await row.getByRole('button', { name: 'Edit Front desk' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Preset' })
  await edit.getByLabel('Name').fill('Reception')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Preset updated. Nobody who was given it has changed.')).toBeVisible()
  await page.getByRole('button', { name: 'History Reception' }).click()
  await expect(page.getByRole('dialog').getByText('created the preset')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Reception' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Reception' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('row').filter({ hasText: 'Reception' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  const stored = server.db.selectFrom('role_presets').select(['name', 'pages', 'deleted_at'])
  expect(await stored.execute()).toEqual([{ name: 'Reception', pages: [3, 6], deleted_at: null }])
})

test('the staff form can start from a preset, whose values can then be changed', async ({ page, server, signIn }) => {
  const { id } = await buildLocation(server.db, { name: 'Rosebank' })
  const frontDesk = { name: 'Front desk', pages: [3, 6], view_only_pages: [3], location_ids: [id] }
  await buildRolePreset(server.db, frontDesk as Parameters<typeof buildRolePreset>[1])
  await signIn()
  const letGo = await holdRoute(page, '**/api/role-presets?*')
  await page.goto('/assign-role')
  await page.getByRole('button', { name: 'Add Staff' }).click()
  // Its place is kept: what is below does not move while somebody types.
  const choice = page.getByRole('dialog').getByLabel('Start from a preset')
  await expect(choice).toBeDisabled()
  await letGo()
  await expect(choice).toBeEnabled()
  const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
  await dialog.getByLabel('First name').fill('Sipho')
  await dialog.getByLabel('Email').fill('sipho@example.com')
  await dialog.getByLabel('Start from a preset').selectOption('Front desk')
  await expect(dialog.getByLabel('Role', { exact: true })).toHaveValue('Front desk')
  await expect(dialog.getByRole('checkbox', { name: 'Booking Bookings' })).toBeChecked()
  await expect(dialog.getByLabel('Rosebank')).toBeChecked()
  // The preset's values can still be changed.
  await dialog.getByRole('checkbox', { name: 'Dashboard' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add Staff' }).click()
  await expect(dialog).toBeHidden()
  const made = server.db.selectFrom('staff').select(['role', 'pages', 'view_only_pages', 'location_ids'])
  expect(await made.where('email', '=', 'sipho@example.com').execute()).toEqual([
    { role: 'Front desk', pages: [1, 3, 6], view_only_pages: [3], location_ids: [id] },
  ])
})

test('the staff form names no other preset once the one that filled it in has been deleted', async ({
  page,
  server,
  signIn,
}) => {
  const chosen = await buildRolePreset(server.db, { name: 'Back office', pages: [8] })
  await buildRolePreset(server.db, { name: 'Front desk', pages: [6] })
  const { token } = await signIn()
  await openList(page, '/assign-role')
  await page.getByRole('button', { name: 'Add Staff' }).click()
  const choice = page.getByRole('dialog').getByLabel('Start from a preset')
  await choice.selectOption('Back office')
  const headers = { authorization: `Bearer ${token}`, 'if-match': '*' }
  expect((await page.request.delete(`/api/role-presets/${chosen.id}`, { headers })).status()).toBe(200)
  await expect(choice.getByRole('option', { name: 'Back office' })).toHaveCount(0)
  await expect(choice).toHaveValue('')
})

test('the staff form offers the presets after Retry when they could not be loaded', async ({
  page,
  server,
  signIn,
}) => {
  expectConsoleErrors(/500/)
  await buildRolePreset(server.db)
  await signIn()
  const failing = '**/role-presets?*'
  await page.route(failing, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }))
  await page.goto('/assign-role')
  await page.getByRole('button', { name: 'Add Staff' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Staff' })
  await expect(dialog.getByRole('alert')).toContainText('The presets could not be loaded')
  await page.unroute(failing)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByLabel('Start from a preset')).toBeVisible()
})

test('the staff form offers every preset of more than a hundred', async ({ page, server, signIn }) => {
  for (let n = 1; n <= 101; n++) await buildRolePreset(server.db, { name: `Zone ${n}` })
  await signIn()
  await page.goto('/assign-role')
  await page.getByRole('button', { name: 'Add Staff' }).click()
  const options = page.getByRole('dialog').getByLabel('Start from a preset').getByRole('option', { name: /^Zone/ })
  await expect(options).toHaveCount(101)
})

test('a preset keeps an existing role, and one that gives more access than one’s own is shown but disabled', async ({
  page,
  server,
  signIn,
}) => {
  await buildRolePreset(server.db, { name: 'Everything', pages: [...pageCodes] })
  await buildRolePreset(server.db, { name: 'Pods', pages: [PAGE.pods] })
  await buildStaff(server.db, { firstname: 'Sipho', lastname: 'Zulu', role: 'Cleaner', pages: [PAGE.pods] })
  await signIn([PAGE.pods, PAGE.staff])
  await page.goto('/assign-role')
  await page.getByRole('button', { name: 'Edit Sipho Zulu' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Staff' })
  const choice = dialog.getByLabel('Start from a preset')
  const more = choice.getByRole('option', { name: /^Everything: gives .*Transactions.* which you do not hold$/ })
  await expect(more).toBeDisabled()
  await choice.selectOption('Pods')
  await expect(dialog.getByLabel('Role', { exact: true })).toHaveValue('Cleaner')
  await page.keyboard.press('Escape')
  await page.goto('/assign-role?show=presets')
  const reason = /It gives more than you hold: Dashboard, Features, Transactions/
  await expect(page.getByRole('button', { name: 'Edit Everything' })).toHaveAccessibleDescription(reason)
})

test('an API key can start from a preset, but not from one that may edit Assign Role', async ({
  page,
  server,
  signIn,
}) => {
  await buildRolePreset(server.db, { name: 'Managers', pages: [PAGE.staff] })
  await buildRolePreset(server.db, { name: 'Door hardware', pages: [PAGE.bookings] })
  await signIn()
  await page.goto('/messages?show=keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  const choice = dialog.getByLabel('Start from a preset')
  await expect(choice.getByRole('option', { name: 'Managers: a key only views Assign Role' })).toBeDisabled()
  await choice.selectOption('Door hardware')
  await expect(dialog.getByRole('checkbox', { name: 'Booking Bookings' })).toBeChecked()
})
