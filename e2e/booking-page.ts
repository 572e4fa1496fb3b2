import type { Locator, Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { businessDay, wallTime } from './business-day.ts'
import type { TestServer } from './test-server.ts'

/** Builds a paid booking of a customer for tomorrow at nine. */
export async function buildSold({ db }: TestServer) {
  const location = await buildLocation(db, { name: 'Rosebank' })
  const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
  const beside = await buildPod(db, { title: 'Beacon', location_id: location.id })
  const user = await buildUser(db, { firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' })
  const booking = await buildBooking(db, {
    pod_id: pod.id,
    user_id: user.id,
    status: 'Confirmed',
    start_time: wallTime(businessDay(1), '09:00'),
    price: 150,
    rate: 2.5,
    discount_minutes: 0,
  })
  await buildTransaction(db, { booking_id: booking.id, amount: 150 })
  return { pod, beside, booking }
}

export const times = (date: string) => ({ start_time: wallTime(date, '09:00'), end_time: wallTime(date, '10:00') })

export const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

/** Opens the booking's page and the dialog of one of its actions. */
export async function openAction(page: Page, bookingId: string, button: string, title: string): Promise<Locator> {
  await page.goto(`/booking/${bookingId}`)
  await page.getByRole('button', { name: button }).click()
  return page.getByRole('dialog', { name: title })
}
