import type { Tone } from '#web/ui/status-chip/status-chip.tsx'

/** A status has the same colour on every screen; those not listed here are red (rules §4.7, §10.2). */
const bookingTones: Record<string, Tone> = {
  Completed: 'green',
  Rated: 'green',
  Pending: 'blue',
  Confirmed: 'blue',
  Processing: 'orange',
}
const transactionTones: Record<string, Tone> = { completed: 'green', created: 'blue', pending: 'orange' }

export function toBookingTone(status: string): Tone {
  return bookingTones[status] ?? 'red'
}

export function toTransactionTone(status: string): Tone {
  return transactionTones[status] ?? 'red'
}
