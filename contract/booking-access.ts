import { PAGE } from './pages.ts'

/** Page 6 changes any booking, page 9 those that it made, for itself or for somebody else; `owners` are their makers' ids. */
export function mayChange(
  owners: readonly (string | null)[],
  staffId: string | undefined,
  pages: readonly number[],
): boolean {
  return pages.includes(PAGE.bookings) || (staffId !== undefined && owners.includes(staffId))
}
