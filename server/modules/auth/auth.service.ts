import { z } from 'zod'
import type { ChangePasswordBody, CodeBody, LoginBody, LoginResponse } from '#contract/auth.ts'
import { HOUR } from '#contract/durations.ts'
import { errors } from '#contract/errors.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { createToken, toTokenHash } from '#server/http/session.ts'
import { toDevice } from '../account/device.ts'
import { recordChange } from '../audit/record-change.ts'
import { recordEvent } from '../audit/record-event.ts'
import { mailNewSignIn, mailPasswordChanged, mailSecondFactor } from '../mail/mail.service.ts'
import { listPasskeys } from '../passkeys/passkeys.repository.ts'
import { toRequestOptions } from '../passkeys/webauthn.ts'
import { countRecoveryCodes, findFactor, isRequired } from '../second-factors/second-factors.repository.ts'
import { acceptCode, countCode } from '../second-factors/second-factors.service.ts'
import { recordStaffEvent, staffRecord, toLocations, toViewOnlyPages } from '../staff/staff.repository.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOfStaff,
  findPasswordHash,
  findStaffByEmail,
  isKnownAddress,
  lockSignIn,
  rememberSignIn,
  renewSession,
  replacePasswordHash,
  toStoredAgent,
} from './auth.repository.ts'
import { createChallenge, deleteChallenge, findChallenge } from './challenges.repository.ts'
import { deletePasswordLinks } from './create-password-link.ts'
import { notReplaced, requireGoodPassword, requireUnbreached } from './good-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import { mustReplacePassword, type PersonRow, toSignedInStaff } from './person.ts'

/** An id that nobody has, so that unknown accounts are looked up like known ones. */
export const NO_STAFF_ID = '00000000-0000-0000-0000-000000000000'

/** Where a request comes from: the network and the browser. */
export type From = { network: string; userAgent: string }

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
  // What is neither an account's nor an address may be the password, typed into the wrong field.
  const label = staff || z.safeParse(z.email(), email).success ? email : 'Not an email address'
  const failed = { id: staff?.id, label }
  const address = await requirePassword(context, claim, wrong).catch(async (error: unknown) => {
    // Attempts over the limit are not recorded: the ones before have left enough rows.
    if (error === wrong) await recordFailedSignIn(context, actor, failed)
    throw error
  })
  if (!staff) throw wrong
  if (staff.is_blocked) {
    await recordFailedSignIn(context, actor, { ...failed, reason: 'The account is blocked' })
    throw new AppError('account_blocked')
  }

  const token = createToken()
  const next = await inTransaction(context.db, async (tx) => {
    // The password may have been changed, or the account blocked, since it was checked.
    const now = await lockSignIn(tx, staff.id)
    if (now?.password_hash !== staff.password_hash) throw wrong
    if (now?.is_blocked) throw new AppError('account_blocked')
    const passkeys = await listPasskeys(tx, staff.id)
    const hasApp = (await findFactor(tx, staff.id)) !== undefined
    if (hasApp || passkeys.length > 0) {
      await createChallenge(tx, { challenge: token, userAgent, now: address.now }, { staff_id: staff.id })
      return { hasApp, passkeys }
    }
    await startSession(context, tx, actor, { staff, address, token, network, userAgent })
    return (await isRequired(tx)) ? 'set-up' : 'go-on'
  })
  if (next === 'go-on') return toLoginResponse(context, staff, token, 'Signed in')
  if (next !== 'set-up') throw await toSecondStep(context, token, next)
  const message = 'Signed in. Set up a second factor to go on: it is required here.'
  return { ...toLoginResponse(context, staff, token, message), mustSetUpSecondFactor: true }
}

type FailedSignIn = { id: string | undefined; label: string; reason?: string | undefined }

/** Records an attempt to sign in that failed. */
export async function recordFailedSignIn({ db }: AppContext, actor: Actor, failed: FailedSignIn): Promise<void> {
  await recordEvent(db, actor, { ...failed, entity: 'staff', action: 'sign-in-failed' })
}

type Factors = { hasApp: boolean; passkeys: Awaited<ReturnType<typeof listPasskeys>> }

/** Returns the error that asks for the second factor. Passkeys sign the same challenge that a code is sent with. */
async function toSecondStep({ config }: AppContext, challenge: string, { hasApp, passkeys }: Factors) {
  if (passkeys.length === 0) return new AppError('second_factor_required', { challenge })
  const options = await toRequestOptions(config, challenge, passkeys)
  const message = hasApp
    ? 'Use your passkey too: send what it signs with `challenge` to POST /api/sessions/passkeys. Or send the code from your authenticator app to POST /api/sessions.'
    : 'Use your passkey too: send what it signs with `challenge` to POST /api/sessions/passkeys.'
  return new AppError('second_factor_required', { message, challenge, passkey: { options, isOnlyOne: !hasApp } })
}

/** Returns whom the first step gave this challenge; undefined unless it is live and from the same browser. */
export function findSecondStep({ db, clock }: AppContext, challenge: string, { userAgent }: From) {
  return findChallenge(db, { challenge, userAgent, now: clock.now() })
}

export async function signInWithCode(
  context: AppContext,
  actor: Actor,
  { challenge, code }: z.output<typeof CodeBody>,
  from: From,
): Promise<LoginResponse> {
  const staff = await findSecondStep(context, challenge, from)
  if (!staff) throw new AppError('challenge_over')
  const { message } = errors.wrong_code
  const wrong = new AppError('wrong_code', { fields: [{ path: 'code', message }] })
  return takeSecondStep(context, actor, { staff, challenge, from, wrong }, (tx) =>
    acceptCode(context, tx, staff.id, code),
  )
}

type SecondStep = { staff: PersonRow; challenge: string; from: From; wrong: AppError }
type Accepted = { used: 'app' | 'recovery' | 'passkey' } | { refusal: string }

/** Completes a sign-in with a second factor. The challenge works once; a refused attempt does not use it up. */
export async function takeSecondStep(
  context: AppContext,
  actor: Actor,
  { staff, challenge, from, wrong }: SecondStep,
  accept: (tx: Tx) => Promise<Accepted>,
): Promise<LoginResponse> {
  const attempt = await countCode(context, staff.id, from.network)
  const token = createToken()
  const address = toAddress(context, staff.id, from)
  let reason: string | undefined
  const left = await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff.id)
    // When a challenge is sent twice at the same moment, the second request finds it used.
    if (!(await deleteChallenge(tx, challenge))) throw new AppError('challenge_over')
    const result = attempt.mayPass ? await accept(tx) : { refusal: 'Too many attempts' }
    if ('refusal' in result) {
      reason = result.refusal
      throw attempt.refusal ?? wrong
    }
    await startSession(context, tx, actor, { staff, address, token, ...from })
    if (result.used !== 'recovery') return undefined
    await mailSecondFactor(context, tx, staff, 'recovery-code')
    return countRecoveryCodes(tx, staff.id)
  }).catch(async (error: unknown) => {
    if (error === wrong) await recordFailedSignIn(context, actor, { id: staff.id, label: staff.email, reason })
    throw error
  })
  await attempt.giveBack()
  const said = left === undefined ? 'Signed in' : `Signed in with a recovery code. ${left} left.`
  return toLoginResponse(context, staff, token, said)
}

/** Returns the hashed network that a person signs in from, which is remembered for their later sign-ins. */
export function toAddress({ clock, loginLimit }: AppContext, staffId: string, { network }: Pick<From, 'network'>) {
  return { staff_id: staffId, address_hash: loginLimit.hash('known', staffId, network), now: clock.now() }
}

type NewSession = {
  staff: PersonRow
  address: { staff_id: string; address_hash: Buffer; now: Date }
  token: string
  network: string
  userAgent: string
}

export async function startSession(
  context: AppContext,
  tx: Tx,
  actor: Actor,
  { staff, address, token, network, userAgent }: NewSession,
): Promise<void> {
  const device = toDevice(userAgent)
  const device_hash = context.loginLimit.hash('known device', staff.id, device)
  const isNew = await rememberSignIn(tx, { ...address, device_hash })
  await createSession(tx, {
    token_hash: toTokenHash(token),
    staff_id: staff.id,
    expires_at: new Date(address.now.getTime() + context.config.sessionHours * HOUR),
    created_at: address.now,
    last_used_at: address.now,
    confirmed_at: address.now,
    address: actor.address ?? '',
    user_agent: toStoredAgent(userAgent),
  })
  await recordStaffEvent(tx, { ...actor, id: staff.id }, toSignedInStaff(staff), { action: 'sign-in' })
  if (isNew) await mailNewSignIn(context, tx, staff, { network, device })
}

export function toLoginResponse(
  { config }: AppContext,
  staff: PersonRow,
  token: string,
  message: string,
): LoginResponse {
  const user = toSignedInStaff(staff)
  return {
    ...user,
    user,
    token,
    auth_page: staff.pages.map(String),
    ...toViewOnlyPages(staff),
    ...toLocations(staff),
    ...(mustReplacePassword(config, staff) && { mustReplacePassword: true }),
    message,
  }
}

type Claim = {
  staffId: string | undefined
  storedHash: string | undefined
  email: string
  password: string
  network: string
}

/**
 * Throws `wrong` or a 429 when the password is wrong; otherwise returns the address it came from. Wrong passwords and
 * unknown email addresses get the same response after the same time (rules §3.3).
 */
async function requirePassword(context: AppContext, claim: Claim, wrong: AppError) {
  const { email, password, network } = claim
  const address = toAddress(context, claim.staffId ?? NO_STAFF_ID, claim)
  const attempt = await context.loginLimit.count(network, email, () => isKnownAddress(context.db, address))
  const storedHash = attempt.mayPass ? claim.storedHash : undefined
  if (!(await isPasswordOf(storedHash, password))) throw attempt.refusal ?? wrong
  await attempt.giveBack()
  return address
}

type Given = { storedHash: string | undefined; password: string; network: string }

/** Checks the password of somebody who is signed in. A wrong one counts, and is recorded, like one at sign-in. */
async function requireOwnPassword(context: AppContext, actor: Actor, { staff }: Person, given: Given, wrong: AppError) {
  const { _id: id, email } = staff
  await requirePassword(context, { staffId: id, email, ...given }, wrong).catch(async (error: unknown) => {
    const reason = 'Wrong password while signed in'
    if (error === wrong) await recordFailedSignIn(context, actor, { id, label: email, reason })
    throw error
  })
}

/**
 * Ends all other sessions of the person, and returns a new token for this one, as `confirmPassword` does
 * (rules §3.6).
 */
export async function changePassword(
  context: AppContext,
  actor: Actor,
  person: Person,
  { currentPassword, newPassword }: z.output<typeof ChangePasswordBody>,
  network: string,
): Promise<string | undefined> {
  const { staff, tokenHash } = person
  requireGoodPassword(context, 'newPassword', newPassword, staff.email)
  const from = await findPasswordHash(context.db, staff._id)
  const wrong = fieldError('currentPassword', 'This is not your current password')
  await requireOwnPassword(context, actor, person, { storedHash: from, password: currentPassword, network }, wrong)
  if (from === undefined) throw wrong
  if (newPassword === currentPassword) throw notReplaced()
  await requireUnbreached(context, 'newPassword', newPassword)
  const to = await hashPassword(newPassword)
  const token = createToken()
  const isRenewed = await inTransaction(context.db, async (tx) => {
    const change = { id: staff._id, action: 'password' } as const
    const isChanged = await recordChange(tx, actor, staffRecord, change, () =>
      replacePasswordHash(tx, staff._id, { from, to, now: actor.now() }),
    )
    if (!isChanged) throw wrong
    await deleteSessionsOfStaff(tx, staff._id, tokenHash)
    await deletePasswordLinks(tx, staff._id)
    await mailPasswordChanged(context, tx, staff, { from: network })
    return renewSession(tx, tokenHash, toTokenHash(token), actor.now())
  })
  await context.live.checkSessions(new Set([staff._id]))
  return isRenewed ? token : undefined
}

/**
 * Returns a new token for the session, so that a token stolen earlier stops working. When two tabs confirm at the same
 * moment, the second gets undefined and uses the first one's token.
 */
export async function confirmPassword(
  context: AppContext,
  actor: Actor,
  person: Person,
  password: string,
  network: string,
): Promise<string | undefined> {
  const { staff, tokenHash } = person
  const token = createToken()
  const isRenewed = await context.signInQueue(network, async () => {
    const storedHash = await findPasswordHash(context.db, staff._id)
    const wrong = fieldError('password', 'This is not your password')
    await requireOwnPassword(context, actor, person, { storedHash, password, network }, wrong)
    return inTransaction(context.db, async (tx) => {
      await recordStaffEvent(tx, actor, staff, { action: 'confirm' })
      return renewSession(tx, tokenHash, toTokenHash(token), actor.now())
    })
  })
  // Live streams continue with the new token.
  await context.live.checkSessions(new Set([staff._id]))
  return isRenewed ? token : undefined
}

export async function signOut({ db }: AppContext, actor: Actor, { staff, tokenHash }: Person): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteSession(tx, tokenHash)
    await recordStaffEvent(tx, actor, staff, { action: 'sign-out' })
  })
}
