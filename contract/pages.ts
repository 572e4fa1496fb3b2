/**
 * The pages of the portal, in menu order: the single list from which codes, access, paths, the menu and the staff
 * form's checkboxes are derived. `codeName` is the name on the wire; ‘Trasactions’ is spelled as older clients know it.
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

/** The page codes by key, such as `PAGE.pods`. */
export const PAGE = Object.fromEntries(Object.entries(pagesByKey).map(([key, { id }]) => [key, id])) as Codes // built from the same entries

export type PageCode = Codes[keyof Codes]

export type Page = { id: PageCode; path: string; name: string; codeName: string }

export const pages: readonly Page[] = Object.values(pagesByKey)

export const pageCodes: readonly PageCode[] = pages.map((page) => page.id)

/** What someone may do with a page: nothing, view it, or edit what it shows (rules §34.1). */
const pageLevels = ['none', 'view', 'edit'] as const
export type PageLevel = (typeof pageLevels)[number]

/** The pages that someone holds, as on the wire: all of them, and those among them that they may only view. */
export type PageAccess = {
  auth_page: readonly (number | string)[]
  viewOnlyPages?: readonly (number | string)[] | undefined
}

export function levelOf(page: PageCode, { auth_page, viewOnlyPages = [] }: PageAccess): PageLevel {
  if (!auth_page.some((code) => Number(code) === page)) return 'none'
  return viewOnlyPages.some((code) => Number(code) === page) ? 'view' : 'edit'
}

/** The pages that someone holds, each with its level, in the form that portal forms use. */
export type PageLevels = { readonly [Code in PageCode]?: Exclude<PageLevel, 'none'> }

export function toPageLevels(access: PageAccess): PageLevels {
  const held = pageCodes.map((page) => [page, levelOf(page, access)] as const)
  return Object.fromEntries(held.filter(([, level]) => level !== 'none'))
}

/** Converts levels to their form on the wire. */
export function toPageAccess(levels: PageLevels): { auth_page: string[]; viewOnlyPages: string[] } {
  const auth_page = Object.keys(levels)
  return { auth_page, viewOnlyPages: auth_page.filter((page) => levels[Number(page) as PageCode] === 'view') } // the object's own keys
}

/**
 * Returns what `needed` has and `held` lacks, as a list of names for a sentence, or undefined when nothing is missing.
 */
export function nameMissingAccess(needed: PageAccess, held: PageAccess): string | undefined {
  const names = pages.flatMap(({ id, name }) => {
    const [wanted, has] = [levelOf(id, needed), levelOf(id, held)]
    if (pageLevels.indexOf(wanted) <= pageLevels.indexOf(has)) return []
    return has === 'view' ? `${name} (edit)` : name
  })
  return names.length === 0 ? undefined : new Intl.ListFormat('en').format(names)
}

/** Names pages with their codes for whoever programs another system: `Booking (6), Corporate Booking (9)`. */
export function toPagesText(codes: readonly number[]): string {
  return codes.map((code) => `${pages.find(({ id }) => id === code)?.name} (${code})`).join(', ')
}

/** Parses an untrusted page code (number or text); returns undefined when no page has it. */
export function parsePageCode(value: unknown): PageCode | undefined {
  const code = typeof value === 'string' && /^\d{1,3}$/.test(value.trim()) ? Number(value) : value
  return pageCodes.find((known) => known === code)
}
