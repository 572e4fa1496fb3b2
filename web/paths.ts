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
export const SCHEDULE_PATH = '/schedule'
export const ARRIVALS_PATH = '/arrivals'
export const MESSAGES_PATH = '/messages'
export const COMPANIES_PATH = '/companies'
export const CLOSURES_PATH = '/closures'
export const POLICIES_PATH = '/policies'

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

/** Returns the path of the companies screen, with the query that it reads. */
export function companyPath(query: Record<string, string | undefined>): string {
  return withQuery(COMPANIES_PATH, query)
}

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
  return withQuery(SCHEDULE_PATH, { date, free: free.from, for: free.minutes })
}

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}
