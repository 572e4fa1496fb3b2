import type { AuditEntity } from '#contract/audit-entities.ts'
import { PAGE, type Page, type PageCode, pages } from '#contract/pages.ts'

/** Paths of the portal (rules §2.1). Those of the nine pages come from the contract's table. */
export const LOGIN_PATH = '/login'
export const FORGOT_PASSWORD_PATH = '/forgot-password'
/** The target of password links, which carry their token after `#`. */
export const CHOOSE_PASSWORD_PATH = '/choose-password'
/** Where staff set up the second factor that is required of everyone. */
export const SET_UP_PATH = '/set-up'
export const ACCOUNT_PATH = '/account'
export const HOME_PATH = '/'
export const QR_PATH = '/qr'
export const MESSAGES_PATH = '/messages'

/** Screens that have no page code of their own: access to `page` includes them. In the order of the menu. */
export const includedScreens = {
  schedule: { page: PAGE.bookings, path: '/schedule', name: 'Schedule' },
  arrivals: { page: PAGE.bookings, path: '/arrivals', name: 'Arrivals' },
  closures: { page: PAGE.pods, path: '/closures', name: 'Closures' },
  companies: { page: PAGE.corporateBooking, path: '/companies', name: 'Companies' },
  policies: { page: PAGE.staff, path: '/policies', name: 'Policies' },
  activity: { page: PAGE.staff, path: '/activity', name: 'Activity' },
  messages: { page: PAGE.staff, path: MESSAGES_PATH, name: 'Messages' },
} as const

const byCode = new Map(pages.map((page) => [page.id, page]))

export function pageOf(code: PageCode): Page {
  const page = byCode.get(code)
  if (page === undefined) throw new Error(`No page has the code ${code}`)
  return page
}

/** Returns the path of a page, with the query that its screen reads: `pathOf(PAGE.pods, { search: 'Aurora' })`. */
export function pathOf(code: PageCode, query: Record<string, string | number | undefined> = {}): string {
  return withQuery(pageOf(code).path, query)
}

type RecordQuery = { search?: string | undefined; status?: 'deleted' | undefined }

const inListAt = (path: string) => (query: RecordQuery) => withQuery(path, query)
const inListOf = (page: PageCode) => inListAt(pageOf(page).path)

/**
 * Where records of each kind are shown. Lists find one by its id, even when it is deleted; a path alone is of kinds that
 * have few records, or whose screens show the newest first.
 */
export const screensOfKinds = {
  pod: inListOf(PAGE.pods),
  location: inListOf(PAGE.locations),
  feature: inListOf(PAGE.features),
  customer: inListOf(PAGE.users),
  company: inListAt(includedScreens.companies.path),
  staff: inListOf(PAGE.staff),
  booking: inListOf(PAGE.bookings),
  transaction: inListOf(PAGE.transactions),
  settings: inListOf(PAGE.transactions),
  closure: includedScreens.closures.path,
  policy: includedScreens.policies.path,
  'role-preset': pathOf(PAGE.staff, { show: 'presets' }),
  mail: MESSAGES_PATH,
  template: `${MESSAGES_PATH}?show=templates`,
  webhook: `${MESSAGES_PATH}?show=webhooks`,
  'api-key': `${MESSAGES_PATH}?show=keys`,
  job: `${MESSAGES_PATH}?show=failed`,
  image: undefined,
  activity: undefined,
} as const satisfies Record<AuditEntity, string | ((query: RecordQuery) => string) | undefined>

/** Returns the path of the screen that shows a new booking's code (rules §4.16). */
export function qrPath(bookingId: string): string {
  return withQuery(QR_PATH, { bookingId })
}

/** Returns the path of a booking's details (rules §27.9). */
export function bookingPath(id: string): string {
  return `${pageOf(PAGE.bookings).path}/${id}`
}

/** Returns the path of a customer's details (rules §31.1). */
export function customerPath(id: string): string {
  return `${pageOf(PAGE.users).path}/${id}`
}

/**
 * Returns the path of the schedule on `date`, 'YYYY-MM-DD'. `free` limits it to pods that are free for `minutes` from
 * `from`, a minute of the day.
 */
export function schedulePath(date: string, free: { from?: number; minutes?: number } = {}): string {
  return withQuery(includedScreens.schedule.path, { date, free: free.from, for: free.minutes })
}

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}
