import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Staff, StaffListQuery } from '#contract/staff.ts'
import type { Db } from '#server/db/client.ts'
import { byText, toBatches, toLikePattern, toListOrder, toPage } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'
import { newestBookingFirst, type PersonBooking, personBookingColumns } from '../exports/person-bookings.ts'

type ListQuery = z.output<typeof StaffListQuery>

const id = sql.ref('staff.id')
const orders = {
  createdAt: { by: sql.ref('staff.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql`(staff.firstname || ' ' || staff.lastname)`), type: 'text', id },
  email: { by: sql.ref('staff.email'), type: 'text', id },
} as const

export async function listStaff(db: Db, query: ListQuery): Promise<{ rows: Staff[]; total: number }> {
  const [rows, count] = await Promise.all([
    toPage(selectStaff(db, query), toListOrder(orders, query.sort, '-createdAt'), query).execute(),
    filterStaff(db.selectFrom('staff'), query)
      .where('staff.deleted_at', 'is', null)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map(toStaff), total: count.total }
}

/** The whole list, a batch at a time. */
export async function* listStaffBatches(db: Db, query: ListQuery): AsyncGenerator<Staff[]> {
  for await (const rows of toBatches(selectStaff(db, query), toListOrder(orders, query.sort, '-createdAt'))) {
    yield rows.map(toStaff)
  }
}

/** Bookings made by the staff that the screen's filters show, newest first; those of deleted staff stay (decisions §7). */
export function listStaffBookingBatches(db: Db, query: ListQuery): AsyncGenerator<PersonBooking[]> {
  const rows = filterStaff(db.selectFrom('bookings').innerJoin('staff', 'staff.id', 'bookings.staff_id'), query)
  return toBatches(rows.select(['staff.id as person_id', ...personBookingColumns]), newestBookingFirst)
}

function selectStaff(db: Db, query: ListQuery) {
  return filterStaff(db.selectFrom('staff'), query).where('staff.deleted_at', 'is', null).select(columns)
}

function filterStaff<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { search, status }: ListQuery,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .$if(Boolean(search), (rows) => rows.where(searched, 'ilike', toLikePattern(search ?? '')))
    .$if(status !== undefined, (rows) => rows.where(isBlocked, '=', status === 'blocked'))
}

/** The line ends keep a search from matching across two fields. */
const searched: RawBuilder<string> = sql`(
  staff.firstname || ' ' || staff.lastname || E'\\n' || staff.email || E'\\n' || staff.phone_number || E'\\n' || staff.role
)`
const isBlocked: RawBuilder<boolean> = sql`staff.is_blocked`

const columns = [
  'staff.id',
  'staff.firstname',
  'staff.lastname',
  'staff.email',
  'staff.phone_number',
  'staff.role',
  'staff.pages',
  'staff.is_blocked',
] as const

type StaffRow = {
  id: string
  firstname: string
  lastname: string
  email: string
  phone_number: string
  role: string
  pages: readonly number[]
  is_blocked: boolean
}

function toStaff(row: StaffRow): Staff {
  return {
    _id: row.id,
    firstname: row.firstname,
    lastname: row.lastname,
    email: row.email,
    phoneNumber: row.phone_number,
    mobile: row.phone_number,
    role: row.role,
    auth_page: row.pages.map(String),
    isBlocked: row.is_blocked,
  }
}
