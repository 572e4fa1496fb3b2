import { buildBooking, buildCompany, buildPod, buildTransaction } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'
import { asColleague, openList } from './live-changes.ts'

test.describe('Companies', () => {
  test('can be added, edited, deleted and restored', async ({ page, signIn }) => {
    await signIn([9])
    await page.goto('/companies')
    await expect(page.getByText('Companies that book pods for their people appear here.')).toBeVisible()
    await page.getByRole('button', { name: 'Add Company' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('nobody')
    await dialog.getByRole('button', { name: 'Add Company' }).click()
    await expect(dialog.getByText('Company name is required')).toBeVisible()
    await expect(dialog.getByText('Email must be an email address')).toBeVisible()
    await dialog.getByLabel('Company name').fill('Kudu Software')
    await dialog.getByLabel('Email').fill('office@kudu.example')
    await dialog.getByLabel('Billing address').fill('12 Long Street')
    await dialog.getByRole('button', { name: 'Add Company' }).click()
    await expect(page.getByText('Company added')).toBeVisible()
    const row = page.getByRole('row', { name: /Kudu Software/ })
    await expect(row).toContainText('office@kudu.example')

    await row.getByRole('button', { name: /^Edit/ }).click()
    await dialog.getByLabel('Contact name').fill('Priya Naidoo')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(row).toContainText('Priya Naidoo')

    await row.getByRole('button', { name: /^Delete/ }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Are you sure you want to delete Kudu Software?')
    await expect(question).toContainText('No bookings are still to come.')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Company deleted successfully')).toBeVisible()
    await expect(row).toBeHidden()
    await page.getByLabel('Status').selectOption('deleted')
    await row.getByRole('button', { name: /^Restore/ }).click()
    await expect(page.getByText('Kudu Software is restored')).toBeVisible()
  })

  test('are found from a booking, also when deleted since', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const company = await buildCompany(server.db, { name: 'Kudu Software', deleted_at: new Date() })
    const booking = await buildBooking(server.db, { company_id: company.id })
    await page.goto(`/booking/${booking.id}`)
    await page.getByRole('link', { name: 'Kudu Software' }).click()
    await expect(page).toHaveURL(`/companies?search=${company.id}&status=deleted`)
    await expect(
      page.getByRole('row', { name: /Kudu Software/ }).getByRole('button', { name: /^Restore/ }),
    ).toBeVisible()
  })

  test('are found by the header search, and show their upcoming bookings', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const company = await buildCompany(server.db, { name: 'Kudu Software', phone: '+27 21 555 0100' })
    const start_time = new Date(Date.UTC(2099, 0, 5, 9))
    const booking = await buildBooking(server.db, { company_id: company.id, start_time })
    const past = await buildBooking(server.db, {
      company_id: company.id,
      status: 'Completed',
      start_time: new Date(Date.UTC(2026, 0, 5, 9)),
    })
    await page.goto('/companies')
    await page
      .getByRole('combobox', { name: /Search/ })
      .first()
      .fill('kudu')
    await page.getByRole('option', { name: /^Kudu Software/ }).click()
    await expect(page).toHaveURL(`/companies?search=${company.id}`)
    await page.getByRole('button', { name: /^Details and bookings/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Kudu Software' })
    await expect(dialog.getByRole('link', { name: '+27 21 555 0100' })).toHaveAttribute('href', 'tel:+27215550100')
    await expect(dialog).toContainText('1 booking is still to come.')
    const upcoming = dialog.getByRole('listitem').getByRole('link', { name: /9:00 AM - 10:00 AM/ })
    await expect(upcoming).toHaveAttribute('href', `/booking/${booking.id}`)
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'Show its bookings' }).click()
    await expect(page).toHaveURL(new RegExp(`/booking\\?company=${company.id}`))
    for (const { id } of [booking, past]) {
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/booking/${id}"]`) })
      await expect(row.getByRole('link', { name: 'Kudu Software' })).toBeVisible()
    }
  })

  test('count those at the locations of who looks, and say so', async ({ page, server, signIn }) => {
    const company = await buildCompany(server.db, { name: 'Kudu Software' })
    const [here, there] = [await buildPod(server.db), await buildPod(server.db)]
    const start_time = new Date('2030-01-07T09:00:00.000Z')
    for (const { id } of [here, there])
      await buildBooking(server.db, { pod_id: id, company_id: company.id, start_time })
    await signIn([9], { location_ids: [here.location_id] })
    await page.goto('/companies')
    await page.getByRole('button', { name: /^Details and bookings/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Kudu Software' })
    await expect(dialog).toContainText('1 booking is still to come.')
    await expect(dialog.getByRole('heading', { name: 'Upcoming bookings at your locations' })).toBeVisible()
  })

  test('show in their details what a colleague changes meanwhile, and that they were deleted', async ({
    page,
    server,
    signIn,
  }) => {
    expectConsoleErrors(/404/)
    const { id } = await buildCompany(server.db, { name: 'Kudu Software', vat_number: '4123456780' })
    const colleague = asColleague(server, await signIn([9]))
    await openList(page, '/companies')
    await page.getByRole('button', { name: /^Details and bookings/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('4123456780')
    await colleague('PUT', `/companies/${id}`, { name: 'Kudu Systems', vatNumber: '4123456798' })
    await expect(dialog.getByRole('heading', { name: 'Kudu Systems' })).toBeVisible()
    await expect(dialog).toContainText('4123456798')
    await colleague('DELETE', `/companies/${id}`)
    await expect(dialog.getByRole('status').getByText('This company has been deleted meanwhile.')).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Book for this company' })).toBeHidden()
    await expectAccessible(page)
  })

  test('lead to what was paid for their bookings', async ({ page, server, signIn }) => {
    await signIn([4, 9])
    const company = await buildCompany(server.db, { name: 'Kudu Software' })
    const booking = await buildBooking(server.db, { company_id: company.id })
    await buildTransaction(server.db, { booking_id: booking.id, amount: '466.67' })
    await buildTransaction(server.db, { amount: '12.50' })
    await page.goto('/companies')
    await page.getByRole('button', { name: /^Details and bookings/ }).click()
    await page.getByRole('link', { name: 'Show its payments' }).click()
    await expect(page).toHaveURL(`/Transactions?company=${company.id}`)
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table.getByRole('row').last()).toContainText('R 466.67')
    const filter = page.getByRole('combobox', { name: 'Company' })
    await expect(filter).toHaveValue('Kudu Software')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(table.getByRole('row')).toHaveCount(3)
    await expect(filter).toBeHidden()
  })

  test('are readable on a phone', async ({ page, server, signIn }) => {
    await signIn([9])
    await buildCompany(server.db, { name: 'K'.repeat(150), contact_name: '<b>x</b>' })
    await page.setViewportSize(PHONE)
    await page.goto('/companies')
    await expect(page.getByText('All Companies (1)')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
