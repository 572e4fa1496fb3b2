import { sql } from 'kysely'
import type { transactionEndpoints } from '#contract/transactions.ts'
import { toInstants } from '#server/db/lists/days.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns, Lookups } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { formatDate, orNotAvailable } from '../exports/formatters.ts'
import { companyName, joinBookingLookups, personName } from '../exports/joined-lookups.ts'
import { filterTransactions, filterWithin } from './transactions.filter.ts'
import { orders, transactionColumns } from './transactions.repository.ts'

// The columns of the screen's table (rules §13.3).
const toColumns = (timeZone: string): CsvColumns => ({
  'Transaction Id': sql`page.id`,
  Amount: toCsvNumber(sql`page.amount`),
  Currency: toCsvText(sql`page.currency`),
  'Merchant Id': toCsvText(sql`page.merchant_id`),
  'Checkout Id': toCsvText(sql`page.checkout_id`),
  'Payment Facilitator': toCsvText(sql`page.payment_facilitator`),
  'Pod Name': orNotAvailable(sql`pod.title`),
  Location: orNotAvailable(sql`location.name`),
  'User Name': orNotAvailable(personName),
  Company: companyName(sql`booking.company_id`),
  // Empty for a refund, which is a row of its own: its date says when.
  'Paid Back': formatDate(sql`page.refunded_at`, timeZone),
  Status: toCsvText(sql`page.status`),
  Date: formatDate(sql`page.created_at`, timeZone),
})

/** A transaction refers to its booking, and the booking to its pod, location and user (rules §10.1). */
const { tables, joins } = joinBookingLookups('booking')
const lookups: Lookups = {
  tables: sql`, booking as materialized (
    select id, pod_id, location_id, user_id, staff_id, company_id from bookings
     where id = any(array(select booking_id from page))
  ) ${tables}`,
  joins: sql`left join booking on booking.id = page.booking_id ${joins}`,
}

export const exportTransactions: Handler<typeof transactionEndpoints.export> = async ({ context, actor, query }) => {
  const { db, config } = context
  const search = await chooseSearch(db, 'transactions', query.search)
  const found = filterTransactions(db.selectFrom('transactions'), query, search)
  const rows = filterWithin(found, toInstants(query, config.businessTimeZone)).select(transactionColumns)
  const order = toListOrder(orders, query.sort, '-createdAt')
  return csvDownload(
    { context, actor, entity: 'transaction', filename: 'Transactions_Report.csv', query },
    toColumns(config.businessTimeZone),
    { rows, order, lookups },
  )
}
