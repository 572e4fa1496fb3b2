import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Access } from '#contract/routes.ts'
import type { AppContext, SignedIn } from '../context.ts'
import { madeOnce } from '../db/made-once.ts'
import { AppError } from './app-error.ts'

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Undefined when the call carries no bearer token, or what cannot be one. */
export function readTokenHash(request: FastifyRequest): Buffer | undefined {
  const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : toTokenHash(token)
}

/**
 * Who calls: read by primary key at every call, so that a blocked account, an ended session or changed pages count from
 * the next call on, on every server (rules §2.4).
 */
export async function findSession(context: AppContext, tokenHash: Buffer): Promise<SignedIn | undefined> {
  const row = await findTogether(context, tokenHash.toString('hex'))
  if (!row) return undefined
  const { id, phone_number, pages, hash: _, ...names } = row
  return { tokenHash, staff: { _id: id, phoneNumber: phone_number, ...names }, pages }
}

type SessionRow = Awaited<ReturnType<typeof readSessions>>[number]
type Asked = { hashes: Set<string>; found: Promise<Map<string, SessionRow>> }

const asked = new WeakMap<AppContext, Asked>()

/**
 * Calls that arrive in the same turn of the event loop are looked up by one query. It is sent when all of them are there
 * and is kept for none that comes later: what it finds is never older than the call.
 */
async function findTogether(context: AppContext, hash: string): Promise<SessionRow | undefined> {
  let turn = asked.get(context)
  if (!turn) {
    const hashes = new Set<string>()
    turn = { hashes, found: readTurn(context, hashes) }
    asked.set(context, turn)
  }
  turn.hashes.add(hash)
  return (await turn.found).get(hash)
}

async function readTurn(context: AppContext, hashes: Set<string>): Promise<Map<string, SessionRow>> {
  await new Promise((resolve) => setImmediate(resolve))
  asked.delete(context)
  const rows = await readSessions(context.db, { hashes: [...hashes], now: context.clock.now() })
  return new Map(rows.map((row) => [row.hash, row]))
}

const readSessions = madeOnce((db, { hashes, now }: { hashes: string[]; now: Date }) =>
  db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.id', 'sessions.staff_id')
    .select(['staff.id', 'firstname', 'lastname', 'email', 'phone_number', 'role', 'pages'])
    .select(sql<string>`encode(token_hash, 'hex')`.as('hash'))
    .where(sql<boolean>`token_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))`)
    .where('expires_at', '>', now)
    .where('staff.is_blocked', '=', false)
    .where('staff.deleted_at', 'is', null),
)

/** The lock on every endpoint: 401 without a live session, 403 without any of the pages that admit to it. */
export function requireAccess(access: Access, session: SignedIn | undefined): void {
  if (access === 'public') return
  if (!session) throw new AppError('not_signed_in')
  if (!isAdmitted(access, session)) throw new AppError('page_required')
}

export function isAdmitted(access: Access, { pages }: SignedIn): boolean {
  return typeof access === 'string' || access.some((page) => pages.includes(page))
}
