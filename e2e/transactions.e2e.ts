import { recordEvent, systemActor } from '#server/modules/audit/record-event.ts'
import {
  buildBooking,
  buildCompany,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import { downloadBy } from './download.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('The Transactions screen', () => {
  test('names the company whose booking was paid for, above who booked', async ({ page, server, signIn }) => {
    await signIn([4, 9])
    const company = await buildCompany(server.db, { name: 'Karoo Media' })
    const staff = await buildStaff(server.db, { firstname: 'Nomsa', lastname: 'Dube' })
    const booking = await buildBooking(server.db, { company_id: company.id, staff_id: staff.id })
    await buildTransaction(server.db, { booking_id: booking.id })
    await page.goto('/Transactions')
    const row = page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(1)
    await expect(row).toContainText(/Karoo Media, Nomsa Dube/)
    await row.getByRole('link', { name: 'Karoo Media' }).click()
    await expect(page).toHaveURL(`/companies?search=${company.id}`)
  })

  test('lists six per page, with pod, location and user of the booking, and a colour per status', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4])
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    const location = await buildLocation(server.db, { name: 'Rosebank Mews' })
    const pod = await buildPod(server.db, { title: 'Kelp', location_id: location.id })
    const booking = await buildBooking(server.db, { pod_id: pod.id, user_id: user.id })
    for (const status of ['completed', 'created', 'pending', 'failed', 'completed', 'completed', 'completed']) {
      await buildTransaction(server.db, { booking_id: booking.id, status, amount: '1234.50' })
    }
    await page.goto('/Transactions')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions')
    await expect(page.getByText('All Transactions (7)')).toBeVisible()
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect(table.getByRole('row')).toHaveCount(7)
    await expect(table.getByRole('row').nth(1)).toContainText(/Kelp.*Rosebank Mews.*Ayesha Patel/)
    await expect(table.getByText('R 1 234.50', { exact: true }).first()).toBeVisible()
    for (const header of [
      'Transaction Id',
      'Amount',
      'Currency',
      'Merchant Id',
      'Checkout Id',
      'Payment Facilitator',
      'Pod Name',
      'Location',
      'User Name',
      'Status',
      'Date',
    ]) {
      await expect(table.getByRole('columnheader', { name: header })).toBeVisible()
    }
    for (const [status, tone] of [
      ['completed', 'green'],
      ['created', 'blue'],
      ['pending', 'orange'],
      ['failed', 'red'],
    ]) {
      await page.goto(`/Transactions?status=${status}`)
      await expect(table.getByText(status ?? '', { exact: true }).first()).toHaveAttribute('data-tone', tone ?? '')
    }
  })

  test('filters by facilitator, status and date in the URL, and downloads the filtered rows', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4])
    const build = (payment_facilitator: string, status: string, day: number) =>
      buildTransaction(server.db, { payment_facilitator, status, created_at: new Date(Date.UTC(2026, 10, day, 10)) })
    for (let day = 1; day < 8; day++) await build('Yoco', day === 7 ? 'failed' : 'completed', day)
    const other = await build('PayFast', 'refunded', 7)
    await page.goto('/Transactions?page=2')
    await expect(page.getByText('All Transactions (8)')).toBeVisible()
    const facilitator = page.getByLabel('Payment facilitator')
    await expect(facilitator.getByRole('option')).toHaveText(['All facilitators', 'PayFast', 'Yoco'])

    const status = page.getByLabel('Status', { exact: true })
    await status.selectOption('refunded')
    await expect(page.getByText('1 of 8', { exact: true })).toBeVisible()
    await status.selectOption('All statuses')

    await facilitator.selectOption('Yoco')
    await expect(page.getByText('7 of 8', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/Transactions\?facilitator=Yoco$/)
    await expect(page.getByRole('row')).toHaveCount(7)
    await page.getByLabel('From').fill('2026-11-05')
    await expect(page.getByText('3 of 8', { exact: true })).toBeVisible()
    await status.selectOption('failed')
    await expect(page.getByText('1 of 8', { exact: true })).toBeVisible()

    await page.reload()
    await expect(page.getByText('1 of 8', { exact: true })).toBeVisible()
    await expect(facilitator).toHaveValue('Yoco')
    const { body } = await downloadBy(page, page.getByRole('button', { name: 'Download All' }))
    const csv = body.toString()
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).not.toContain(other.id)

    await page.goBack()
    await expect(page.getByText('3 of 8', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByText('All Transactions (8)')).toBeVisible()
    await expect(facilitator).toHaveValue('')

    await page.goBack()
    await page.getByRole('searchbox').fill(other.id)
    await expect(page.getByText('0 of 8', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'All Transactions (8)', exact: true }).click()
    await expect(page.getByRole('button', { name: 'All Transactions (8)', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/Transactions')
    await expect(page.getByRole('searchbox')).toHaveValue('')
    await expect(page.getByLabel('From')).toHaveValue('')
  })

  test('filters by location and amount, shows more rows per page, and links to the booking', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4, 6])
    const location = await buildLocation(server.db, { name: 'Rosebank Mews' })
    const pod = await buildPod(server.db, { title: 'Kelp', location_id: location.id })
    const booking = await buildBooking(server.db, { pod_id: pod.id })
    // Ten at night in Johannesburg is already the next day in the browser's time zone.
    const created_at = new Date('2026-11-20T20:00:00.000Z')
    for (let rand = 1; rand <= 8; rand++)
      await buildTransaction(server.db, { booking_id: booking.id, amount: `${rand}00.00`, created_at })
    await buildTransaction(server.db, { amount: '250.00' })
    await page.goto('/Transactions')
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect(table.getByRole('row')).toHaveCount(7)
    await page.getByLabel('Rows per page').selectOption('25 rows')
    await expect(page).toHaveURL(/\/Transactions\?size=25$/)
    await expect(table.getByRole('row')).toHaveCount(10)

    await choose(page.getByRole('combobox', { name: 'Location' }), 'rosebank', /Rosebank Mews/)
    await expect(page.getByText('8 of 9')).toBeVisible()
    await page.getByLabel('Lowest amount').fill('R 700')
    await page.getByLabel('Lowest amount').press('Enter')
    await expect(page.getByText('2 of 9')).toBeVisible()
    await expect(table.getByText('2026-11-20').first()).toBeVisible()
    await expect(table.getByText('10:00 PM').first()).toBeVisible()
    await page.getByLabel('Highest amount').fill('much')
    await page.getByLabel('Highest amount').blur()
    await expect(page.getByRole('alert').getByText('Write an amount such as 99.50.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Highest amount').fill('700')
    await page.getByLabel('Highest amount').blur()
    await expect(page.getByText('1 of 9')).toBeVisible()
    await page.reload()
    await expect(page.getByText('1 of 9')).toBeVisible()
    const { body } = await downloadBy(page, page.getByRole('button', { name: 'Download All' }))
    const [head = '', row = ''] = body.toString().trim().split('\r\n')
    expect(head).toMatch(/,Status,Date$/)
    expect(row).toMatch(/,completed,2026-11-20 10:00 PM$/)

    await table.getByRole('link', { name: 'Kelp, its booking' }).click()
    await expect(page).toHaveURL(new RegExp(`/booking\\?search=${booking.id}$`))
    await expect(page.getByRole('table', { name: 'Bookings' }).getByRole('row')).toHaveCount(2)
  })

  test('offers a retry when the facilitators cannot be loaded', async ({ page, server, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([4])
    await buildTransaction(server.db, { payment_facilitator: 'Yoco' })
    await page.route('**/api/transactions/facilitators', (route) => route.abort())
    await page.goto('/Transactions?facilitator=Yoco')
    await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
    const facilitator = page.getByLabel('Payment facilitator')
    await expect(facilitator).toHaveValue('Yoco')
    const retry = page.getByRole('button', { name: 'Facilitators not loaded: try again' })
    await expect(retry).toBeVisible()
    await buildTransaction(server.db, { payment_facilitator: 'Ozow' })
    await page.unroute('**/api/transactions/facilitators')
    await retry.click()
    await expect(retry).toBeHidden()
    await expect(facilitator.getByRole('option')).toHaveText(['All facilitators', 'Ozow', 'Yoco'])
  })

  test('shows the history of a transaction, on a phone too', async ({ page, server, signIn }) => {
    await signIn([4])
    const changed = await buildTransaction(server.db, {})
    const untouched = await buildTransaction(server.db, {})
    const provider = { ...systemActor(() => new Date()), kind: 'provider' as const }
    await recordEvent(server.db, provider, {
      action: 'edit',
      entity: 'transaction',
      id: changed.id,
      label: changed.id,
      before: { status: 'pending' },
      after: { status: 'completed' },
    })
    await page.goto('/Transactions')
    for (const size of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(size)
      await page.getByRole('button', { name: `History Transaction ${changed.id}` }).click()
      const dialog = page.getByRole('dialog', { name: `History of Transaction ${changed.id}` })
      await expect(dialog.getByRole('listitem')).toContainText(/pending.*completed/)
      await page.keyboard.press('Escape')
      await expectNoSidewaysScroll(page)
    }
    await page.getByRole('button', { name: `History Transaction ${untouched.id}` }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'No changes are recorded: payments, what other systems have stored, and',
    )
    await expectAccessible(page)
  })

  test('hides the filters behind a button on a phone', async ({ page, server, signIn }) => {
    await signIn([4])
    await buildTransaction(server.db, { payment_facilitator: 'Yoco' })
    await page.setViewportSize(PHONE)
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Payment facilitator').selectOption('Yoco')
    await expect(page.getByRole('button', { name: 'Filters 1 set' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

  test('sets the rate, and keeps the dialog open while the rate is invalid', async ({ page, server, signIn }) => {
    await signIn([4])
    await server.db.updateTable('pricing').set({ rate: '2.5' }).execute()
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Manage Rate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Rate' })
    await expect(dialog).toContainText('Please enter the rate and status.')
    await expect(dialog).toContainText('Your current Base price is 2.5 ZAR.')
    await expect(dialog).toContainText('Pods keep the rates that they have.')
    await dialog.getByLabel('Rate').fill('-3')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Rate must be a number of 0 or more, such as 2.50')).toBeVisible()
    await expect(dialog.getByLabel('Rate')).toHaveValue('-3')
    await dialog.getByLabel('Rate').fill('2.50001')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Rate may have at most 4 decimals')).toBeVisible()
    await dialog.getByLabel('Rate').fill('3.25')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toBeHidden()
    const pricing = await server.db.selectFrom('pricing').select('rate').executeTakeFirstOrThrow()
    expect(Number(pricing.rate)).toBe(3.25)
  })

  test('shows the value of a discount while its minutes are typed', async ({ page, server, signIn }) => {
    await signIn([4])
    await server.db.updateTable('pricing').set({ rate: '2.35', discount_minutes: 10 }).execute()
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Manage Discount' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage discount' })
    await expect(dialog).toContainText('Please enter the Minutes of discount.')
    // Read as a whole, not as the numbers that change in it.
    await expect(dialog.getByText('Current discount')).toHaveAttribute('aria-atomic', 'true')
    await expect(dialog).toContainText('10 minutes × 2.35 = 23.50 ZAR')
    await dialog.getByLabel('Discount').fill('30')
    await expect(dialog).toContainText('30 minutes × 2.35 = 70.50 ZAR')
    await dialog.getByLabel('Discount').fill('1.5')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Discount must be whole minutes, 0 or more')).toBeVisible()
    await dialog.getByLabel('Discount').fill('1000001')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Discount must be at most 1000000')).toBeVisible()
    await dialog.getByLabel('Discount').fill('30')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toBeHidden()
    const pricing = await server.db.selectFrom('pricing').select('discount_minutes').executeTakeFirstOrThrow()
    expect(pricing.discount_minutes).toBe(30)
  })

  test('keeps a typed rate when saving fails, and asks before discarding it', async ({ page, signIn }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([4])
    await page.goto('/Transactions')
    await page.route('**/api/transactions/ManageRates', (route) => route.abort())
    await page.getByRole('button', { name: 'Manage Rate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Rate' })
    await dialog.getByLabel('Rate').fill('4')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toContainText('The server cannot be reached. Check your internet connection and try again.')
    await expect(dialog.getByLabel('Rate')).toHaveValue('4')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Discard changes?' })).toBeVisible()
  })

  test('is accessible, on a phone too', async ({ page, server, signIn }) => {
    await signIn()
    await buildTransaction(server.db)
    await page.goto('/Transactions')
    await expect(page.getByText('All Transactions (1)')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
