import { expect } from 'vitest'
import type { Route } from '#contract/routes.ts'
import { routes } from '#contract/routes.ts'
import { checkBookings } from './check-bookings.ts'
import { buildBooking, buildTransaction, buildUser } from './factories.ts'
import { useTestApp } from './test-app.ts'

/** TEST_NOW is 11:00 on this day at the pods. */
export const DAY = '2026-11-21'

export const at = (time: string, day = DAY) => `${day}T${time}:00.000Z`

/** The body that moves a booking to a time of DAY. */
export const toInterval = (podId: string, from: string, until: string, version = 1, more: object = {}) => ({
  podId,
  bookingDate: DAY,
  startTime: at(from),
  endTime: until === '24:00' ? at('00:00', '2026-11-22') : at(until),
  version,
  ...more,
})

/** Sets up the server (test-app.ts), with what tests of a day's bookings need. */
export function useBookingDay() {
  const test = useTestApp()

  /** Moves the business clock, which is two hours ahead of UTC. */
  const setClock = (time: string) => test.clock.set(new Date(Date.parse(at(time)) - 2 * 3_600_000))

  /** Builds a customer's paid booking at R 2.50 per minute. */
  async function buildSold(from = '14:00', to = '15:00', overrides: Parameters<typeof buildBooking>[1] = {}) {
    const user = await buildUser(test.db)
    const minutes = (Date.parse(at(to)) - Date.parse(at(from))) / 60_000
    const booking = await buildBooking(test.db, {
      user_id: user.id,
      start_time: new Date(at(from)),
      end_time: new Date(at(to)),
      status: 'Confirmed',
      created_at: new Date(at('09:00', '2026-11-20')),
      price: minutes * 2.5,
      rate: 2.5,
      discount_minutes: 0,
      ...overrides,
    })
    await buildTransaction(test.db, { booking_id: booking.id, amount: overrides.price ?? minutes * 2.5 })
    return booking
  }

  const ask = (route: Route, token: string, id: string, body?: unknown, headers?: Record<string, string>) =>
    test.request(route, {
      token,
      params: { id },
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    })

  const undo = (token: string, changeId: unknown) => ask(routes.audit.undo, token, String(changeId))

  async function expectSound() {
    expect(await checkBookings(test.db)).toMatchObject({ overlaps: 0, wrongSlots: 0, wrongBalances: 0 })
  }

  async function listStarts(bookingId: string) {
    const rows = await test.db
      .selectFrom('booking_slots')
      .select('slot_start')
      .where('booking_id', '=', bookingId)
      .execute()
    return rows.map(({ slot_start }) => slot_start.toISOString().slice(11, 16)).sort()
  }

  return { test, setClock, buildSold, ask, undo, expectSound, listStarts }
}
