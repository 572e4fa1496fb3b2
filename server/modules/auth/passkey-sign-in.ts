import type { z } from 'zod'
import type { LoginResponse, PasskeyBody } from '#contract/auth.ts'
import type { RequestOptions } from '#contract/passkeys.ts'
import type { Actor, AppContext } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { createToken } from '#server/http/session.ts'
import { findOwner } from '../passkeys/passkeys.repository.ts'
import { acceptPasskey } from '../passkeys/passkeys.service.ts'
import { toRequestOptions, WRONG_PASSKEY } from '../passkeys/webauthn.ts'
import { isKnownAddress, lockSignIn } from './auth.repository.ts'
import {
  type From,
  findSecondStep,
  NO_STAFF_ID,
  recordFailedSignIn,
  startSession,
  takeSecondStep,
  toAddress,
  toLoginResponse,
} from './auth.service.ts'
import { createChallenge, takeChallenge } from './challenges.repository.ts'

/** Signing in with a passkey, instead of the password (rules §33.14) or after it (rules §33.13). */

/** Per 15 minutes. Counts all starts, since each is a row until it expires, even if it leads to no sign-in. */
const STARTS_FROM_NETWORK = 300

/** Starts a sign-in by passkey. Needs no email address: the browser shows the passkeys that it has. */
export async function startPasskey(context: AppContext, { network, userAgent }: From): Promise<RequestOptions> {
  const { db, clock, config, loginLimit } = context
  await loginLimit.limit('passkeys-from', network, STARTS_FROM_NETWORK)
  const challenge = createToken()
  await createChallenge(db, { challenge, userAgent, now: clock.now() }, { purpose: 'sign-in', staff_id: null })
  return toRequestOptions(config, challenge)
}

type Body = z.output<typeof PasskeyBody>

export async function signInWithPasskey(
  context: AppContext,
  actor: Actor,
  body: Body,
  from: From,
): Promise<LoginResponse> {
  const staff = await findSecondStep(context, body.challenge, from)
  if (!staff) return signInInPlaceOfPassword(context, actor, body, from)
  const wrong = new AppError('wrong_passkey')
  return takeSecondStep(context, actor, { staff, challenge: body.challenge, from, wrong }, (tx) =>
    acceptPasskey(context, tx, staff.id, { ...body, isAlone: false }),
  )
}

/** Unknown passkeys and those of blocked or deleted staff get the same response. A challenge works only once. */
async function signInInPlaceOfPassword(
  context: AppContext,
  actor: Actor,
  { challenge, credential }: Body,
  from: From,
): Promise<LoginResponse> {
  const { db, clock } = context
  const asked = { challenge, userAgent: from.userAgent, now: clock.now() }
  const isAsked = await takeChallenge(db, asked, { purpose: 'sign-in', staff_id: null })
  if (!isAsked) throw new AppError('challenge_over', { message: 'That took too long. Start again.' })
  const owner = await findOwner(db, credential.id)
  const address = toAddress(context, owner?.id ?? NO_STAFF_ID, from)
  const attempt = await context.loginLimit.count(from.network, `passkey ${credential.id}`, () =>
    isKnownAddress(db, address),
  )
  const wrong = new AppError('wrong_passkey')
  const refuse = async (reason: string) => {
    if (attempt.refusal) return attempt.refusal
    const label = owner?.email ?? 'An unknown passkey'
    await recordFailedSignIn(context, actor, { id: owner?.id, label, reason })
    return wrong
  }
  if (!owner) throw await refuse(WRONG_PASSKEY)
  if (!attempt.mayPass) throw await refuse('Too many attempts')
  const token = createToken()
  const refusal = await inTransaction(db, async (tx) => {
    const now = await lockSignIn(tx, owner.id)
    if (!now || now.is_blocked) return 'The account is blocked'
    const result = await acceptPasskey(context, tx, owner.id, { challenge, credential, isAlone: true })
    if ('refusal' in result) return result.refusal
    await startSession(context, tx, actor, { staff: owner, address, token, ...from })
    return undefined
  })
  if (refusal !== undefined) throw await refuse(refusal)
  await attempt.giveBack()
  return toLoginResponse(context, owner, token, 'Signed in')
}
