import { expect, type Page } from '@playwright/test'
import { buildBooking, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { businessDay, instantAt, wallTime } from './business-day.ts'
import type { TestServer } from './test-server.ts'

export const grid = (page: Page) => page.getByRole('grid', { name: /^(Schedule|Week) of / })
export const booking = (page: Page, name: string | RegExp) => grid(page).getByRole('gridcell', { name })
export const spoken = (page: Page) => page.getByTestId('schedule-spoken')

/**
 * Builds two pods at one location and one at another; Zanele has Aurora from 10:00 to 11:00, Johan from 12:00 to 13:00.
 */
export async function buildDay({ db, clock }: TestServer) {
  clock.set(instantAt(businessDay(), '09:05'))
  const dock = await buildLocation(db, { name: 'Dock House' })
  const mill = await buildLocation(db, { name: 'Mill' })
  const aurora = await buildPod(db, { title: 'Aurora', location_id: dock.id, capacity: 4 })
  const borealis = await buildPod(db, { title: 'Borealis', location_id: dock.id, capacity: 2 })
  const comet = await buildPod(db, { title: 'Comet', location_id: mill.id, capacity: 8 })
  const zanele = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const johan = await buildUser(db, { firstname: 'Johan', lastname: 'Botha' })
  const ten = await buildBooking(db, {
    pod_id: aurora.id,
    user_id: zanele.id,
    start_time: wallTime(businessDay(), '10:00'),
    status: 'Confirmed',
  })
  const noon = await buildBooking(db, {
    pod_id: aurora.id,
    user_id: johan.id,
    start_time: wallTime(businessDay(), '12:00'),
  })
  return { dock, mill, aurora, borealis, comet, zanele, johan, ten, noon }
}

/** Opens the schedule of today, and waits for the bookings of `buildDay`. */
export async function openSchedule(page: Page): Promise<void> {
  await page.goto('/schedule')
  await expect(booking(page, /Zanele/)).toBeVisible()
}
