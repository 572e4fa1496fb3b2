import { type InferResult, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { Booking, BookingListItem, BookingListQuery } from '#contract/bookings.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import type { Database } from '#server/db/schema.ts'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { locationColumns, toLocationDetails } from '../locations/location-columns.ts'
import { personName } from './booked-by.ts'
import { companyColumns, toBookingCompany } from './booking-company.ts'
import { filterBookings, toCounted } from './bookings.filter.ts'

const id = sql.ref('bookings.id')
export const orders = {
  createdAt: { by: sql.ref('bookings.created_at'), type: 'timestamptz', id, countedTime: 'created_at' },
  startTime: { by: sql.ref('bookings.start_time'), type: 'timestamptz', id, countedTime: 'start_time' },
} as const

/** `now` is the pods' wall clock labelled Z. */
export function listBookings(db: Db, query: z.output<typeof BookingListQuery>, now: Date) {
  return defineList(db, query, {
    list: 'bookings',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) => filterBookings(db.selectFrom('bookings'), { ...query, now }, search).select('bookings.id'),
    rows: selectBookings(db),
    toItem: toBookingListItem,
    counted: toCounted(query),
    isWholeTable: true,
  })
}

/** Returns a booking with its pod's `device_id` and `pod_user_id`, for the QR code (QR_TEMPLATE, rules §4.17). */
export async function findBooking(db: Db | Tx, bookingId: string) {
  const row = await selectBookings(db)
    .select(['pods.device_id', 'pods.pod_user_id'])
    .where('bookings.id', '=', bookingId)
    .executeTakeFirst()
  return row && { booking: toBookingListItem(row), deviceId: row.device_id, podUserId: row.pod_user_id }
}

export const bookingRecord: RecordKind = {
  entity: 'booking',
  table: 'bookings',
  label: sql`(select title from pods where pods.id = record.pod_id)`,
  isDeletable: false,
  find: async (db, id) => (await findBooking(db, id))?.booking,
}

/** Does not filter by deleted_at, so that deleted pods, users and staff keep their names here (rules §18.1). */
export function selectBookings(db: Db | Tx) {
  return db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .leftJoin('open_balances', 'open_balances.booking_id', 'bookings.id')
    .select(bookingColumns)
    .select('open_balances.amount as balance')
    .select(['pods.title as pod_title', ...locationColumns])
    .select(companyColumns)
    .select(({ fn }) => [
      fn.coalesce('users.firstname', 'staff.firstname').as('firstname'),
      fn.coalesce('users.lastname', 'staff.lastname').as('lastname'),
      fn.coalesce('users.email', 'staff.email').as('email'),
    ])
    .select(personName.as('username'))
    .modifyEnd(podsOfAllLocations)
}

export const bookingColumns = [
  'bookings.id',
  'bookings.pod_id',
  'bookings.location_id',
  'bookings.user_id',
  'bookings.staff_id',
  'bookings.company_id',
  'bookings.series_id',
  'bookings.booking_date',
  'bookings.purpose',
  'bookings.start_time',
  'bookings.end_time',
  'bookings.slot_count',
  'bookings.status',
  'bookings.checked_in_at',
  'bookings.no_show_at',
  'bookings.ended_at',
  'bookings.released_from',
  'bookings.note',
  'bookings.price',
  'bookings.created_at',
  'bookings.version',
] as const

type BookingColumn = (typeof bookingColumns)[number] extends `bookings.${infer Column}` ? Column : never

export type BookingRow = Pick<Selectable<Database['bookings']>, BookingColumn> & { pod_title: string }

type JoinedRow = InferResult<ReturnType<typeof selectBookings>>[number]

/** Statuses of bookings that are over or cancelled (rules §4.7). */
const inactive: ReadonlySet<BookingStatus> = new Set(['Completed', 'Rated', 'Cancelled'])

export function toBooking(row: BookingRow): Booking {
  return {
    _id: row.id,
    podId: row.pod_id,
    podTitle: row.pod_title,
    bookingDate: row.booking_date,
    bookingPurpose: row.purpose,
    startTime: row.start_time.toISOString(),
    endTime: row.end_time.toISOString(),
    timeSlotNumber: String(row.slot_count),
    status: row.status,
    isBookingActive: !inactive.has(row.status),
    createdAt: row.created_at.toISOString(),
    location: row.location_id,
    user: row.user_id ?? row.staff_id ?? '',
    checkedInAt: row.checked_in_at?.toISOString() ?? null,
    noShowAt: row.no_show_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    releasedFrom: row.released_from?.toISOString() ?? null,
    note: row.note,
    seriesId: row.series_id,
    price: row.price === null ? null : Number(row.price),
    version: row.version,
  }
}

export function toBookingListItem(row: JoinedRow): BookingListItem {
  const booking = toBooking(row)
  const firstname = row.firstname ?? ''
  const lastname = row.lastname ?? ''
  return {
    ...booking,
    locationName: row.name,
    locationDetails: toLocationDetails(row.location_id, row),
    username: row.username,
    customerId: row.user_id,
    balanceDue: Number(row.balance ?? 0),
    userDetails: { _id: booking.user, firstname, lastname, email: row.email ?? '' },
    company: toBookingCompany(row),
  }
}
