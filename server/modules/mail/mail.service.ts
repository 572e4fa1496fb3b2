import { toFullName } from '#contract/full-name.ts'
import type { MailKind } from '#contract/mail-states.ts'
import type { WholeMail } from '#contract/mails.ts'
import { toClockText, toWallClock } from '#contract/slots.ts'
import type { Staff } from '#contract/staff.ts'
import { toPortalUrl } from '#server/config.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { afterCommit, inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { enqueueJob, hurryJob, retryJob } from '#server/jobs/queue.ts'
import type { JobKind } from '#server/jobs/worker.ts'
import { recordEvent } from '../audit/record-event.ts'
import { lockSignIn } from '../auth/auth.repository.ts'
import { findCountry } from '../auth/country.ts'
import { createPasswordLink, toPasswordLink } from '../auth/create-password-link.ts'
import { enqueueMessage, toMessageKey } from '../messages/messages.service.ts'
import { findStaff } from '../staff/staff.repository.ts'
import { type MailContent, renderMail } from './mail-template.ts'
import {
  type SecondFactorNews,
  sayInvitation,
  sayNewSignIn,
  sayPasswordChanged,
  sayPasswordLink,
  saySecondFactor,
} from './mail-texts.ts'
import { findMail, insertMail, requeueMail, updateMail } from './mail.repository.ts'
import { sendStored } from './send-stored.ts'
import { MailError } from './smtp.ts'

type Receiver = Pick<Staff, 'firstname' | 'lastname' | 'email'>

export async function mailInvitation(
  context: AppContext,
  tx: Tx,
  to: Receiver & { _id: string },
  { invitedBy, hasPassword }: { invitedBy: Receiver; hasPassword: boolean },
): Promise<void> {
  const link = hasPassword ? undefined : toPasswordLink(context.config, LATER)
  const content = sayInvitation(about(context, to), { invitedBy: toFullName(invitedBy), link })
  await queueMail(context, tx, to, { kind: 'invitation', content, linkFor: hasPassword ? null : to._id })
}

export async function mailPasswordLink(
  context: AppContext,
  tx: Tx,
  to: Receiver & { _id: string },
  { askedBy, from }: { askedBy?: Receiver; from?: string },
): Promise<void> {
  const facts = { askedBy: askedBy && toFullName(askedBy), from: from && toPlace(from), at: toTime(context) }
  const link = toPasswordLink(context.config, LATER)
  const content = sayPasswordLink(about(context, to), { ...facts, link })
  await queueMail(context, tx, to, { kind: 'password-link', content, linkFor: to._id })
}

/** Stands for a link's token until the mail is sent, so that staff who read mails cannot use the links of others. */
const LATER = 'made-when-it-is-sent'

export async function mailPasswordChanged(
  context: AppContext,
  tx: Tx,
  to: Receiver,
  { changedBy, from }: { changedBy?: Receiver | undefined; from?: string },
): Promise<void> {
  const facts = {
    changedBy: changedBy && toFullName(changedBy),
    from: from && toPlace(from),
    at: toTime(context),
  }
  await queueMail(context, tx, to, { kind: 'password-changed', content: sayPasswordChanged(about(context, to), facts) })
}

export async function mailNewSignIn(
  context: AppContext,
  tx: Tx,
  to: Receiver,
  from: { network: string; device: string },
): Promise<void> {
  const facts = { at: toTime(context), from: toPlace(from.network), device: from.device }
  await queueMail(context, tx, to, { kind: 'new-sign-in', content: sayNewSignIn(about(context, to), facts) })
}

export async function mailSecondFactor(
  context: AppContext,
  tx: Tx,
  to: Receiver,
  news: SecondFactorNews,
): Promise<void> {
  const content = saySecondFactor(about(context, to), { news, at: toTime(context) })
  await queueMail(context, tx, to, { kind: 'second-factor', content })
}

function about({ config }: AppContext, { firstname, email }: Receiver) {
  return { name: firstname, email, productName: config.productName, portalUrl: toPortalUrl(config) }
}

function toPlace(network: string): string {
  const country = findCountry(network)
  return country === undefined ? network : `${network} (${country})`
}

function toTime({ clock, config: { businessTimeZone: timeZone } }: AppContext): string {
  const now = clock.now()
  const date = now.toLocaleDateString('en-ZA', { dateStyle: 'long', timeZone })
  return `${date}, ${toClockText(toWallClock(now, timeZone))} (${timeZone})`
}

const toKey = (id: string) => `mail ${id}`

/**
 * Stores a mail in the transaction of the change that it reports, and queues it when a mail server is set. It is
 * rendered here, so that staff read under Messages exactly what is sent. `linkFor`: whose password its link sets.
 */
async function queueMail(
  context: AppContext,
  tx: Tx,
  to: Receiver,
  { kind, content, linkFor = null }: { kind: MailKind; content: MailContent; linkFor?: string | null },
) {
  const id = createId()
  const now = context.clock.now()
  await insertMail(tx, {
    id,
    kind,
    to_name: toFullName(to),
    to_email: to.email,
    ...renderMail(content, context.config.productName),
    state: context.sendMail ? 'queued' : 'kept',
    created_at: now,
    link_for: linkFor,
  })
  if (context.sendMail) await enqueueJob(tx, { kind: MAIL_JOB, key: toKey(id), payload: { mailId: id }, runAt: now })
  afterCommit(() => context.live.publish([{ entity: 'mail', id, version: 1 }]))
}

/** Sends a mail now that has failed, waits for its next try, or was kept while no mail server was set. */
export async function retryMail(context: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const mail = await findMail(tx, id)
    if (!mail) throw notFound('Message')
    if (!context.sendMail) throw new AppError('mail_not_set_up')
    const { groupId } = mail
    const runAt = context.clock.now()
    const key = groupId === null ? toKey(id) : toMessageKey(groupId)
    const isHurried = mail.state === 'queued' && (await hurryJob(tx, key, runAt))
    if (!isHurried && !(await requeueMail(tx, id)))
      throw new AppError('conflict', { message: 'This message is not waiting for you.' })
    // The history keeps no address of a customer, whose data can be erased, nor the subject, which may have the name.
    const label = groupId === null ? `${mail.subject} (${mail.toEmail})` : `Message: ${mail.kind}`
    await recordEvent(tx, actor, { action: 'retry', entity: 'mail', id, label })
    // Messages about bookings are checked again before they are sent, as they may be outdated.
    if (isHurried || (await retryJob(tx, 'key', key, runAt))) return
    if (groupId !== null) return enqueueMessage(tx, groupId, runAt)
    await enqueueJob(tx, { kind: MAIL_JOB, key, payload: { mailId: id }, runAt })
  })
}

export const MAIL_JOB = 'mail'

export const mailJob: JobKind<AppContext> = {
  title: 'Sending a mail',
  async run(context, job) {
    const mail = await findMail(context.db, toMailId(job))
    if (!mail || mail.state === 'sent') return
    await sendStored(context, mail, async () => ({ id: job.id, ...(await withLink(context, mail)) }))
  },
  setFailed: (tx, job, failed) => updateMail(tx, toMailId(job), { state: failed ? 'failed' : 'queued' }),
  afterRun: ({ live }, job) => live.publish([{ entity: 'mail', id: toMailId(job) }]),
}

/**
 * Puts a new password link into the mail, if it needs one. Throws a MailError when the account is gone, blocked or has
 * another address.
 */
async function withLink(
  context: AppContext,
  mail: Pick<WholeMail, 'html' | 'text' | 'toEmail'> & { linkFor: string | null },
) {
  const { html, text, linkFor } = mail
  if (linkFor === null) return { html, text }
  const link = await inTransaction(context.db, async (tx) => {
    // A change of address or password ends all links, also one that is made at the same moment.
    await lockSignIn(tx, linkFor)
    const staff = await findStaff(tx, linkFor)
    if (!staff || staff.isBlocked || staff.email !== mail.toEmail)
      throw new MailError('The account is not the same', true)
    return createPasswordLink(context, tx, linkFor)
  })
  const later = toPasswordLink(context.config, LATER)
  return { html: html.replaceAll(later, link), text: text.replaceAll(later, link) }
}

const toMailId = ({ payload }: { payload: Record<string, unknown> }) => String(payload.mailId)
