import { type InferResult, sql } from 'kysely'
import type { z } from 'zod'
import type { Transaction, TransactionListQuery } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { toInstants } from '#server/db/lists/days.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import { personName } from '../bookings/booked-by.ts'
import { companyColumns, toBookingCompany } from '../bookings/booking-company.ts'
import { locationColumns, toLocationDetails } from '../locations/location-columns.ts'
import { countWithin, toCounted } from './transactions.count.ts'
import { filterTransactions, filterWithin } from './transactions.filter.ts'

type ListQuery = z.output<typeof TransactionListQuery>

const id = sql.ref('transactions.id')
export const orders = {
  createdAt: { by: sql.ref('transactions.created_at'), type: 'timestamptz', id, countedTime: 'created_at' },
  amount: { by: sql.ref('transactions.amount'), type: 'numeric', id },
} as const

export function listTransactions(db: Db, query: ListQuery, timeZone: string) {
  const within = toInstants(query, timeZone)
  const hasDates = within.from !== undefined || within.before !== undefined
  const counted = toCounted(query)
  return defineList(db, query, {
    list: 'transactions',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) =>
      filterWithin(filterTransactions(db.selectFrom('transactions'), query, search), within).select('transactions.id'),
    rows: selectTransactions(db),
    toItem: toTransaction,
    counted: hasDates ? undefined : counted,
    total: hasDates && counted ? () => countWithin(db, query, within, counted) : undefined,
    isWholeTable: true,
  })
}

/** More than a select box can sensibly show; there are only a handful. */
const MAX_FACILITATORS = 200

/**
 * Lists each facilitator once, sorted alphabetically. Each name is found in the index from the previous one, as
 * `distinct` would read the whole index.
 */
export async function listFacilitators(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive found (name) as (
      (select payment_facilitator from transactions order by payment_facilitator limit 1)
      union all
      select next.name
        from found, lateral (
          select payment_facilitator as name from transactions
           where payment_facilitator > found.name
           order by payment_facilitator limit 1
        ) as next
    )
    select name from (select name from found limit ${sql.lit(MAX_FACILITATORS)}) as listed
     where name <> ''
     order by ${byText(sql`name`)}, name
  `.execute(db)
  return rows.map(({ name }) => name)
}

export const transactionColumns = [
  'transactions.id',
  'transactions.booking_id',
  'transactions.amount',
  'transactions.currency',
  'transactions.merchant_id',
  'transactions.checkout_id',
  'transactions.payment_facilitator',
  'transactions.status',
  'transactions.created_at',
  'transactions.refunded_at',
] as const

/** Does not filter by deleted_at, as deleted records keep their names here (rules §18.1). */
function selectTransactions(db: Db) {
  return db
    .selectFrom('transactions')
    .leftJoin('bookings', 'bookings.id', 'transactions.booking_id')
    .leftJoin('pods', 'pods.id', 'bookings.pod_id')
    .leftJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(transactionColumns)
    .select(['pods.title as pod_title', 'bookings.location_id', 'bookings.user_id', ...locationColumns])
    .select(['bookings.company_id', ...companyColumns])
    .select(personName.as('username'))
    .modifyEnd(podsOfAllLocations)
}

type JoinedRow = InferResult<ReturnType<typeof selectTransactions>>[number]

const NOT_AVAILABLE = 'N/A'

function toTransaction(row: JoinedRow): Transaction {
  return {
    _id: row.id,
    amount: Number(row.amount),
    currency: row.currency,
    merchantId: row.merchant_id,
    checkoutId: row.checkout_id,
    paymentFacilitator: row.payment_facilitator,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    refundedAt: row.refunded_at?.toISOString() ?? null,
    bookingId: row.booking_id,
    podTitle: row.pod_title ?? NOT_AVAILABLE,
    locationName: row.name ?? NOT_AVAILABLE,
    locationDetails: row.location_id === null ? null : toLocationDetails(row.location_id, row),
    username: row.username || NOT_AVAILABLE,
    customerId: row.user_id,
    company: toBookingCompany(row),
  }
}
