import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { ChangePasswordBody, LoginBody, LoginResponse } from '#contract/auth.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { toTokenHash } from '#server/http/session.ts'
import { recordChange, recordEvent } from '../audit/record-change.ts'
import { mailNewSignIn, mailPasswordChanged } from '../mail/mail.service.ts'
import { staffRecord } from '../staff/staff.repository.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOfStaff,
  findPasswordHash,
  findStaffByEmail,
  isKnownAddress,
  rememberAddress,
  replacePasswordHash,
} from './auth.repository.ts'
import { requireGoodPassword } from './good-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'

/** Nobody's id, so that an unknown account is looked up like a known one. */
const NO_STAFF_ID = '00000000-0000-0000-0000-000000000000'

/** From which network, and with which browser. */
type From = { network: string; userAgent: string }

const MOST_OF_USER_AGENT = 400

export function signIn(
  context: AppContext,
  actor: Actor,
  credentials: z.output<typeof LoginBody>,
  from: From,
): Promise<LoginResponse> {
  return context.signInQueue(from.network, () => signInFrom(context, actor, credentials, from))
}

async function signInFrom(
  context: AppContext,
  actor: Actor,
  { email, password }: z.output<typeof LoginBody>,
  { network, userAgent }: From,
): Promise<LoginResponse> {
  const staff = await findStaffByEmail(context.db, email)
  const wrong = new AppError('invalid_credentials')
  const claim = { staffId: staff?.id, storedHash: staff?.password_hash ?? undefined, email, password, network }
  const event = { entity: 'staff', id: staff?.id, label: email } as const
  const address = await requirePassword(context, claim, wrong).catch(async (error: unknown) => {
    // Those that are refused for their number alone have left enough rows.
    if (error === wrong) await recordEvent(context.db, actor, { ...event, action: 'sign-in-failed' })
    throw error
  })
  if (!staff) throw wrong
  if (staff.is_blocked) {
    await recordEvent(context.db, actor, { ...event, action: 'sign-in-failed', reason: 'The account is blocked' })
    throw new AppError('account_blocked')
  }

  const token = randomBytes(32).toString('base64url')
  await inTransaction(context.db, async (tx) => {
    if (await rememberAddress(tx, address)) await mailNewSignIn(context, tx, staff, network)
    await createSession(tx, {
      token_hash: toTokenHash(token),
      staff_id: staff.id,
      expires_at: new Date(address.now.getTime() + context.config.sessionHours * 3_600_000),
      created_at: address.now,
      last_used_at: address.now,
      confirmed_at: address.now,
      address: actor.address ?? '',
      user_agent: userAgent.slice(0, MOST_OF_USER_AGENT),
    })
    const label = `${staff.firstname} ${staff.lastname}`.trim()
    await recordEvent(tx, { ...actor, id: staff.id }, { ...event, label, action: 'sign-in' })
  })
  const user = {
    _id: staff.id,
    firstname: staff.firstname,
    lastname: staff.lastname,
    email: staff.email,
    phoneNumber: staff.phone_number,
    role: staff.role,
  }
  return { ...user, user, token, auth_page: staff.pages.map(String), message: 'Signed in' }
}

type Claim = {
  staffId: string | undefined
  storedHash: string | undefined
  email: string
  password: string
  network: string
}

/**
 * Throws `wrong`, or a 429, when the password is wrong; returns the address it came from. A wrong password and an unknown
 * email address get the same response after the same time (rules §3.3).
 */
async function requirePassword(context: AppContext, claim: Claim, wrong: AppError) {
  const { email, password, network } = claim
  const staff_id = claim.staffId ?? NO_STAFF_ID
  const address_hash = context.loginLimit.hash('known', staff_id, network)
  const address = { staff_id, address_hash, now: context.clock.now() }
  const attempt = await context.loginLimit.count(network, email, () => isKnownAddress(context.db, address))
  const storedHash = attempt.mayPass ? claim.storedHash : undefined
  if (!(await isPasswordOf(storedHash, password))) throw attempt.refusal ?? wrong
  await attempt.giveBack()
  return address
}

/** This session stays, all others of the person end. A wrong current password counts like one at sign-in (rules §3.6). */
export async function changePassword(
  context: AppContext,
  actor: Actor,
  { staff, tokenHash }: SignedIn,
  { currentPassword, newPassword }: z.output<typeof ChangePasswordBody>,
  network: string,
): Promise<void> {
  requireGoodPassword('newPassword', newPassword, { email: staff.email, productName: context.config.productName })
  const from = await findPasswordHash(context.db, staff._id)
  const wrong = fieldError('currentPassword', 'This is not your present password')
  const claim = { staffId: staff._id, storedHash: from, email: staff.email, password: currentPassword, network }
  await requirePassword(context, claim, wrong)
  if (from === undefined) throw wrong
  if (newPassword === currentPassword) throw fieldError('newPassword', 'Password must be another than the present one')
  const to = await hashPassword(newPassword)
  await inTransaction(context.db, async (tx) => {
    const change = { id: staff._id, action: 'password' } as const
    const isChanged = await recordChange(tx, actor, staffRecord, change, () =>
      replacePasswordHash(tx, staff._id, { from, to, now: actor.now() }),
    )
    if (!isChanged) throw wrong
    await deleteSessionsOfStaff(tx, staff._id, tokenHash)
    await mailPasswordChanged(context, tx, staff, { from: network })
  })
}

/** A wrong password counts like one at sign-in. */
export function confirmPassword(
  context: AppContext,
  actor: Actor,
  { staff, tokenHash }: SignedIn,
  password: string,
  network: string,
): Promise<void> {
  return context.signInQueue(network, async () => {
    const storedHash = await findPasswordHash(context.db, staff._id)
    const wrong = fieldError('password', 'This is not your password')
    await requirePassword(context, { staffId: staff._id, storedHash, email: staff.email, password, network }, wrong)
    await inTransaction(context.db, async (tx) => {
      await tx.updateTable('sessions').set({ confirmed_at: actor.now() }).where('token_hash', '=', tokenHash).execute()
      const label = `${staff.firstname} ${staff.lastname}`.trim()
      await recordEvent(tx, actor, { action: 'confirm', entity: 'staff', id: staff._id, label })
    })
  })
}

export async function signOut({ db }: AppContext, actor: Actor, { staff, tokenHash }: SignedIn): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteSession(tx, tokenHash)
    const label = `${staff.firstname} ${staff.lastname}`.trim()
    await recordEvent(tx, actor, { action: 'sign-out', entity: 'staff', id: staff._id, label })
  })
}
