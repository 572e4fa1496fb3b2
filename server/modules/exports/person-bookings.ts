import { sql } from 'kysely'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import type { FileDownload } from '#server/http/results.ts'
import { type CsvColumns, csvDownload } from './csv-download.ts'
import { NOT_AVAILABLE, toTimeWord } from './csv-words.ts'

/** A booking as User_Bookings_Report.csv shows it: of a customer, or of the staff member who made it. */
export type PersonBooking = {
  id: string
  person_id: string
  booking_date: string
  purpose: string
  start_time: Date
  end_time: Date
  status: BookingStatus
}

export const personBookingColumns = [
  'bookings.id',
  'bookings.booking_date',
  'bookings.purpose',
  'bookings.start_time',
  'bookings.end_time',
  'bookings.status',
] as const

export const newestBookingFirst: ListOrder = {
  by: sql.ref('bookings.created_at'),
  type: 'timestamptz',
  id: sql.ref('bookings.id'),
  direction: 'desc',
}

// spec §2, Assign a role; the users screen has the same six (decisions §6)
const columns: CsvColumns<PersonBooking> = {
  'User Id': (booking) => booking.person_id,
  'Booking Date': (booking) => booking.booking_date,
  'Booking Purpose': (booking) => booking.purpose || NOT_AVAILABLE,
  'Start Time': (booking) => toTimeWord(booking.start_time),
  'End Time': (booking) => toTimeWord(booking.end_time),
  Status: (booking) => booking.status,
}

export function personBookingsDownload(batches: AsyncIterable<PersonBooking[]>): FileDownload {
  return csvDownload('User_Bookings_Report.csv', columns, batches)
}
