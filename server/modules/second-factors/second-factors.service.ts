import { sql } from 'kysely'
import type { NewKey, Requirement, SecondFactor } from '#contract/second-factors.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { recordChange } from '../audit/record-change.ts'
import { deleteSessionsOfStaff, lockSignIn } from '../auth/auth.repository.ts'
import { policyRecord } from '../bookings/booking-policy.service.ts'
import { mailSecondFactor } from '../mail/mail.service.ts'
import { countPasskeys, deletePasskeys } from '../passkeys/passkeys.repository.ts'
import { PRICING_ID } from '../pricing/pricing.repository.ts'
import { requireManagerOf } from '../staff/staff.guards.ts'
import { findStaff, lockStaff, recordStaffEvent } from '../staff/staff.repository.ts'
import { createKey, createRecoveryCode, findStep, toAppCode, toKeyUri, toRecoveryHash } from './one-time-codes.ts'
import {
  confirmKey,
  countRecoveryCodes,
  deleteFactor,
  deleteRecoveryCodes,
  findFactor,
  findNewKey,
  getRequirement,
  isRequired,
  replaceNewKey,
  replaceRecoveryCodes,
  setRequired,
  takeRecoveryCode,
  takeStep,
} from './second-factors.repository.ts'

/** The second factor at sign-in: a code of an authenticator app (rules §33.7), or a passkey (rules §33.13). */

const RECOVERY_CODES = 10
/** How long a new key waits for its first code. */
const NEW_KEY_FOR_MS = 15 * 60_000

const STAYS_ON = 'A second factor is required of everyone here. Set up another before you remove this one.'

const WRONG_CODE = 'This code is wrong. Check that the clock of your phone is right, and enter the one shown now.'

export async function getSecondFactor({ db }: AppContext, { staff }: Person): Promise<SecondFactor> {
  const factor = await findFactor(db, staff._id)
  return {
    isSetUp: factor !== undefined,
    since: factor?.confirmed_at?.toISOString() ?? null,
    passkeys: await countPasskeys(db, staff._id),
    recoveryCodesLeft: await countRecoveryCodes(db, staff._id),
    isRequired: await isRequired(db),
  }
}

/** Offers a new key. The present authenticator app, if there is one, counts until the new key is confirmed. */
export async function offerKey({ db, clock, config, secrets }: AppContext, { staff }: Person): Promise<NewKey> {
  const key = createKey()
  await inTransaction(db, async (tx) => {
    await lockSignIn(tx, staff._id)
    const row = { id: createId(), staff_id: staff._id, secret: secrets.seal(key), created_at: clock.now() }
    await replaceNewKey(tx, row)
  })
  return { key, uri: toKeyUri(key, { email: staff.email, productName: config.productName }) }
}

/** Confirms a new key. Ends the person's other sessions, begun with a password alone. Returns new recovery codes. */
export async function confirmNewKey(
  context: AppContext,
  actor: Actor,
  { staff, tokenHash }: Person,
  code: string,
  network: string,
): Promise<string[]> {
  const attempt = await countCode(context, staff._id, network)
  const codes = await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff._id)
    const now = context.clock.now()
    const offered = await findNewKey(tx, staff._id, new Date(now.getTime() - NEW_KEY_FOR_MS))
    if (!offered) throw new AppError('conflict', { message: 'This key is too old, or was replaced. Start again.' })
    if (!attempt.mayPass || !(await acceptAppCode(context, tx, offered, code))) {
      throw attempt.refusal ?? fieldError('code', WRONG_CODE)
    }
    await confirmKey(tx, staff._id, offered.id, now)
    await deleteSessionsOfStaff(tx, staff._id, tokenHash)
    await recordStaffEvent(tx, actor, staff, { action: 'second-factor' })
    await mailSecondFactor(context, tx, staff, 'set-up')
    return replaceCodes(tx, staff._id)
  })
  await attempt.giveBack()
  return codes
}

export async function renewRecoveryCodes({ db }: AppContext, actor: Actor, { staff }: Person): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await lockSignIn(tx, staff._id)
    if (!(await hasAnyFactor(tx, staff._id))) throw notSetUp()
    await recordStaffEvent(tx, actor, staff, { action: 'recovery-codes' })
    return replaceCodes(tx, staff._id)
  })
}

/** Removes the authenticator app. */
export async function removeApp(context: AppContext, actor: Actor, { staff }: Person): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff._id)
    if (!(await deleteFactor(tx, staff._id))) throw notSetUp()
    const isAnother = await requireAnotherOrNone(tx, staff._id)
    await recordStaffEvent(tx, actor, staff, { action: 'second-factor-off' })
    await mailSecondFactor(context, tx, staff, isAnother ? 'app-removed' : 'turned-off')
  })
}

/** The caller must hold `lockSignIn`. */
export async function hasAnyFactor(tx: Tx, staffId: string): Promise<boolean> {
  return (await findFactor(tx, staffId)) !== undefined || (await countPasskeys(tx, staffId)) > 0
}

/**
 * Returns whether another second factor is left after one was removed. Without another, throws when everyone must have
 * one, and otherwise deletes the recovery codes.
 */
export async function requireAnotherOrNone(tx: Tx, staffId: string): Promise<boolean> {
  if (await hasAnyFactor(tx, staffId)) return true
  if (await isRequired(tx)) throw new AppError('conflict', { message: STAYS_ON })
  await deleteRecoveryCodes(tx, staffId)
  return false
}

/** Sets whether everyone must have a second factor. It applies from their next request on (rules §33.10). */
export async function setRequirement(
  { db }: AppContext,
  actor: Actor,
  { staff }: Person,
  isRequired: boolean,
): Promise<Requirement> {
  const find = (db: Db | Tx) => getRequirement(db, staff._id)
  return inTransaction(db, async (tx) => {
    // Keeps the caller's own second factor from being removed meanwhile.
    await lockSignIn(tx, staff._id)
    const { isOwnSetUp } = await find(tx)
    if (isRequired && !isOwnSetUp)
      throw new AppError('conflict', { message: 'Set one up yourself first, under Your account.' })
    const record = { ...policyRecord, label: sql<string>`'Signing in'`, find }
    await recordChange(tx, actor, record, { id: PRICING_ID, action: 'second-factor-rule' }, () =>
      setRequired(tx, isRequired, actor.now()),
    )
    return find(tx)
  })
}

/** Resets the second factor of a colleague who lost phone and recovery codes. Nobody can reset their own here. */
export async function resetFactorsOfColleague(
  context: AppContext,
  actor: Actor,
  session: Person,
  staffId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    const staff = await findStaff(tx, staffId)
    if (!staff) throw notFound('User')
    await requireManagerOf(tx, session, staff)
    if (staff._id === session.staff._id) throw new AppError('own_account')
    await resetFactors(context, tx, actor, staff)
  })
}

/** Removes all second factors of a person, and ends all their sessions, so that none continues without one. */
export async function resetFactors(context: AppContext, tx: Tx, actor: Actor, staff: Person['staff']): Promise<void> {
  await lockSignIn(tx, staff._id)
  const [hadApp, hadPasskeys] = [await deleteFactor(tx, staff._id), await deletePasskeys(tx, staff._id)]
  if (!hadApp && !hadPasskeys) throw new AppError('conflict', { message: 'They have no second factor.' })
  await deleteRecoveryCodes(tx, staff._id)
  await deleteSessionsOfStaff(tx, staff._id)
  await recordStaffEvent(tx, actor, staff, { action: 'second-factor-reset' })
  await mailSecondFactor(context, tx, staff, 'reset')
}

const notSetUp = () => new AppError('conflict', { message: 'You have no second factor. Set one up first.' })

export async function replaceCodes(tx: Tx, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode)
  await replaceRecoveryCodes(tx, staffId, codes.map(toRecoveryHash))
  return codes
}

/**
 * Counts an attempt at a person's second factor, like sign-in counts passwords, but separately: the right password must
 * not reset the count of wrong codes.
 */
export function countCode(context: AppContext, staffId: string, network: string) {
  return context.loginLimit.count(network, `second factor of ${staffId}`, () => Promise.resolve(false))
}

/**
 * Returns the kind of the accepted code, or why it is refused. The caller must hold `lockSignIn`, so that of two
 * requests with the same code only one is accepted.
 */
export async function acceptCode(
  context: AppContext,
  tx: Tx,
  staffId: string,
  code: string,
): Promise<{ used: 'app' | 'recovery' } | { refusal: string }> {
  const wrong = { refusal: 'Wrong code' }
  if (toAppCode(code) === undefined) {
    return (await takeRecoveryCode(tx, staffId, toRecoveryHash(code))) ? { used: 'recovery' } : wrong
  }
  const factor = await findFactor(tx, staffId)
  return factor && (await acceptAppCode(context, tx, factor, code)) ? { used: 'app' } : wrong
}

async function acceptAppCode(
  { clock, secrets }: AppContext,
  tx: Tx,
  { id, secret }: { id: string; secret: string },
  code: string,
): Promise<boolean> {
  const digits = toAppCode(code)
  const step = digits === undefined ? undefined : findStep(secrets.open(secret), digits, clock.now())
  return step !== undefined && takeStep(tx, id, step)
}
