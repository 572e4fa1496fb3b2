import { sql } from 'kysely'
import type { NewKey, Requirement, SecondFactor } from '#contract/second-factors.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { recordChange, recordEvent } from '../audit/record-change.ts'
import { deleteSessionsOfStaff } from '../auth/auth.repository.ts'
import { POLICY_ID, policyRecord } from '../bookings/booking-policy.service.ts'
import { mailSecondFactor } from '../mail/mail.service.ts'
import { requireManagerOf } from '../staff/staff.guards.ts'
import { findStaff, lockStaff } from '../staff/staff.repository.ts'
import { createKey, createRecoveryCode, findStep, toAppCode, toKeyUri, toRecoveryHash } from './one-time-codes.ts'
import {
  confirmKey,
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  findNewKey,
  getRequirement,
  isRequired,
  lockSignIn,
  replaceNewKey,
  replaceRecoveryCodes,
  setRequired,
  takeRecoveryCode,
  takeStep,
} from './second-factors.repository.ts'

/** A code of an authenticator app beside the password (rules §33.7). */

const RECOVERY_CODES = 10
/** How long a new key waits for its first code. */
const NEW_KEY_FOR_MS = 15 * 60_000

const STAYS_ON = 'A second factor is required of everyone here. Set up another in its place.'

const WRONG_CODE = 'This code is wrong. Check that the clock of your phone is right, and enter the one shown now.'

export async function getSecondFactor({ db }: AppContext, { staff }: Person): Promise<SecondFactor> {
  const factor = await findFactor(db, staff._id)
  return {
    isSetUp: factor !== undefined,
    since: factor?.confirmed_at?.toISOString() ?? null,
    recoveryCodesLeft: await countRecoveryCodes(db, staff._id),
    isRequired: await isRequired(db),
  }
}

/** The one of before, if there is any, counts until the new one is confirmed. */
export async function offerKey({ db, clock, config, secrets }: AppContext, { staff }: Person): Promise<NewKey> {
  const key = createKey()
  await inTransaction(db, async (tx) => {
    await lockSignIn(tx, staff._id)
    const row = { id: createId(), staff_id: staff._id, secret: secrets.seal(key), created_at: clock.now() }
    await replaceNewKey(tx, row)
  })
  return { key, uri: toKeyUri(key, { email: staff.email, productName: config.productName }) }
}

/** Ends the other sessions of the person, which a password alone has begun. Returns their recovery codes. */
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
    await recordFactor(tx, actor, staff, 'second-factor')
    await mailSecondFactor(context, tx, staff, 'set-up')
    return replaceCodes(tx, staff._id)
  })
  await attempt.giveBack()
  return codes
}

export async function renewRecoveryCodes({ db }: AppContext, actor: Actor, { staff }: Person): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await lockSignIn(tx, staff._id)
    if (!(await findFactor(tx, staff._id))) throw notSetUp()
    await recordFactor(tx, actor, staff, 'recovery-codes')
    return replaceCodes(tx, staff._id)
  })
}

export async function turnOff(context: AppContext, actor: Actor, { staff }: Person): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff._id)
    if (await isRequired(tx)) throw new AppError('conflict', { message: STAYS_ON })
    if (!(await deleteFactor(tx, staff._id))) throw notSetUp()
    await recordFactor(tx, actor, staff, 'second-factor-off')
    await mailSecondFactor(context, tx, staff, 'turned-off')
  })
}

/** Of everyone, from their next request on (rules §33.10). */
export async function setRequirement(
  { db }: AppContext,
  actor: Actor,
  { staff }: Person,
  isRequired: boolean,
): Promise<Requirement> {
  const find = (db: Db | Tx) => getRequirement(db, staff._id)
  return inTransaction(db, async (tx) => {
    // So that their own is not turned off meanwhile.
    await lockSignIn(tx, staff._id)
    const { isOwnSetUp } = await find(tx)
    if (isRequired && !isOwnSetUp)
      throw new AppError('conflict', { message: 'Set one up yourself first, under Your account.' })
    const record = { ...policyRecord, label: sql<string>`'Signing in'`, find }
    await recordChange(tx, actor, record, { id: POLICY_ID, action: 'second-factor-rule' }, () =>
      setRequired(tx, isRequired, actor.now()),
    )
    return find(tx)
  })
}

/** For a colleague whose phone and recovery codes are lost. One's own is turned off under Your account. */
export async function resetOf(context: AppContext, actor: Actor, session: Person, staffId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    const staff = await findStaff(tx, staffId)
    if (!staff) throw notFound('User')
    await requireManagerOf(tx, session, staff)
    if (staff._id === session.staff._id) throw new AppError('own_account')
    await reset(context, tx, actor, staff)
  })
}

/** Ends every session of the person: without the second factor a password alone would have begun them. */
export async function reset(context: AppContext, tx: Tx, actor: Actor, staff: Person['staff']): Promise<void> {
  await lockSignIn(tx, staff._id)
  if (!(await deleteFactor(tx, staff._id))) throw new AppError('conflict', { message: 'They have no second factor.' })
  await deleteSessionsOfStaff(tx, staff._id)
  await recordFactor(tx, actor, staff, 'second-factor-reset')
  await mailSecondFactor(context, tx, staff, 'reset')
}

const notSetUp = () => new AppError('conflict', { message: 'You have no second factor. Set one up first.' })

async function replaceCodes(tx: Tx, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode)
  await replaceRecoveryCodes(tx, staffId, codes.map(toRecoveryHash))
  return codes
}

async function recordFactor(
  tx: Tx,
  actor: Actor,
  staff: Person['staff'],
  action: 'second-factor' | 'second-factor-off' | 'second-factor-reset' | 'recovery-codes',
): Promise<void> {
  const label = `${staff.firstname} ${staff.lastname}`.trim()
  await recordEvent(tx, actor, { action, entity: 'staff', id: staff._id, label })
}

/**
 * Counts an attempt at the code of a person's second factor, as sign-in counts passwords, but apart: the right password
 * must not make up for wrong codes.
 */
export function countCode(context: AppContext, staffId: string, network: string) {
  return context.loginLimit.count(network, `second factor of ${staffId}`, () => Promise.resolve(false))
}

/** Under `lockSignIn`: of two who send the same code, one passes. Returns which kind it was; undefined when it is wrong. */
export async function acceptCode(
  context: AppContext,
  tx: Tx,
  staffId: string,
  code: string,
): Promise<'app' | 'recovery' | undefined> {
  if (toAppCode(code) === undefined) {
    return (await takeRecoveryCode(tx, staffId, toRecoveryHash(code))) ? 'recovery' : undefined
  }
  const factor = await findFactor(tx, staffId)
  return factor && (await acceptAppCode(context, tx, factor, code)) ? 'app' : undefined
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
