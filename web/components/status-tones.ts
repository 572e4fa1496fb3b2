import type { Tone } from '#web/ui/status-chip.tsx'

/** Colours of statuses, as the specification gives them (spec §2, §4). */

const bookingTones: Record<string, Tone> = { Completed: 'green', Pending: 'blue', Processing: 'orange' }
const transactionTones: Record<string, Tone> = { completed: 'green', created: 'blue', pending: 'orange' }

/** On the bookings screen: others are red. */
export function toBookingTone(status: string): Tone {
  return bookingTones[status] ?? 'red'
}

/** On the dashboard: Rated and Completed are green, others red. */
export function toDashboardBookingTone(status: string): Tone {
  return status === 'Rated' || status === 'Completed' ? 'green' : 'red'
}

export function toTransactionTone(status: string): Tone {
  return transactionTones[status] ?? 'red'
}
