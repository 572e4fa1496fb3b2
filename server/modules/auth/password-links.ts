import type { z } from 'zod'
import type { authEndpoints } from '#contract/auth.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { toTokenHash } from '#server/http/session.ts'
import { enqueueJob } from '#server/jobs/queue.ts'
import type { JobKind } from '#server/jobs/worker.ts'
import { recordChange } from '../audit/record-change.ts'
import { systemActor } from '../audit/record-event.ts'
import { mailPasswordChanged, mailPasswordLink } from '../mail/mail.service.ts'
import { requireManagerOf } from '../staff/staff.guards.ts'
import { findStaff, lockStaff, recordStaffEvent, staffRecord } from '../staff/staff.repository.ts'
import { deleteSessionsOfStaff, findStaffByEmail, lockSignIn } from './auth.repository.ts'
import { createPasswordLink, deletePasswordLinks } from './create-password-link.ts'
import { notReplaced, requireGoodPassword, requireUnbreached } from './good-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import { toSignedInStaff } from './person.ts'

/** Links with which staff choose their own password, so that nobody else ever knows it (rules §33.1). */

/** Limits per 15 minutes, for mails to one address and for requests from one network. */
const MAILS_TO_ADDRESS = 5
const MAILS_FROM_NETWORK = 30
const USES_FROM_NETWORK = 100

/** Makes a link for a colleague. Mails it; without a mail server, returns it to be handed over. */
export async function sendPasswordLink(
  context: AppContext,
  actor: Actor,
  session: Person,
  staffId: string,
): Promise<{ link: string | null; message: string }> {
  return inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    const staff = await findStaff(tx, staffId)
    if (!staff) throw notFound('User')
    await requireManagerOf(tx, session, staff)
    if (staff.isBlocked) {
      throw new AppError('conflict', {
        message: 'This account is blocked. Unblock it first: no link works until then.',
      })
    }
    await recordStaffEvent(tx, actor, staff, { action: 'password-link' })
    if (context.sendMail) {
      await mailPasswordLink(context, tx, staff, { askedBy: session.staff })
      return { link: null, message: `A link to choose a password is on its way to ${staff.email}` }
    }
    return { link: await createPasswordLink(context, tx, staffId), message: 'Link made' }
  })
}

/** Leaves the lookup to a job, so that neither the response nor its timing reveals whether an account exists. */
export async function requestPasswordLink(
  { db, clock, loginLimit, sendMail }: AppContext,
  { email }: { email: string },
  network: string,
): Promise<void> {
  if (!sendMail) {
    throw new AppError('mail_not_set_up', {
      message: 'Mails cannot be sent from here. Ask a colleague with access to Assign Role for a link.',
    })
  }
  await loginLimit.limit('link-from', network, MAILS_FROM_NETWORK)
  await loginLimit.limit('link-to', email.toLowerCase(), MAILS_TO_ADDRESS)
  const payload = { email: email.toLowerCase(), network }
  await enqueueJob(db, { kind: LINK_JOB, key: `${LINK_JOB} ${payload.email}`, payload, runAt: clock.now() })
}

export const LINK_JOB = 'password link'

export const passwordLinkJob: JobKind<AppContext> = {
  title: 'Mailing a link to choose a password',
  async run(context, { payload }) {
    const staff = await findStaffByEmail(context.db, String(payload.email))
    if (!staff || staff.is_blocked) return
    const receiver = toSignedInStaff(staff)
    const actor = { ...systemActor(() => context.clock.now()), address: String(payload.network) }
    await inTransaction(context.db, async (tx) => {
      await recordStaffEvent(tx, actor, receiver, { action: 'password-link' })
      await mailPasswordLink(context, tx, receiver, { from: String(payload.network) })
    })
  },
}

type Whom = z.output<(typeof authEndpoints)['readPasswordLink']['response']>

export async function readPasswordLink(context: AppContext, token: string, network: string): Promise<Whom> {
  await context.loginLimit.limit('link-use', network, USES_FROM_NETWORK)
  const { firstname, email, password_hash } = await requireLink(context, context.db, token)
  return { firstname, email, isNew: password_hash === null }
}

/** Sets the password and ends all sessions and links of the person. */
export async function usePasswordLink(
  context: AppContext,
  actor: Actor,
  { token, newPassword }: { token: string; newPassword: string },
  network: string,
): Promise<void> {
  await context.loginLimit.limit('link-use', network, USES_FROM_NETWORK)
  const { id, email, password_hash: from, must_replace_password } = await requireLink(context, context.db, token)
  requireGoodPassword(context, 'newPassword', newPassword, email)
  await requireUnbreached(context, 'newPassword', newPassword)
  if (must_replace_password && (await isPasswordOf(from ?? undefined, newPassword))) throw notReplaced()
  const password_hash = await hashPassword(newPassword)
  await inTransaction(context.db, async (tx) => {
    await lockSignIn(tx, id)
    // When two of a person's links are used at the same moment, the second use finds its link deleted.
    const staff = await requireLink(context, tx, token)
    await deletePasswordLinks(tx, id)
    await recordChange(tx, { ...actor, id: staff.id }, staffRecord, { id: staff.id, action: 'password' }, () =>
      tx
        .updateTable('staff')
        .set({ password_hash, must_replace_password: false, updated_at: actor.now() })
        .where('id', '=', staff.id)
        .execute(),
    )
    await deleteSessionsOfStaff(tx, staff.id)
    if (staff.password_hash !== null) await mailPasswordChanged(context, tx, staff, { from: network })
  })
}

async function requireLink({ clock }: AppContext, db: Db | Tx, token: string) {
  const staff = await db
    .selectFrom('password_links')
    .innerJoin('staff', 'staff.id', 'password_links.staff_id')
    .select(['staff.id', 'firstname', 'lastname', 'email', 'password_hash', 'must_replace_password'])
    .where('token_hash', '=', toTokenHash(token))
    .where('expires_at', '>', clock.now())
    .where('staff.is_blocked', '=', false)
    .where('staff.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!staff) throw new AppError('link_over')
  return staff
}
