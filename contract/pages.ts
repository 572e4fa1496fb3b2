/**
 * The pages of the portal, in the menu's order: the one list that codes, access, paths, the menu and the staff form's
 * checkboxes follow from. Beside each code stands its name on the wire, ‘Trasactions’ spelled as older clients know it.
 */
const pagesByKey = {
  dashboard: { id: 1, path: '/', name: 'Dashboard', codeName: 'Dashboard' },
  features: { id: 2, path: '/features', name: 'Features', codeName: 'Features' },
  pods: { id: 3, path: '/pods', name: 'Pods', codeName: 'Pods' },
  transactions: { id: 4, path: '/Transactions', name: 'Transactions', codeName: 'Trasactions' },
  users: { id: 5, path: '/user-details', name: 'User Details', codeName: 'Users' },
  bookings: { id: 6, path: '/booking', name: 'Booking', codeName: 'Bookings' },
  locations: { id: 7, path: '/location', name: 'Location', codeName: 'Locations' },
  staff: { id: 8, path: '/assign-role', name: 'Assign Role', codeName: 'Assignrole' },
  corporateBooking: { id: 9, path: '/corporate-booking', name: 'Corporate Booking', codeName: 'VipBooking' },
} as const

type Codes = { readonly [Key in keyof typeof pagesByKey]: (typeof pagesByKey)[Key]['id'] }

/** The codes by key: `PAGE.pods`. */
export const PAGE = Object.fromEntries(Object.entries(pagesByKey).map(([key, { id }]) => [key, id])) as Codes // made of the same entries

export type PageCode = Codes[keyof Codes]

export type Page = { id: PageCode; path: string; name: string; codeName: string }

export const pages: readonly Page[] = Object.values(pagesByKey)

export const pageCodes: readonly PageCode[] = pages.map((page) => page.id)

/** The pages among `needed` that are not in `held`, as a list of names in a sentence; undefined when none is missing. */
export function nameMissingPages(
  needed: readonly (number | string)[],
  held: readonly (number | string)[],
): string | undefined {
  const codes = new Set(held.map(Number))
  const names = pages.filter(({ id }) => needed.map(Number).includes(id) && !codes.has(id)).map(({ name }) => name)
  return names.length === 0 ? undefined : new Intl.ListFormat('en').format(names)
}

/** An untrusted page code (number or text) as a known one; undefined when no page has it. */
export function parsePageCode(value: unknown): PageCode | undefined {
  const code = typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value
  return pageCodes.find((known) => known === code)
}
