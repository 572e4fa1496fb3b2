import { PAGE, type PageCode } from './pages.ts'

/** The kinds of records that the header's search finds, in display order, each with the page that shows it. */
export const searchPages = {
  pods: PAGE.pods,
  locations: PAGE.locations,
  users: PAGE.users,
  companies: PAGE.corporateBooking,
  bookings: PAGE.bookings,
  transactions: PAGE.transactions,
} as const satisfies Record<string, PageCode>

export type SearchGroup = keyof typeof searchPages

export const searchGroups = Object.keys(searchPages) as [SearchGroup, ...SearchGroup[]] // the keys of a constant
