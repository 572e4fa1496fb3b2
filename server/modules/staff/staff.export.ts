import { pages } from '#contract/pages.ts'
import type { Staff, staffEndpoints } from '#contract/staff.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { NOT_AVAILABLE, toFullName, toStatusWord } from '../exports/csv-words.ts'
import { personBookingsDownload } from '../exports/person-bookings.ts'
import { listStaffBatches, listStaffBookingBatches } from './staff.repository.ts'

// As the table of the screen (spec §2, Assign a role), and the pages that it shows in the edit form alone
const columns: CsvColumns<Staff> = {
  'User Id': (staff) => staff._id,
  Email: (staff) => staff.email || NOT_AVAILABLE,
  Role: (staff) => staff.role || NOT_AVAILABLE,
  'Full Name': toFullName,
  phoneNumber: (staff) => staff.phoneNumber || NOT_AVAILABLE,
  Status: (staff) => toStatusWord(staff.isBlocked),
  Pages: (staff) => toPageNames(staff.auth_page),
}

function toPageNames(codes: readonly string[]): string {
  return pages
    .filter((page) => codes.includes(String(page.id)))
    .map((page) => page.name)
    .join(', ')
}

export const exportStaff: Handler<typeof staffEndpoints.export> = async ({ context, query }) =>
  csvDownload('Staff.csv', columns, listStaffBatches(context.db, query))

export const exportStaffBookings: Handler<typeof staffEndpoints.exportBookings> = async ({ context, query }) =>
  personBookingsDownload(listStaffBookingBatches(context.db, query))
