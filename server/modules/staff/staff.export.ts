import { sql } from 'kysely'
import { pages } from '#contract/pages.ts'
import type { staffEndpoints } from '#contract/staff.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { hasFilter, toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { fullName, orNotAvailable, recordStatus } from '../exports/formatters.ts'
import { personBookingColumns, personBookingsDownload } from '../exports/person-bookings.ts'
import { hasSecondFactor } from '../second-factors/second-factors.repository.ts'
import { filterStaff, orders, selectListed } from './staff.repository.ts'

// The columns of the screen's table (rules §13.3), and the pages, which the screen shows only in the edit form.
const columns: CsvColumns = {
  'User Id': sql`page.id`,
  Email: orNotAvailable(toCsvText(sql`page.email`)),
  Role: orNotAvailable(toCsvText(sql`page.role`)),
  'Full Name': toCsvText(sql`page.full_name`),
  phoneNumber: orNotAvailable(toCsvText(sql`page.phone_number`)),
  Status: recordStatus,
  Pages: toCsvText(sql`page.page_names`),
  'Second Factor': sql`case when page.has_second_factor then 'Yes' else 'No' end`,
}

/** The names of the pages, in the order of the contract's table. */
const pageNames = sql<string>`concat_ws(', ', ${sql.join(
  pages.map(
    ({ id, name }) => sql`case when ${sql.lit(id)} = any(staff.view_only_pages) then ${sql.lit(`${name} (view)`)}
      when ${sql.lit(id)} = any(staff.pages) then ${sql.lit(name)} end`,
  ),
)})`

export const exportStaff: Handler<typeof staffEndpoints.export> = async ({ context, actor, query }) => {
  const { db } = context
  const rows = selectListed(db, query, await chooseSearch(db, 'staff', query.search))
    .select(['staff.id', 'staff.email', 'staff.role', 'staff.phone_number', 'staff.is_blocked', 'staff.deleted_at'])
    .select([fullName.as('full_name'), pageNames.as('page_names'), hasSecondFactor('staff.id').as('has_second_factor')])
  return csvDownload({ context, actor, entity: 'staff', filename: 'Staff.csv', query }, columns, {
    rows,
    order: toListOrder(orders, query.sort, '-createdAt'),
  })
}

/** Exports the bookings of the staff that the screen's filters show, including those of deleted staff (rules §18.1). */
export const exportStaffBookings: Handler<typeof staffEndpoints.exportBookings> = async ({ context, actor, query }) => {
  const { db } = context
  const search = await chooseSearch(db, 'staff', query.search)
  const rows = db
    .selectFrom('bookings')
    .select(['bookings.staff_id as person_id', ...personBookingColumns])
    .where('bookings.staff_id', 'is not', null)
    // Every such booking has a staff member, so the join is needed only for filters.
    .$if(search !== undefined || hasFilter(query), (rows) =>
      filterStaff(rows.innerJoin('staff', 'staff.id', 'bookings.staff_id'), query, search),
    )
  return personBookingsDownload({ context, actor, query }, rows)
}
