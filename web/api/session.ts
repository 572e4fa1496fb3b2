import { useSyncExternalStore } from 'react'
import type { LoginResponse } from '#contract/auth.ts'
import { type PageCode, parsePageCode } from '#contract/pages.ts'
import { createListeners } from '#web/lib/listeners.ts'

/** The signed-in person's session, kept in memory and in the browser's storage (rules §3.4). */
export type Session = {
  token: string
  /** Codes of the pages that the person may open. */
  pages: readonly PageCode[]
  /** The subset of `pages` that they may only view. */
  viewOnlyPages: readonly PageCode[]
  /** Ids of the locations that they have access to; null for all. */
  locations: readonly string[] | null
  /** What they must set up before the server serves anything else (rules §33.10, §33.18). */
  mustSetUp: 'password' | 'second-factor' | undefined
  /** Id of the colleague they view the portal as; pages, levels and locations are then the colleague's. */
  viewAs: string | null
  /** The login response; undefined when the stored one cannot be read. */
  userData: LoginResponse | undefined
}

type SessionEnd = 'signed-out' | 'expired'

/** Why the server refuses a session that is kept, with its screen, only for what was typed there. */
export type Kept = 'expired' | 'second-factor'

const TOKEN = 'token'
const PAGES = 'auth_page'
const USER_DATA = 'user'
/** Stored only while the person views the portal as a colleague. */
const VIEW_AS = 'view_as'

let session = readStored()
let lastEnd: SessionEnd | undefined
let kept: Kept | undefined
let isWorthKeeping: () => boolean = () => false
const { subscribe, notify } = createListeners()

export function getSession(): Session | undefined {
  return session
}

/** Returns why the session ended; undefined after a sign-in, or when there was none. */
export function getSessionEnd(): SessionEnd | undefined {
  return lastEnd
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, getSession)
}

export function getKept(): Kept | undefined {
  return kept
}

export function useKept(): Kept | undefined {
  return useSyncExternalStore(subscribe, getKept)
}

export const subscribeSession = subscribe

/** Follows sessions, but not what changes within that of one person. Returns a function that stops following. */
export function subscribePerson(listener: () => void): () => void {
  let last = session
  return subscribe(() => {
    const before = last
    last = session
    if (!isSamePerson(session, before)) listener()
  })
}

/** Returns the id of the viewed colleague, else the person's own: `user._id` or the response's `_id` (rules §3.4). */
export function getUserId(of: Pick<Session, 'userData' | 'viewAs'> | undefined): string | undefined {
  if (of?.viewAs) return of.viewAs
  // Storage may hold anything, so either of these may be missing.
  const data: Partial<LoginResponse> | undefined = of?.userData
  return data?.user?._id ?? data?._id
}

/**
 * Returns whether two sessions show the portal to the same person, possibly with a new token. Beginning or ending to
 * view as a colleague counts as another person, because the portal then shows other data.
 */
export function isSamePerson(one: Session | undefined, other: Session | undefined): boolean {
  if (!one || !other) return one === other
  const [id, otherId] = [one, other].map((of) => getUserId({ ...of, viewAs: null }))
  return one.viewAs === other.viewAs && (one.token === other.token || (id !== undefined && id === otherId))
}

export function startSession(userData: LoginResponse): void {
  replaceSession({
    token: userData.token,
    pages: parsePages(userData.auth_page),
    viewOnlyPages: parsePages(userData.viewOnlyPages ?? []),
    locations: userData.locations ?? null,
    mustSetUp: toMustSetUp(userData),
    viewAs: null,
    userData,
  })
  lastEnd = undefined
  write(VIEW_AS, undefined)
  // The token last: other tabs react to it.
  write(USER_DATA, JSON.stringify(userData))
  write(PAGES, JSON.stringify(userData.auth_page))
  write(TOKEN, userData.token)
  notify()
}

/** Stores what has been changed of the person's own details, by themselves or by a colleague. */
export function updateUser(details: LoginResponse['user']): void {
  if (session?.userData === undefined) return
  const { firstname, lastname, email, phoneNumber, role } = details
  const changes = { firstname, lastname, email, phoneNumber, role }
  const userData = { ...session.userData, ...changes, user: { ...session.userData.user, ...changes } }
  session = { ...session, userData }
  write(USER_DATA, JSON.stringify(userData))
  notify()
}

/** Replaces the token: the server issues a new one after the person gave their password again (rules §33.17). */
export function renewToken(token: string): void {
  if (session === undefined) return
  const userData = session.userData && { ...session.userData, token }
  session = { ...session, token, userData }
  if (userData) write(USER_DATA, JSON.stringify(userData))
  write(TOKEN, token)
  notify()
}

/**
 * Returns whether the same person now has another token than the one a request was sent with. Reads the storage,
 * because a suspended tab may have missed the change.
 */
export function hasNewToken(sentWith: Session): boolean {
  const stored = readStored()
  if (session !== undefined && stored !== undefined && stored.token !== session.token) {
    replaceSession(stored)
    notify()
  }
  return session?.token !== sentWith.token && isSamePerson(session, sentWith)
}

/** Sets when a refused session is kept, with its screen, until the person has done in another tab what it lacks. */
export function keepRefusedSession(when: () => boolean): void {
  isWorthKeeping = when
}

/** Ends the session because the server does not know it any more, or keeps it for what was typed. */
export function expireSession(): void {
  if (session === undefined || kept === 'expired') return
  if (!isWorthKeeping()) return endSession('expired')
  kept = 'expired'
  notify()
}

/** Restricts the session to setting up a second factor, or keeps it for what was typed. */
export function requireSecondFactor(): void {
  if (session === undefined || kept) return
  if (session.mustSetUp !== undefined || !isWorthKeeping()) return setMustSetUp('second-factor')
  kept = 'second-factor'
  notify()
}

/** Clears memory and all stored items. */
export function endSession(reason: SessionEnd): void {
  if (session === undefined) return
  replaceSession(undefined)
  lastEnd = reason
  // Other tabs cannot tell why an item is removed: an empty token says that the person has not signed out.
  if (reason === 'expired') write(TOKEN, '')
  for (const item of [TOKEN, PAGES, USER_DATA, VIEW_AS]) write(item, undefined)
  notify()
}

/** The password comes first, as on the server. */
function toMustSetUp({ mustReplacePassword, mustSetUpSecondFactor }: LoginResponse): Session['mustSetUp'] {
  if (mustReplacePassword) return 'password'
  return mustSetUpSecondFactor ? 'second-factor' : undefined
}

/** Sets what the person must set up: after the server's error, and undefined once they have. */
export function setMustSetUp(mustSetUp: Session['mustSetUp']): void {
  if (session === undefined || (session.mustSetUp === mustSetUp && !kept)) return
  replaceSession({ ...session, mustSetUp })
  notify()
}

type Access = {
  pages?: readonly unknown[]
  viewOnlyPages?: readonly unknown[]
  locations?: readonly string[] | null
  viewAs?: string | null
}

/**
 * Updates pages, levels, locations and `viewAs`, which the server sends with every response (rules §2.4). What is taken
 * away stays on the screen while it has unsaved input, which would be lost with it: the server refuses to save it.
 */
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
  if (isSame || (viewAs === session.viewAs && takesAway(session, { pages, viewOnlyPages, locations }))) return
  // Without a readable login response nothing is stored here: the next response has these values again.
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

type Held = Pick<Session, 'pages' | 'viewOnlyPages' | 'locations'>

/** Returns whether a change of access takes something away while there is unsaved input. */
function takesAway(before: Held, after: Held): boolean {
  const mayEdit = ({ pages, viewOnlyPages }: Held) => pages.filter((page) => !viewOnlyPages.includes(page))
  const losesSome = <T>(one: readonly T[], other: readonly T[]) => one.some((value) => !other.includes(value))
  const hasFewerLocations =
    after.locations !== null && (before.locations === null || losesSome(before.locations, after.locations))
  return (
    isWorthKeeping() &&
    (losesSome(before.pages, after.pages) || losesSome(mayEdit(before), mayEdit(after)) || hasFewerLocations)
  )
}

/** Follows sign-ins and sign-outs in other tabs. Returns a function that stops following. */
export function followOtherTabs(): () => void {
  window.addEventListener('storage', followStorage)
  return () => window.removeEventListener('storage', followStorage)
}

function followStorage({ key, newValue, storageArea }: StorageEvent): void {
  if (storageArea !== window.localStorage || (key !== null && ![TOKEN, PAGES, VIEW_AS].includes(key))) return
  const stored = readStored()
  if (key === TOKEN && newValue === '' && stored === undefined) return expireSession()
  // A tab in which the person is about to sign in again ends the expired session for good.
  const isSameToken = stored !== undefined && stored.token === session?.token
  if (kept && (stored === undefined || isSameToken)) return
  if (session && isSameToken && stored.viewAs === session.viewAs && takesAway(session, stored)) return
  if (stored !== undefined) lastEnd = undefined
  else if (session !== undefined) lastEnd = 'signed-out'
  replaceSession(stored)
  notify()
}

function replaceSession(next: Session | undefined): void {
  session = next
  kept = undefined
}

function readStored(): Session | undefined {
  const token = read(TOKEN)
  const pages = parseJson(read(PAGES))
  // A session is restored only when both are present (rules §3.4).
  if (token === undefined || token === '' || !Array.isArray(pages)) return undefined
  const userData = parseJson(read(USER_DATA))
  const isObject = typeof userData === 'object' && userData !== null
  const data = isObject ? (userData as LoginResponse) : undefined // written by startSession, but may be tampered with
  const viewOnly: unknown = data?.viewOnlyPages
  const locations: unknown = data?.locations
  return {
    token,
    pages: parsePages(pages),
    viewOnlyPages: parsePages(Array.isArray(viewOnly) ? viewOnly : []),
    locations: Array.isArray(locations) ? locations.map(String) : null,
    // If they still must, the first response says so.
    mustSetUp: undefined,
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

/** Storage may be forbidden or full; the session is then kept in memory only. */
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
    // Forbidden or full, see `read`.
  }
}
