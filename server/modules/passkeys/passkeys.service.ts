import type { z } from 'zod'
import { toFullName } from '#contract/full-name.ts'
import type { Passkey, passkeyEndpoints, SignedCredential } from '#contract/passkeys.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createToken } from '#server/http/session.ts'
import { createId } from '#server/ids.ts'
import { toDevice } from '../account/device.ts'
import { deleteSessionsOfStaff, hasSession, lockSignIn } from '../auth/auth.repository.ts'
import { createChallenge, deleteChallengesToAddPasskeys, takeChallenge } from '../auth/challenges.repository.ts'
import { mailSecondFactor } from '../mail/mail.service.ts'
import { hasAnyFactor, replaceCodes, requireAnotherOrNone } from '../second-factors/second-factors.service.ts'
import { recordStaffEvent } from '../staff/staff.repository.ts'
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  renamePasskey,
  toPasskey,
} from './passkeys.repository.ts'
import { checkPasskey, readNewPasskey, toCreationOptions, WRONG_PASSKEY } from './webauthn.ts'

/** Passkeys of the caller's own account, which are used after the password or instead of it (rules §33.12). */

/** Limited because browsers are sent the ids of all passkeys, and nobody needs more. */
const MOST_PASSKEYS = 20

export async function offerPasskey(
  { db, clock, config }: AppContext,
  { staff }: Pick<Person, 'staff'>,
  userAgent = '',
) {
  const challenge = createToken()
  await inTransaction(db, async (tx) => {
    await lockSignIn(tx, staff._id)
    await deleteChallengesToAddPasskeys(tx, staff._id)
    const asked = { challenge, userAgent, now: clock.now() }
    await createChallenge(tx, asked, { purpose: 'add-passkey', staff_id: staff._id })
  })
  const { _id, email } = staff
  return toCreationOptions(config, { _id, email, name: toFullName(staff) }, challenge, await listPasskeys(db, _id))
}

type NewPasskey = z.output<typeof passkeyEndpoints.create.body>

/**
 * Adds a passkey. A person's first second factor ends their other sessions, which were begun with a password alone, and
 * comes with recovery codes.
 */
export async function addPasskey(
  context: AppContext,
  actor: Actor,
  { staff, tokenHash }: Person,
  { challenge, name, credential }: NewPasskey,
  userAgent = '',
) {
  const now = context.clock.now()
  const asked = { challenge, userAgent, now }
  const isOffered = await takeChallenge(context.db, asked, { purpose: 'add-passkey', staff_id: staff._id })
  if (!isOffered) throw new AppError('challenge_over', { message: 'That took too long. Add the passkey again.' })
  const made = await readNewPasskey(context.config, challenge, credential)
  if (!made) throw new AppError('invalid_input', { message: 'This passkey could not be checked. Add it again.' })
  const row = {
    ...made,
    id: createId(),
    staff_id: staff._id,
    name: name || toDevice(userAgent),
    created_at: now,
    last_used_at: null,
  }
  return inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff._id)
    // A reset removes all passkeys and ends the session: one that is being added must not outlast it.
    if (!(await hasSession(tx, tokenHash))) throw new AppError('not_signed_in')
    if ((await countPasskeys(tx, staff._id)) >= MOST_PASSKEYS) {
      throw new AppError('conflict', { message: `You have ${MOST_PASSKEYS} passkeys. Remove one that you do not use.` })
    }
    const isFirst = !(await hasAnyFactor(tx, staff._id))
    if (!(await insertPasskey(tx, row))) throw new AppError('conflict', { message: 'This passkey was added already.' })
    await recordStaffEvent(tx, actor, staff, { action: 'passkey-add', reason: row.name })
    await mailSecondFactor(context, tx, staff, 'passkey-added')
    if (!isFirst) return { ...toPasskey(row), message: 'Passkey added' }
    await deleteSessionsOfStaff(tx, staff._id, tokenHash)
    const recoveryCodes = await replaceCodes(tx, staff._id)
    return { ...toPasskey(row), recoveryCodes, message: 'Passkey added. You are signed out everywhere else.' }
  })
}

export async function changeName(
  { db }: AppContext,
  actor: Actor,
  { staff }: Person,
  id: string,
  name: string,
): Promise<Passkey> {
  return inTransaction(db, async (tx) => {
    const renamed = await renamePasskey(tx, staff._id, id, name)
    if (!renamed) throw notFound('Passkey')
    await recordStaffEvent(tx, actor, staff, { action: 'passkey-rename', reason: `${renamed.earlier} → ${name}` })
    return toPasskey(renamed.row)
  })
}

export async function removePasskey(context: AppContext, actor: Actor, { staff }: Person, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, staff._id)
    const name = await deletePasskey(tx, staff._id, id)
    if (name === undefined) throw notFound('Passkey')
    await requireAnotherOrNone(tx, staff._id)
    await recordStaffEvent(tx, actor, staff, { action: 'passkey-remove', reason: name })
    await mailSecondFactor(context, tx, staff, 'passkey-removed')
  })
}

type Signed = { challenge: string; credential: SignedCredential; isAlone: boolean }

/** The caller must hold `lockSignIn`, so that of two responses with the same counter only one is accepted. */
export async function acceptPasskey(
  { config, clock }: AppContext,
  tx: Tx,
  staffId: string,
  signed: Signed,
): Promise<{ used: 'passkey' } | { refusal: string }> {
  const passkey = await findPasskey(tx, staffId, signed.credential.id)
  if (!passkey) return { refusal: WRONG_PASSKEY }
  const result = await checkPasskey(config, { ...signed, staffId, passkey })
  if ('refusal' in result) return result
  await notePasskeyUse(tx, passkey.id, { counter: result.counter, now: clock.now() })
  return { used: 'passkey' }
}
