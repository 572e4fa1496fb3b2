import { routes } from '#contract/routes.ts'
import { toWireTime } from '#contract/slots.ts'

/** An hour of a pod that nobody has booked. */
export type Hour = { podId: string; date: string; start: string; end: string }

/** Far in the future, beyond the seeded bookings. */
export const FIRST_DAY = new Date('2031-01-01T00:00:00.000Z')
const DAY_MS = 86_400_000
const OPEN_HOURS = 18

/**
 * Returns a function that gives one free hour after another, on each pod in turn, beginning `firstDay` days after
 * `FIRST_DAY`. Callers need separate ranges of days.
 */
export function createHours(podIds: readonly string[], firstDay: number): () => Hour {
  let made = 0
  return () => {
    const round = Math.floor(made / podIds.length)
    const podId = podIds[made % podIds.length]
    if (podId === undefined) throw new Error('There are no pods to book')
    made += 1
    const date = new Date(FIRST_DAY.getTime() + (firstDay + Math.floor(round / OPEN_HOURS)) * DAY_MS)
      .toISOString()
      .slice(0, 10)
    const hour = 6 + (round % OPEN_HOURS)
    return { podId, date, start: toTime(date, hour), end: toTime(date, hour + 1) }
  }
}

function toTime(date: string, hour: number): string {
  return toWireTime(date, `${String(hour).padStart(2, '0')}:00`)
}

/** Returns the request that books an hour, as the portal sends it. */
export function toBookingRequest(token: string, { podId, date, start, end }: Hour) {
  return {
    method: 'POST' as const,
    path: `/api${routes.bookings.create.path.replace(':podId', podId)}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      bookingPurpose: 'meeting',
      bookingDate: date,
      startTime: start,
      endTime: end,
      timeSlotNumber: '5',
      status: 'Pending',
      isBookingActive: true,
    }),
  }
}
