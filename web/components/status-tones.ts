import type { Tone } from '#web/ui/status-chip/status-chip.tsx'

/** Colours of statuses (rules §4.7, §10.2). */

/** A confirmed booking is well: blue wherever it is shown. */
const CONFIRMED: Tone = 'blue'

const bookingTones: Record<string, Tone> = {
  Completed: 'green',
  Pending: 'blue',
  Processing: 'orange',
  Confirmed: CONFIRMED,
}
const dashboardBookingTones: Record<string, Tone> = { Rated: 'green', Completed: 'green', Confirmed: CONFIRMED }
const transactionTones: Record<string, Tone> = { completed: 'green', created: 'blue', pending: 'orange' }

/** On the bookings screen: others are red. */
export function toBookingTone(status: string): Tone {
  return bookingTones[status] ?? 'red'
}

/** On the dashboard: Rated and Completed are green, others red. */
export function toDashboardBookingTone(status: string): Tone {
  return dashboardBookingTones[status] ?? 'red'
}

export function toTransactionTone(status: string): Tone {
  return transactionTones[status] ?? 'red'
}
