import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Access } from '#contract/routes.ts'
import type { AppContext, SignedIn } from '../context.ts'
import { AppError } from './app-error.ts'

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Who calls, from the bearer token: one read by primary key, so that a blocked account, an ended session or changed
 * pages count from the next call on, on every server (decisions §4).
 */
export async function findSession(context: AppContext, request: FastifyRequest): Promise<SignedIn | undefined> {
  const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return undefined
  const tokenHash = toTokenHash(token)
  const row = await context.db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id', 'firstname', 'lastname', 'email', 'phone_number', 'role', 'pages'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', context.clock.now())
    .where('staff.is_blocked', '=', false)
    .where('staff.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, phone_number, pages, ...names } = row
  return { tokenHash, staff: { _id: id, phoneNumber: phone_number, ...names }, pages }
}

/** The lock on every endpoint: 401 without a live session, 403 without any of the pages that admit to it. */
export function requireAccess(access: Access, session: SignedIn | undefined): void {
  if (access === 'public') return
  if (!session) throw new AppError('not_signed_in')
  if (access === 'session') return
  if (!access.some((page) => session.pages.includes(page))) throw new AppError('page_required')
}
