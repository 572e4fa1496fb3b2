import { useQuery } from '@tanstack/react-query'
import type { WholeMail } from '#contract/mails.ts'
import { apiQuery } from '#web/api/query.ts'
import { MailBody } from '#web/components/mail-body.tsx'
import { stateLabels, stateTones } from '#web/components/mail-words.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './read-mail.module.css'

/** A mail as it was or would be sent. */
export function ReadMail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery('mails', 'get', { params: { id } }))
  const mail = query.data?.data
  return (
    <Dialog title={mail?.subject ?? 'Message'} width={720} onClose={onClose}>
      {mail && <WholeMailView mail={mail} />}
      {query.isPending && <SkeletonLines count={6} />}
      {query.error && <ErrorState problem={toProblem(query.error)} onRetry={() => void query.refetch()} />}
    </Dialog>
  )
}

function WholeMailView({ mail }: { mail: WholeMail }) {
  return (
    <>
      <dl className={styles.facts}>
        <dt>To</dt>
        <dd>
          {mail.toName} &lt;{mail.toEmail}&gt;
        </dd>
        <dt>State</dt>
        <dd>
          <StatusChip tone={stateTones[mail.state]}>{stateLabels[mail.state]}</StatusChip>
          {mail.state === 'outdated' && ' Not sent: its booking or address has changed since.'}
          {mail.state === 'kept' && ' It was only kept, as no mail server was set (SMTP_URL).'}
        </dd>
        {mail.sentAt !== null && (
          <>
            <dt>Sent</dt>
            <dd>{toTimeText(mail.sentAt)}</dd>
          </>
        )}
        {mail.tries > 0 && (
          <>
            <dt>Mail server</dt>
            <dd>
              {mail.response} ({mail.tries === 1 ? '1 try' : `${mail.tries} tries`})
            </dd>
          </>
        )}
      </dl>
      <MailBody {...mail} />
    </>
  )
}

function toTimeText(instant: string): string {
  const { date, time } = toBusinessTime(instant)
  return `${date}, ${time}`
}
