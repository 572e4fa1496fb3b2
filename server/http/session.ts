import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { IDLE_HEADER } from '#contract/headers.ts'
import { toPagesText } from '#contract/pages.ts'
import { admitsKeys, isEdit, type Route, toInView } from '#contract/routes.ts'
import type { AppContext, Person, SignedIn } from '../context.ts'
import { mustReplacePassword, personColumns, toSignedInStaff } from '../modules/auth/person.ts'
import { mustSetUpSecondFactor } from '../modules/second-factors/second-factors.repository.ts'
import { findView } from '../modules/view-as/view.ts'
import { findKey, isKey, type KeyUse } from './api-key.ts'
import { AppError } from './app-error.ts'

/** Creates what only one person gets to know: the token of a session or link, or a challenge. */
export const createToken = () => randomBytes(32).toString('base64url')

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Finds the person or API key of the bearer token; undefined when it is missing, malformed or not valid. */
export async function findSignedIn(context: AppContext, request: FastifyRequest): Promise<Person | KeyUse | undefined> {
  const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return undefined
  return isKey(token) ? findKey(context, token) : findSession(context, toTokenHash(token))
}

export const isPerson = (session: SignedIn): session is Person => session.staff !== undefined

/**
 * Finds the person who sends the request. The session is read by primary key every time, so that a blocked account, an
 * ended session or changed pages take effect with the next request, on every server (rules §2.4).
 */
export async function findSession(
  context: Pick<AppContext, 'shortReads' | 'clock' | 'config'>,
  tokenHash: Buffer,
): Promise<Person | undefined> {
  const { shortReads, clock, config } = context
  const current = await selectSessions(context).where('token_hash', '=', tokenHash).executeTakeFirst()
  const row =
    current ??
    (await selectSessions(context)
      .where('previous_token_hash', '=', tokenHash)
      .where('previous_until', '>', clock.now())
      .executeTakeFirst())
  if (!row) return undefined
  const own: Person = {
    id: row.id,
    tokenHash: row.token_hash,
    staff: toSignedInStaff(row),
    pages: row.pages,
    viewOnlyPages: row.view_only_pages,
    locations: row.location_ids,
    mustReplacePassword: mustReplacePassword(config, row),
    mustSetUpSecondFactor: row.must_set_up,
    lastUsedAt: row.last_used_at,
    // Whoever has stolen the previous token must not gain what the password has just allowed.
    confirmedAt: current ? row.confirmed_at : new Date(0),
  }
  const view = await findView(shortReads, own, row, clock.now())
  return view ? { ...own, view } : own
}

function selectSessions({ shortReads, clock, config }: Pick<AppContext, 'shortReads' | 'clock' | 'config'>) {
  return shortReads
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select([...personColumns, 'token_hash', 'last_used_at', 'confirmed_at', 'viewed_staff_id', 'viewed_until'])
    .select(mustSetUpSecondFactor('staff.id').as('must_set_up'))
    .where('expires_at', '>', clock.now())
    .where('last_used_at', '>', new Date(clock.now().getTime() - config.sessionIdleMs))
    .where('staff.is_blocked', '=', false)
    .where('staff.deleted_at', 'is', null)
}

/** Returns the session that handlers see: while the person views as a colleague, the colleague's, with its `viewer`. */
export function asSeen(found: Person): Person {
  const { view, ...own } = found
  if (!view || view.over !== undefined) return own
  const { id, staff, pages, viewOnlyPages, locations } = view
  return { ...own, id, staff, pages, viewOnlyPages, locations, viewer: found.staff }
}

/** The precision of a session's last use: at most one write per minute, instead of one per request. */
const USE_STEP_MS = 60_000

/**
 * Records that a session is used, and returns its recorded last use. The portal also sends requests by itself, and says
 * for how many seconds the person has done nothing, so that an open screen does not keep a session alive.
 */
export async function noteUse({ db, clock }: AppContext, session: Person, request: FastifyRequest): Promise<Date> {
  const idle = /^\d{1,7}$/.exec(String(request.headers[IDLE_HEADER] ?? ''))?.[0] ?? '0'
  const usedAt = new Date(clock.now().getTime() - Number(idle) * 1000)
  const before = new Date(usedAt.getTime() - USE_STEP_MS)
  if (session.lastUsedAt > before) return session.lastUsedAt
  await db
    .updateTable('sessions')
    .set({ last_used_at: usedAt })
    .where('token_hash', '=', session.tokenHash)
    .where('last_used_at', '<=', before)
    .execute()
  return usedAt
}

/**
 * Checks access to an endpoint: throws a 401 without a session, and a 403 with a generated password (rules §33.18),
 * without a required second factor (rules §33.10) or without any of the pages that give access. For an edit, the returned session holds only the pages
 * that the person may change, so that further page checks of the handler require these too (rules §34.2). Someone who
 * views as a colleague can only read, whatever the colleague may do (rules §34.11).
 */
export function requireAccess<Found extends SignedIn>(route: Route, found: Found | undefined): Found {
  if (!found) throw new AppError('not_signed_in')
  if (!isPerson(found) && !admitsKeys(route)) throw new AppError('people_only')
  // Asked for first, so that a second factor is not set up by whoever else knows the generated password.
  const isNewPasswordDue = isPerson(found) && found.mustReplacePassword
  if (isNewPasswordDue && !route.beforeNewPassword) throw new AppError('new_password_required')
  if (isPerson(found) && found.mustSetUpSecondFactor && !isNewPasswordDue && !route.beforeSetUp)
    throw new AppError('second_factor_setup_required')
  if (isPerson(found) && found.viewer && toInView(route) === 'refused') throw new AppError('viewing_as')
  const changeable = found.pages.filter((page) => !found.viewOnlyPages.includes(page))
  const session = isEdit(route) ? { ...found, pages: changeable } : found
  if (typeof route.access !== 'string') requireOnePage(route.access, session)
  return session
}

/** Throws a 403 unless the session has one of the pages. Its code differs when the sender may at least view one. */
export function requireOnePage(pages: readonly number[], session: SignedIn): void {
  if (pages.some((page) => session.pages.includes(page))) return
  const mayView = pages.some((page) => session.viewOnlyPages.includes(page))
  throw new AppError(
    mayView ? 'view_only' : 'page_required',
    isPerson(session) ? {} : { message: toKeyText(pages, mayView) },
  )
}

/** Says what a key needs, which its programmer cannot see as staff do. */
function toKeyText(pages: readonly number[], mayView: boolean): string {
  const level = mayView ? 'that may edit one of these pages, not only view it' : 'with one of these pages'
  return `This takes an API key ${level}: ${toPagesText(pages)}.`
}

const CONFIRMED_FOR_MS = 15 * 60_000

/** Throws unless the password was given lately, so that nobody can abuse a browser left open (rules §33.6). */
export function requireConfirmed({ clock }: AppContext, session: SignedIn): void {
  const since = clock.now().getTime() - CONFIRMED_FOR_MS
  if (isPerson(session) && session.confirmedAt.getTime() <= since) throw new AppError('confirmation_required')
}
