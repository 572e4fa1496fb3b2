import { PAGE, type Page, type PageCode, pages } from '#contract/pages.ts'

/** Paths of the portal (rules §2.1). Those of the nine pages come from the contract's table. */
export const LOGIN_PATH = '/login'
export const FORGOT_PASSWORD_PATH = '/forgot-password'
/** With the token of a link after #. */
export const CHOOSE_PASSWORD_PATH = '/choose-password'
/** Where a second factor is set up that is required of everyone. */
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

/** Path of a page, with what its screen keeps in the URL: `pathOf(PAGE.pods, { search: 'Aurora' })`. */
export function pathOf(code: PageCode, query: Record<string, string | number | undefined> = {}): string {
  return withQuery(pageOf(code).path, query)
}

/** The companies, with what their screen keeps in the URL. */
export function companyPath(query: Record<string, string | undefined> = {}): string {
  return withQuery(COMPANIES_PATH, query)
}

/** Where a new booking's code is shown (rules §4.16). */
export function qrPath(bookingId: string): string {
  return withQuery(QR_PATH, { bookingId })
}

/** A booking's own page (rules §27.9). */
export function bookingPath(id: string): string {
  return `${pageOf(PAGE.bookings).path}/${id}`
}

/** A customer's own page (rules §31.1). */
export function customerPath(id: string): string {
  return `${pageOf(PAGE.users).path}/${id}`
}

/** The schedule of all pods on a day, 'YYYY-MM-DD'; of those that are free from a minute of the day for so many minutes. */
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
