import { type Expression, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingStatus } from '#contract/booking-statuses.ts'
import type { BookingListQuery, bookingEndpoints } from '#contract/bookings.ts'
import type { Db } from '#server/db/client.ts'
import { toBatches, toLikePattern, toListOrder } from '#server/db/ordered-list.ts'
import type { Handler } from '#server/http/handler.ts'
import { isId } from '#server/ids.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { NOT_AVAILABLE, toTimeWord } from '../exports/csv-words.ts'

type BookingRow = {
  id: string
  booking_date: string
  purpose: string
  start_time: Date
  end_time: Date
  pod_title: string
  location: string
  username: string
  status: BookingStatus
}

// As the table of the screen (spec §2, Bookings); start and end apart, so that a spreadsheet can sort them
const columns: CsvColumns<BookingRow> = {
  'Booking Id': (booking) => booking.id,
  'Booking Date': (booking) => booking.booking_date,
  'Booking Purpose': (booking) => booking.purpose || NOT_AVAILABLE,
  'Start Time': (booking) => toTimeWord(booking.start_time),
  'End Time': (booking) => toTimeWord(booking.end_time),
  'Pod Name': (booking) => booking.pod_title,
  Location: (booking) => booking.location,
  'User Name': (booking) => booking.username,
  Status: (booking) => booking.status,
}

export const exportBookings: Handler<typeof bookingEndpoints.export> = async ({ context, query }) =>
  csvDownload('Bookings_Report.csv', columns, listBookingBatches(context.db, query))

const id = sql.ref('bookings.id')
const orders = {
  createdAt: { by: sql.ref('bookings.created_at'), type: 'timestamptz', id },
  startTime: { by: sql.ref('bookings.start_time'), type: 'timestamptz', id },
} as const

const username = sql<string>`trim(
  coalesce(users.firstname, staff.firstname) || ' ' || coalesce(users.lastname, staff.lastname)
)`
/** The line that the screen shows: name, street, city, state, country code, zip. */
const location = sql<string>`concat_ws(', ', locations.name, nullif(locations.street, ''), nullif(locations.city, ''),
  nullif(locations.state, ''), nullif(locations.country_code, ''), nullif(locations.zip, ''))`

function listBookingBatches(db: Db, query: z.output<typeof BookingListQuery>): AsyncGenerator<BookingRow[]> {
  const { search, status, from, to } = query
  const pattern = toLikePattern(search ?? '')
  const rows = db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .select(['bookings.id', 'booking_date', 'purpose', 'start_time', 'end_time', 'bookings.status'])
    .select(['pods.title as pod_title', location.as('location'), username.as('username')])
    .$if(Boolean(search), (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('pods.title', 'ilike', pattern),
          eb('locations.name', 'ilike', pattern),
          eb('bookings.purpose', 'ilike', pattern),
          eb(username, 'ilike', pattern),
          eb(sql<string>`bookings.id::text`, 'ilike', pattern),
        ]),
      ),
    )
    .$if(status !== undefined, (rows) => rows.where('bookings.status', '=', status ?? 'Pending'))
    .$if(from !== undefined, (rows) => rows.where('booking_date', '>=', from ?? ''))
    .$if(to !== undefined, (rows) => rows.where('booking_date', '<=', to ?? ''))
    .$if(query.location !== undefined, (rows) =>
      rows.where((eb) => hasId(eb.ref('bookings.location_id'), query.location)),
    )
    .$if(query.pod !== undefined, (rows) => rows.where((eb) => hasId(eb.ref('bookings.pod_id'), query.pod)))
    .$if(query.user !== undefined, (rows) =>
      rows.where((eb) => hasId(eb.fn.coalesce('bookings.user_id', 'bookings.staff_id'), query.user)),
    )
  return toBatches(rows, toListOrder(orders, query.sort, '-createdAt'))
}

/** A malformed id filters everything out, like an unknown one. */
function hasId(column: Expression<string | null>, id: string | undefined): RawBuilder<boolean> {
  return id !== undefined && isId(id) ? sql`${column} = ${id}` : sql`false`
}
