import type { BookingListItem } from '#contract/bookings.ts'

/** The columns of the company that a booking is for, of rows that are joined to it. */
export const companyColumns = ['companies.name as company_name', 'companies.deleted_at as company_deleted_at'] as const

type CompanyRow = { company_id: string | null; company_name: string | null; company_deleted_at: Date | null }

export function toBookingCompany(row: CompanyRow): BookingListItem['company'] {
  if (row.company_id === null) return null
  return { _id: row.company_id, name: row.company_name ?? '', isDeleted: row.company_deleted_at !== null }
}
