import { sql } from 'kysely'
import type { bookingEndpoints } from '#contract/bookings.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { formatDate, formatTime, orNotAvailable } from '../exports/formatters.ts'
import { companyName, joinBookingLookups, personName } from '../exports/joined-lookups.ts'
import { filterBookings } from './bookings.filter.ts'
import { bookingColumns, orders } from './bookings.repository.ts'
import { toBusinessNow } from './bookings.service.ts'

// Start and end are apart, so that spreadsheets can sort them (rules §13.3).
const toColumns = (timeZone: string): CsvColumns => ({
  'Booking Id': sql`page.id`,
  'Booking Date': sql`page.booking_date`,
  'Booking Purpose': orNotAvailable(toCsvText(sql`page.purpose`)),
  'Start Time': formatTime(sql`page.start_time`),
  'End Time': formatTime(sql`page.end_time`),
  'Pod Name': sql`pod.title`,
  Location: sql`location.address`,
  'User Name': personName,
  Company: companyName(sql`page.company_id`),
  Price: toCsvNumber(sql`page.price`),
  Status: sql`page.status`,
  'Balance Due': toCsvNumber(sql`(select amount from open_balances where booking_id = page.id)`),
  'Checked In': formatDate(sql`page.checked_in_at`, timeZone),
  'No-show': formatDate(sql`page.no_show_at`, timeZone),
})

export const exportBookings: Handler<typeof bookingEndpoints.export> = async ({ context, actor, query }) => {
  const { db, config } = context
  const search = await chooseSearch(db, 'bookings', query.search)
  const rows = filterBookings(db.selectFrom('bookings'), { ...query, now: toBusinessNow(context) }, search).select(
    bookingColumns,
  )
  const order = toListOrder(orders, query.sort, '-createdAt')
  return csvDownload(
    { context, actor, entity: 'booking', filename: 'Bookings_Report.csv', query },
    toColumns(config.businessTimeZone),
    { rows, order, lookups: joinBookingLookups('page') },
  )
}
