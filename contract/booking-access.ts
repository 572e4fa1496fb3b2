import { PAGE } from './pages.ts'

/**
 * Returns whether someone may change a booking. Page 6 allows changing any booking, page 9 those that the person made
 * for themselves or for somebody else. `owners` are the ids of the staff members who made it.
 */
export function mayChange(
  owners: readonly (string | null)[],
  staffId: string | undefined,
  pages: readonly number[],
): boolean {
  return pages.includes(PAGE.bookings) || (staffId !== undefined && owners.includes(staffId))
}
