import { PAGE } from './pages.ts'

/** Page 6 cancels any booking, page 9 those that it made; `user` is the booking's owner, as on the wire. */
export function mayCancel(user: string, staffId: string | undefined, pages: readonly number[]): boolean {
  return pages.includes(PAGE.bookings) || user === staffId
}
