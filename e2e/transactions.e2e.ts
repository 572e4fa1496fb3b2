import { buildBooking, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

test.describe('Transactions', () => {
  test('lists six a page with pod, location and user of their booking, and colours', async ({
    page,
    server,
    signIn,
  }) => {
    await signIn([4])
    const user = await buildUser(server.db, { firstname: 'Ayesha', lastname: 'Patel' })
    const booking = await buildBooking(server.db, { user_id: user.id })
    for (const status of ['completed', 'created', 'pending', 'failed', 'completed', 'completed', 'completed']) {
      await buildTransaction(server.db, { booking_id: booking.id, status, amount: '1234.50' })
    }
    await page.goto('/Transactions')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions')
    await expect(page.getByText('All Transactions (7)')).toBeVisible()
    const table = page.getByRole('table', { name: 'Transactions' })
    await expect(table.getByRole('row')).toHaveCount(7)
    await expect(table.getByText('Ayesha Patel').first()).toBeVisible()
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

  test('sets the rate, and keeps the dialog open while it is wrong', async ({ page, server, signIn }) => {
    await signIn([4])
    await server.db.updateTable('pricing').set({ rate: '2.5' }).execute()
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Manage Rate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage rate' })
    await expect(dialog).toContainText('Please enter the rate and status.')
    await expect(dialog).toContainText('Your current Base price is 2.5 ZAR.')
    await dialog.getByLabel('Rate').fill('-3')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Rate must be a number of 0 or more, such as 2.50')).toBeVisible()
    await expect(dialog.getByLabel('Rate')).toHaveValue('-3')
    await dialog.getByLabel('Rate').fill('3.25')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toBeHidden()
    const pricing = await server.db.selectFrom('pricing').select('rate').executeTakeFirstOrThrow()
    expect(Number(pricing.rate)).toBe(3.25)
  })

  test('shows what a discount is worth while it is typed', async ({ page, server, signIn }) => {
    await signIn([4])
    await server.db.updateTable('pricing').set({ rate: '2.35', discount_minutes: 10 }).execute()
    await page.goto('/Transactions')
    await page.getByRole('button', { name: 'Manage Discount' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage discount' })
    await expect(dialog).toContainText('Please enter the Minutes of discount.')
    await expect(dialog).toContainText('10 minutes × 2.35 = 23.5 ZAR')
    await dialog.getByLabel('Discount').fill('30')
    await expect(dialog).toContainText('30 minutes × 2.35 = 70.5 ZAR')
    await dialog.getByLabel('Discount').fill('1.5')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Discount must be whole minutes, 0 or more')).toBeVisible()
    await dialog.getByLabel('Discount').fill('30')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog).toBeHidden()
    const pricing = await server.db.selectFrom('pricing').select('discount_minutes').executeTakeFirstOrThrow()
    expect(pricing.discount_minutes).toBe(30)
  })

  test('keeps what was typed when saving fails, and when one wants to leave', async ({
    page,
    signIn,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/ERR_FAILED/)
    await signIn([4])
    await page.goto('/Transactions')
    await page.route('**/api/transactions/ManageRates', (route) => route.abort())
    await page.getByRole('button', { name: 'Manage Rate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage rate' })
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
