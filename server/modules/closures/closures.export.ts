import { sql } from 'kysely'
import type { closureEndpoints } from '#contract/closures.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import { orders } from '../bookings/bookings.repository.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { formatTime } from '../exports/formatters.ts'
import { selectWithContact } from './closures.repository.ts'
import { findAffected } from './closures.service.ts'

const columns: CsvColumns = {
  'Booking Id': sql`page.id`,
  'Booking Date': sql`page.booking_date`,
  'Start Time': formatTime(sql`page.start_time`),
  'End Time': formatTime(sql`page.end_time`),
  'Pod Name': toCsvText(sql`page.title`),
  Location: toCsvText(sql`page.location_name`),
  'User Name': toCsvText(sql`page.username`),
  Company: toCsvText(sql`coalesce(page.company_name, '')`),
  Phone: toCsvText(sql`page.phone`),
  Email: toCsvText(sql`page.email`),
  Paid: toCsvNumber(sql`page.paid`),
}

/** Exports the bookings that a closure would hit. */
export const exportAffected: Handler<typeof closureEndpoints.export> = async ({
  context,
  actor,
  session,
  query,
  body,
}) => {
  const { bookings } = await findAffected(context, session, { ...body, reason: '' })
  const ids = bookings.map(({ _id }) => _id)
  const { podIds: pods, locationId: location, ...times } = body
  const filters = { pods, location, ...times, ...query }
  return csvDownload({ context, actor, entity: 'closure', filename: 'Closure_Bookings.csv', query: filters }, columns, {
    rows: selectWithContact(context.db).where(sql<boolean>`bookings.id = any(${ids}::uuid[])`),
    order: toListOrder(orders, 'startTime', 'startTime'),
  })
}
