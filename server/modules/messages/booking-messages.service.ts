import type { BookingPage, Notifies } from '#contract/booking-actions.ts'
import { isOpen } from '#contract/booking-statuses.ts'
import { type MessageKind, messageKinds } from '#contract/message-templates.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { retryJob } from '#server/jobs/queue.ts'
import { recordEvent } from '../audit/record-event.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { requireMyBooking } from '../bookings/change-booking.ts'
import { isStillSo } from './choose-message.ts'
import { toTexts, toToldBooking } from './message-content.ts'
import type { Subject } from './messages.repository.ts'
import * as repository from './messages.repository.ts'
import { enqueueMessage, storeMessage, toGroupId, toMessageKey } from './messages.service.ts'

/** What staff see of the messages about a booking, and the confirmation that they send themselves (rules §32.9). */

/** Returns who would be told of a change of the booking, and by which kinds of message; null when nobody would. */
export async function findNotifies(context: AppContext, bookingId: string): Promise<Notifies | null> {
  if (!context.sendMail) return null
  const subject = await repository.findSubject(context.db, bookingId)
  return subject ? toNotifies(subject, await repository.listEnabledKinds(context.db)) : null
}

function toNotifies({ is_for_customer, to_email }: Subject, enabled: readonly MessageKind[]): Notifies | null {
  if (!is_for_customer || to_email === '' || enabled.length === 0) return null
  return { to: to_email, kinds: messageKinds.filter((kind) => enabled.includes(kind)) }
}

type Told = Pick<BookingPage, 'notifies' | 'sendsTo' | 'messages'>

/** Returns what the booking's page shows about messages. */
export async function getBookingMessages(context: AppContext, bookingId: string): Promise<Told> {
  const subject = await repository.findSubject(context.db, bookingId)
  if (!subject) throw notFound('Booking')
  const messages = await repository.listMessages(context.db, toGroupId(subject), bookingId)
  return {
    notifies: context.sendMail ? toNotifies(subject, await repository.listEnabledKinds(context.db)) : null,
    sendsTo: canBeSent(subject, toBusinessNow(context)) ? subject.to_email : null,
    messages: messages.map((mail) => ({
      _id: mail.id,
      kind: mail.kind,
      subject: mail.subject,
      toEmail: mail.to_email,
      state: mail.state,
      createdAt: mail.created_at.toISOString(),
      sentAt: mail.sent_at?.toISOString() ?? null,
    })),
  }
}

const canBeSent = (subject: Subject, now: Date) => subject.to_email !== '' && isOpen(subject) && subject.end_time > now

export async function sendAgain(context: AppContext, actor: Actor, session: SignedIn, id: string) {
  await inTransaction(context.db, async (tx) => {
    await requireMyBooking(tx, id, session)
    await repository.lockBooking(tx, id)
    const subject = await repository.findSubject(tx, id)
    if (!subject) throw notFound('Booking')
    if (!canBeSent(subject, toBusinessNow(context))) {
      const message =
        subject.to_email === ''
          ? 'This customer has no email address.'
          : 'This booking is cancelled or over: there is no confirmation to send.'
      throw new AppError('booking_state', { message })
    }
    await recordEvent(tx, actor, {
      action: 'send',
      entity: 'booking',
      id,
      label: subject.pod_title,
      reason: subject.to_email,
    })
    await sendConfirmation(context, tx, [subject])
  })
}

/** Applies the choice to send the code with new bookings; undefined leaves it to the switch of the message ‘booked’. */
export async function applySendCode(
  context: AppContext,
  tx: Tx,
  bookingIds: readonly string[],
  sendCode: boolean | undefined,
): Promise<void> {
  if (sendCode === undefined) return
  const subjects = await repository.listSubjectsOf(tx, bookingIds)
  if (sendCode) {
    if (subjects.some(({ to_email }) => to_email === '')) {
      throw fieldError('sendCode', 'There is no email address that the code could be sent to')
    }
    return sendConfirmation(context, tx, subjects)
  }
  // Stored as told, so that no message is sent: staff tell these customers in another way.
  const ofCustomer = subjects.filter(({ is_for_customer }) => is_for_customer)
  await repository.setTold(tx, ofCustomer.map(toToldBooking), context.clock.now())
}

/**
 * Writes a confirmation even if the customer knows the booking, unless the same one is waiting to be sent. It replaces
 * the messages about these bookings that have failed: trying them again would tell the customer twice.
 */
async function sendConfirmation(context: AppContext, tx: Tx, subjects: readonly Subject[]): Promise<void> {
  const [first] = subjects
  if (!first) return
  const groupId = toGroupId(first)
  const now = toBusinessNow(context)
  const unsent = await repository.lockUnsent(tx, groupId)
  const isWaiting = unsent.some(
    (mail) =>
      mail.kind === 'booked' &&
      (mail.state === 'queued' || (mail.state === 'kept' && !context.sendMail)) &&
      mail.bookings?.length === subjects.length &&
      subjects.every((subject) =>
        mail.bookings?.some((told) => told.bookingId === subject.id && isStillSo(mail, told, subject, now)),
      ),
  )
  const isReplaced = ({ state, bookings }: (typeof unsent)[number]) =>
    state === 'failed' && bookings?.every(({ bookingId }) => subjects.some(({ id }) => id === bookingId))
  await repository.setOutdated(
    tx,
    unsent.filter(isReplaced).map(({ id }) => id),
  )
  if (!isWaiting) {
    const template = (await repository.listTemplates(tx)).find(({ kind }) => kind === 'booked')
    if (template) await storeMessage(context, tx, 'booked', toTexts(template), subjects)
  }
  if (!context.sendMail) return
  if (!(await retryJob(tx, 'key', toMessageKey(groupId), context.clock.now())))
    await enqueueMessage(tx, groupId, context.clock.now())
}
