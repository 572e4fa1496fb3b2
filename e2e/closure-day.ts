import type { Locator, Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { instantAt, wallTime } from './business-day.ts'
import { choose } from './choose.ts'
import type { TestServer } from './test-server.ts'

/** The day of these tests. */
export const DAY = '2026-11-23'
/** Ten past nine on the pods' wall clock. */
export const NOW = instantAt(DAY, '09:10')

/** Builds Aurora with three customers today, and a similar pod that is free. */
export async function buildDay({ db }: TestServer) {
  const location = await buildLocation(db, { name: 'Dock House' })
  const aurora = await buildPod(db, { title: 'Aurora', location_id: location.id })
  const baobab = await buildPod(db, { title: 'Baobab', location_id: location.id })
  const build = async (firstname: string, time: string) => {
    const email = `${firstname.toLowerCase()}@example.com`
    const user = await buildUser(db, { firstname, lastname: 'Dube', mobile: '+27 82 555 0101', email })
    const booking = await buildBooking(db, { pod_id: aurora.id, user_id: user.id, start_time: wallTime(DAY, time) })
    await buildTransaction(db, { booking_id: booking.id, amount: '150.00', status: 'completed' })
    return booking
  }
  return {
    aurora,
    baobab,
    moved: await build('Naledi', '11:00'),
    cancelled: await build('Thabo', '13:00'),
    left: await build('Zanele', '15:00'),
  }
}

/** Opens the form to close pods, and chooses Aurora. */
export async function beginToCloseAurora(page: Page): Promise<Locator> {
  await page.goto('/closures')
  await page.getByRole('button', { name: 'Close Pods' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Close pods' })
  await choose(dialog.getByRole('combobox', { name: 'Pods' }), 'Aurora')
  return dialog
}
