import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Company, CompanyBooking, CompanyEdit, CompanyListQuery } from '#contract/companies.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { CompaniesTable, Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type ListQuery = z.output<typeof CompanyListQuery>

const id = sql.ref('companies.id')
export const orders = {
  createdAt: { by: sql.ref('companies.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql.ref('companies.name')), type: 'text', id },
} as const

export function listCompanies(db: Db, query: ListQuery) {
  return defineList(db, query, {
    list: 'companies',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) => filterCompanies(db.selectFrom('companies'), query, search).select('companies.id'),
    rows: db.selectFrom('companies').select(columns),
    toItem: toCompany,
  })
}

export function filterCompanies<Row>(
  rows: SelectQueryBuilder<Database, 'companies', Row>,
  { status }: ListQuery,
  search: Search | undefined,
) {
  return rows
    .where('companies.deleted_at', status === 'deleted' ? 'is not' : 'is', null)
    .where(isFound('companies', search))
}

export async function findCompany(db: Db | Tx, id: string): Promise<Company | undefined> {
  const row = await db
    .selectFrom('companies')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toCompany(row)
}

/** Keeps a company from being deleted until the transaction ends. Returns false when there is no such company. */
export async function lockCompany(tx: Tx, id: string): Promise<boolean> {
  const rows = tx.selectFrom('companies').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await rows.forShare().executeTakeFirst()) !== undefined
}

export async function createCompany(tx: Tx, company: Insertable<CompaniesTable>): Promise<Company> {
  const row = await tx.insertInto('companies').values(company).returning(columns).executeTakeFirstOrThrow()
  return toCompany(row)
}

export const companyRecord: RecordKind<'companies'> = {
  entity: 'company',
  table: 'companies',
  label: sql`record.name`,
  isDeletable: true,
  find: findCompany,
}

const MOST_UPCOMING = sql.lit(10)

/**
 * Returns the next bookings of a company after `now`, a wall clock labelled Z. With `ofStaff`, only those that this
 * staff member made.
 */
export async function listUpcomingBookings(
  db: Db,
  companyId: string,
  now: Date,
  ofStaff: string | undefined,
): Promise<CompanyBooking[]> {
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .select(['bookings.id', 'booking_date', 'start_time', 'end_time', 'status'])
    .select(['pods.title', 'locations.name'])
    .where('company_id', '=', companyId)
    .where('start_time', '>', now)
    .where('status', 'in', ['Pending', 'Confirmed'])
    .$if(ofStaff !== undefined, (rows) => rows.where(sql<boolean>`bookings.staff_id = ${ofStaff}`))
    .orderBy('start_time')
    .orderBy('bookings.id')
    .limit(MOST_UPCOMING)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    podTitle: row.title,
    locationName: row.name,
    bookingDate: row.booking_date,
    startTime: row.start_time.toISOString(),
    endTime: row.end_time.toISOString(),
    status: row.status,
  }))
}

export const columns = [
  'companies.id',
  'companies.name',
  'companies.contact_name',
  'companies.email',
  'companies.phone',
  'companies.vat_number',
  'companies.billing_address',
  'companies.cost_centre',
  'companies.version',
] as const

type CompanyRow = Omit<Selectable<CompaniesTable>, 'deleted_at' | 'created_at'>

export function toCompany(row: CompanyRow): Company {
  return {
    _id: row.id,
    name: row.name,
    contactName: row.contact_name,
    email: row.email,
    phone: row.phone,
    vatNumber: row.vat_number,
    billingAddress: row.billing_address,
    costCentre: row.cost_centre,
    version: row.version,
  }
}

export function toColumns({
  contactName,
  vatNumber,
  billingAddress,
  costCentre,
  ...rest
}: z.output<typeof CompanyEdit>) {
  return {
    ...rest,
    contact_name: contactName,
    vat_number: vatNumber,
    billing_address: billingAddress,
    cost_centre: costCentre,
  }
}
