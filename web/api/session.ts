import { useSyncExternalStore } from 'react'
import type { LoginResponse } from '#contract/auth.ts'
import { type PageCode, parsePageCode } from '#contract/pages.ts'

/** Who is signed in: in memory and, under three items, in the browser's storage (rules §3.4). */
export type Session = {
  token: string
  /** Codes of the pages the person may open. */
  pages: readonly PageCode[]
  /** Those among them that they may only look at. */
  viewOnlyPages: readonly PageCode[]
  /** Ids of the locations that they have; null of who has all. */
  locations: readonly string[] | null
  /** Nothing else is answered until they have set up a second factor (rules §33.10). */
  mustSetUp: boolean
  /** The id of the colleague whose portal they see in place of their own: pages, levels and locations are the colleague's. */
  viewAs: string | null
  /** The whole login response; undefined when the stored one cannot be read. */
  userData: LoginResponse | undefined
}

export type SessionEnd = 'signed-out' | 'expired'

const TOKEN = 'token'
const PAGES = 'auth_page'
const USER_DATA = 'user'
/** Only while somebody sees the portal as a colleague sees it. */
const VIEW_AS = 'view_as'

let session = readStored()
let lastEnd: SessionEnd | undefined
const listeners = new Set<() => void>()

export function getSession(): Session | undefined {
  return session
}

/** Why there is no session any more; undefined after a sign-in, and when there was none. */
export function getSessionEnd(): SessionEnd | undefined {
  return lastEnd
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribeSession, getSession)
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The id of the person whose portal it is: the colleague's, else that of `user`, or the response's own (rules §3.4). */
export function getUserId(of: Pick<Session, 'userData' | 'viewAs'> | undefined): string | undefined {
  if (of?.viewAs) return of.viewAs
  // Storage may hold anything: a login response is not proven to have either.
  const data: Partial<LoginResponse> | undefined = of?.userData
  return data?.user?._id ?? data?._id
}

/** Also with a new token. Who begins or ends to see what a colleague sees is another, as what the portal shows is. */
export function isSamePerson(one: Session | undefined, other: Session | undefined): boolean {
  if (!one || !other) return one === other
  const [id, otherId] = [one, other].map((of) => getUserId({ ...of, viewAs: null }))
  return one.viewAs === other.viewAs && (one.token === other.token || (id !== undefined && id === otherId))
}

export function startSession(userData: LoginResponse): void {
  session = {
    token: userData.token,
    pages: parsePages(userData.auth_page),
    viewOnlyPages: parsePages(userData.viewOnlyPages ?? []),
    locations: userData.locations ?? null,
    mustSetUp: userData.mustSetUpSecondFactor ?? false,
    viewAs: null,
    userData,
  }
  lastEnd = undefined
  write(VIEW_AS, undefined)
  // The token last: it is what other tabs act on.
  write(USER_DATA, JSON.stringify(userData))
  write(PAGES, JSON.stringify(userData.auth_page))
  write(TOKEN, userData.token)
  notify()
}

/** What the person has changed of their own account. */
export function updateUser(changes: Pick<LoginResponse['user'], 'firstname' | 'lastname' | 'phoneNumber'>): void {
  if (session?.userData === undefined) return
  const userData = { ...session.userData, ...changes, user: { ...session.userData.user, ...changes } }
  session = { ...session, userData }
  write(USER_DATA, JSON.stringify(userData))
  notify()
}

/** The server gives a new one when the person has given their password again (rules §33.17). */
export function renewToken(token: string): void {
  if (session === undefined) return
  const userData = session.userData && { ...session.userData, token }
  session = { ...session, token, userData }
  if (userData) write(USER_DATA, JSON.stringify(userData))
  write(TOKEN, token)
  notify()
}

/** Whether the person has another token than the one that a request was sent with: a page that was put to sleep has not heard of it. */
export function hasNewToken(sentWith: Session): boolean {
  const stored = readStored()
  if (session !== undefined && stored !== undefined && stored.token !== session.token) {
    session = stored
    notify()
  }
  return session?.token !== sentWith.token && isSamePerson(session, sentWith)
}

/** Clears memory and all stored items. */
export function endSession(reason: SessionEnd): void {
  if (session === undefined) return
  session = undefined
  lastEnd = reason
  for (const item of [TOKEN, PAGES, USER_DATA, VIEW_AS]) write(item, undefined)
  notify()
}

/** The server says so by an error; afterwards one goes on. */
export function setMustSetUp(mustSetUp: boolean): void {
  if (session === undefined || session.mustSetUp === mustSetUp) return
  session = { ...session, mustSetUp }
  notify()
}

type Access = {
  pages?: readonly unknown[]
  viewOnlyPages?: readonly unknown[]
  locations?: readonly string[] | null
  viewAs?: string | null
}

/** The server says with every response which pages the person holds now (rules §2.4), which only to look at, where, and as whom. */
export function updateAccess(codes: Access): void {
  if (session === undefined) return
  const pages = codes.pages ? parsePages(codes.pages) : session.pages
  const viewOnlyPages = codes.viewOnlyPages ? parsePages(codes.viewOnlyPages) : session.viewOnlyPages
  const locations = codes.locations === undefined ? session.locations : codes.locations
  const viewAs = codes.viewAs === undefined ? session.viewAs : codes.viewAs
  const isSame =
    viewAs === session.viewAs &&
    pages.join() === session.pages.join() &&
    viewOnlyPages.join() === session.viewOnlyPages.join() &&
    locations?.join() === session.locations?.join()
  if (isSame) return
  // Where the whole login response could not be read, the next response of the server says it again.
  const userData = session.userData && {
    ...session.userData,
    viewOnlyPages: viewOnlyPages.map(String),
    locations: locations ? [...locations] : undefined,
  }
  session = { ...session, pages, viewOnlyPages, locations, viewAs, userData }
  write(VIEW_AS, viewAs ?? undefined)
  if (userData) write(USER_DATA, JSON.stringify(userData))
  write(PAGES, JSON.stringify(pages.map(String)))
  notify()
}

/** Other tabs sign in and out too: follow them. Returns a function that stops following. */
export function followOtherTabs(): () => void {
  window.addEventListener('storage', followStorage)
  return () => window.removeEventListener('storage', followStorage)
}

function followStorage({ key, storageArea }: StorageEvent): void {
  if (storageArea !== window.localStorage || (key !== null && ![TOKEN, PAGES, VIEW_AS].includes(key))) return
  const stored = readStored()
  if (stored !== undefined) lastEnd = undefined
  else if (session !== undefined) lastEnd = 'signed-out'
  session = stored
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function readStored(): Session | undefined {
  const token = read(TOKEN)
  const pages = parseJson(read(PAGES))
  // Restored when both are there (rules §3.4).
  if (token === undefined || token === '' || !Array.isArray(pages)) return undefined
  const userData = parseJson(read(USER_DATA))
  const isObject = typeof userData === 'object' && userData !== null
  const data = isObject ? (userData as LoginResponse) : undefined // ours since sign-in wrote it; getUserId minds that it may have been touched since
  const viewOnly: unknown = data?.viewOnlyPages
  const locations: unknown = data?.locations
  return {
    token,
    pages: parsePages(pages),
    viewOnlyPages: parsePages(Array.isArray(viewOnly) ? viewOnly : []),
    locations: Array.isArray(locations) ? locations.map(String) : null,
    // If they still have to, the first response says so.
    mustSetUp: false,
    viewAs: read(VIEW_AS) ?? null,
    userData: data,
  }
}

function parsePages(codes: readonly unknown[]): PageCode[] {
  const known = codes.map(parsePageCode).filter((code) => code !== undefined)
  return [...new Set(known)].sort((a, b) => a - b)
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

/** Storage may be forbidden or full: the session then lives in memory alone. */
function read(item: string): string | undefined {
  try {
    return window.localStorage.getItem(item) ?? undefined
  } catch {
    return undefined
  }
}

function write(item: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(item)
    else window.localStorage.setItem(item, value)
  } catch {
    // As in read.
  }
}
