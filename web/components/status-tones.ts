import type { Tone } from '#web/ui/status-chip/status-chip.tsx'

/** Statuses that are not listed are red. Two screens have colours of their own for bookings (rules §4.7, §10.2). */
const bookingTones: Record<string, Tone> = {
  Completed: 'green',
  Rated: 'green',
  Pending: 'blue',
  Confirmed: 'blue',
  Processing: 'orange',
}
const transactionTones: Record<string, Tone> = { completed: 'green', created: 'blue', pending: 'orange' }

const dashboardBookingTones: Record<string, Tone> = { Completed: 'green', Rated: 'green', Confirmed: 'blue' }

export function toBookingTone(status: string): Tone {
  return bookingTones[status] ?? 'red'
}

/** On the screen Booking. */
export function toListedBookingTone(status: string): Tone {
  return status === 'Rated' ? 'red' : toBookingTone(status)
}

export function toDashboardBookingTone(status: string): Tone {
  return dashboardBookingTones[status] ?? 'red'
}

export function toTransactionTone(status: string): Tone {
  return transactionTones[status] ?? 'red'
}
