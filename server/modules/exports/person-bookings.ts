import { type SelectQueryBuilder, sql } from 'kysely'
import type { ListOrder } from '#server/db/lists/pagination.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { FileDownload } from '#server/http/results.ts'
import type { CsvColumns } from './csv-batches.ts'
import { csvDownload, type Download } from './csv-download.ts'
import { formatTime, orNotAvailable } from './formatters.ts'

// The same six columns on both screens (rules §13.3).
const columns: CsvColumns = {
  'User Id': sql`page.person_id`,
  'Booking Date': sql`page.booking_date`,
  'Booking Purpose': orNotAvailable(toCsvText(sql`page.purpose`)),
  'Start Time': formatTime(sql`page.start_time`),
  'End Time': formatTime(sql`page.end_time`),
  Status: sql`page.status`,
}

const newestFirst: ListOrder = {
  by: sql.ref('bookings.created_at'),
  type: 'timestamptz',
  id: sql.ref('bookings.id'),
  direction: 'desc',
}

/** The booking columns that the report reads, besides `person_id`. */
export const personBookingColumns = [
  'bookings.id',
  'bookings.booking_date',
  'bookings.purpose',
  'bookings.start_time',
  'bookings.end_time',
  'bookings.status',
] as const

/** Returns User_Bookings_Report.csv: bookings, newest first, each with the id of its customer or staff member. */
export function personBookingsDownload<DB, TB extends keyof DB, Row extends { id: string; person_id: string | null }>(
  download: Pick<Download, 'context' | 'actor' | 'query'>,
  rows: SelectQueryBuilder<DB, TB, Row>,
): FileDownload {
  return csvDownload({ ...download, entity: 'booking', filename: 'User_Bookings_Report.csv' }, columns, {
    rows,
    order: newestFirst,
  })
}
