import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { ChangePasswordBody, LoginBody, LoginResponse } from '#contract/auth.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { toTokenHash } from '#server/http/session.ts'
import {
  createSession,
  deleteExpiredSessions,
  deleteSessionsOfStaff,
  findPasswordHash,
  findStaffByEmail,
  replacePasswordHash,
} from './auth.repository.ts'
import { requireGoodPassword } from './good-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'

/** Wrong password and unknown email: the same 401 in the same time (decisions §5). */
export async function signIn(
  context: AppContext,
  { email, password }: z.output<typeof LoginBody>,
  address: string,
): Promise<LoginResponse> {
  await context.loginLimit.count(address, email)
  const staff = await findStaffByEmail(context.db, email)
  if (!(await isPasswordOf(staff?.password_hash, password)) || !staff) throw new AppError('invalid_credentials')
  if (staff.is_blocked) throw new AppError('account_blocked')
  await context.loginLimit.forget(address, email)

  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  await deleteExpiredSessions(context.db, now)
  await createSession(context.db, {
    token_hash: toTokenHash(token),
    staff_id: staff.id,
    expires_at: new Date(now.getTime() + context.config.sessionHours * 3_600_000),
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

/** The session that asks goes on; every other of the person ends. A wrong present password counts as one at sign-in. */
export async function changePassword(
  context: AppContext,
  { staff, tokenHash }: SignedIn,
  { currentPassword, newPassword }: z.output<typeof ChangePasswordBody>,
  address: string,
): Promise<void> {
  requireGoodPassword('newPassword', newPassword, { email: staff.email, productName: context.config.productName })
  await context.loginLimit.count(address, staff.email)
  const from = await findPasswordHash(context.db, staff._id)
  const wrong = fieldError('currentPassword', 'This is not your present password')
  if (!(await isPasswordOf(from, currentPassword)) || from === undefined) throw wrong
  await context.loginLimit.forget(address, staff.email)
  if (newPassword === currentPassword) throw fieldError('newPassword', 'Password must be another than the present one')
  const to = await hashPassword(newPassword)
  await inTransaction(context.db, async (tx) => {
    if (!(await replacePasswordHash(tx, staff._id, { from, to, now: context.clock.now() }))) throw wrong
    await deleteSessionsOfStaff(tx, staff._id, tokenHash)
  })
}
