import { sql } from 'kysely'
import type { userEndpoints } from '#contract/users.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { hasFilter, toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { customerName, orNotAvailable, recordStatus } from '../exports/formatters.ts'
import { personBookingColumns, personBookingsDownload } from '../exports/person-bookings.ts'
import { filterUsers, orders, selectListed } from './users.repository.ts'

// The columns of the screen's table (rules §13.3).
const columns: CsvColumns = {
  'User Id': sql`page.id`,
  Email: orNotAvailable(toCsvText(sql`page.email`)),
  Role: orNotAvailable(toCsvText(sql`page.role`)),
  'Full Name': toCsvText(sql`page.full_name`),
  Mobile: orNotAvailable(toCsvText(sql`page.mobile`)),
  Status: recordStatus,
}

export const exportUsers: Handler<typeof userEndpoints.export> = async ({ context, actor, query }) => {
  const { db } = context
  const rows = selectListed(db, query, await chooseSearch(db, 'users', query.search))
    .select(['users.id', 'users.email', 'users.role', 'users.mobile', 'users.is_blocked', 'users.deleted_at'])
    .select(customerName.as('full_name'))
  return csvDownload({ context, actor, entity: 'customer', filename: 'Users.csv', query }, columns, {
    rows,
    order: toListOrder(orders, query.sort, '-createdAt'),
  })
}

/** Exports the bookings of the customers that the screen's filters show, including deleted customers (rules §18.1). */
export const exportUserBookings: Handler<typeof userEndpoints.exportBookings> = async ({ context, actor, query }) => {
  const { db } = context
  const search = await chooseSearch(db, 'users', query.search)
  const rows = db
    .selectFrom('bookings')
    .select(['bookings.user_id as person_id', ...personBookingColumns])
    .where('bookings.user_id', 'is not', null)
    // Every such booking has a customer, so the join is needed only for filters.
    .$if(search !== undefined || hasFilter(query), (rows) =>
      filterUsers(rows.innerJoin('users', 'users.id', 'bookings.user_id'), query, search),
    )
  return personBookingsDownload({ context, actor, query }, rows)
}
