import type { BookingListItem, bookingEndpoints } from '#contract/bookings.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { NOT_AVAILABLE, toTimeWord } from '../exports/csv-words.ts'
import { listBookingBatches } from './bookings.repository.ts'

// As the table of the screen (spec §2, Bookings); start and end apart, so that a spreadsheet can sort them
const columns: CsvColumns<BookingListItem> = {
  'Booking Id': (booking) => booking._id,
  'Booking Date': (booking) => booking.bookingDate,
  'Booking Purpose': (booking) => booking.bookingPurpose || NOT_AVAILABLE,
  'Start Time': (booking) => toTimeWord(booking.startTime),
  'End Time': (booking) => toTimeWord(booking.endTime),
  'Pod Name': (booking) => booking.podTitle,
  Location: toLocationWords,
  'User Name': (booking) => booking.username,
  Status: (booking) => booking.status,
}

function toLocationWords({
  locationDetails: { name, Street, city, state, country_code, zip },
}: BookingListItem): string {
  return [name, Street, city, state, country_code, zip].filter((part) => part !== '').join(', ')
}

export const exportBookings: Handler<typeof bookingEndpoints.export> = async ({ context, query }) =>
  csvDownload('Bookings_Report.csv', columns, listBookingBatches(context.db, query))
