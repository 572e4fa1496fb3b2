import { type SelectQueryBuilder, sql } from 'kysely'
import type { AppContext } from '#server/context.ts'
import type { ListOrder } from '#server/db/ordered-list.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { FileDownload } from '#server/http/results.ts'
import type { CsvColumns } from './csv-batches.ts'
import { csvDownload } from './csv-download.ts'
import { orNotAvailable, toTimeWord } from './csv-words.ts'

// The same six on both screens (rules §13.3)
const columns: CsvColumns = {
  'User Id': sql`page.person_id`,
  'Booking Date': sql`page.booking_date`,
  'Booking Purpose': orNotAvailable(toCsvText(sql`page.purpose`)),
  'Start Time': toTimeWord(sql`page.start_time`),
  'End Time': toTimeWord(sql`page.end_time`),
  Status: sql`page.status`,
}

const newestFirst: ListOrder = {
  by: sql.ref('bookings.created_at'),
  type: 'timestamptz',
  id: sql.ref('bookings.id'),
  direction: 'desc',
}

/** What the report reads of a booking; `person_id` comes beside. */
export const personBookingColumns = [
  'bookings.id',
  'bookings.booking_date',
  'bookings.purpose',
  'bookings.start_time',
  'bookings.end_time',
  'bookings.status',
] as const

/** User_Bookings_Report.csv, newest first, each booking with the person whose it is: a customer or staff. */
export function personBookingsDownload<DB, TB extends keyof DB, Row extends { id: string; person_id: string | null }>(
  context: Pick<AppContext, 'db' | 'foreground'>,
  rows: SelectQueryBuilder<DB, TB, Row>,
): FileDownload {
  return csvDownload(context, 'User_Bookings_Report.csv', columns, { rows, order: newestFirst })
}
