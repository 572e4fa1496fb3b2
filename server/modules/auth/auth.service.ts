import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { LoginBody, LoginResponse } from '#contract/auth.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/http/app-error.ts'
import { toTokenHash } from '#server/http/session.ts'
import { createSession, deleteExpiredSessions, findStaffByEmail } from './auth.repository.ts'
import { isPasswordOf } from './password.ts'

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
