import { useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { mailKindLabels, stateLabels, stateTones } from '#web/components/mail-words.ts'
import { ReadMail } from '#web/components/read-mail.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { IconEye, IconMail } from '#web/ui/icons/icons.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './booking.module.css'
import { useBookingAction } from './use-booking-action.ts'

/** Returns the notice shown before a change that a message will be sent about. */
export const toNotice = (to: string) => `We will write to ${to} about it.`

/** Button that sends the confirmation again, with code and calendar file; its tooltip says where to (rules §32.9). */
export function SendAgain({ booking: { _id, sendsTo, messages } }: { booking: BookingPage }) {
  const { pending, run } = useBookingAction()
  if (sendsTo === null) return null
  const isFirst = messages.length === 0
  return (
    <Button
      size="small"
      icon={<IconMail size={14} />}
      data-tooltip={`The confirmation with the code and the calendar file, to ${sendsTo}`}
      loading={pending.includes('send-again')}
      onClick={() =>
        void run(
          'send-again',
          ({ messages: [newest] }) =>
            newest?.state === 'kept'
              ? 'The confirmation is written, but not sent: no mail server is set here.'
              : `The confirmation goes to ${sendsTo}`,
          () => api('messages', 'sendAgain', { params: { id: _id } }),
        )
      }
    >
      {isFirst ? 'Send confirmation' : 'Send again'}
    </Button>
  )
}

/** The mails about the booking, which whoever may read them under Messages can read here too. */
export function BookingMessages({ booking }: { booking: BookingPage }) {
  const { messages, sendsTo, customer, company, notifies } = booking
  const mayRead = useMay().call('mails.get')
  const [readId, setReadId] = useState<string>()
  const isForCustomer = customer !== null || company !== null
  return (
    <>
      {messages.length === 0 && (
        <p className={styles.words}>
          {isForCustomer && !notifies && sendsTo === null && customer?.email === ''
            ? 'This customer has no email address, so no messages are sent.'
            : sendsTo === null
              ? 'No messages were sent about this booking.'
              : `No message has been sent to ${sendsTo} yet.`}
        </p>
      )}
      {messages.length > 0 && (
        <ul className={styles.payments} aria-label="Mails">
          {messages.map(({ _id, kind, subject, toEmail, state, createdAt, sentAt }) => (
            <li key={_id} title={subject}>
              <span>
                {mailKindLabels[kind]} · {toEmail} · {toMomentText(sentAt ?? createdAt)}
              </span>
              <span className={styles.mailState}>
                <StatusChip tone={stateTones[state]}>{stateLabels[state]}</StatusChip>
                {mayRead && (
                  <IconAction
                    size="small"
                    label={`Read ${mailKindLabels[kind]}, ${toMomentText(sentAt ?? createdAt)}`}
                    tooltip="Read"
                    icon={<IconEye size={16} />}
                    onClick={() => setReadId(_id)}
                  />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {readId !== undefined && <ReadMail id={readId} onClose={() => setReadId(undefined)} />}
    </>
  )
}
