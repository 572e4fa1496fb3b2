import type { Page } from '@playwright/test'
import { buildBooking, buildCompany, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { choose } from './choose.ts'
import { expect, expectAccessible, expectConsoleErrors, expectNoSidewaysScroll, PHONE, test } from './fixtures.ts'

const at = (mark: string) => new Date(`2099-01-05T${mark}:00.000Z`)
const times = { start_time: at('09:00'), end_time: at('10:00') }

/** Opens the dialog in which the booking is given to somebody else. */
async function openDialog(page: Page, bookingId: string) {
  await page.goto(`/booking/${bookingId}`)
  await page.getByRole('button', { name: 'Book again' }).click()
  await page.getByRole('menuitem', { name: 'Give to somebody else…' }).click()
  return page.getByRole('dialog', { name: 'Give to somebody else' })
}

test.describe('The page of a booking', () => {
  test('gives a booking to somebody else, who is booked in its place', async ({ page, server, signIn }) => {
    await signIn([5, 6, 9])
    const pod = await buildPod(server.db, { title: 'Aurora', rate: '2.5' })
    const former = await buildUser(server.db, { firstname: 'Sipho', lastname: 'Khumalo' })
    await buildUser(server.db, { firstname: 'Naledi', lastname: 'Dube' })
    const booking = await buildBooking(server.db, { pod_id: pod.id, user_id: former.id, ...times })
    const dialog = await openDialog(page, booking.id)
    await expect(dialog).toContainText('is booked for Sipho Khumalo')
    await expect(dialog).toContainText('The customer owes R 150.00.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Book for them' }).click()
    await expect(dialog.getByText('Customer is required')).toBeVisible()
    await choose(dialog.getByRole('combobox', { name: 'Customer' }), 'nal', /Naledi Dube/)
    await dialog.getByRole('button', { name: 'Book for them' }).click()
    await expect(page.getByText('Booked, and the earlier booking is cancelled')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Who' })).toContainText('Naledi Dube')
    await expect(page).not.toHaveURL(`/booking/${booking.id}`)
    const rows = await server.db.selectFrom('bookings').select(['status', 'start_time']).orderBy('status').execute()
    expect(rows).toEqual([
      { status: 'Cancelled', start_time: at('09:00') },
      { status: 'Pending', start_time: at('09:00') },
    ])
  })

  test('says that a booking which was paid for has to be cancelled first', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const user = await buildUser(server.db)
    const booking = await buildBooking(server.db, { user_id: user.id, ...times })
    await buildTransaction(server.db, { booking_id: booking.id, amount: '150.00', status: 'completed' })
    await page.setViewportSize(PHONE)
    const dialog = await openDialog(page, booking.id)
    await expect(dialog).toContainText('R 150.00 has been paid for it. Cancel it')
    await expect(dialog.getByRole('button', { name: 'Book for them' })).toBeDisabled()
    await expectNoSidewaysScroll(page)
  })

  test('says at its field that the company to give it to was deleted meanwhile', async ({ page, server, signIn }) => {
    expectConsoleErrors(/404/)
    await signIn([6, 9])
    const company = await buildCompany(server.db, { name: 'Kudu Software' })
    const dialog = await openDialog(page, (await buildBooking(server.db, times)).id)
    await dialog.getByLabel('Booked for').selectOption('company')
    await choose(dialog.getByRole('combobox', { name: 'Company' }), 'Kudu', /Kudu/)
    await server.db.updateTable('companies').set({ deleted_at: new Date() }).where('id', '=', company.id).execute()
    await dialog.getByRole('button', { name: 'Book for them' }).click()
    await expect(dialog.getByText('This company cannot be booked for any more. Choose another.')).toBeVisible()
    await expect(dialog).not.toContainText('It is no longer here')
  })

  test('says that a booking in a deleted pod cannot be given to somebody else', async ({ page, server, signIn }) => {
    await signIn([6, 9])
    const pod = await buildPod(server.db, { deleted_at: new Date() })
    const booking = await buildBooking(server.db, { pod_id: pod.id, ...times })
    const dialog = await openDialog(page, booking.id)
    await expect(dialog).toContainText('This pod has been deleted and cannot be booked again.')
    await expect(dialog.getByRole('button', { name: 'Book for them' })).toBeDisabled()
  })
})
