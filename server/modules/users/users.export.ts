import type { User, userEndpoints } from '#contract/users.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { NOT_AVAILABLE, toFullName, toStatusWord } from '../exports/csv-words.ts'
import { personBookingsDownload } from '../exports/person-bookings.ts'
import { listUserBatches, listUserBookingBatches } from './users.repository.ts'

// As the table of the screen (spec §2, Users)
const columns: CsvColumns<User> = {
  'User Id': (user) => user._id,
  Email: (user) => user.email,
  Role: (user) => user.role || NOT_AVAILABLE,
  'Full Name': toFullName,
  Mobile: (user) => user.mobile || NOT_AVAILABLE,
  Status: (user) => toStatusWord(user.isBlocked),
}

export const exportUsers: Handler<typeof userEndpoints.export> = async ({ context, query }) =>
  csvDownload('Users.csv', columns, listUserBatches(context.db, query))

export const exportUserBookings: Handler<typeof userEndpoints.exportBookings> = async ({ context, query }) =>
  personBookingsDownload(listUserBookingBatches(context.db, query))
