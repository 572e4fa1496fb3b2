/** The nine pages of the portal and their codes (rules §2.1). */
export const PAGE = {
  dashboard: 1,
  features: 2,
  pods: 3,
  transactions: 4,
  users: 5,
  bookings: 6,
  locations: 7,
  staff: 8,
  corporateBooking: 9,
} as const

export type PageCode = (typeof PAGE)[keyof typeof PAGE]

export type Page = { id: PageCode; path: string; name: string }

export const pages: readonly Page[] = [
  { id: 1, path: '/', name: 'Dashboard' },
  { id: 2, path: '/features', name: 'Features' },
  { id: 3, path: '/pods', name: 'Pods' },
  { id: 4, path: '/Transactions', name: 'Transactions' },
  { id: 5, path: '/user-details', name: 'User Details' },
  { id: 6, path: '/booking', name: 'Booking' },
  { id: 7, path: '/location', name: 'Location' },
  { id: 8, path: '/assign-role', name: 'Assign Role' },
  { id: 9, path: '/corporate-booking', name: 'Corporate Booking' },
]

export const pageCodes: readonly PageCode[] = pages.map((page) => page.id)

/** The names that the staff form shows beside its checkboxes, 'Trasactions' spelled as the wire spells it. */
export const pageCodeNames: readonly { name: string; code: PageCode }[] = [
  { name: 'Dashboard', code: 1 },
  { name: 'Features', code: 2 },
  { name: 'Pods', code: 3 },
  { name: 'Trasactions', code: 4 },
  { name: 'Users', code: 5 },
  { name: 'Bookings', code: 6 },
  { name: 'Locations', code: 7 },
  { name: 'Assignrole', code: 8 },
  { name: 'VipBooking', code: 9 },
]

/** The pages among `needed` that are not in `held`, as a list of names in a sentence; undefined when none is missing. */
export function nameMissingPages(
  needed: readonly (number | string)[],
  held: readonly (number | string)[],
): string | undefined {
  const codes = new Set(held.map(Number))
  const names = pages.filter(({ id }) => needed.map(Number).includes(id) && !codes.has(id)).map(({ name }) => name)
  return names.length === 0 ? undefined : new Intl.ListFormat('en').format(names)
}

/** An untrusted page code (number or text) as a known one; undefined when it is none of the nine. */
export function parsePageCode(value: unknown): PageCode | undefined {
  const code = typeof value === 'string' && /^\d$/.test(value.trim()) ? Number(value) : value
  return pageCodes.find((known) => known === code)
}
