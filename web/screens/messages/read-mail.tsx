import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WholeMail } from '#contract/mails.ts'
import { apiQuery } from '#web/api/query.ts'
import { stateLabels, stateTones } from '#web/components/mail-words.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SkeletonFields } from '#web/ui/skeleton/skeleton.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './read-mail.module.css'

/** A mail as it went out, or would. */
export function ReadMail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery('mails', 'get', { params: { id } }))
  const mail = query.data?.data
  return (
    <Dialog title={mail?.subject ?? 'Message'} width={720} onClose={onClose}>
      {mail && <WholeMailView mail={mail} />}
      {query.isPending && <SkeletonFields count={3} />}
      {query.error && <ErrorState problem={toProblem(query.error)} onRetry={() => void query.refetch()} />}
    </Dialog>
  )
}

function WholeMailView({ mail }: { mail: WholeMail }) {
  const [form, setForm] = useState<'html' | 'text'>('html')
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
          {mail.state === 'kept' && ' No mail server is set (SMTP_URL), so mails are only kept.'}
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
      <div className={styles.forms}>
        <Button size="small" aria-pressed={form === 'html'} onClick={() => setForm('html')}>
          As it looks
        </Button>
        <Button size="small" aria-pressed={form === 'text'} onClick={() => setForm('text')}>
          As text
        </Button>
      </div>
      {form === 'html' ? (
        // Nothing in it may run, nor lead the portal elsewhere.
        <iframe className={styles.html} title={`Mail: ${mail.subject}`} sandbox="" srcDoc={toFrame(mail.html)} />
      ) : (
        <pre className={styles.text}>{mail.text}</pre>
      )}
    </>
  )
}

/** Its links would open in the frame, where the portal lets itself not be shown. */
function toFrame(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">')
}

function toTimeText(instant: string): string {
  const { date, time } = toBusinessTime(instant)
  return `${date}, ${time}`
}
