import { SECOND } from '#contract/durations.ts'
import type { MessageKind } from '#contract/message-templates.ts'
import type { AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { afterCommit, inTransaction } from '#server/db/transaction.ts'
import { createId } from '#server/ids.ts'
import { deleteDeadJobs, enqueueJob } from '#server/jobs/queue.ts'
import type { JobKind } from '#server/jobs/worker.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { drawCode } from '../mail/mail-template.ts'
import { findMail, updateMail } from '../mail/mail.repository.ts'
import { sendStored } from '../mail/send-stored.ts'
import { chooseKind, isDue, isStillSo } from './choose-message.ts'
import { renderMessage, toTexts, toToldBooking } from './message-content.ts'
import type { Subject } from './messages.repository.ts'
import * as repository from './messages.repository.ts'

/**
 * Messages to customers about their bookings (rules §32.2). A trigger on `audit` queues one job for a changed booking,
 * or for its series. The job compares the bookings with what the customer was told, and writes about the difference:
 * nothing about a change that was undone, and only the result of several changes.
 */

export const MESSAGE_JOB = 'customer message'

export const toMessageKey = (groupId: string) => `${MESSAGE_JOB} ${groupId}`
export const toGroupId = ({ id, series_id }: Subject) => series_id ?? id

export async function enqueueMessage(db: Db | Tx, groupId: string, runAt: Date, keepsPlan = false): Promise<void> {
  await enqueueJob(db, { kind: MESSAGE_JOB, key: toMessageKey(groupId), payload: { groupId }, runAt, keepsPlan })
}

export const messageJob: JobKind<AppContext> = {
  title: 'Writing to a customer',
  async run(context, job) {
    for (const mailId of await writeMessages(context, toGroup(job))) await sendMessage(context, mailId)
  },
  async setFailed(tx, job, failed) {
    const mails = await repository.lockUnsent(tx, toGroup(job))
    for (const { id, state } of mails) {
      if (state === (failed ? 'queued' : 'failed')) await updateMail(tx, id, { state: failed ? 'failed' : 'queued' })
    }
  },
}

const toGroup = ({ payload }: { payload: Record<string, unknown> }) => String(payload.groupId)

type Unsent = Awaited<ReturnType<typeof repository.lockUnsent>>[number]

/** Writes messages about what the customer does not know yet. Returns the ids of the mails to send now. */
function writeMessages(context: AppContext, groupId: string): Promise<string[]> {
  const now = toBusinessNow(context)
  const at = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    await repository.lockTold(tx, groupId)
    const unsent = await repository.lockUnsent(tx, groupId)
    const subjects = await repository.listSubjects(tx, groupId, now)
    const waiting = await dropOutdated(tx, unsent, subjects, now)
    // Nothing is left to try again of what was given up before.
    if (!waiting.some(({ state }) => state === 'failed')) await deleteDeadJobs(tx, 'key', toMessageKey(groupId))
    const templates = new Map((await repository.listTemplates(tx)).map((template) => [template.kind, template]))
    const covered = new Set(
      waiting.flatMap(({ kind, bookings }) => (bookings ?? []).map(({ bookingId }) => toCovered(kind, bookingId))),
    )
    const wanted = new Map<MessageKind, Subject[]>()
    const silent: Subject[] = []
    for (const subject of subjects) {
      const kind = chooseKind(subject, now, context.config.businessTimeZone)
      if (kind === undefined || covered.has(toCovered(kind, subject.id))) continue
      if (subject.to_email !== '' && templates.get(kind)?.is_enabled)
        wanted.set(kind, [...(wanted.get(kind) ?? []), subject])
      // Those who have been deleted are told once they are restored.
      else if (kind !== 'reminder' && !subject.is_receiver_deleted) silent.push(subject)
    }
    await repository.setTold(tx, silent.map(toToldBooking), at)
    await repository.setReminded(
      tx,
      subjects.filter((subject) => isDue(subject, now)),
    )
    const queued = waiting.filter(({ state }) => state === 'queued').map(({ id }) => id)
    for (const [kind, about] of wanted) {
      const template = templates.get(kind)
      if (template) queued.push(...(await storeMessage(context, tx, kind, toTexts(template), about)))
    }
    return queued
  })
}

/** A reminder covers no change of its booking, and no change covers a reminder. */
const toCovered = (kind: string, bookingId: string) => `${kind === 'reminder'} ${bookingId}`

/** Marks the unsent messages that are no longer true as outdated, and returns the others. */
async function dropOutdated(
  tx: Tx,
  unsent: readonly Unsent[],
  subjects: readonly Subject[],
  now: Date,
): Promise<Unsent[]> {
  const byId = new Map(subjects.map((subject) => [subject.id, subject]))
  const isTrue = (mail: Unsent) =>
    (mail.bookings ?? []).every((told) => {
      const subject = byId.get(told.bookingId)
      return subject !== undefined && isStillSo(mail, told, subject, now)
    })
  const valid = unsent.filter(isTrue)
  const outdated = unsent.filter((mail) => !valid.includes(mail))
  await repository.setOutdated(
    tx,
    outdated.map(({ id }) => id),
  )
  // A reminder that was for another address is due again.
  for (const { kind, bookings } of outdated) {
    for (const { bookingId } of kind === 'reminder' ? (bookings ?? []) : []) {
      const subject = byId.get(bookingId)
      if (subject) subject.reminded_for = null
    }
  }
  return valid
}

/** Stores a message. Returns its id when a mail server is set, else no id. */
export async function storeMessage(
  context: AppContext,
  tx: Tx,
  kind: MessageKind,
  texts: Parameters<typeof renderMessage>[2],
  [first, ...others]: readonly Subject[],
): Promise<string[]> {
  if (!first) return []
  const subjects = [first, ...others] as const
  const id = createId()
  const now = context.clock.now()
  await repository.insertMessage(tx, {
    id,
    kind,
    to_name: first.to_name,
    to_email: first.to_email,
    ...renderMessage(context.config, kind, texts, subjects, now),
    state: context.sendMail ? 'queued' : 'kept',
    created_at: now,
    group_id: toGroupId(first),
    bookings: subjects.map(toToldBooking),
  })
  const ids = subjects.map((subject) => subject.id)
  afterCommit(() => publish(context, { id, version: 1 }, ids))
  return context.sendMail ? [id] : []
}

function publish({ live }: AppContext, mail: { id: string; version?: 1 }, bookingIds: readonly string[]): void {
  live.publish([{ entity: 'mail', ...mail }, ...bookingIds.map((id) => ({ entity: 'booking' as const, id }))])
}

/** Sends with the same id at each try, so that mailboxes show repetitions once. */
async function sendMessage(context: AppContext, mailId: string): Promise<void> {
  const mail = await findMail(context.db, mailId)
  if (mail?.state !== 'queued') return
  const bookings = mail.bookings ?? []
  try {
    await sendStored(
      context,
      mail,
      async () => ({ id: mailId, html: mail.html, text: mail.text, ...(await toAttachments(mail)) }),
      async (tx) => {
        await repository.setTold(tx, bookings, context.clock.now())
        // When this server stood still for so long that another took the job, that one saw the mail as unsent, and so
        // had nothing to tell about what has changed since.
        if (mail.groupId !== null && (await repository.lockOutdated(tx, mailId)))
          await enqueueMessage(tx, mail.groupId, context.clock.now(), true)
      },
    )
  } finally {
    publish(
      context,
      { id: mailId },
      bookings.map(({ bookingId }) => bookingId),
    )
  }
}

async function toAttachments({ code, calendar }: { code: string | null; calendar: string | null }) {
  return {
    code: code === null ? undefined : await drawCode(code),
    calendar:
      calendar === null
        ? undefined
        : { method: /^METHOD:(.*?)\r?$/m.exec(calendar)?.[1] ?? 'PUBLISH', content: calendar },
  }
}

/** Queues a job for each group with a booking to remind of, and returns their number. */
export async function queueReminders(context: AppContext): Promise<number> {
  const groups = await repository.listToRemind(context.db, toBusinessNow(context))
  for (const groupId of groups) await enqueueMessage(context.db, groupId, context.clock.now(), true)
  return groups.length
}

/** Queues jobs that tell a restored company or customer, after half a minute, what it has missed. */
export async function queueMissed(tx: Tx, ownerId: string, at: Date): Promise<void> {
  const runAt = new Date(at.getTime() + 30 * SECOND)
  for (const groupId of await repository.listGroupsOf(tx, ownerId, at)) await enqueueMessage(tx, groupId, runAt, true)
}
